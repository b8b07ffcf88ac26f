//! Where plots are drawn: once as SVG and once as PNG, from the same calls. Places are in pixels of the SVG;
//! the PNG has twice as many. Text is laid out with a font of the repository, so that the bytes are the
//! same on every machine.

use std::sync::OnceLock;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

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

/// A plot in both forms.
pub(super) struct Plot {
    pub(super) svg: Vec<u8>,
    pub(super) png: Vec<u8>,
}

/// What is drawn.
pub(super) type Picture<'a> = &'a dyn Fn(&mut dyn Draw) -> Result<(), Failure>;

const PNG_SCALE: u32 = 2;

/// Draws a picture of this width and height.
pub(super) fn plot((width, height): (u32, u32), picture: Picture<'_>) -> Result<Plot, Failure> {
    font()?;
    let mut svg = String::new();
    {
        let backend = SVGBackend::with_string(&mut svg, (width, height));
        draw(backend, 1, picture)?;
    }
    // Lines end with a newline, as in every other text of the repository.
    if !svg.ends_with('\n') {
        svg.push('\n');
    }
    let (width, height) = (PNG_SCALE * width, PNG_SCALE * height);
    let mut pixels = vec![0_u8; 3 * width as usize * height as usize];
    draw(BitMapBackend::with_buffer(&mut pixels, (width, height)), PNG_SCALE, picture)?;
    Ok(Plot { svg: svg.into_bytes(), png: encode(&pixels, width, height)? })
}

/// The repository's font in place of the system's.
fn font() -> Result<(), Failure> {
    static DONE: OnceLock<bool> = OnceLock::new();
    let bytes = include_bytes!("../../fonts/DejaVuSans.ttf");
    let register = || register_font("sans-serif", FontStyle::Normal, bytes).is_ok();
    if *DONE.get_or_init(register) { Ok(()) } else { Err("the font cannot be read".into()) }
}

fn draw<B: DrawingBackend>(backend: B, scale: u32, picture: Picture<'_>) -> Result<(), Failure> {
    let area = backend.into_drawing_area();
    area.fill(&WHITE).map_err(failed)?;
    picture(&mut Canvas { area: &area, scale: f64::from(scale) })?;
    area.present().map_err(failed)
}

/// The bytes of a PNG.
fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

fn failed(error: impl std::fmt::Display) -> Failure {
    format!("cannot draw: {error}").into()
}

struct Canvas<'a, B: DrawingBackend> {
    area: &'a DrawingArea<B, Shift>,
    scale: f64,
}

impl<B: DrawingBackend> Canvas<'_, B> {
    fn pixel(&self, (x, y): Place) -> (i32, i32) {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }
}

impl<B: DrawingBackend> Draw for Canvas<'_, B> {
    fn line(&mut self, places: &[Place], colour: Colour, width: u32) -> Result<(), Failure> {
        let pixels: Vec<_> = places.iter().map(|place| self.pixel(*place)).collect();
        let style = colour.stroke_width(width * self.scale as u32);
        self.area.draw(&PathElement::new(pixels, style)).map_err(failed)
    }

    fn surface(&mut self, places: &[Place], colour: Colour) -> Result<(), Failure> {
        let pixels: Vec<_> = places.iter().map(|place| self.pixel(*place)).collect();
        self.area.draw(&Polygon::new(pixels, colour.mix(0.25).filled())).map_err(failed)
    }

    fn bar(&mut self, corner: Place, opposite: Place, colour: Colour) -> Result<(), Failure> {
        let corners = [self.pixel(corner), self.pixel(opposite)];
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
        let style = TextStyle::from(("sans-serif", size * self.scale).into_font())
            .color(&colour)
            .pos(Pos::new(horizontal, VPos::Center));
        self.area.draw(&Text::new(text.to_owned(), self.pixel(place), style)).map_err(failed)
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
        assert_eq!((&a.svg, &a.png), (&b.svg, &b.png));
        assert!(String::from_utf8(a.svg).unwrap().contains("n = 30,720"));
        assert!(a.png.starts_with(b"\x89PNG"));
    }
}
