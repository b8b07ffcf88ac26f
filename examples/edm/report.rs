//! What the program prints.

use std::fmt;
use std::time::Duration;

use td_kernel::Device;
use td_kernel_examples::{Digits, Extremes, LeftOut, Points};

/// One line for each fact, with its name in front.
#[derive(Debug)]
pub(crate) struct Report {
    device: String,
    points: usize,
    features: String,
    left_out: Vec<u64>,
    pairs: usize,
    extremes: Option<Extremes>,
    took: Took,
}

/// What the time is of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Took {
    /// The kernel alone.
    Kernel(Duration),
    /// All bands: computed, copied, looked at, and written where there is a file.
    Bands(Duration),
}

impl Report {
    pub(crate) fn new(
        device: &Device,
        points: &Points,
        extremes: Option<Extremes>,
        took: Took,
    ) -> Report {
        Report {
            device: device.name().into(),
            points: points.len(),
            features: format!("{} ({})", points.features, points.origin),
            left_out: points.left_out.clone(),
            pairs: points.len() * points.len().saturating_sub(1) / 2,
            extremes,
            took,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "device: {}", self.device)?;
        writeln!(f, "points: {}", self.points)?;
        writeln!(f, "features: {}", self.features)?;
        if !self.left_out.is_empty() {
            writeln!(f, "left out: {}", LeftOut(&self.left_out))?;
        }
        write!(f, "pairs: {}", self.pairs)?;
        let Some(extremes) = &self.extremes else {
            return write!(f, ", so there are no distances");
        };
        writeln!(f, "\nnearest: {}", extremes.nearest)?;
        writeln!(f, "farthest: {}", extremes.farthest)?;
        writeln!(f, "mean distance: {}", Digits(extremes.mean))?;
        let (what, time) = match self.took {
            Took::Kernel(time) => ("kernel", time),
            Took::Bands(time) => ("in bands", time),
        };
        let bytes = self.pairs * size_of::<f32>();
        write!(
            f,
            "{what}: {:.3} ms, {:.3} GB/s of packed output written",
            time.as_secs_f64() * 1e3,
            bytes as f64 / time.as_secs_f64() / 1e9
        )
    }
}
