//! Merges the nearest neighbours that several devices have found for the same elements.
//!
//! Each device has the K nearest of every element among the pairs that it has visited, and the K nearest of all are among
//! these. Each device has a *final range* of elements: it copies the other devices' cells of these, one device after another,
//! into the memory of its queues, and merges them into its own cells with the kernel that merges queues. All devices do so at
//! the same time. After that a device's cells are complete only for its own elements; its cells of others keep some of their
//! neighbours, which another launch may start with.
//!
//! If a device has some of a rectangle's rows alone, or those of many sets, they are complete without merging.

use std::ops::Range;
use std::{ptr, slice};

use super::bind::{Neighbours, Queues};
use super::each;
use crate::group::kernel::Kernel;
use crate::memory::results::{FinalRanges, merge};
use crate::run::{BOUND, CELL, Merge, Ready, Search};
use crate::{Error, Result};

impl Neighbours<'_> {
    /// Launches the rounds, near tiles or the plain loops, on all devices, and merges the results.
    ///
    /// # Safety
    ///
    /// The contract of [`Ready::run`], on each device. `self` is the argument of the launch, whose memory each device uses on
    /// its own stream.
    pub(super) unsafe fn run(
        mut self,
        kernel: &Kernel,
        ready: &[(usize, Ready<'_>)],
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.find(kernel, ready) }?;
        if !kernel.device.is_several() {
            return Ok(());
        }
        let elements = self.elements as usize;
        let own = own_ranges(kernel, ready, elements);
        // Results of earlier launches may be on another device, unless there are none, or the ranges stay the same.
        let is_complete =
            |own: &FinalRanges| self.final_ranges.is_empty() || self.final_ranges == own;
        let final_ranges = match own {
            Some(own) if is_complete(&own) => own,
            // Not merged here, where kernels over `Sets` have no queues, but by a download.
            _ if kernel.is_of_sets() => vec![0..elements; kernel.devices().len()],
            own => {
                let final_ranges = own.unwrap_or_else(|| even_ranges(kernel, ready, elements));
                // SAFETY: the caller's promise.
                unsafe { self.exchange(kernel, ready, &final_ranges) }?;
                final_ranges
            }
        };
        *self.final_ranges = final_ranges;
        Ok(())
    }

    /// Lets each device search for neighbours among its pairs: in rounds, in near tiles, or in plain loops.
    ///
    /// # Safety
    ///
    /// The contract of [`run`](Self::run).
    unsafe fn find(&mut self, kernel: &Kernel, ready: &[(usize, Ready<'_>)]) -> Result<()> {
        let are_near = ready.iter().all(|(_, each)| each.plan.near.is_some());
        let has_rounds = !are_near && !self.is_near;
        let Some(Queues { bounds, cells: queues, counts, capacity, states }) =
            self.queues.as_mut().filter(|_| has_rounds)
        else {
            if !are_near && kernel.loops().is_none() && !kernel.is_of_sets() {
                let problem = "it was tuned by another thread during this launch: launch it again";
                return Err(Error::arguments(problem).of_kernel(kernel.info.name));
            }
            // SAFETY: the caller's promise.
            return unsafe { each::run(kernel, ready) };
        };
        let (name, elements, capacity) = (self.name, self.elements, *capacity);
        let (neighbours, cells) = (u64::from(self.neighbours), &self.cells);
        let mut states: Vec<_> = states.iter_mut().map(Some).collect();
        let mut started = Vec::with_capacity(ready.len());
        for (at, ready) in ready {
            let [bounds, cells, queues, counts] =
                [&*bounds, cells, &*queues, &*counts].map(|all| all[*at]);
            let all = Merge { elements, bounds, cells, queues, counts, capacity };
            // For two sets, nothing is queued for rows of other devices.
            let queues = match ready.plan.own_rows(kernel.info) {
                Some(rows) => all.of_elements(&rows, neighbours),
                None => all,
            };
            if let Some(state) = states.get_mut(*at).and_then(Option::take) {
                started.push((*at, Search { ready, name, neighbours, queues, state }));
            }
        }
        // SAFETY: the caller's promise.
        each::on_each(kernel, started, |mut search: Search<'_>| unsafe { search.run() })
    }

    /// Lets each device merge the other devices' cells of its own elements. Returns when all have finished.
    ///
    /// # Safety
    ///
    /// The argument's addresses are those of a `Nearest` of the kernel on each of its devices. All uses of its memory are on
    /// the devices' own streams.
    unsafe fn exchange(
        &self,
        kernel: &Kernel,
        ready: &[(usize, Ready<'_>)],
        final_ranges: &[Range<usize>],
    ) -> Result<()> {
        for (at, device) in kernel.devices().iter().enumerate() {
            // Afterwards the memory read below is complete. All devices work while one is waited for.
            device.synchronize().map_err(|error| kernel.device.named(at, error))?;
        }
        let work = ready.iter().filter_map(|(at, each)| {
            let range = final_ranges.get(*at).filter(|range| !range.is_empty())?;
            Some((*at, (*at, each, range)))
        });
        each::on_each(kernel, work.collect(), |(at, each, range): (usize, &Ready<'_>, _)| {
            // SAFETY: the caller's promise. Final ranges are disjoint, and a device writes only the cells of its own.
            let gathered = unsafe { self.gather(kernel, at, each, range) };
            // Also after a failure: copies may have started, of memory that is about to be reused.
            gathered.and(each.on.device.synchronize())
        })
    }

    /// Merges into the cells of a device's own elements those of all other devices. The device's work may end after this
    /// returns.
    ///
    /// # Safety
    ///
    /// The contract of [`exchange`](Self::exchange). The other devices have finished their work, and nothing writes their cells
    /// of these elements.
    unsafe fn gather(
        &self,
        kernel: &Kernel,
        at: usize,
        ready: &Ready<'_>,
        range: &Range<usize>,
    ) -> Result<()> {
        let device = |at: usize| kernel.devices()[at].backend();
        let first = range.start as u64 * CELL * u64::from(self.neighbours);
        let length = range.len() * self.neighbours as usize;
        let own = self.cells[at] + first;
        for (source, cells) in self.cells.iter().enumerate().filter(|(source, _)| *source != at) {
            let from = cells + first;
            let Some(queues) = &self.queues else {
                let own = ptr::with_exposed_provenance_mut(own as usize);
                let from = ptr::with_exposed_provenance(from as usize);
                // SAFETY: the caller's promise: both have `length` cells, in host memory, since plain loops run on CPUs. They
                // are memory of two devices.
                unsafe {
                    let own = slice::from_raw_parts_mut(own, length);
                    merge(own, slice::from_raw_parts(from, length), self.neighbours as usize);
                }
                continue;
            };
            // A queue has more slots than an element has neighbours, so the queues have room for one device's cells.
            let (room, bytes) = (queues.cells[at], length * CELL as usize);
            // SAFETY: the caller's promise; the queues are empty, and only this device's stream uses them.
            unsafe { device(at).copy_from_device(room, device(source), from, bytes) }?;
            let full = Merge {
                // No more than all elements, which 32 bits count.
                elements: range.len() as u32,
                bounds: queues.bounds[at] + range.start as u64 * BOUND,
                cells: own,
                queues: room,
                counts: 0,
                capacity: self.neighbours,
            };
            // SAFETY: as above: the cells for each of these elements lie there, one element after another.
            unsafe { full.launch(ready.plan, ready.on.stream) }?;
        }
        Ok(())
    }
}

/// The elements of each device, if none needs what others find in this launch.
fn own_ranges(
    kernel: &Kernel,
    ready: &[(usize, Ready<'_>)],
    elements: usize,
) -> Option<FinalRanges> {
    let mut final_ranges = empty_ranges(kernel, elements);
    for (at, each) in ready {
        *final_ranges.get_mut(*at)? = each.plan.own_rows(kernel.info)?;
    }
    Some(final_ranges)
}

/// Divides the elements about evenly among the devices of a launch.
fn even_ranges(kernel: &Kernel, ready: &[(usize, Ready<'_>)], elements: usize) -> FinalRanges {
    let mut final_ranges = empty_ranges(kernel, elements);
    let (count, mut start) = (ready.len() as u128, 0);
    for (part, (at, _)) in (1_u128..).zip(ready) {
        // At most `elements`.
        let end = (elements as u128 * part / count) as usize;
        if let Some(range) = final_ranges.get_mut(*at) {
            *range = start..end;
        }
        start = end;
    }
    final_ranges
}

fn empty_ranges(kernel: &Kernel, elements: usize) -> FinalRanges {
    kernel.devices().iter().map(|_| elements..elements).collect()
}
