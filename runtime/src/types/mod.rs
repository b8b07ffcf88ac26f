//! Types that Rust and CUDA share, the description of a kernel that the macro generates, and warnings about bodies.
//!
//! Uses `error`.

pub(crate) mod device_type;
pub(crate) mod info;
pub(crate) mod warnings;
