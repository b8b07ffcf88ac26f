//! Code of the examples that read atoms or NumPy arrays.
//!
//! A separate crate, because its dependencies take longer to build than those of `edm`, the first command that people run. A
//! feature would have to be in the commands of the other examples.

// `cargo test --doc` reads every library, including this one, which has no examples to run.
#![cfg(not(doctest))]

mod arrays;
mod atoms;
mod elements;
mod mmcif;
mod npy;
mod pdb;
mod records;
mod square;

pub use arrays::{input_of_rows, rows, unit_rows};
pub use atoms::{Atom, Atoms, atoms, input_of_atoms, models, radius, spheres};
pub use square::write_square;
