//! A launch on all devices of a kernel, which may be one or several; and several devices as one.
//!
//! Uses `launch` and what is below it.

pub(crate) mod devices;
pub(crate) mod launch;
