//! The arguments of a launch, by their kinds: what a kernel's parameter gets of each, and what it tells of n.

mod elements;
mod features;
mod memory;
mod nearest;
mod outputs;

pub(super) use self::memory::Addresses;
pub(super) use self::nearest::{Near, Queues};
pub use self::outputs::{Exact, output};
use super::launch::Launch;
use crate::Result;

/// Which elements an argument has something for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The elements that the pairs are made of.
    Each,
    /// Those of a rectangle's rows.
    Row,
    /// Those of a rectangle's columns.
    Column,
    /// None: it is for the kernel as a whole.
    All,
}

/// An argument of a launch.
pub trait Bind<'a> {
    /// Takes what the kernel's parameters get of it, and compares what it tells of the numbers of elements.
    fn bind(self, launch: &mut Launch<'a>, role: Role, name: &'static str) -> Result<()>;
}
