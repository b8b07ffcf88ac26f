//! Points that pictures are drawn on.

use std::ops::Range;

use font8x8::legacy::BASIC_LEGACY;

use super::colours::Colour;
use super::drawing::{Anchor, Form, INK, Image, LETTER, Stroke, Text};
use crate::AnyError;
use crate::memory::collected;

/// Points of a letter's dot.
const DOT: usize = LETTER.0 / 8;

/// Points by rows.
pub(super) struct Canvas {
    width: usize,
    pub(super) points: Vec<Colour>,
}

impl Canvas {
    /// All white.
    pub(super) fn new(width: usize, height: usize) -> Result<Canvas, AnyError> {
        let points = collected(width * height, std::iter::repeat([255; 3]))?;
        Ok(Canvas { width, points })
    }

    /// Colours a rectangle; what is outside of the canvas is left out.
    pub(super) fn fill(&mut self, [x, y]: [usize; 2], [width, height]: [usize; 2], colour: Colour) {
        let end = (x + width).min(self.width);
        for row in self.points.chunks_mut(self.width).skip(y).take(height) {
            if let Some(points) = row.get_mut(x..end) {
                points.fill(colour);
            }
        }
    }

    /// Draws a line, softened at its edges.
    pub(super) fn stroke(&mut self, stroke: &Stroke) {
        // From the stroke's middle to where the softened edge ends.
        let reach = stroke.width / 2.0 + 0.5;
        let [low, high] = bounds(stroke.form, 1);
        for y in pixels(low - reach, high + reach, self.points.len() / self.width.max(1)) {
            let middle = y as f64 + 0.5;
            for (first, last) in spans(stroke.form, middle, reach).into_iter().flatten() {
                for x in pixels(first, last, self.width) {
                    let covered = reach - distance(stroke.form, [x as f64 + 0.5, middle]);
                    self.blend(y * self.width + x, stroke.colour, covered.clamp(0.0, 1.0));
                }
            }
        }
    }

    /// Mixes a colour with what is there.
    fn blend(&mut self, at: usize, colour: Colour, share: f64) {
        if let Some(point) = self.points.get_mut(at) {
            for (old, new) in point.iter_mut().zip(colour) {
                let mixed = f64::from(*old) + share * (f64::from(new) - f64::from(*old));
                *old = mixed.round() as u8;
            }
        }
    }

    /// Draws cells.
    pub(super) fn image(&mut self, image: &Image) {
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

    /// Draws letters.
    pub(super) fn text(&mut self, text: &Text) {
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

/// The points of `count` in a row that lie between two places, as far as there are such.
fn pixels(first: f64, last: f64, count: usize) -> Range<usize> {
    // Conversions saturate at the ends of the type.
    (first.floor() as usize).min(count)..(last.ceil() as usize).min(count)
}

/// The least and the greatest place of a form along an axis.
fn bounds(form: Form, axis: usize) -> [f64; 2] {
    match form {
        Form::Line(from, to) => [from[axis].min(to[axis]), from[axis].max(to[axis])],
        Form::Circle(centre, radius) => [centre[axis] - radius, centre[axis] + radius],
    }
}

/// Where along a row of points, in the middle of which y is `row`, a form may be near.
fn spans(form: Form, row: f64, reach: f64) -> [Option<(f64, f64)>; 2] {
    match form {
        Form::Line(from, to) => {
            let [low, high] = bounds(form, 0);
            let rise = to[1] - from[1];
            let (mut first, mut last) = (low - reach, high + reach);
            if rise != 0.0 {
                // Where the line's middle is at this row and those that its width reaches to.
                let slope = (to[0] - from[0]) / rise;
                let at = from[0] + (row - from[1]) * slope;
                let wide = reach * (1.0 + slope.abs());
                (first, last) = (first.max(at - wide), last.min(at + wide));
            }
            [Some((first, last)), None]
        }
        Form::Circle([x, y], radius) => {
            let height = row - y;
            let outer = (radius + reach).powi(2) - height * height;
            if outer < 0.0 {
                return [None; 2];
            }
            let outer = outer.sqrt();
            let inner = (radius - reach).max(0.0).powi(2) - height * height;
            if inner <= 0.0 {
                return [Some((x - outer, x + outer)), None];
            }
            // The ends of both are whole points, which must not be drawn twice.
            let inner = inner.sqrt();
            let (left, right) = ((x - inner).ceil(), (x + inner).floor());
            match left < right {
                true => [Some((x - outer, left)), Some((right, x + outer))],
                false => [Some((x - outer, x + outer)), None],
            }
        }
    }
}

/// How far a place is from a form.
fn distance(form: Form, place: [f64; 2]) -> f64 {
    match form {
        Form::Circle([x, y], radius) => ((place[0] - x).hypot(place[1] - y) - radius).abs(),
        Form::Line(from, to) => {
            let along = [to[0] - from[0], to[1] - from[1]];
            let there = [place[0] - from[0], place[1] - from[1]];
            let square = along[0] * along[0] + along[1] * along[1];
            let share = match square > 0.0 {
                true => ((there[0] * along[0] + there[1] * along[1]) / square).clamp(0.0, 1.0),
                false => 0.0,
            };
            (there[0] - share * along[0]).hypot(there[1] - share * along[1])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_has_dots() {
        assert!(('!'..='~').all(|letter| glyph(letter) != [0; 8]));
        assert_eq!((glyph(' '), glyph('é')), ([0; 8], glyph('?')));
    }

    /// The points that a stroke darkens, each compared with its distance.
    fn check(form: Form, width: f64) -> usize {
        let size = 60;
        let mut canvas = Canvas::new(size, size).unwrap();
        canvas.stroke(&Stroke { form, width, colour: [0; 3] });
        let mut count = 0;
        for (at, point) in canvas.points.iter().enumerate() {
            let place = [(at % size) as f64 + 0.5, (at / size) as f64 + 0.5];
            let covered = (width / 2.0 + 0.5 - distance(form, place)).clamp(0.0, 1.0);
            let expected = (255.0 * (1.0 - covered)).round() as u8;
            assert_eq!(*point, [expected; 3], "{form:?} {place:?}");
            count += usize::from(expected < 255);
        }
        count
    }

    #[test]
    fn strokes_are_where_their_forms_are() {
        let line = |from, to| check(Form::Line(from, to), 2.0);
        assert!(line([5.0, 5.0], [50.0, 50.0]) > 45);
        for end in
            [[50.0, 5.0], [5.0, 50.0], [50.3, 12.7], [6.1, 48.9], [-20.0, 30.0], [90.0, 90.0]]
        {
            assert!(line([5.0, 5.0], end) > 20, "{end:?}");
            assert_eq!(line([5.0, 5.0], end), line(end, [5.0, 5.0]));
        }
        assert!(line([9.5, 9.5], [9.5, 9.5]) > 0);
        assert_eq!(line([-9.0, -9.0], [-5.0, -30.0]), 0);
        let circle = |centre, radius| check(Form::Circle(centre, radius), 1.5);
        for radius in [0.0, 0.3, 1.0, 2.5, 7.0, 20.2, 29.0] {
            assert!(circle([30.2, 29.7], radius) > 0, "{radius}");
        }
        assert!(circle([0.0, 0.0], 30.0) > 30);
        assert_eq!(circle([200.0, 30.0], 50.0), 0);
        assert_eq!(circle([30.0, 30.0], 500.0), 0);
    }

    #[test]
    fn the_middle_of_a_line_has_its_colour() {
        let mut canvas = Canvas::new(9, 3).unwrap();
        let form = Form::Line([0.0, 1.5], [9.0, 1.5]);
        canvas.stroke(&Stroke { form, width: 1.0, colour: [9, 8, 7] });
        assert_eq!(canvas.points[9..18], [[9, 8, 7]; 9]);
        assert_eq!(canvas.points[..9], [[255; 3]; 9]);
    }
}
