//! Binds states of elements, or of all pairs.

use std::ptr;

use super::{Addresses, Axis, Bind};
use crate::group::launch::{Bound, Launch};
use crate::memory::results::{Join, Parts};
use crate::run::Value;
use crate::{DeviceType, Reduce, Result};

/// An argument with states.
pub(crate) struct States<'a> {
    pub(crate) name: &'static str,
    /// What joins the states of several devices.
    pub(crate) join: &'a mut Option<Join>,
    /// If it has one state of all pairs.
    pub(crate) total: Option<OfAll<'a>>,
}

/// The state of all pairs.
pub(crate) struct OfAll<'a> {
    /// The index of the value with the address of the blocks' states.
    pub(crate) at: usize,
    /// The blocks' states, and their alignment.
    pub(crate) parts: &'a mut dyn Parts,
    pub(crate) alignment: usize,
    /// The address of the state on each device.
    pub(crate) totals: Addresses,
    /// The state that all begin as.
    pub(crate) start: Value,
}

/// The addresses of the states of elements, or of those that blocks store, and the state that all begin as.
impl<'a, S: DeviceType> Bind<'a> for &'a mut Reduce<S> {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        let elements = self.len();
        let Reduce { states, start, parts, join } = self;
        let start = Value::Borrowed(ptr::from_ref(start).cast(), size_of::<S>());
        let total = match axis {
            Axis::All if elements != 1 => {
                let problem = format!(
                    "has {elements} states, but all pairs have one: write `device.reduce(1, start)`"
                );
                return Err(launch.wrong(name, problem));
            }
            Axis::All => {
                let totals = launch.gather_beside(name, states)?;
                // The address is known after the number of blocks.
                launch.bound.push(Bound::addresses(&Addresses::from_elem(0, totals.len())));
                let (at, alignment) = (launch.bound.len() - 1, S::ALIGNMENT);
                Some(OfAll { at, parts, alignment, totals, start })
            }
            _ => {
                launch.gather(name, states)?;
                launch.agree(axis, name, elements, Some("reduce(n, start)"))?;
                None
            }
        };
        launch.bound.push(Bound::Value(start));
        launch.states.push(States { name, join, total });
        Ok(())
    }
}
