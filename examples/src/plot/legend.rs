//! Which colour stands for which value.

use super::colours::{UNDEFINED, colour};
use super::drawing::{Anchor, Drawing, GAP, Image, LETTER};
use super::ticks;

/// The width of the bar.
const BAR: usize = 24;
/// How many colours the bar shows.
const SHADES: usize = 200;
/// What stands beside the colour of values that are no numbers.
const NO_VALUE: &str = "undefined";

/// A bar of all colours, with values beside it.
pub(super) struct Legend {
    range: Option<(f64, f64)>,
    values: Vec<(f64, String)>,
    has_undefined: bool,
}

impl Legend {
    /// Of the values in a range.
    pub(super) fn new(range: Option<(f64, f64)>, has_undefined: bool) -> Legend {
        Legend { range, values: ticks::of_values(range), has_undefined }
    }

    /// How much room it needs beside a picture.
    pub(super) fn width(&self) -> usize {
        let letters = self.values.iter().map(|(_, text)| text.chars().count()).max();
        let undefined = if self.has_undefined { NO_VALUE.len() } else { 0 };
        BAR + GAP + letters.unwrap_or(0).max(undefined) * LETTER.0
    }

    /// Draws it, with the largest value on top.
    pub(super) fn draw(&self, drawing: &mut Drawing, [x, y]: [usize; 2], height: usize) {
        let shade = |at: usize| (SHADES - 1 - at) as f64 / (SHADES - 1) as f64;
        let value = |share: f64| self.range.map(|(low, high)| low + share * (high - low));
        let shades = (0..SHADES).map(|at| colour(value(shade(at)).unwrap_or(f64::NAN), self.range));
        let pixels = shades.collect();
        let bottom = y + height;
        let height = if self.has_undefined { height - LETTER.1 - 2 * GAP } else { height };
        drawing.images.push(Image { x, y, width: BAR, height, columns: 1, pixels });
        for (share, name) in &self.values {
            let place = y + ((1.0 - share) * height as f64).round() as usize;
            drawing.rectangle(x + BAR, place, GAP / 2, 1);
            drawing.text(x + BAR + GAP, place + LETTER.1 / 2, Anchor::Start, name);
        }
        if self.has_undefined {
            let (y, pixels) = (bottom - LETTER.1, vec![UNDEFINED]);
            drawing.images.push(Image { x, y, width: BAR, height: LETTER.1, columns: 1, pixels });
            drawing.text(x + BAR + GAP, bottom, Anchor::Start, NO_VALUE);
        }
    }
}
