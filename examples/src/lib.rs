//! What the examples share: reading tables, writing files, choosing a device, and reporting. Code about pairs is in
//! the examples' own folders, except what a benchmark measures too.

// `cargo test --doc` for a whole workspace reads every library, also this one, which has no examples to run.
#![cfg(not(doctest))]

mod atoms;
mod cif;
pub mod data;
mod delimiter;
mod device;
pub mod directions;
mod elements;
mod encoding;
mod error;
mod extremes;
mod frame;
mod gaps;
mod identifiers;
mod identity;
mod input;
mod layout;
pub mod memory;
mod missing;
mod npy;
mod number;
mod output;
pub mod parallel;
mod place;
pub mod plot;
mod points;
mod problem;
pub mod program;
pub mod progress;
mod quotes;
pub mod random;
mod selection;
mod separation;
#[cfg(unix)]
mod signals;
pub mod source;
mod table;
mod taken;
pub mod text;
pub mod tried;
mod unfinished;
mod vectors;

pub use atoms::{Atom, atoms};
pub use cif::cif;
pub use delimiter::Delimiter;
pub use device::DeviceChoice;
pub use elements::Element;
pub use encoding::plain;
pub use error::{AnyError, Error, Result};
pub use extremes::{Extremes, ExtremesOfBands, Pair};
pub use frame::{Frame, power_of_two};
pub use input::{FileOptions, Format, Input, TableOptions};
pub use layout::Layout;
pub use missing::{LeftOut, Missing};
pub use npy::{Rows, rows};
pub use number::{Digits, number};
pub use output::NewFile;
pub use place::{Column, Place};
pub use points::Points;
pub use problem::{LARGEST, Problem, quoted};
pub use table::Table;
pub use taken::Taken;
pub use vectors::{Labels, VectorOptions, Vectors};
