//! Where plots are drawn: as SVG, which any page shows at any size. Text is not laid out here: an SVG says where its
//! start, middle or end is and names a generic family, so that the bytes are the same whatever fonts a machine has.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::Failure;

/// A place.
pub(super) type Place = (f64, f64);

/// A colour of lines, bars and text.
pub(super) type Colour = RGBColor;

pub(super) const BLACK: Colour = RGBColor(34, 34, 34);
pub(super) const GREY: Colour = RGBColor(110, 110, 110);
pub(super) const PALE: Colour = RGBColor(226, 226, 226);
pub(super) const BLUE: Colour = RGBColor(31, 100, 180);
pub(super) const ORANGE: Colour = RGBColor(214, 106, 0);
pub(super) const GREEN: Colour = RGBColor(30, 138, 62);
pub(super) const PURPLE: Colour = RGBColor(132, 60, 160);

/// Which end of a text its place is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Left,
    Centre,
    Right,
}

/// What can be drawn.
pub(super) trait Draw {
    fn line(&mut self, places: &[Place], colour: Colour, width: u32) -> Result<(), Failure>;
    /// A surface that lets through what is behind it.
    fn surface(&mut self, places: &[Place], colour: Colour) -> Result<(), Failure>;
    fn bar(&mut self, corner: Place, opposite: Place, colour: Colour) -> Result<(), Failure>;
    /// A line of text, whose middle is as high as its place.
    fn text(
        &mut self,
        place: Place,
        side: Side,
        size: f64,
        colour: Colour,
        text: &str,
    ) -> Result<(), Failure>;
}

/// A plot.
pub(super) struct Plot {
    pub(super) svg: Vec<u8>,
}

/// What is drawn.
pub(super) type Picture<'a> = &'a dyn Fn(&mut dyn Draw) -> Result<(), Failure>;

/// Draws a picture of this width and height.
pub(super) fn plot(size: (u32, u32), picture: Picture<'_>) -> Result<Plot, Failure> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE).map_err(failed)?;
        picture(&mut Canvas { area: &area })?;
        area.present().map_err(failed)?;
    }
    // Lines end with a newline, as in every other text of the repository.
    if !svg.ends_with('\n') {
        svg.push('\n');
    }
    Ok(Plot { svg: svg.into_bytes() })
}

fn failed(error: impl std::fmt::Display) -> Failure {
    format!("cannot draw: {error}").into()
}

struct Canvas<'a, 'b> {
    area: &'a DrawingArea<SVGBackend<'b>, Shift>,
}

fn pixel((x, y): Place) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}

impl Draw for Canvas<'_, '_> {
    fn line(&mut self, places: &[Place], colour: Colour, width: u32) -> Result<(), Failure> {
        let pixels: Vec<_> = places.iter().map(|place| pixel(*place)).collect();
        let style = colour.stroke_width(width);
        self.area.draw(&PathElement::new(pixels, style)).map_err(failed)
    }

    fn surface(&mut self, places: &[Place], colour: Colour) -> Result<(), Failure> {
        let pixels: Vec<_> = places.iter().map(|place| pixel(*place)).collect();
        self.area.draw(&Polygon::new(pixels, colour.mix(0.25).filled())).map_err(failed)
    }

    fn bar(&mut self, corner: Place, opposite: Place, colour: Colour) -> Result<(), Failure> {
        let corners = [pixel(corner), pixel(opposite)];
        self.area.draw(&Rectangle::new(corners, colour.filled())).map_err(failed)
    }

    fn text(
        &mut self,
        place: Place,
        side: Side,
        size: f64,
        colour: Colour,
        text: &str,
    ) -> Result<(), Failure> {
        let horizontal = match side {
            Side::Left => HPos::Left,
            Side::Centre => HPos::Center,
            Side::Right => HPos::Right,
        };
        let style = TextStyle::from(("sans-serif", size).into_font())
            .color(&colour)
            .pos(Pos::new(horizontal, VPos::Center));
        self.area.draw(&Text::new(text.to_owned(), pixel(place), style)).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_the_same_bytes_each_time() {
        let picture = |draw: &mut dyn Draw| {
            draw.line(&[(1.0, 1.0), (90.0, 50.0)], BLUE, 2)?;
            draw.surface(&[(1.0, 1.0), (90.0, 50.0), (90.0, 1.0)], ORANGE)?;
            draw.text((50.0, 30.0), Side::Centre, 12.0, BLACK, "n = 30,720 \u{d7} 2")
        };
        let (a, b) = (plot((100, 60), &picture).unwrap(), plot((100, 60), &picture).unwrap());
        assert_eq!(a.svg, b.svg);
        let text = String::from_utf8(a.svg).unwrap();
        assert!(text.contains("n = 30,720") && text.contains("font-family=\"sans-serif\""));
        assert!(text.contains("text-anchor=\"middle\""), "{text}");
    }
}
