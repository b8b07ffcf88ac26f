//! Pictures as SVG files.

use std::io::Write;

use crate::AnyError;
use base64ct::{Base64, Encoding};

use super::colours::Colour;
use super::drawing::{Anchor, Drawing, Form, INK, LETTER};
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
    for stroke in &drawing.strokes {
        let form = match stroke.form {
            Form::Line([x1, y1], [x2, y2]) => {
                format!("line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\"")
            }
            Form::Circle([x, y], radius) => {
                format!("circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\" fill=\"none\"")
            }
        };
        let (colour, width) = (hexadecimal(stroke.colour), stroke.width);
        writeln!(writer, "<{form} stroke=\"{colour}\" stroke-width=\"{width}\"/>")?;
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
    use super::super::drawing::{Image, Stroke};
    use super::*;

    #[test]
    fn text_is_no_markup() {
        assert_eq!(escaped("a<b> & \"é\"\u{1}"), "a&lt;b&gt; &amp; \"é\"?");
        let mut drawing = Drawing::new(50, 60);
        let pixels = vec![[1, 2, 3]; 6];
        drawing.images.push(Image { x: 1, y: 2, width: 30, height: 40, columns: 3, pixels });
        let stroke = |form| Stroke { form, width: 1.5, colour: [1, 20, 255] };
        drawing.strokes.push(stroke(Form::Line([1.0, 2.125], [3.0, 4.0])));
        drawing.strokes.push(stroke(Form::Circle([5.0, 6.0], 0.5)));
        drawing.rectangle(5, 6, 7, 8);
        drawing.text(10, 20, Anchor::Middle, "<script>");
        let mut bytes = Vec::new();
        write(&drawing, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("text-anchor=\"middle\">&lt;script&gt;</text>"), "{text}");
        assert!(text.contains("<rect x=\"5\" y=\"6\" width=\"7\" height=\"8\"/>"), "{text}");
        let style = "stroke=\"#0114ff\" stroke-width=\"1.5\"/>";
        let line = "<line x1=\"1.00\" y1=\"2.12\" x2=\"3.00\" y2=\"4.00\"";
        assert!(text.contains(&format!("{line} {style}")), "{text}");
        let circle = "<circle cx=\"5.00\" cy=\"6.00\" r=\"0.50\" fill=\"none\"";
        assert!(text.contains(&format!("{circle} {style}")), "{text}");
        let image = text.split("base64,").nth(1).unwrap().split('"').next().unwrap();
        let image = Base64::decode_vec(image).unwrap();
        let reader = ::png::Decoder::new(std::io::Cursor::new(image)).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (3, 2));
    }
}
