//! Tensor cores say which pairs may count, and only these are evaluated.
//!
//! What they multiply is a copy of the features in 16 bits, which each device makes for a launch, in the order in which blocks
//! read it. For lists and sums the kernel evaluates what is left by itself. For nearest neighbours a round is the kernel, which
//! queues indices, and a function that puts values in their places; then the queues are
//! as ever. In the first round of a device nothing is known of the neighbours, so that every pair may be near: there all pairs
//! are evaluated, by the sweep over features. So they are where a queue was full, since fewer pairs find a place there once
//! their values are known. Where that happens again and again, the features are such that products do not tell much.

use std::ffi::c_void;
use std::ops::Range;
use std::ptr;

use smallvec::SmallVec;

use super::{FoldedFeatures, Ready};
use crate::backend::Loaded;
use crate::kernel::plan::{Filter, FilterOfRounds, Plan, Step};
use crate::memory::Memory;
use crate::types::info::MERGING;
use crate::{Error, Result};

/// The features of a launch on a device as tensor cores take them.
pub(super) struct Halves {
    /// Of one set of elements, or of two: those of rows and those of columns.
    sets: SmallVec<[Set; 2]>,
}

/// A set of elements.
struct Set {
    elements: u32,
    /// The index of the value that is the address of their features.
    value: usize,
    /// The features in 16 bits, two in each word, and each element's share in the error of a product.
    halves: Memory<u32>,
    shares: Memory<u32>,
}

impl Halves {
    /// Makes room for the features of all elements in whole tiles, and writes them.
    ///
    /// # Safety
    ///
    /// The contract of [`Ready::run`].
    pub(super) unsafe fn of(ready: &Ready<'_>, filter: &Filter) -> Result<Halves> {
        // A macro of this version has seen to it that both sets have features.
        let unknown = || Error::unknown_map(ready.plan.variant.map);
        let FoldedFeatures { values: places, width } = ready.features.ok_or_else(unknown)?;
        let Plan { extent, variant, .. } = ready.plan;
        let (tiling, device) = (variant.tiling, ready.on.device);
        let parts = width.div_ceil(tiling.part()) as usize;
        let room = |(elements, value): (usize, usize)| {
            let tiles = elements.div_ceil(tiling.side as usize);
            // A product that is too large is more than memory.
            let words = tiles.saturating_mul(parts).saturating_mul(tiling.part_memory() as usize);
            Ok(Set {
                // The plan has seen to it that 32 bits count them.
                elements: elements as u32,
                value,
                halves: Memory::zeroed(device.backend(), words.saturating_mul(WORDS))?,
                shares: Memory::zeroed(device.backend(), tiles * tiling.side as usize)?,
            })
        };
        let counts = [Some(extent.n), extent.columns].into_iter().flatten();
        let sets = counts.zip(places).map(room);
        let mut made = Halves { sets: sets.collect::<Result<_>>()? };
        for Set { elements, value, halves, shares } in &mut made.sets {
            let address = ready.values.get(*value).ok_or_else(unknown)?;
            let halves = ready.on.own(halves)?;
            let shares = ready.on.own(shares)?;
            let mut parameters = [
                ptr::from_ref(elements).cast_mut().cast(),
                address.pointer(),
                ptr::from_ref(&width).cast_mut().cast(),
                ptr::from_ref(&halves.address).cast_mut().cast(),
                ptr::from_ref(&shares.address).cast_mut().cast::<c_void>(),
            ];
            let grid = [elements.div_ceil(MERGING[1]), 1];
            // SAFETY: these are the parameters of the function that the macro writes for every kernel with a filter: features of
            // so many elements, by the caller's promise, and memory that has room for what it writes of them.
            unsafe { filter.prepare.launch(ready.on.stream, grid, MERGING, &mut parameters) }?;
            ready.record_all(&[halves, shares])?;
        }
        Ok(made)
    }

    /// Launches one grid of the kernel that filters.
    ///
    /// # Safety
    ///
    /// The contract of [`Ready::run`]; the step is one of the plan's map, for the plan's elements,
    /// whose features these are.
    pub(super) unsafe fn run_step(&mut self, ready: &Ready<'_>, step: &Step) -> Result<()> {
        // Those of all sets one after another, in the order of the kernel's parameters.
        let mut own: SmallVec<[_; 4]> = SmallVec::new();
        let (mut halves, mut shares): (SmallVec<[_; 2]>, SmallVec<[_; 2]>) = Default::default();
        for set in &mut self.sets {
            halves.push(ready.on.own(&mut set.halves)?);
            shares.push(ready.on.own(&mut set.shares)?);
        }
        own.extend(halves.into_iter().chain(shares));
        let addresses: SmallVec<[_; 4]> = own.iter().map(|each| each.address).collect();
        let (code, blocks) = (&*ready.plan.code, [step.grid, ready.plan.block()]);
        // SAFETY: the caller's promise; the addresses are those of what was prepared for these elements.
        unsafe { ready.run_code(code, blocks, &step.numbers, &addresses) }?;
        ready.record_all(&own)
    }
}

/// How often a queue may be full before all rounds are those in which all pairs are evaluated.
const MOST_FAILURES: u32 = 2;

/// What a device filters nearest neighbours with.
pub(super) struct Filtering<'b> {
    filter: &'b FilterOfRounds,
    halves: Halves,
    failures: u32,
}

impl<'b> Filtering<'b> {
    /// Prepares the features, where the filter is one in rounds.
    ///
    /// # Safety
    ///
    /// The contract of [`Search::run`](super::Search::run).
    pub(super) unsafe fn new(
        ready: &Ready<'_>,
        filter: &'b Filter,
    ) -> Result<Option<Filtering<'b>>> {
        let Some(rounds) = &filter.rounds else { return Ok(None) };
        // SAFETY: the caller's promise.
        let halves = unsafe { Halves::of(ready, filter) }?;
        Ok(Some(Filtering { filter: rounds, halves, failures: 0 }))
    }

    /// The code that evaluates all pairs of a round, where that is better: in the first round, and where filters have failed.
    pub(super) fn exact(&self, is_first: bool, is_again: bool) -> Option<&'b dyn Loaded> {
        let is_exact = is_first || is_again || self.failures >= MOST_FAILURES;
        self.filter.exact.as_deref().filter(|_| is_exact)
    }

    /// Notes that a queue was full. Returns whether the round can be visited again by code that evaluates all pairs.
    pub(super) fn failed(&mut self) -> bool {
        self.failures += 1;
        self.filter.exact.is_some()
    }

    /// Visits the pairs of a round, and evaluates those that are left.
    ///
    /// # Safety
    ///
    /// The contract of [`Search::run`](super::Search::run), and these are offsets of the plan's rounds.
    pub(super) unsafe fn run(&mut self, ready: &Ready<'_>, offsets: Range<u32>) -> Result<()> {
        // A grid has at most 2^27 tiles along x, and at most as many rows as a round has offsets.
        let (shape, share) = ready.plan.rounds(ready.on.info);
        let round = self.filter.map.round(&shape, offsets, share.tiles);
        let grid = [round.grid.x as u32, round.grid.y as u32];
        let step = Step { grid, numbers: round.numbers };
        // SAFETY: the caller's promise.
        unsafe { self.halves.run_step(ready, &step) }?;
        // Of two sets also for rows that another device visits, of which nothing is queued here.
        let elements = ready.plan.extent.n as u32;
        let blocks = [[elements.div_ceil(MERGING[1]), 1], MERGING];
        // SAFETY: the caller's promise; this function has the kernel's parameters without those of the map.
        unsafe { ready.run_code(&*self.filter.refine, blocks, &[], &[]) }
    }
}

/// The words of 32 bits in one of 16 bytes.
const WORDS: usize = 4;
