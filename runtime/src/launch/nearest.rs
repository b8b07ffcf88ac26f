//! Nearest neighbours, as an argument of a launch, and the rounds of such a launch.
//!
//! A launch is a sequence of rounds. Each of them visits the pairs of some offsets, as the map `rounds` lays them out, and
//! queues those that may be among the nearest of an element; a second kernel then merges the queues, after which fewer
//! pairs are. (Over features, the plain loops of a CPU put each pair in its place at once, and there are no rounds.) Between
//! rounds the host reads one word: whether a queue was full. Then the round is visited again, more slowly.
//!
//! All of this is on one device: a round needs what the rounds before it have found, and so such a kernel is not loaded for
//! several.

use std::ffi::c_void;
use std::ptr;

use td_kernel_maps::{Rounds, rounds};

use super::pace::Pace;
use super::parts::{Ready, stream};
use super::{Launch, Value};
use crate::Result;
use crate::error::Cause;
use crate::info::MERGING;
use crate::memory::Memory;
use crate::order::Access;
use crate::plan::Step;
use crate::results::{Nearest, NearestValue};

/// What the rounds of a launch need of its argument.
pub(super) struct Near<'a> {
    name: &'static str,
    /// The number of elements that have neighbours.
    elements: u32,
    /// Where their bounds, cells, queues and counts are, as the kernels take them.
    addresses: [u64; 4],
    capacity: u32,
    /// Whether some queue was full.
    missed: &'a mut Memory<u32>,
}

/// The index of the device among those of the kernel.
pub(super) const ONLY: usize = 0;

impl<'a> Launch<'a> {
    /// The nearest of each of the elements that the pairs are made of.
    pub fn nearest_of_each<T: NearestValue, const K: usize>(
        &mut self,
        name: &'static str,
        nearest: &'a mut Nearest<T, K>,
    ) -> Result<()> {
        self.agree(name, nearest.len())?;
        self.nearest(name, nearest)
    }

    /// The nearest of each element that a rectangle's rows are for.
    pub fn nearest_of_row<T: NearestValue, const K: usize>(
        &mut self,
        name: &'static str,
        nearest: &'a mut Nearest<T, K>,
    ) -> Result<()> {
        self.agree_rows(name, nearest.len())?;
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
        self.expect_there(name, nearest.cells.view())?;
        let sides = self.kernel.info.variants.iter().map(|variant| variant.tiling.side);
        let capacity = rounds::queue(sides.max().unwrap_or(1), K as u32);
        if self.kernel.loops().is_some() {
            // Plain loops have no queues; the counts are their locks.
            let Nearest { cells, counts, .. } = nearest;
            self.write_at(name, cells)?;
            return self.write_at(name, counts).map(drop);
        }
        nearest.make_room(self.kernel.device.backend(), capacity)?;
        let (elements, capacity) = (nearest.len(), nearest.capacity);
        let Nearest { cells, bounds, queues, counts, missed, .. } = nearest;
        let addresses = [
            self.write_at(name, bounds)?,
            self.write_at(name, cells)?,
            self.write_at(name, queues)?,
            self.write_at(name, counts)?,
        ];
        self.values.push(Value::Number(capacity));
        let missed_at = self.own_access(name, missed)?.address;
        self.values.push(Value::Word(missed_at));
        // More elements than 32 bits count are refused by the plan.
        let elements = u32::try_from(elements).unwrap_or(u32::MAX);
        self.near = Some(Near { name, elements, addresses, capacity, missed });
        Ok(())
    }

    /// Takes the address of memory that the kernel writes, and returns it.
    fn write_at<T: crate::DeviceType>(
        &mut self,
        name: &'static str,
        memory: &'a mut Memory<T>,
    ) -> Result<u64> {
        Ok(self.gather(name, memory)?[ONLY])
    }

    /// Launches the rounds, and merges after each of them.
    ///
    /// # Safety
    ///
    /// With the values of the launch, the code of the plan uses only memory of its device that nothing else writes
    /// meanwhile. The values are those of the kernel's parameters after those in `Ready`, in order and of their types.
    pub(super) unsafe fn run_rounds(&self, ready: &Ready<'_>, near: Near<'a>) -> Result<()> {
        let plan = ready.plan;
        let shape = plan.extent.shape(plan.variant, self.kernel.info.diagonal);
        let mut pace = Pace::new(Rounds.offsets(&shape));
        // The bounds, of what the launches before have found; nothing is queued, unless one of them failed.
        self.merge(ready, &near)?;
        while let Some(offsets) = pace.round() {
            let round = Rounds.round(&shape, offsets, 0..shape.rows);
            // A grid has at most 2^27 tiles along x, and a pace of 65,535 offsets along y.
            let grid = [round.grid.x as u32, round.grid.y as u32];
            let step = Step { grid, numbers: round.numbers };
            let missed = self.own_access(near.name, near.missed)?;
            // SAFETY: the caller's promise, and the round is one of the plan's map, in its elements' shape.
            unsafe { ready.run_step(self.kernel, &self.values, &step) }?;
            missed.record(self.stream(ONLY))?;
            drop(missed);
            self.merge(ready, &near)?;
            if near.missed.download()?.iter().all(|missed| *missed == 0) {
                pace.go_on();
                continue;
            }
            near.missed.clear()?;
            if !pace.slow_down() {
                let (kernel, argument) = (self.kernel.info.name, near.name);
                return Err(Cause::FullQueue { kernel, argument }.into());
            }
        }
        Ok(())
    }

    /// Merges what is queued, and makes the bounds of what is kept.
    fn merge(&self, ready: &Ready<'_>, near: &Near<'a>) -> Result<()> {
        let Some(merge) = &ready.plan.merge else {
            return Err(Cause::UnknownMap { map: ready.plan.variant.map }.into());
        };
        let Near { elements, addresses: [bounds, cells, queues, counts], capacity, .. } = near;
        let mut parameters = [
            ptr::from_ref(elements).cast(),
            ptr::from_ref(bounds).cast(),
            ptr::from_ref(cells).cast(),
            ptr::from_ref(queues).cast(),
            ptr::from_ref(counts).cast(),
            ptr::from_ref(capacity).cast::<c_void>(),
        ]
        .map(<*const c_void>::cast_mut);
        let (stream, grid) = (stream(self.kernel, ONLY), [elements.div_ceil(MERGING[1]), 1]);
        // SAFETY: these are the parameters of the function that the macro writes for every kernel with a `Nearest`, whose
        // memory has room for this many elements and queues of this capacity. It is borrowed for 'a, on the kernel's
        // device, and on one stream with the rounds before and after it.
        unsafe { merge.launch(stream, grid, MERGING, &mut parameters) }
    }

    /// The address of the word that tells whether a queue was full, for a launch that uses it next.
    fn own_access<'b>(&self, name: &'static str, missed: &'b mut Memory<u32>) -> Result<Access<'b>>
    where
        'a: 'b,
    {
        let foreign = self.join(ONLY, name, &missed.view().home())?;
        self.expect(ONLY, missed.view_mut().access(self.stream(ONLY), foreign))
    }
}
