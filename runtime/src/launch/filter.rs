//! Rounds in which tensor cores say which pairs may be near, and only these are evaluated.
//!
//! What they multiply is a copy of the features in 16 bits, which each device makes for a launch, in the order in which blocks
//! read it. A round is the kernel, which queues indices, and a function that puts values in their places; then the queues are
//! as ever. In the first round of a device nothing is known of the neighbours, so that every pair may be near: there all pairs
//! are evaluated, by the sweep over features. So they are where a queue was full, since fewer pairs find a place there once
//! their values are known. Where that happens again and again, the features are such that products do not tell much.

use std::ffi::c_void;
use std::ops::Range;
use std::ptr;

use td_kernel_maps::RoundRows;

use super::Value;
use super::parts::{Ready, Shared, stream};
use crate::backend::Loaded;
use crate::info::MERGING;
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::plan::Filter;
use crate::{Device, Result};

/// How often a queue may be full before all rounds are those in which all pairs are evaluated.
const MOST_FAILURES: u32 = 2;

/// What a device filters with.
pub(super) struct Filtering<'b> {
    filter: &'b Filter,
    /// The features in 16 bits, two in each word, and each element's share in the error of a product.
    halves: Memory<u32>,
    shares: Memory<u32>,
    failures: u32,
}

/// The features of a launch.
#[derive(Clone, Copy)]
pub(super) struct Features {
    /// The index of the value that is their address, and how many an element has.
    pub(super) value: usize,
    pub(super) width: u32,
}

impl<'b> Filtering<'b> {
    /// Makes room for the features of all elements in tiles of this side.
    pub(super) fn new(
        device: &Device,
        filter: &'b Filter,
        ready: &Ready<'_>,
        elements: u32,
        features: Features,
    ) -> Result<Filtering<'b>> {
        let tiling = ready.plan.variant.tiling;
        let tiles = elements.div_ceil(tiling.side) as usize;
        let parts = features.width.div_ceil(tiling.part()) as usize;
        // A product that is too large is more than memory.
        let words = tiles.saturating_mul(parts).saturating_mul(tiling.part_memory() as usize);
        Ok(Filtering {
            filter,
            halves: Memory::zeroed(device.backend(), words.saturating_mul(WORDS))?,
            shares: Memory::zeroed(device.backend(), tiles * tiling.side as usize)?,
            failures: 0,
        })
    }

    /// Writes the features.
    ///
    /// # Safety
    ///
    /// The contract of [`run_nearest`](super::Launch::run_nearest), for this device.
    pub(super) unsafe fn prepare(
        &mut self,
        kernel: &Kernel,
        ready: &Ready<'_>,
        values: &Shared<'_>,
        elements: u32,
        features: Features,
    ) -> Result<()> {
        let Filtering { filter, halves, shares, .. } = self;
        let Some(address) = values.values().get(features.value) else { return Ok(()) };
        let halves = kernel.own_access(ready.at, halves)?;
        let shares = kernel.own_access(ready.at, shares)?;
        let stream = stream(kernel, ready.at);
        let mut parameters = [
            ptr::from_ref(&elements).cast_mut().cast(),
            address.pointer(ready.at),
            ptr::from_ref(&features.width).cast_mut().cast(),
            ptr::from_ref(&halves.address).cast_mut().cast(),
            ptr::from_ref(&shares.address).cast_mut().cast::<c_void>(),
        ];
        let grid = [elements.div_ceil(MERGING[1]), 1];
        // SAFETY: these are the parameters of the function that the macro writes for every kernel with a filter: features of so
        // many elements, by the caller's promise, and memory that has room for what it writes of them.
        unsafe { filter.prepare.launch(stream, grid, MERGING, &mut parameters) }?;
        [halves, shares].iter().try_for_each(|each| each.record(stream.map(|stream| &**stream)))
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
        elements: u32,
    ) -> Result<()> {
        // A grid has at most 2^27 tiles along x, and at most as many rows as a round has offsets.
        let (shape, _) = ready.plan.rounds(kernel.info);
        let round = RoundRows.round(&shape, offsets);
        let grid = [round.grid.x as u32, round.grid.y as u32];
        let halves = kernel.own_access(ready.at, &mut self.halves)?;
        let shares = kernel.own_access(ready.at, &mut self.shares)?;
        let (code, blocks) = (&*ready.plan.code, [grid, ready.plan.block()]);
        let addresses = [halves.address, shares.address];
        // SAFETY: the caller's promise; the addresses are those of what was prepared for these elements.
        unsafe { ready.run_code(kernel, code, values, blocks, &round.numbers, &addresses) }?;
        let stream = stream(kernel, ready.at).map(|stream| &**stream);
        [halves, shares].iter().try_for_each(|each| each.record(stream))?;
        let blocks = [[elements.div_ceil(MERGING[1]), 1], MERGING];
        // SAFETY: the caller's promise; this function has the kernel's parameters without those of the map.
        unsafe { ready.run_code(kernel, &*self.filter.refine, values, blocks, &[], &[]) }
    }
}

/// The words of 32 bits in one of 16 bytes.
const WORDS: usize = 4;
