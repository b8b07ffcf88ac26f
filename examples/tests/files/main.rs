//! The examples that read atoms and arrays: `collision`, `correlation`, `forces`, `similarity`, `knn` and `conformers`.

#![allow(clippy::panic, clippy::unwrap_used)]

mod arrays;
mod atoms;
mod correlation;
mod forces;
#[path = "../program/mod.rs"]
mod program;
