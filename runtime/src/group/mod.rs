//! A launch on all devices of a kernel, which may be one or several; and several devices as one.
//!
//! Uses `launch` and what is below it.

pub(crate) mod bind;
pub(crate) mod devices;
pub(crate) mod launch;

mod counts;
mod each;
mod exchange;
