//! Pictures as SVG files.

use std::io::Write;

use crate::AnyError;
use base64ct::{Base64, Encoding};

use super::colours::Colour;
use super::drawing::{Anchor, Drawing, INK, LETTER};
use super::png;

/// Writes the picture. Cells are embedded as small PNG images, because a million rectangles would be slow to show.
pub(super) fn write(drawing: &Drawing, writer: &mut impl Write) -> Result<(), AnyError> {
    let Drawing { width, height, .. } = drawing;
    let ink = hexadecimal(INK);
    writeln!(
        writer,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"{}\" \
         fill=\"{ink}\">",
        LETTER.1
    )?;
    writeln!(writer, "<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>")?;
    for image in &drawing.images {
        let mut bytes = Vec::new();
        let cells = image.pixels.as_flattened();
        png::encode(&mut bytes, [image.columns, image.rows()], cells)?;
        writeln!(
            writer,
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
             style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>",
            image.x,
            image.y,
            image.width,
            image.height,
            Base64::encode_string(&bytes)
        )?;
    }
    for rectangle in &drawing.rectangles {
        writeln!(
            writer,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            rectangle.x, rectangle.y, rectangle.width, rectangle.height
        )?;
    }
    for text in &drawing.texts {
        let anchor = match text.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        // Letters of fonts reach a little less high than those of dots.
        let (x, y, letters) = (text.x, text.baseline - 2, escaped(&text.text));
        writeln!(writer, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{letters}</text>")?;
    }
    writeln!(writer, "</svg>")?;
    Ok(())
}

fn hexadecimal([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Text without what would be markup, or no XML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            letter if letter.is_control() => escaped.push('?'),
            '\u{fffe}' | '\u{ffff}' => escaped.push('?'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::drawing::Image;
    use super::*;

    #[test]
    fn text_is_no_markup() {
        assert_eq!(escaped("a<b> & \"é\"\u{1}"), "a&lt;b&gt; &amp; \"é\"?");
        let mut drawing = Drawing::new(50, 60);
        let pixels = vec![[1, 2, 3]; 6];
        drawing.images.push(Image { x: 1, y: 2, width: 30, height: 40, columns: 3, pixels });
        drawing.rectangle(5, 6, 7, 8);
        drawing.text(10, 20, Anchor::Middle, "<script>");
        let mut bytes = Vec::new();
        write(&drawing, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("text-anchor=\"middle\">&lt;script&gt;</text>"), "{text}");
        assert!(text.contains("<rect x=\"5\" y=\"6\" width=\"7\" height=\"8\"/>"), "{text}");
        let image = text.split("base64,").nth(1).unwrap().split('"').next().unwrap();
        let image = Base64::decode_vec(image).unwrap();
        let reader = ::png::Decoder::new(std::io::Cursor::new(image)).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (3, 2));
    }
}
