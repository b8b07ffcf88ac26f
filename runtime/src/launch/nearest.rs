//! Nearest neighbours, as an argument of a launch.

use td_kernel_maps::rounds;

use super::address::Addresses;
use super::{Launch, Value};
use crate::Result;
use crate::memory::results::{Homes, Nearest, NearestValue, OfDevice};

/// What a launch needs of its argument, beside the kernel's parameters.
pub(super) struct Near<'a> {
    pub(super) name: &'static str,
    /// The number of elements that have neighbours, and how many each has.
    pub(super) elements: u32,
    pub(super) neighbours: u32,
    /// Where the cells of all elements are, on each device.
    pub(super) cells: Addresses,
    /// What waits to be merged; plain loops have nothing that waits.
    pub(super) queues: Option<Queues<'a>>,
    /// Where the results are.
    pub(super) homes: &'a mut Homes,
}

/// The queues of all elements.
pub(super) struct Queues<'a> {
    /// Where bounds, queues and counts are, on each device.
    pub(super) bounds: Addresses,
    pub(super) cells: Addresses,
    pub(super) counts: Addresses,
    /// The places in each queue.
    pub(super) capacity: u32,
    /// What there is for each device.
    pub(super) searches: &'a mut [OfDevice],
}

impl<'a> Launch<'a> {
    /// The nearest of each of the elements that the pairs are made of.
    pub fn nearest_of_each<T: NearestValue, const K: usize>(
        &mut self,
        name: &'static str,
        nearest: &'a mut Nearest<T, K>,
    ) -> Result<()> {
        self.agree(name, nearest.len(), Some("nearest(n)"))?;
        self.nearest(name, nearest)
    }

    /// The nearest of each element that a rectangle's rows are for.
    pub fn nearest_of_row<T: NearestValue, const K: usize>(
        &mut self,
        name: &'static str,
        nearest: &'a mut Nearest<T, K>,
    ) -> Result<()> {
        self.agree_rows(name, nearest.len(), Some("nearest(n)"))?;
        self.nearest(name, nearest)
    }

    /// Takes the addresses of the bounds, the cells, the queues and their counts, the queues' capacity, and the address of
    /// the word that tells whether one was full; for plain loops those of the cells and the counts.
    fn nearest<T: NearestValue, const K: usize>(
        &mut self,
        name: &'static str,
        nearest: &'a mut Nearest<T, K>,
    ) -> Result<()> {
        // What is allocated below has to be where the kernel runs, and so has all else.
        self.expect_place(name, &nearest.cells)?;
        self.expect_there(name, nearest.cells.view().untyped())?;
        if self.kernel.forgets {
            nearest.clear()?;
        }
        // More elements than 32 bits count are refused by the plan.
        let elements = u32::try_from(nearest.len()).unwrap_or(u32::MAX);
        let neighbours = K as u32;
        let sides = self.kernel.info.variants.iter().map(|variant| variant.tiling.side);
        let capacity = rounds::queue(sides.max().unwrap_or(1), neighbours);
        if self.kernel.loops().is_some() {
            // Plain loops have no queues; the counts are their locks.
            let Nearest { cells, counts, homes, .. } = nearest;
            let cells = self.gather(name, cells)?;
            self.gather(name, counts)?;
            self.near = Some(Near { name, elements, neighbours, cells, queues: None, homes });
            return Ok(());
        }
        nearest.make_room(self.kernel.device.backend(), capacity)?;
        // Nothing waits between launches, unless one has failed; its pairs will be visited again. Those of a filter wait as
        // indices, which another kernel would take for cells.
        nearest.counts.clear()?;
        let capacity = nearest.capacity;
        let Nearest { cells, bounds, queues, counts, searches, homes, .. } = nearest;
        let bounds = self.gather(name, bounds)?;
        let cells = self.gather(name, cells)?;
        let queues = self.gather(name, queues)?;
        let counts = self.gather(name, counts)?;
        self.values.push(Value::Number(capacity));
        let mut addresses = Addresses::new();
        for (at, search) in searches.iter_mut().enumerate().take(self.kernel.devices().len()) {
            let access = self.kernel.own_access(at, &mut search.missed);
            addresses.push(access.map_err(|error| self.kernel.named(at, error))?.address);
        }
        self.values.push(Value::addresses(&addresses));
        let queues = Queues { bounds, cells: queues, counts, capacity, searches };
        self.near = Some(Near { name, elements, neighbours, cells, queues: Some(queues), homes });
        Ok(())
    }
}
