//! Pictures as PNG files.

use std::io::Write;

use crate::AnyError;
use crate::memory::collected;
use font8x8::legacy::BASIC_LEGACY;
use png::{BitDepth, ColorType, Encoder};

use super::colours::Colour;
use super::drawing::{Anchor, Drawing, INK, Image, LETTER, Text};

/// Points of a letter's dot.
const DOT: usize = LETTER.0 / 8;

/// Writes the picture, point by point.
pub(super) fn write(drawing: &Drawing, writer: impl Write) -> Result<(), AnyError> {
    let mut canvas = Canvas::new(drawing.width, drawing.height)?;
    drawing.images.iter().for_each(|image| canvas.image(image));
    for rectangle in &drawing.rectangles {
        canvas.fill([rectangle.x, rectangle.y], [rectangle.width, rectangle.height], INK);
    }
    drawing.texts.iter().for_each(|text| canvas.text(text));
    encode(writer, [drawing.width, drawing.height], canvas.points.as_flattened())
}

/// Writes points by rows, each of three bytes.
pub(super) fn encode(
    writer: impl Write,
    [width, height]: [usize; 2],
    points: &[u8],
) -> Result<(), AnyError> {
    let mut encoder = Encoder::new(writer, u32::try_from(width)?, u32::try_from(height)?);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(points)?;
    Ok(writer.finish()?)
}

/// Points by rows.
struct Canvas {
    width: usize,
    points: Vec<Colour>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Result<Canvas, AnyError> {
        let points = collected(width * height, std::iter::repeat([255; 3]))?;
        Ok(Canvas { width, points })
    }

    /// Colours a rectangle; what is outside of the canvas is left out.
    fn fill(&mut self, [x, y]: [usize; 2], [width, height]: [usize; 2], colour: Colour) {
        let end = (x + width).min(self.width);
        for row in self.points.chunks_mut(self.width).skip(y).take(height) {
            if let Some(points) = row.get_mut(x..end) {
                points.fill(colour);
            }
        }
    }

    fn image(&mut self, image: &Image) {
        let (rows, columns) = (image.rows(), image.columns);
        for (row, cells) in image.pixels.chunks(columns.max(1)).enumerate() {
            let [top, bottom] = [row, row + 1].map(|row| row * image.height / rows);
            for (column, colour) in cells.iter().enumerate() {
                let [left, right] =
                    [column, column + 1].map(|column| column * image.width / columns);
                let start = [image.x + left, image.y + top];
                self.fill(start, [right - left, bottom - top], *colour);
            }
        }
    }

    fn text(&mut self, text: &Text) {
        let width = text.text.chars().count() * LETTER.0;
        let x = match text.anchor {
            Anchor::Start => text.x,
            Anchor::Middle => text.x.saturating_sub(width / 2),
            Anchor::End => text.x.saturating_sub(width),
        };
        let y = text.baseline.saturating_sub(LETTER.1);
        for (place, letter) in text.text.chars().enumerate() {
            for (line, dots) in glyph(letter).into_iter().enumerate() {
                for dot in (0..8).filter(|dot| dots >> dot & 1 == 1) {
                    let start = [x + place * LETTER.0 + dot * DOT, y + line * DOT];
                    self.fill(start, [DOT; 2], INK);
                }
            }
        }
    }
}

/// The dots of a letter, in lines from the top: the lowest bit is the leftmost dot. A letter that the font does not have
/// is a question mark.
fn glyph(letter: char) -> [u8; 8] {
    let known = BASIC_LEGACY.get(letter as usize);
    known.or(BASIC_LEGACY.get('?' as usize)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_where_they_are_drawn() {
        let mut drawing = Drawing::new(40, 30);
        let pixels = vec![[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]];
        drawing.images.push(Image { x: 2, y: 3, width: 6, height: 4, columns: 2, pixels });
        drawing.rectangle(30, 28, 20, 20);
        drawing.text(38, 26, Anchor::End, "I");
        let mut bytes = Vec::new();
        write(&drawing, &mut bytes).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut points = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut points).unwrap();
        assert_eq!((info.width, info.height), (40, 30));
        let point = |x: usize, y: usize| &points[3 * (40 * y + x)..][..3];
        for (x, y, colour) in [
            (2, 3, [1, 2, 3]),
            (4, 4, [1, 2, 3]),
            (5, 4, [4, 5, 6]),
            (4, 5, [7, 8, 9]),
            (7, 6, [10, 11, 12]),
            (8, 6, [255; 3]),
            (7, 7, [255; 3]),
            (30, 28, INK),
            (39, 29, INK),
            (29, 28, [255; 3]),
        ] {
            assert_eq!(point(x, y), colour, "{x}, {y}");
        }
        let ink = |x: usize, y: usize| point(x, y) == INK;
        let dots = (22..38).flat_map(|x| (10..26).map(move |y| (x, y)));
        assert!((20..120).contains(&dots.filter(|&(x, y)| ink(x, y)).count()));
        assert!((0..22).all(|x| !ink(x, 20)));
    }

    #[test]
    fn every_letter_has_dots() {
        assert!(('!'..='~').all(|letter| glyph(letter) != [0; 8]));
        assert_eq!((glyph(' '), glyph('é')), ([0; 8], glyph('?')));
    }
}
