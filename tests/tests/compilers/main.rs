//! One body for two compilers, NVRTC and the system's C++ compiler: both accept it, or report the same mistakes, and the CPU
//! computes the right values. These tests need both compilers and no GPU. They can share a process.
#![allow(clippy::unwrap_used, clippy::panic)]

mod dialect;
mod mistakes;
mod outputs;
mod preludes;
