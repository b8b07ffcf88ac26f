//! A result for each element: sums, least and greatest values.

mod cells;
mod extrema;
mod sums;

pub use extrema::{Comparand, Maxima, Minima};
pub use sums::{Summands, Sums};

pub(crate) use cells::Cells;

/// What a launch takes of the results of elements.
pub trait Results {
    /// What an element's result is gathered in.
    type Cell: crate::DeviceType;

    /// The results' cells.
    fn cells(&mut self) -> &mut Cells<Self::Cell>;
}
