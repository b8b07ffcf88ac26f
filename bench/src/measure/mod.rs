//! What measurements on a GPU share: the GPU with its clock, the kernels by hand, the elements that pairs are made of.

pub(crate) mod by_hand;
pub(crate) mod gpu;
pub(crate) mod points;
pub(crate) mod times;
