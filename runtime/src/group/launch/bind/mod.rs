//! The arguments of a launch, by their kinds: what a kernel's parameter gets of each, and which counts it gives.

mod elements;
mod features;
mod memory;
mod nearest;
mod outputs;

pub(super) use self::memory::Addresses;
pub(super) use self::nearest::{Near, Queues};
pub use self::outputs::{Exact, output};
use super::Launch;
pub use super::counts::Role;
use crate::Result;

/// An argument of a launch.
pub trait Bind<'a> {
    /// Takes what the kernel's parameters get of it, and checks its number of elements against those of earlier arguments.
    fn bind(self, launch: &mut Launch<'a>, role: Role, name: &'static str) -> Result<()>;
}
