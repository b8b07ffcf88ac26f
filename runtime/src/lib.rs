//! Placeholder.

mod cpu;
mod error;

pub use error::{Error, Result};
