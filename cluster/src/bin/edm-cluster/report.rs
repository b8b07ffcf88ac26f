//! What rank 0 prints.

use std::fmt;
use std::time::Duration;

use td_kernel_cluster::Written;
use td_kernel_examples::{LeftOut, Points};

/// One line for each fact, with its name in front.
pub(crate) struct Report {
    /// The machine and the device of each rank.
    pub(crate) devices: Vec<String>,
    pub(crate) points: Points,
    pub(crate) written: Written,
    pub(crate) time: Duration,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { devices, points, written, time } = self;
        writeln!(f, "ranks: {}", devices.len())?;
        for (rank, device) in devices.iter().enumerate() {
            writeln!(f, "rank {rank}: {device}")?;
        }
        writeln!(f, "points: {}", points.len())?;
        writeln!(f, "features: {} ({})", points.features, points.origin)?;
        if !points.left_out.is_empty() {
            writeln!(f, "left out: {}", LeftOut(&points.left_out))?;
        }
        writeln!(f, "pairs: {}", written.before + written.values)?;
        if written.before > 0 {
            writeln!(f, "written before: {}", written.before)?;
        }
        let (seconds, bytes) = (time.as_secs_f64(), written.values * size_of::<f32>());
        write!(
            f,
            "written now: {}, in {seconds:.3} s, {:.3} GB/s",
            written.values,
            bytes as f64 / seconds / 1e9
        )
    }
}
