//! A kernel on one device: which of its variants a launch takes, and with which grids and numbers.
//!
//! Uses `memory` and what is below it.

pub(crate) mod choose;
pub(crate) mod extent;
pub(crate) mod plan;
pub(crate) mod tuned;
