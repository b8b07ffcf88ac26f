//! Launches of the `filter` sweep: tensor cores find the pairs that may count, and only these are evaluated.
//!
//! Tensor cores multiply a 16-bit copy of the features, which each device makes for a launch, in the order in which blocks read
//! it. For lists and sums, the kernel itself evaluates the remaining pairs. For nearest neighbours, a round launches the
//! kernel, which queues indices, and then a function that replaces them by values; after that the queues are as in other
//! sweeps.
//!
//! All pairs are evaluated, with the `fold` sweep, in two cases. In the first round of a device no neighbours are known, so
//! every pair may be near. And after a queue was full: fewer pairs enter a queue once their values are known. If queues are
//! full repeatedly, products do not filter these features well, and all further rounds evaluate all pairs.

use std::ffi::c_void;
use std::ops::Range;
use std::ptr;

use smallvec::SmallVec;

use super::{FoldedFeatures, Ready};
use crate::backend::Loaded;
use crate::memory::Memory;
use crate::plan::{Filter, FilterOfRounds, Plan, Step};
use crate::types::info::MERGE_BLOCK;
use crate::{Error, Result};

/// The features of a launch on a device, as operands of tensor cores.
pub(super) struct Bf16Operands {
    /// One set of elements, or two: rows and columns.
    sets: SmallVec<[Set; 2]>,
}

/// A set of elements.
struct Set {
    elements: u32,
    /// The index of the value with the address of their features.
    value: usize,
    /// The features in 16 bits, two per word, and the other floats of each element: its share of a product's error, and for the
    /// sweep `product` before it its scale.
    halves: Memory<u32>,
    factors: Memory<u32>,
}

impl Bf16Operands {
    /// Allocates memory for the features of all elements in whole tiles, and writes them.
    ///
    /// # Safety
    ///
    /// The contract of [`Ready::run`].
    pub(super) unsafe fn of(ready: &Ready<'_>, filter: &Filter) -> Result<Bf16Operands> {
        // The macro of this version ensures that both sets have features.
        let unknown = || Error::unknown_map(ready.plan.variant.map);
        let FoldedFeatures { values: places, width } = ready.features.ok_or_else(unknown)?;
        let Plan { extent, variant, .. } = ready.plan;
        let (tiling, device) = (variant.tiling, ready.on.device);
        let parts = width.div_ceil(tiling.part()) as usize;
        let room = |(elements, value): (usize, usize)| {
            let tiles = elements.div_ceil(tiling.side as usize);
            // A product that saturates is more than memory.
            let words = tiles.saturating_mul(parts).saturating_mul(tiling.part_memory() as usize);
            Ok(Set {
                // The plan ensures that they fit 32 bits.
                elements: elements as u32,
                value,
                halves: Memory::zeroed(device.backend(), words.saturating_mul(WORDS))?,
                factors: Memory::zeroed(
                    device.backend(),
                    tiles * (tiling.side * tiling.factors()) as usize,
                )?,
            })
        };
        let counts = [Some(extent.n), extent.columns].into_iter().flatten();
        let sets = counts.zip(places).map(room);
        let mut made = Bf16Operands { sets: sets.collect::<Result<_>>()? };
        for Set { elements, value, halves, factors } in &mut made.sets {
            let address = ready.values.get(*value).ok_or_else(unknown)?;
            let halves = ready.on.own(halves)?;
            let factors = ready.on.own(factors)?;
            let mut parameters = [
                ptr::from_ref(elements).cast_mut().cast(),
                address.pointer(),
                ptr::from_ref(&width).cast_mut().cast(),
                ptr::from_ref(&halves.address).cast_mut().cast(),
                ptr::from_ref(&factors.address).cast_mut().cast::<c_void>(),
            ];
            let grid = [elements.div_ceil(MERGE_BLOCK[1]), 1];
            // SAFETY: these are the parameters of the function that the macro writes for every kernel with a filter: features
            // of `elements` elements, by the caller's promise, and memory with room for what it writes for them.
            unsafe { filter.prepare.launch(ready.on.stream, grid, MERGE_BLOCK, &mut parameters) }?;
            ready.record_all(&[halves, factors])?;
        }
        Ok(made)
    }

    /// Launches one grid of the kernel that filters.
    ///
    /// # Safety
    ///
    /// The contract of [`Ready::run`]; the step is one of the plan's map, for the plan's elements, whose features these are.
    pub(super) unsafe fn run_step(&mut self, ready: &Ready<'_>, step: &Step) -> Result<()> {
        // The memory of all sets, in the order of the kernel's parameters.
        let mut own: SmallVec<[_; 4]> = SmallVec::new();
        let (mut halves, mut factors): (SmallVec<[_; 2]>, SmallVec<[_; 2]>) = Default::default();
        for set in &mut self.sets {
            halves.push(ready.on.own(&mut set.halves)?);
            factors.push(ready.on.own(&mut set.factors)?);
        }
        own.extend(halves.into_iter().chain(factors));
        let addresses: SmallVec<[_; 4]> = own.iter().map(|each| each.address).collect();
        let (code, blocks) = (&*ready.plan.code, [step.grid, ready.plan.block()]);
        // SAFETY: the caller's promise; the addresses are those of what was prepared for these elements.
        unsafe { ready.run_code(code, blocks, &step.numbers, &addresses) }?;
        ready.record_all(&own)
    }
}

/// The number of full queues after which all rounds evaluate all pairs.
const MOST_FAILURES: u32 = 2;

/// A device's filter for nearest neighbours.
pub(super) struct Filtering<'b> {
    filter: &'b FilterOfRounds,
    operands: Bf16Operands,
    failures: u32,
}

impl<'b> Filtering<'b> {
    /// Prepares the features, if the filter works in rounds.
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
        let operands = unsafe { Bf16Operands::of(ready, filter) }?;
        Ok(Some(Filtering { filter: rounds, operands, failures: 0 }))
    }

    /// The code that evaluates all pairs of a round, if that is better: in the first round, and after filters have failed.
    pub(super) fn exact(&self, is_first: bool, is_again: bool) -> Option<&'b dyn Loaded> {
        let is_exact = is_first || is_again || self.failures >= MOST_FAILURES;
        self.filter.exact.as_deref().filter(|_| is_exact)
    }

    /// Counts a full queue. Returns whether the round can be repeated with code that evaluates all pairs.
    pub(super) fn failed(&mut self) -> bool {
        self.failures += 1;
        self.filter.exact.is_some()
    }

    /// Filters the pairs of a round, and evaluates the remaining ones.
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
        unsafe { self.operands.run_step(ready, &step) }?;
        // For two sets this includes rows of other devices, for which nothing is queued here.
        let elements = ready.plan.extent.n as u32;
        let blocks = [[elements.div_ceil(MERGE_BLOCK[1]), 1], MERGE_BLOCK];
        // SAFETY: the caller's promise; this function has the kernel's parameters without those of the map.
        unsafe { ready.run_code(&*self.filter.refine, blocks, &[], &[]) }
    }
}

/// The 32-bit words in 16 bytes.
const WORDS: usize = 4;
