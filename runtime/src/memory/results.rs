//! Results of elements: sums, minima, maxima, nearest neighbours and states of the user's own. Histograms of all pairs.

mod array_sums;
mod cells;
mod extrema;
mod extreme;
mod histogram;
mod join;
mod nearest;
mod neighbours;
mod reduce;
mod sums;

pub use array_sums::ArraySums;
pub use extrema::{Maxima, Minima, OrderedValue};
pub use extreme::{ExtremeValue, Max, Min};
pub use histogram::{Histogram, HistogramValue};
pub use nearest::{Nearest, NearestValue};
pub use neighbours::HostNearest;
pub use reduce::Reduce;
pub use sums::Sums;

pub(crate) use cells::Cells;
pub(crate) use join::{Join, Parts};
#[cfg(feature = "serde")]
pub(crate) use nearest::expect_count;
pub(crate) use nearest::{DeviceState, FinalRanges, merge};

/// What a launch needs from the results of elements.
pub trait Results {
    /// The type in which an element's result is accumulated.
    type Cell: crate::DeviceType;

    /// The method of `Device` that allocates such results, with its arguments' names.
    const MADE_BY: &'static str;

    /// The results' cells.
    fn cells(&mut self) -> &mut Cells<Self::Cell>;
}
