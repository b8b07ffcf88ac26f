//! Kernels, run on the CPU: in plain loops, and as a GPU's text on the emulator. These tests need a C++ compiler and nothing of
//! their process, so they are one program: it is linked once, and the compiler reads the headers of all their kernels once.
#![allow(clippy::unwrap_used, clippy::panic)]

mod banded;
mod bands;
mod bounds;
mod cpu;
mod filtered;
mod folds;
mod generic;
mod kept;
mod launch;
mod lists;
mod loops;
mod nearest;
mod pairs;
mod ranges;
mod rectangle;
mod results;
mod rounding;
