//! A launch on one device: the parameters and grids of its code, and the rounds that find neighbours.
//!
//! Uses `plan` and the layers below it.

mod filter;
mod grids;
mod joins;
mod multiplied;
mod near;
mod operands;
mod partner_lists;
mod ready;
mod round_sizer;
mod rounds;
mod sample;
mod value;

pub(crate) use partner_lists::List;
pub(crate) use ready::{FoldedFeatures, JoinOfBlocks, On, Ready};
pub(crate) use rounds::{BOUND, CELL, Merge, Search};
pub(crate) use value::Value;
