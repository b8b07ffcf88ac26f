//! Pictures as PNG files.

use std::io::Write;

use crate::AnyError;
use png::{BitDepth, ColorType, Encoder};

use super::canvas::Canvas;
use super::drawing::{Drawing, INK};

/// Writes the picture, point by point.
pub(super) fn write(drawing: &Drawing, writer: impl Write) -> Result<(), AnyError> {
    let mut canvas = Canvas::new(drawing.width, drawing.height)?;
    drawing.images.iter().for_each(|image| canvas.image(image));
    drawing.strokes.iter().for_each(|stroke| canvas.stroke(stroke));
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

#[cfg(test)]
mod tests {
    use super::super::drawing::{Anchor, Image};
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
}
