//! A kernel on one device: the variant of a launch, with its grids and numbers.
//!
//! Uses `memory` and the layers below it.

pub(crate) mod choose;
pub(crate) mod extent;
pub(crate) mod plan;
pub(crate) mod tuned;
