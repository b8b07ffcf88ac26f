//! What the examples share: reading tables, writing files, choosing a device, and telling how it
//! went. What is about pairs is in `edm/` and `collision/`, but for what a benchmark measures too.

pub mod data;
mod device;
mod error;
mod extremes;
pub mod memory;
mod number;
mod output;
pub mod parallel;
mod place;
mod problem;
pub mod program;
pub mod random;
mod selection;
mod table;

pub use device::DeviceChoice;
pub use error::{Error, Result};
pub use extremes::{Extremes, Pair};
pub use number::{LARGEST, number};
pub use output::NewFile;
pub use place::{Column, Place};
pub use problem::Problem;
pub use table::Table;
