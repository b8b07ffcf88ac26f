//! What the examples share that read atoms or NumPy's arrays.
//!
//! A crate of its own: its libraries take longer to build than all that `edm` needs, the first command that people run. A feature
//! would have to be named in the commands of the other examples.

// `cargo test --doc` reads every library, also this one, which has no examples to run.
#![cfg(not(doctest))]

mod arrays;
mod atoms;

pub use arrays::{rows, unit_rows, write_npy};
pub use atoms::{Atom, Atoms, atoms, radius};
