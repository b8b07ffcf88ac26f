#![doc = include_str!("../README.md")]

mod error;
mod memory;
mod message;
mod output;
mod parts;
mod progress;
mod reduce;
mod world;

pub use error::{Error, MissingMemory, Result};
pub use output::Written;
pub use td_kernel::Shape;
pub use world::{Cluster, run};
