//! What the examples share: reading tables, writing files, choosing a device, and reporting. Code about pairs is in
//! `edm/` and `collision/`, except what a benchmark measures too.

pub mod data;
mod device;
mod encoding;
mod error;
mod extremes;
mod identity;
pub mod memory;
mod number;
mod output;
pub mod parallel;
mod place;
mod problem;
pub mod program;
pub mod progress;
mod quotes;
pub mod random;
mod selection;
#[cfg(unix)]
mod signals;
mod table;
pub mod text;
mod unfinished;

pub use device::DeviceChoice;
pub use encoding::plain;
pub use error::{Error, Result};
pub use extremes::{Extremes, Pair};
pub use number::number;
pub use output::NewFile;
pub use place::{Column, Place};
pub use problem::{LARGEST, Problem, quoted};
pub use table::Table;
