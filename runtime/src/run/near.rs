//! A launch that visits only near tiles: sorts the elements, computes the boxes of tiles, and runs the kernel. A set whose order an
//! earlier launch has kept is not sorted again.
//!
//! All of this runs on one stream without waiting: only the device knows the number of near tiles.

use std::ffi::c_void;
use std::sync::Arc;

use smallvec::SmallVec;

use super::Ready;
use crate::backend::order::Access;
use crate::backend::{Loaded, pointer};
use crate::memory::Memory;
use crate::memory::orders::{OrderKey, Orders};
use crate::plan::{BLOCK_KEYS, DIGITS, Layout, NearPlan, Sort, Step};
use crate::types::info::MERGE_BLOCK;
use crate::{Error, Result};

/// The bits by which keys are sorted at a time.
const DIGIT_BITS: u32 = DIGITS.ilog2();

impl Ready<'_> {
    /// Sorts, and launches the plan.
    ///
    /// # Safety
    ///
    /// The contract of [`Ready::run`].
    pub(super) unsafe fn run_near(&self, near: &NearPlan) -> Result<()> {
        let backend = self.on.device.backend();
        let mut length = near.length;
        let place = |(at, set): (usize, &Layout)| match self.key_of(at, near) {
            Some((orders, key)) => match orders.find(&key) {
                Some(memory) => Ok(Place::Kept(memory)),
                None => Ok(Place::New(orders, key, Memory::zeroed(backend, set.length)?)),
            },
            None => {
                let start = length;
                length = length.saturating_add(set.length);
                Ok(Place::Own(start))
            }
        };
        let places = near.sets.iter().enumerate().map(place).collect::<Result<_>>();
        let mut places: SmallVec<[Place<'_>; 2]> = places?;
        let is_sorted = places.iter().all(|place| matches!(place, Place::Kept(_)));
        let mut scratch = (!is_sorted).then(|| near.take(backend, length)).transpose()?;
        let mut accesses: SmallVec<[Access<'_>; 3]> = SmallVec::new();
        if let Some(scratch) = &mut scratch {
            accesses.push(self.on.own(scratch)?);
        }
        let start = accesses.first().map(|access| access.address);
        let mut sets: SmallVec<[(u64, bool); 2]> = SmallVec::new();
        for place in &mut places {
            let (access, is_kept) = match place {
                Place::Own(words) => {
                    sets.push((address(expect_own(start)?, *words), false));
                    continue;
                }
                Place::New(_, _, memory) => (self.on.own(memory)?, false),
                Place::Kept(memory) => (self.on.read("order", memory.view().untyped())?, true),
            };
            sets.push((access.address, is_kept));
            accesses.push(access);
        }
        // SAFETY: the caller's promise, and these are the addresses of the memory.
        let launched = unsafe { self.steps_of_near(near, start, &sets) };
        let recorded = self.record_all(&accesses);
        drop(accesses);
        launched.and(recorded)?;
        scratch.into_iter().for_each(|scratch| near.keep(scratch));
        for place in places {
            if let Place::New(orders, key, memory) = place {
                orders.keep(key, memory);
            }
        }
        Ok(())
    }

    /// What the order of a set is kept by, if all arguments for its elements keep orders. A launch that lists pairs keeps its elements
    /// itself.
    fn key_of(&self, set: usize, near: &NearPlan) -> Option<(&Orders, OrderKey)> {
        let all = self.orders.iter().filter(|(of, _)| *of == set).map(|(_, orders)| *orders);
        let contents: SmallVec<[u64; 2]> = all.clone().map(Orders::contents).collect();
        let (kernel, device) = (self.on.info, self.on.at);
        let is_loops = matches!(near.sort, Sort::Loops(_));
        let is_whole = near.moved.is_empty() && contents.len() == near.sets[set].sorted.len();
        let first = all.clone().next().filter(|_| is_whole)?;
        Some((first, OrderKey { kernel, set, device, is_loops, contents }))
    }

    /// Whether an element has moved too far since the latest launch of this plan, which lists pairs. The host waits for the answer.
    ///
    /// # Safety
    ///
    /// The contract of [`Ready::run`].
    pub(crate) unsafe fn has_moved(&self) -> Result<bool> {
        let Some(near) = &self.plan.near else { return Ok(true) };
        let threads = MERGE_BLOCK[0] * MERGE_BLOCK[1];
        let (part, block, numbers) = match (&near.sort, self.plan.steps.first()) {
            (Sort::Functions(..), _) => (threads, MERGE_BLOCK, &[][..]),
            (Sort::Loops(_), Some(step)) => (step.numbers[0], [1, 1], &step.numbers[..]),
            (Sort::Loops(_), None) => return Ok(true),
        };
        // The memory of that launch has its elements. The parts of 128 elements or more are fewer than the counts of its keys.
        let mut scratch = near.take(self.on.device.backend(), near.whole_length())?;
        let (mut own, mut has_moved) = (near.length, false);
        for (code, set) in near.moved.iter().zip(&near.sets) {
            let parts = set.n.div_ceil(part);
            let access = self.on.own(&mut scratch)?;
            let mut addresses = last(address(access.address, own), set);
            addresses.push(address(access.address, set.counts));
            // SAFETY: the caller's promise; this function has the kernel's parameters without those of the map, and these.
            let launched =
                unsafe { self.run_code(&**code, [[parts, 1], block], numbers, &addresses) };
            let recorded = self.on.record(&access);
            drop(access);
            launched.and(recorded)?;
            let counts = scratch.download_range(set.counts..set.counts + parts as usize)?;
            has_moved |= counts.iter().any(|count| *count > 0);
            own += set.length;
        }
        near.keep(scratch);
        Ok(has_moved)
    }

    /// The work, with the memory at `start`. `sets` has the address of each set's order, and whether it is there already.
    ///
    /// # Safety
    ///
    /// As above; the memory has the layout of the plan, and nothing else uses what is not there already.
    unsafe fn steps_of_near(
        &self,
        near: &NearPlan,
        start: Option<u64>,
        sets: &[(u64, bool)],
    ) -> Result<()> {
        let mut all_last: SmallVec<[u64; 8]> = SmallVec::new();
        for (at, (set, (own, is_sorted))) in near.sets.iter().zip(sets).enumerate() {
            let last = last(*own, set);
            all_last.extend_from_slice(&last);
            if *is_sorted {
                continue;
            }
            let start = expect_own(start)?;
            // SAFETY: the caller's promise.
            unsafe {
                match &near.sort {
                    Sort::Functions(sorting, sets) => {
                        self.sort([start, *own], set, sorting, &sets[at], &last)?;
                    }
                    Sort::Loops(code) => {
                        let own = [set.keys[0], set.keys[1], set.indices];
                        let own = own.map(|words| address(start, words));
                        let all: SmallVec<[u64; 8]> = own.into_iter().chain(last).collect();
                        let numbers = self.plan.steps.first().map_or(&[][..], |step| &step.numbers);
                        self.run_code(&*code[at], [[1, 1], [1, 1]], numbers, &all)?;
                    }
                }
            }
        }
        let run = |step: &Step| {
            let blocks = [step.grid, self.plan.block()];
            // SAFETY: the caller's promise, and the step is one of the plan's map.
            unsafe {
                self.run_code(&*self.plan.code, blocks, &step.numbers, &all_last)?;
                self.join_blocks(step)
            }
        };
        self.plan.steps.iter().try_for_each(run)
    }

    /// Sorts the elements of a set, copies them to `last`, and computes their boxes there, with a GPU's functions.
    ///
    /// # Safety
    ///
    /// As above; `last` are the kernel's last addresses for this set, whose order is at `own`.
    unsafe fn sort(
        &self,
        [start, own]: [u64; 2],
        set: &Layout,
        [count, scan, scatter]: &[Function; 3],
        [frame, cells, boxes, join]: &[Function; 4],
        last: &[u64],
    ) -> Result<()> {
        let at = |words: usize| address(start, words);
        let n = set.n;
        let (mut keys, frame_at, counts) = (set.keys.map(at), at(set.frame), at(set.counts));
        let mut order = [address(own, set.order), at(set.indices)];
        let threads = MERGE_BLOCK[0] * MERGE_BLOCK[1];
        let with_users = |code: &Function, blocks: u32, addresses: &[u64]| {
            // SAFETY: the caller's promise: these functions have the kernel's parameters without those of the map, and these.
            unsafe { self.run_code(&**code, [[blocks, 1], MERGE_BLOCK], &[], addresses) }
        };
        let alone = |code: &Function, blocks: u32, numbers: &[u32], addresses: &[u64]| {
            let mut parameters: SmallVec<[*mut c_void; 8]> = SmallVec::new();
            parameters.extend(numbers.iter().map(pointer));
            parameters.extend(addresses.iter().map(pointer));
            // SAFETY: these are the parameters of the functions that the macro writes for every kernel with boxes, with memory
            // of the layout that they expect.
            unsafe { code.launch(self.on.stream, [blocks, 1], MERGE_BLOCK, &mut parameters) }
        };
        with_users(frame, 1, &[frame_at])?;
        with_users(cells, n.div_ceil(threads), &[frame_at, keys[0], order[0]])?;
        let blocks = n.div_ceil(BLOCK_KEYS as u32);
        // An even number of passes ends where it began.
        for shift in (0..u32::BITS).step_by(DIGIT_BITS as usize) {
            alone(count, blocks, &[n, shift], &[keys[0], counts])?;
            alone(scan, DIGITS as u32, &[blocks], &[counts])?;
            let addresses = [counts, keys[0], order[0], keys[1], order[1]];
            alone(scatter, blocks, &[n, shift], &addresses)?;
            keys.reverse();
            order.reverse();
        }
        with_users(boxes, set.tiles.div_ceil(MERGE_BLOCK[1]), last)?;
        let groups = set.groups.div_ceil(MERGE_BLOCK[1]);
        let boxes_at = address(own, set.boxes);
        alone(join, groups, &[0, set.tiles], &[boxes_at])?;
        let sections = set.groups.div_ceil(MERGE_BLOCK[0]).div_ceil(MERGE_BLOCK[1]);
        alone(join, sections, &[set.tiles, set.groups], &[boxes_at])
    }
}

/// Where the order of a set is.
enum Place<'a> {
    /// In the launch's own memory, from this word on.
    Own(usize),
    /// In new memory, which is kept.
    New(&'a Orders, OrderKey, Memory<u32>),
    /// Where an earlier launch has sorted it.
    Kept(Arc<Memory<u32>>),
}

/// The kernel's last addresses for a set: those of the order, of the sorted elements, and of the boxes.
fn last(start: u64, set: &Layout) -> SmallVec<[u64; 8]> {
    let words = [set.order].into_iter().chain(set.sorted.iter().copied()).chain([set.boxes]);
    words.map(|words| address(start, words)).collect()
}

/// The address of a launch's own memory, which it has if a set is not sorted yet.
fn expect_own(start: Option<u64>) -> Result<u64> {
    start.ok_or_else(|| Error::other("a launch has no memory in which it sorts"))
}

/// The address of a word of the memory that starts at `start`.
pub(super) fn address(start: u64, words: usize) -> u64 {
    start + (words * size_of::<u32>()) as u64
}

/// One of the functions of a source.
type Function = Arc<dyn Loaded>;
