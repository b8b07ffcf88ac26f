//! What the examples share that read atoms or NumPy's arrays.

// `cargo test --doc` reads every library, also this one, which has no examples to run.
#![cfg(not(doctest))]

mod arrays;
mod atoms;

pub use arrays::{rows, unit_rows, write_npy};
pub use atoms::{Atom, Atoms, atoms, radius};
