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

use super::Value;
use super::features::Products;
use super::ready::{Ready, stream};
use crate::Error;
use crate::Result;
use crate::backend::Loaded;
use crate::kernel::Kernel;
use crate::kernel::plan::{Filter, FilterOfRounds, Plan, Step};
use crate::memory::Memory;
use crate::types::info::MERGING;

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
    /// The contract of [`run`](super::parts::run), for this device.
    pub(super) unsafe fn of(
        kernel: &Kernel,
        ready: &Ready<'_>,
        filter: &Filter,
        values: &[Value],
    ) -> Result<Halves> {
        // A macro of this version has seen to it that both sets have features.
        let unknown = || Error::unknown_map(ready.plan.variant.map);
        let Products { values: places, width } = ready.features.ok_or_else(|| unknown().into())?;
        let Plan { extent, variant, .. } = ready.plan;
        let (tiling, device) = (variant.tiling, &kernel.devices()[ready.at]);
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
        let stream = stream(kernel, ready.at);
        for Set { elements, value, halves, shares } in &mut made.sets {
            let address = values.get(*value).ok_or_else(|| unknown().into())?;
            let halves = kernel.own_access(ready.at, halves)?;
            let shares = kernel.own_access(ready.at, shares)?;
            let mut parameters = [
                ptr::from_ref(elements).cast_mut().cast(),
                address.pointer(ready.at),
                ptr::from_ref(&width).cast_mut().cast(),
                ptr::from_ref(&halves.address).cast_mut().cast(),
                ptr::from_ref(&shares.address).cast_mut().cast::<c_void>(),
            ];
            let grid = [elements.div_ceil(MERGING[1]), 1];
            // SAFETY: these are the parameters of the function that the macro writes for every kernel with a filter: features of
            // so many elements, by the caller's promise, and memory that has room for what it writes of them.
            unsafe { filter.prepare.launch(stream, grid, MERGING, &mut parameters) }?;
            [halves, shares]
                .iter()
                .try_for_each(|each| each.record(stream.map(|stream| &**stream)))?;
        }
        Ok(made)
    }

    /// Launches one grid of the kernel that filters.
    ///
    /// # Safety
    ///
    /// The contract of [`run`](super::parts::run), for this device; the step is one of the plan's map, for the plan's elements,
    /// whose features these are.
    pub(super) unsafe fn run_step(
        &mut self,
        kernel: &Kernel,
        ready: &Ready<'_>,
        values: &[Value],
        step: &Step,
    ) -> Result<()> {
        // Those of all sets one after another, in the order of the kernel's parameters.
        let mut own: SmallVec<[_; 4]> = SmallVec::new();
        let (mut halves, mut shares): (SmallVec<[_; 2]>, SmallVec<[_; 2]>) = Default::default();
        for set in &mut self.sets {
            halves.push(kernel.own_access(ready.at, &mut set.halves)?);
            shares.push(kernel.own_access(ready.at, &mut set.shares)?);
        }
        own.extend(halves.into_iter().chain(shares));
        let addresses: SmallVec<[_; 4]> = own.iter().map(|each| each.address).collect();
        let (code, blocks) = (&*ready.plan.code, [step.grid, ready.plan.block()]);
        // SAFETY: the caller's promise; the addresses are those of what was prepared for these elements.
        unsafe { ready.run_code(kernel, code, values, blocks, &step.numbers, &addresses) }?;
        let stream = stream(kernel, ready.at).map(|stream| &**stream);
        own.iter().try_for_each(|each| each.record(stream))
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
    /// The contract of [`run_nearest`](super::Launch::run_nearest), for this device.
    pub(super) unsafe fn new(
        kernel: &Kernel,
        ready: &Ready<'_>,
        filter: &'b Filter,
        values: &[Value],
    ) -> Result<Option<Filtering<'b>>> {
        let Some(rounds) = &filter.rounds else { return Ok(None) };
        // SAFETY: the caller's promise.
        let halves = unsafe { Halves::of(kernel, ready, filter, values) }?;
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
    /// The contract of [`run_nearest`](super::Launch::run_nearest), for this device, and these are offsets of the plan's rounds.
    pub(super) unsafe fn run(
        &mut self,
        kernel: &Kernel,
        ready: &Ready<'_>,
        values: &[Value],
        offsets: Range<u32>,
    ) -> Result<()> {
        // A grid has at most 2^27 tiles along x, and at most as many rows as a round has offsets.
        let (shape, share) = ready.plan.rounds(kernel.info);
        let round = self.filter.map.round(&shape, offsets, share.tiles);
        let grid = [round.grid.x as u32, round.grid.y as u32];
        let step = Step { grid, numbers: round.numbers };
        // SAFETY: the caller's promise.
        unsafe { self.halves.run_step(kernel, ready, values, &step) }?;
        // Of two sets also for rows that another device visits, of which nothing is queued here.
        let elements = ready.plan.extent.n as u32;
        let blocks = [[elements.div_ceil(MERGING[1]), 1], MERGING];
        // SAFETY: the caller's promise; this function has the kernel's parameters without those of the map.
        unsafe { ready.run_code(kernel, &*self.filter.refine, values, blocks, &[], &[]) }
    }
}

/// The words of 32 bits in one of 16 bytes.
const WORDS: usize = 4;
