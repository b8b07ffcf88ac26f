//! The values of all pairs as a square of colours.

use td_kernel::PackedMatrix;

use super::bins::Bins;
use super::colours::colour;
use super::drawing::{Anchor, Drawing, GAP, Image, LETTER};
use super::kind::Kind;
use super::legend::Legend;
use super::ticks::Ticks;
use crate::{NewFile, Result};

/// The least side of the square, in points.
const SIDE: usize = 600;
/// The longest label that is written in full.
const LONGEST: usize = 20;

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
        let legend = Legend::new(range, bins.has_undefined);
        let widest = ticks.names.iter().map(|(_, name)| shortened(name).chars().count()).max();
        let left = 2 * GAP + LETTER.1 + widest.unwrap_or(0) * LETTER.0;
        let top = 2 * GAP + LETTER.1;
        let bar = left + side + 2 * GAP;
        let mut title = (*title).to_owned();
        if bins.side < self.order.len() {
            title += &format!(", means in {0} x {0} cells", bins.side);
        }
        let right = bar + legend.width() + GAP;
        let width = right.max(left + title.chars().count() * LETTER.0 + GAP);
        let mut drawing = Drawing::new(width, top + side + 3 * GAP + 2 * LETTER.1);

        drawing.text(left, top - GAP, Anchor::Start, &title);
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

        legend.draw(&mut drawing, [bar, top], side);
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
