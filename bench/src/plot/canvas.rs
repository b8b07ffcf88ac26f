//! Where plots are drawn: as SVG, which any page shows at any size. Text is not laid out here: an SVG says where its
//! start, middle or end is and names a generic family, so that the bytes are the same whatever fonts a machine has.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::Failure;

/// A place.
pub(crate) type Place = (f64, f64);

/// A colour of lines, bars and text.
pub(crate) type Colour = RGBColor;

pub(crate) const BLACK: Colour = RGBColor(34, 34, 34);
pub(crate) const GREY: Colour = RGBColor(110, 110, 110);
pub(crate) const PALE: Colour = RGBColor(226, 226, 226);
pub(crate) const BLUE: Colour = RGBColor(31, 100, 180);
pub(crate) const ORANGE: Colour = RGBColor(214, 106, 0);
pub(crate) const GREEN: Colour = RGBColor(30, 138, 62);
pub(crate) const PURPLE: Colour = RGBColor(132, 60, 160);

/// Which end of a text its place is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    Left,
    Centre,
    Right,
}

/// A plot, as the text of an SVG.
pub(crate) type Plot = String;

/// Draws a plot of this width and height.
pub(crate) fn plot(
    size: (u32, u32),
    draw: impl FnOnce(&Canvas<'_>) -> Result<(), Failure>,
) -> Result<Plot, Failure> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    area.fill(&WHITE).map_err(failed)?;
    let canvas = Canvas { area };
    draw(&canvas)?;
    canvas.area.present().map_err(failed)?;
    drop(canvas);
    // Lines end with a newline, as in every other text of the repository.
    if !svg.ends_with('\n') {
        svg.push('\n');
    }
    Ok(svg)
}

fn failed(error: impl std::fmt::Display) -> Failure {
    format!("cannot draw: {error}").into()
}

/// What can be drawn.
pub(crate) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

fn pixel((x, y): Place) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}

impl Canvas<'_> {
    pub(crate) fn line(&self, places: &[Place], colour: Colour, width: u32) -> Result<(), Failure> {
        let pixels: Vec<_> = places.iter().copied().map(pixel).collect();
        self.area.draw(&PathElement::new(pixels, colour.stroke_width(width))).map_err(failed)
    }

    /// A surface that lets through what is behind it.
    pub(crate) fn surface(&self, places: &[Place], colour: Colour) -> Result<(), Failure> {
        let pixels: Vec<_> = places.iter().copied().map(pixel).collect();
        self.area.draw(&Polygon::new(pixels, colour.mix(0.25).filled())).map_err(failed)
    }

    pub(crate) fn bar(&self, corner: Place, end: Place, colour: Colour) -> Result<(), Failure> {
        let corners = [corner, end].map(pixel);
        self.area.draw(&Rectangle::new(corners, colour.filled())).map_err(failed)
    }

    /// A line of text, whose middle is as high as its place.
    pub(crate) fn text(
        &self,
        place: Place,
        side: Side,
        size: f64,
        colour: Colour,
        text: &str,
    ) -> Result<(), Failure> {
        let side = match side {
            Side::Left => HPos::Left,
            Side::Centre => HPos::Center,
            Side::Right => HPos::Right,
        };
        let style = TextStyle::from(("sans-serif", size).into_font()).color(&colour);
        let style = style.pos(Pos::new(side, VPos::Center));
        self.area.draw(&Text::new(text.to_owned(), pixel(place), style)).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_the_same_bytes_each_time() {
        let picture = |draw: &Canvas<'_>| {
            draw.line(&[(1.0, 1.0), (90.0, 50.0)], BLUE, 2)?;
            draw.surface(&[(1.0, 1.0), (90.0, 50.0), (90.0, 1.0)], ORANGE)?;
            draw.text((50.0, 30.0), Side::Centre, 12.0, BLACK, "n = 30,720 \u{d7} 2")
        };
        let (a, b) = (plot((100, 60), picture).unwrap(), plot((100, 60), picture).unwrap());
        assert_eq!(a, b);
        assert!(a.contains("n = 30,720"));
    }
}
