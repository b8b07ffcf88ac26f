//! Binds nearest neighbours.

use td_kernel_geometry::rounds;

use super::{Addresses, Axis, Bind};
use crate::Result;
use crate::group::launch::{Bound, Launch};
use crate::memory::results::{DeviceState, FinalRanges, Nearest, NearestValue};
use crate::run::Value;

/// What a launch needs from its argument besides the kernel's parameters.
pub(crate) struct Neighbours<'a> {
    pub(crate) name: &'static str,
    /// The number of elements that have neighbours, and the number of neighbours of each.
    pub(crate) elements: u32,
    pub(crate) neighbours: u32,
    /// The addresses of all elements' cells, on each device.
    pub(crate) cells: Addresses,
    /// The queues to be merged; `None` for plain loops, for many sets, and for near tiles on one device.
    pub(crate) queues: Option<Queues<'a>>,
    /// Whether the queues, if any, are only for merging: the launch is to visit near tiles.
    pub(crate) is_near: bool,
    /// The elements whose final cells are on each device.
    pub(crate) final_ranges: &'a mut FinalRanges,
}

/// The queues of all elements.
pub(crate) struct Queues<'a> {
    /// The addresses of bounds, queues and counts, on each device.
    pub(crate) bounds: Addresses,
    pub(crate) cells: Addresses,
    pub(crate) counts: Addresses,
    /// The slots of each queue.
    pub(crate) capacity: u32,
    pub(crate) states: &'a mut [DeviceState],
}

/// The addresses of the bounds, the cells, the queues and their counts, the queues' capacity, and the address of the flag that
/// reports a full queue; for plain loops those of the cells and the counts; for many sets those of the cells.
impl<'a, T: NearestValue, const K: usize> Bind<'a> for &'a mut Nearest<T, K> {
    fn bind(self, launch: &mut Launch<'a>, axis: Axis, name: &'static str) -> Result<()> {
        let made_by = if K == 0 { "nearest_k(n, k)" } else { "nearest(n)" };
        launch.agree(axis, name, self.len(), Some(made_by))?;
        // The memory allocated below must be on the kernel's devices, like the rest.
        launch.expect_there(name, &self.cells)?;
        let kernel = launch.kernel;
        if kernel.forgets {
            self.clear()?;
        }
        // The plan rejects more elements than 32 bits count.
        let elements = u32::try_from(self.len()).unwrap_or(u32::MAX);
        let neighbours = self.cells_of_element as u32;
        launch.compiled_for = (K == 0).then_some(neighbours);
        let is_of_sets = kernel.is_of_sets();
        self.is_of_sets |= is_of_sets;
        if is_of_sets || kernel.loops().is_some() {
            let Nearest { cells, counts, final_ranges, .. } = self;
            let cells = launch.gather(name, cells)?;
            if !is_of_sets {
                // Plain loops have no queues; the counts are their locks.
                launch.gather(name, counts)?;
            }
            let (queues, is_near) = (None, false);
            let near =
                Neighbours { name, elements, neighbours, cells, queues, is_near, final_ranges };
            launch.near = Some(near);
            return Ok(());
        }
        let sides = kernel.info.variants.iter().map(|variant| variant.tiling.side);
        let capacity = rounds::queue(sides.max().unwrap_or(1), neighbours);
        let columns = launch.columns.map(|(count, _)| count);
        let is_near = kernel.searches_near(self.len(), columns)?;
        let is_several = kernel.device.is_several();
        if !is_near {
            self.make_room(kernel.device.backend(), capacity)?;
        } else if is_several {
            // Room for the neighbours that another device has found.
            self.make_room(kernel.device.backend(), neighbours)?;
        }
        // Queues are empty between launches, unless one has failed; its pairs will be visited again. A filter's queues hold
        // indices, which another kernel would take for cells.
        self.counts.clear()?;
        let capacity = self.capacity;
        let Nearest { cells, bounds, queues, counts, states, final_ranges, .. } = self;
        let bounds = launch.gather(name, bounds)?;
        let cells = launch.gather(name, cells)?;
        let queues = launch.gather(name, queues)?;
        let counts = launch.gather(name, counts)?;
        launch.push(Value::Number(capacity));
        let mut addresses = Addresses::new();
        for (at, state) in states.iter_mut().enumerate().take(kernel.devices().len()) {
            let access = kernel.on(at).own(&mut state.missed);
            addresses.push(access.map_err(|error| kernel.device.named(at, error))?.address);
        }
        launch.bound.push(Bound::addresses(&addresses));
        let queues = Queues { bounds, cells: queues, counts, capacity, states };
        let queues = (!is_near || is_several).then_some(queues);
        launch.near =
            Some(Neighbours { name, elements, neighbours, cells, queues, is_near, final_ranges });
        Ok(())
    }
}
