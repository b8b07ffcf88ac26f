//! The rounds of a launch that finds nearest neighbours.
//!
//! Each round visits the pairs of some offsets, in the layout of the map `rounds`, and queues those that may be among an
//! element's nearest. A second kernel then merges the queues, after which fewer pairs may be. (Over features, the plain loops
//! of a CPU insert each pair at once, and there are no rounds.)
//!
//! After each round the host reads one word: whether a queue was full. If so, the round is repeated with fewer offsets. While
//! the host reads, a GPU already runs the next round, until a round has been slowed down. A round that follows a repeated one
//! is repeated too, which changes nothing: neighbours that are offered twice are kept once.
//!
//! Several devices process their shares of the offsets at the same time, each on a thread of its own, since a thread waits for
//! each round of its device. They exchange nothing until all have finished: an element's bound on a device is the K-th best of
//! what this device has seen, which is correct but wider than that of all devices. So a device queues about as many pairs in
//! its rounds as one device would in all of them, though most pairs are only compared. Bounds of other devices would help
//! little without their cells: on two devices, the K-th best of half of the pairs is about the 2K-th of all.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::CudaStream;
use smallvec::SmallVec;
use td_kernel_geometry::Rounds;

use super::Ready;
use super::filter::Filtering;
use super::multiplied::Multiplied;
use super::round_sizer::{self, RoundSizer};
use crate::backend::{MailboxSlot, pointer};
use crate::memory::results::DeviceState;
use crate::plan::{Plan, Step};
use crate::types::info::MERGE_BLOCK;
use crate::{Error, Result};

/// The rounds of one device.
pub(crate) struct Search<'b> {
    pub(crate) ready: &'b Ready<'b>,
    /// The argument for the neighbours, and the number of neighbours per element.
    pub(crate) name: &'static str,
    pub(crate) neighbours: u64,
    pub(crate) queues: Merge,
    pub(crate) state: &'b mut DeviceState,
}

/// The parameters of a merge, in their order.
#[derive(Clone, Copy)]
pub(crate) struct Merge {
    pub(crate) elements: u32,
    pub(crate) bounds: u64,
    pub(crate) cells: u64,
    pub(crate) queues: u64,
    /// 0 if every queue is full.
    pub(crate) counts: u64,
    pub(crate) capacity: u32,
}

impl Search<'_> {
    /// Launches the rounds, and merges after each of them.
    ///
    /// # Safety
    ///
    /// The contract of [`Ready::run`], and the addresses are those of a `Nearest` of the kernel on this device, with room for
    /// these queues.
    pub(crate) unsafe fn run(&mut self) -> Result<()> {
        let Search { ready, name, neighbours, queues, .. } = *self;
        let info = ready.on.info;
        let (shape, share) = ready.plan.rounds(info);
        let stream = ready.on.stream;
        let features = ready.features.map(|features| u64::from(features.width));
        let growth = round_sizer::growth(queues.elements.into(), neighbours, features);
        let mut sizer = RoundSizer::new(share.offsets.clone(), growth);
        // The bounds of what earlier launches have found. Nothing is queued, unless one of them failed.
        // SAFETY: the addresses are those of the argument's memory, which has room for these queues.
        unsafe { queues.launch(ready.plan, stream) }?;
        let mut filtering = match &ready.plan.filter {
            // SAFETY: the caller's promise.
            Some(filter) => unsafe { Filtering::new(ready, filter) }?,
            None => None,
        };
        // SAFETY: the caller's promise.
        let multiplied = unsafe { Multiplied::new(ready, &shape) }?;
        // Rounds whose result is not known yet: the last one, and if a GPU already runs the next one, the one before it.
        let mut sent: SmallVec<[Sent; 2]> = SmallVec::new();
        // Whether the next round repeats one in which a filter has filled a queue.
        let mut is_again = false;
        let mut slot = MailboxSlot::default();
        loop {
            if let Some(offsets) = sizer.round() {
                let is_first = offsets.start == share.offsets.start;
                let exact =
                    filtering.as_ref().and_then(|filtering| filtering.exact(is_first, is_again));
                let round = Rounds.round(&shape, offsets.clone(), share.tiles.clone());
                // A grid has at most 2^27 tiles along x, and a round at most 65,535 offsets along y.
                let grid = [round.grid.x as u32, round.grid.y as u32];
                let step = Step { grid, numbers: round.numbers };
                let missed = ready.on.own(&mut self.state.missed)?;
                // SAFETY: the caller's promise, and the round is one of the plan's map, in its elements' shape. Code that
                // evaluates all pairs of these tiles has the parameters of a kernel without a filter.
                unsafe {
                    match (&mut filtering, exact) {
                        (Some(_), Some(code)) => {
                            let blocks = [step.grid, ready.plan.block()];
                            ready.run_code(code, blocks, &step.numbers, &[])
                        }
                        (Some(filtering), None) => filtering.run(ready, offsets),
                        (None, _) => match &multiplied {
                            Some(multiplied) => multiplied.run(ready, offsets, &share),
                            None => ready.run_step(&step),
                        },
                    }
                }?;
                ready.on.record(&missed)?;
                drop(missed);
                // SAFETY: as above.
                unsafe { queues.launch(ready.plan, stream) }?;
                let DeviceState { missed, mailbox } = &mut *self.state;
                if let Some(mailbox) = mailbox {
                    missed.copy_to_mailbox(&mut **mailbox, slot, stream)?;
                }
                let is_filtered = filtering.is_some() && exact.is_none();
                sent.push(Sent { sizer: sizer.clone(), is_filtered, slot });
                (slot, is_again) = (slot.next(), false);
                sizer.go_on();
                if mailbox.is_some() && sent.len() == 1 && sizer.is_undisturbed() {
                    continue;
                }
            }
            if sent.is_empty() {
                break;
            }
            let first = sent.remove(0);
            if !self.has_missed(first.slot)? {
                continue;
            }
            // The GPU may already run the next round.
            sent.drain(..).try_for_each(|next| self.has_missed(next.slot).map(|_| ()))?;
            self.state.missed.clear()?;
            sizer = first.sizer;
            // Of the pairs that pass a filter, fewer may enter a queue once they are evaluated.
            let filtering = filtering.as_mut().filter(|_| first.is_filtered);
            is_again = filtering.is_some_and(|filtering| filtering.failed());
            if !is_again && !sizer.slow_down() {
                return Err(Error::version("has queues that are too short for its tiles")
                    .about(info.name, name));
            }
        }
        Ok(())
    }

    /// Whether a queue was full in the rounds up to that of the note.
    fn has_missed(&mut self, slot: MailboxSlot) -> Result<bool> {
        let DeviceState { missed, mailbox } = &mut *self.state;
        Ok(match mailbox {
            Some(mailbox) => mailbox.read(slot)? != 0,
            None => missed.download()?.iter().any(|missed| *missed != 0),
        })
    }
}

/// A round that was launched.
struct Sent {
    /// The sizer before the round.
    sizer: RoundSizer,
    /// Whether only the pairs that pass a filter were evaluated.
    is_filtered: bool,
    /// The copy of the word that reports a full queue.
    slot: MailboxSlot,
}

/// The bytes of a cell, and of a bound or a count.
pub(crate) const CELL: u64 = size_of::<u64>() as u64;
pub(crate) const BOUND: u64 = size_of::<u32>() as u64;

impl Merge {
    /// The same for some of the elements, with `neighbours` neighbours each.
    pub(crate) fn of_elements(&self, elements: &Range<usize>, neighbours: u64) -> Merge {
        let first = elements.start as u64;
        Merge {
            // No more than all elements, which 32 bits count.
            elements: elements.len() as u32,
            bounds: self.bounds + first * BOUND,
            cells: self.cells + first * neighbours * CELL,
            queues: self.queues + first * u64::from(self.capacity) * CELL,
            counts: self.counts + first * BOUND,
            capacity: self.capacity,
        }
    }

    /// Merges the queues, and updates the bounds.
    ///
    /// # Safety
    ///
    /// The memory at the addresses is that of a `Nearest` of the plan's kernel on the plan's device, and has room for this many
    /// elements, and queues of this capacity. Only this stream uses it.
    pub(crate) unsafe fn launch(
        &self,
        plan: &Plan,
        stream: Option<&Arc<CudaStream>>,
    ) -> Result<()> {
        let Some(code) = &plan.merge else {
            return Err(Error::unknown_map(plan.variant.map));
        };
        let Merge { elements, bounds, cells, queues, counts, capacity } = self;
        let mut parameters = [
            pointer(elements),
            pointer(bounds),
            pointer(cells),
            pointer(queues),
            pointer(counts),
            pointer(capacity),
        ];
        let grid = [elements.div_ceil(MERGE_BLOCK[1]), 1];
        // SAFETY: these are the parameters of the function that the macro writes for every kernel with a `Nearest`, with memory
        // as the caller promises.
        unsafe { code.launch(stream, grid, MERGE_BLOCK, &mut parameters) }
    }
}
