//! A launch on one device: what its code is given, which grids it runs, and in which rounds neighbours are found.
//!
//! Uses `kernel` and what is below it.

mod filter;
mod pace;
mod ready;
mod rounds;
mod run;
mod value;

pub(crate) use ready::{FoldedFeatures, On, Ready};
pub(crate) use rounds::{BOUND, CELL, Merge, Search};
pub(crate) use value::Value;
