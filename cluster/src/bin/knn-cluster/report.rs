//! What rank 0 prints.

use std::fmt;
use std::time::Duration;

use td_kernel_examples::{LeftOut, Vectors};

use crate::found::Found;

/// One line for each fact, with its name in front.
pub(crate) struct Report {
    /// The machine and the device of each rank.
    pub(crate) devices: Vec<String>,
    pub(crate) rows: Vectors,
    pub(crate) found: Found,
    pub(crate) time: Duration,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { devices, rows, found, time } = self;
        writeln!(f, "ranks: {}", devices.len())?;
        for (rank, device) in devices.iter().enumerate() {
            writeln!(f, "rank {rank}: {device}")?;
        }
        writeln!(f, "rows: {}", rows.count)?;
        writeln!(f, "features: {} ({})", rows.features, rows.origin)?;
        if !rows.left_out.is_empty() {
            writeln!(f, "left out: {}", LeftOut(&rows.left_out))?;
        }
        writeln!(f, "neighbours: {}, up to {} of each row", found.count(), found.k())?;
        if let Some((indices, values)) = found.rows().next()
            && let (Some(index), Some(value)) = (indices.first(), values.first())
        {
            writeln!(f, "the nearest of row 0: {index}, at {value}")?;
        }
        write!(f, "found and put together in {:.3} s", time.as_secs_f64())
    }
}
