//! Several devices as one.
//!
//! Uses `launch` and what is below it.

pub(crate) mod devices;
