//! Shared code of measurements on a GPU: the GPU and its clock, handwritten kernels, and elements.

pub(crate) mod by_hand;
pub(crate) mod gpu;
pub(crate) mod points;
pub(crate) mod times;
