//! What is known of types and of kernels when a program is compiled: types that both Rust and CUDA have, the description that the
//! macro makes of a kernel, warnings about bodies.
//!
//! Uses `error`.

pub(crate) mod device_type;
pub(crate) mod info;
pub(crate) mod warnings;
