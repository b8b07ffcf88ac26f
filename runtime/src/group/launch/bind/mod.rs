//! Binds the arguments of a launch, by their kinds: the values of a kernel's parameters, and the element counts.

mod arrays;
mod elements;
mod features;
mod histogram;
mod memory;
mod nearest;
mod outputs;
mod reduce;
mod set_extremes;
mod sets;

pub use self::elements::elements;
pub(super) use self::memory::Addresses;
pub(super) use self::nearest::{Neighbours, Queues};
pub use self::outputs::{Exact, output};
pub(super) use self::reduce::{OfAll, States};
pub use self::set_extremes::OfSets;
use super::Launch;
pub use super::counts::Axis;
use crate::Result;

/// An argument of a launch.
pub trait Bind<'a> {
    /// Takes the values of the kernel's parameters, and checks the number of elements against earlier arguments.
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()>;
}
