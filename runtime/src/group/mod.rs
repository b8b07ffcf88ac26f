//! A kernel on all of its devices, one or several, and its launches; and several devices as one.
//!
//! Uses `run` and the layers below it.

pub(crate) mod devices;
pub(crate) mod kernel;
pub(crate) mod launch;
