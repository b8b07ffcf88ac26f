//! One text for two compilers, NVRTC and the system's for C++: both accept it, or say the same of what is wrong with it, and the
//! CPU computes what it says. These tests need both compilers, no GPU, and nothing of their process.
#![allow(clippy::unwrap_used, clippy::panic)]

mod dialect;
mod mistakes;
mod outputs;
mod preludes;
