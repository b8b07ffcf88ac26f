//! What the program prints.

use std::fmt;
use std::time::Duration;

use td_kernel::Device;
use td_kernel_examples::progress::Elements;
use td_kernel_examples::{Digits, Points};

use crate::neighbours::Neighbour;
use crate::sets::Sets;

/// How many of the nearest points are printed.
const PRINTED: usize = 5;

/// One line for each fact, with its name in front.
#[derive(Debug)]
pub(crate) struct Report {
    device: String,
    sets: [String; 2],
    features: usize,
    pairs: u64,
    nearest: Vec<Neighbour>,
    time: Duration,
    /// A radius, and how many pairs are within it.
    within: Option<(f32, usize)>,
}

impl Report {
    pub(crate) fn new(
        device: &Device,
        sets: &Sets,
        nearest: Vec<Neighbour>,
        time: Duration,
        within: Option<(f32, usize)>,
    ) -> Report {
        let set = |points: &Points| format!("{} ({})", points.len(), points.origin);
        Report {
            device: device.name().into(),
            sets: [set(&sets.rows), set(&sets.columns)],
            features: sets.features(),
            pairs: Elements::Two(sets.rows.len(), sets.columns.len()).pairs(),
            nearest,
            time,
            within,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "device: {}", self.device)?;
        writeln!(f, "first set: {}", self.sets[0])?;
        writeln!(f, "second set: {}", self.sets[1])?;
        writeln!(f, "features: {}", self.features)?;
        write!(f, "pairs: {}", self.pairs)?;
        if self.pairs == 0 {
            return write!(f, ", so there are no distances");
        }
        for Neighbour { i, j, distance } in self.nearest.iter().take(PRINTED) {
            write!(f, "\nnearest of {i}: {j}, at {}", Digits((*distance).into()))?;
        }
        let more = self.nearest.len().saturating_sub(PRINTED);
        if more > 0 {
            write!(f, "\nnot shown: {more} more, which --output writes")?;
        }
        let by_distance = |a: &&Neighbour, b: &&Neighbour| a.distance.total_cmp(&b.distance);
        // Among equals, `min_by` returns the first, and `max_by` the last: so the order is turned.
        let ends = [
            self.nearest.iter().min_by(by_distance),
            self.nearest.iter().rev().max_by(by_distance),
        ];
        for (name, end) in ["smallest", "largest"].into_iter().zip(ends) {
            if let Some(Neighbour { i, j, distance }) = end {
                write!(
                    f,
                    "\n{name} of these distances: {} (i = {i}, j = {j})",
                    Digits((*distance).into())
                )?;
            }
        }
        let sum: f64 = self.nearest.iter().map(|pair| f64::from(pair.distance)).sum();
        write!(f, "\nmean of these distances: {}", Digits(sum / self.nearest.len() as f64))?;
        if let Some((radius, count)) = self.within {
            write!(f, "\npairs within {radius}: {count}")?;
        }
        let seconds = self.time.as_secs_f64();
        let rate = self.pairs as f64 / seconds;
        write!(f, "\nkernel: {:.3} ms, {rate:.3e} pairs/s", seconds * 1e3)
    }
}
