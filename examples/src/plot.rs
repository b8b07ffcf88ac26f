//! Pictures: a square of the values of all pairs, with a legend.

mod bins;
mod colours;
mod drawing;
mod png;
mod svg;
mod ticks;

use std::path::Path;

use td_kernel::PackedMatrix;

pub use self::ticks::Ticks;

use self::bins::Bins;
use self::colours::{UNDEFINED, colour};
use self::drawing::{Anchor, Drawing, Image, LETTER};
use crate::{Error, NewFile, Result};

/// The least side of the square, in points.
const SIDE: usize = 600;
/// From the square to what is beside it.
const GAP: usize = 12;
/// The width of the legend's bar.
const BAR: usize = 24;
/// How many colours the legend's bar shows.
const SHADES: usize = 200;
/// The longest label that is written in full.
const LONGEST: usize = 20;

/// The kind of file that a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Points, as Portable Network Graphics.
    Png,
    /// Shapes, as Scalable Vector Graphics.
    Svg,
}

impl Kind {
    /// The kind, by the end of the file's name.
    ///
    /// # Errors
    ///
    /// The end is not known.
    pub fn of(path: &Path) -> Result<Kind> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("png") => Ok(Kind::Png),
            Some("svg") => Ok(Kind::Svg),
            _ => Err(Error::UnknownKind { path: path.into(), expected: ".png or .svg" }),
        }
    }

    /// Writes a drawing as a file of this kind.
    fn write(self, file: &NewFile, drawing: &Drawing) -> Result<()> {
        file.write(|writer| match self {
            Kind::Png => png::write(drawing, writer),
            Kind::Svg => svg::write(drawing, writer),
        })
    }
}

/// The values of all pairs of elements, as a square: the same elements along both sides, in the same order.
#[derive(Debug)]
pub struct Heatmap<'a> {
    /// What the picture shows.
    pub title: &'a str,
    /// What stands along its sides.
    pub side: &'a str,
    /// The marks of its sides.
    pub ticks: Ticks,
    /// The values of pairs.
    pub values: &'a PackedMatrix<f32>,
    /// The value of each element with itself; NaN where it has none.
    pub own: &'a [f32],
    /// The elements in the order that they are drawn in.
    pub order: &'a [usize],
}

impl Heatmap<'_> {
    /// Draws it to a file of this kind.
    ///
    /// # Errors
    ///
    /// There is not enough memory, or the errors of [`NewFile::write`].
    pub fn write(&self, file: &NewFile, kind: Kind) -> Result<()> {
        let bins = Bins::new(self.values, self.own, self.order)?;
        kind.write(file, &self.drawing(&bins))
    }

    /// The picture.
    fn drawing(&self, bins: &Bins) -> Drawing {
        let Heatmap { title, side: what, ticks, .. } = self;
        // Whole points for each cell.
        let cell = SIDE.div_ceil(bins.side.max(1));
        let side = bins.side * cell;
        let range = bins.range();
        let legend = ticks::of_values(range);
        let widest = |texts: &[(f64, String)]| {
            let lengths = texts.iter().map(|(_, text)| text.chars().count().min(LONGEST));
            lengths.max().unwrap_or(0) * LETTER.0
        };
        let left = 2 * GAP + LETTER.1 + widest(&ticks.names);
        let top = 2 * GAP + LETTER.1;
        let bar = left + side + 2 * GAP;
        let undefined = if bins.has_undefined { "undefined".len() * LETTER.0 } else { 0 };
        let right = bar + BAR + GAP + widest(&legend).max(undefined) + GAP;
        let width = right.max(left + title.chars().count() * LETTER.0 + GAP);
        let mut drawing = Drawing::new(width, top + side + 3 * GAP + 2 * LETTER.1);

        drawing.text(left, top - GAP, Anchor::Start, title);
        let pixels = bins.cells.iter().map(|value| colour(*value, range)).collect();
        let columns = bins.side;
        drawing.images.push(Image { x: left, y: top, width: side, height: side, columns, pixels });
        let at = |share: f64| (share * side as f64).round() as usize;
        for &edge in &ticks.edges {
            let edge = at(edge);
            drawing.rectangle(left - GAP / 2, top + edge, GAP / 2, 1);
            drawing.rectangle(left + edge, top + side, 1, GAP / 2);
        }
        // Names that have no room beside those before them are left out.
        let (mut next_row, mut next_column) = (0, 0);
        for (place, name) in &ticks.names {
            let (place, name) = (at(*place), shortened(name));
            if place >= next_row {
                next_row = place + LETTER.1 + GAP / 2;
                let baseline = top + place + LETTER.1 / 2;
                drawing.text(left - GAP, baseline, Anchor::End, &name);
            }
            let half = name.chars().count() * LETTER.0 / 2;
            if place >= next_column + half || next_column == 0 {
                next_column = place + half + LETTER.0;
                drawing.text(left + place, top + side + GAP + LETTER.1, Anchor::Middle, &name);
            }
        }
        let baseline = top + side + 2 * GAP + 2 * LETTER.1;
        drawing.text(left + side / 2, baseline, Anchor::Middle, what);

        // The largest value on top.
        let shade = |at: usize| (SHADES - 1 - at) as f64 / (SHADES - 1) as f64;
        let value = |share: f64| range.map(|(low, high)| low + share * (high - low));
        let shades = (0..SHADES).map(|at| colour(value(shade(at)).unwrap_or(f64::NAN), range));
        let pixels = shades.collect();
        let height = if bins.has_undefined { side - LETTER.1 - 2 * GAP } else { side };
        drawing.images.push(Image { x: bar, y: top, width: BAR, height, columns: 1, pixels });
        for (share, name) in &legend {
            let place = top + ((1.0 - share) * height as f64).round() as usize;
            drawing.rectangle(bar + BAR, place, GAP / 2, 1);
            drawing.text(bar + BAR + GAP, place + LETTER.1 / 2, Anchor::Start, name);
        }
        if bins.has_undefined {
            let (y, pixels) = (top + side - LETTER.1, vec![UNDEFINED]);
            drawing.images.push(Image {
                x: bar,
                y,
                width: BAR,
                height: LETTER.1,
                columns: 1,
                pixels,
            });
            drawing.text(bar + BAR + GAP, top + side, Anchor::Start, "undefined");
        }
        drawing
    }
}

/// A name, cut off where it is long.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.into();
    }
    name.chars().take(LONGEST - 2).chain("..".chars()).collect()
}
