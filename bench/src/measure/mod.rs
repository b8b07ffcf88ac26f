//! What every measurement on a GPU shares: the GPU with its clock and its comparison of results, the
//! kernels written by hand, and the elements that pairs are made of.

pub(crate) mod by_hand;
pub(crate) mod fold;
pub(crate) mod gpu;
pub(crate) mod host;
pub(crate) mod mix;
pub(crate) mod points;
pub(crate) mod times;
