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

use smallvec::SmallVec;

use super::Value;
use super::parts::{Ready, Shared, stream};
use crate::backend::Loaded;
use crate::error::Cause;
use crate::info::MERGING;
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::plan::{Filter, Plan};
use crate::{Device, Result};

/// How often a queue may be full before all rounds are those in which all pairs are evaluated.
const MOST_FAILURES: u32 = 2;

/// What a device filters with.
pub(super) struct Filtering<'b> {
    filter: &'b Filter,
    /// One set of elements, or two: those of rows and those of columns.
    sets: SmallVec<[Set; 2]>,
    failures: u32,
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

/// The features of a launch.
#[derive(Clone, Copy)]
pub(super) struct Features {
    /// The indices of the values that are the addresses of features of rows and of columns.
    pub(super) values: [usize; 2],
    /// How many an element has.
    pub(super) width: u32,
}

impl<'b> Filtering<'b> {
    /// Makes room for the features of all elements in whole tiles.
    pub(super) fn new(
        device: &Device,
        filter: &'b Filter,
        ready: &Ready<'_>,
        features: Features,
    ) -> Result<Filtering<'b>> {
        let Plan { extent, variant, .. } = ready.plan;
        let tiling = variant.tiling;
        let parts = features.width.div_ceil(tiling.part()) as usize;
        let room = |elements: usize, value: usize| {
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
        let sets = counts.zip(features.values).map(|(elements, value)| room(elements, value));
        Ok(Filtering { filter, sets: sets.collect::<Result<_>>()?, failures: 0 })
    }

    /// Writes the features.
    ///
    /// # Safety
    ///
    /// The contract of [`run_nearest`](super::Launch::run_nearest), for this device, and the width is that of these features.
    pub(super) unsafe fn prepare(
        &mut self,
        kernel: &Kernel,
        ready: &Ready<'_>,
        values: &Shared<'_>,
        width: u32,
    ) -> Result<()> {
        let stream = stream(kernel, ready.at);
        for Set { elements, value, halves, shares } in &mut self.sets {
            let Some(address) = values.values().get(*value) else {
                return Err(Cause::UnknownMap { map: ready.plan.variant.map }.into());
            };
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
            unsafe { self.filter.prepare.launch(stream, grid, MERGING, &mut parameters) }?;
            [halves, shares]
                .iter()
                .try_for_each(|each| each.record(stream.map(|stream| &**stream)))?;
        }
        Ok(())
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
        // Those of all sets one after another, in the order of the kernel's parameters.
        let mut own: SmallVec<[_; 4]> = SmallVec::new();
        let (mut halves, mut shares): (SmallVec<[_; 2]>, SmallVec<[_; 2]>) = Default::default();
        for set in &mut self.sets {
            halves.push(kernel.own_access(ready.at, &mut set.halves)?);
            shares.push(kernel.own_access(ready.at, &mut set.shares)?);
        }
        own.extend(halves.into_iter().chain(shares));
        let addresses: SmallVec<[_; 4]> = own.iter().map(|each| each.address).collect();
        let (code, blocks) = (&*ready.plan.code, [grid, ready.plan.block()]);
        // SAFETY: the caller's promise; the addresses are those of what was prepared for these elements.
        unsafe { ready.run_code(kernel, code, values, blocks, &round.numbers, &addresses) }?;
        let stream = stream(kernel, ready.at).map(|stream| &**stream);
        own.iter().try_for_each(|each| each.record(stream))?;
        // Of two sets also for rows that another device visits, of which nothing is queued here.
        let elements = ready.plan.extent.n as u32;
        let blocks = [[elements.div_ceil(MERGING[1]), 1], MERGING];
        // SAFETY: the caller's promise; this function has the kernel's parameters without those of the map.
        unsafe { ready.run_code(kernel, &*self.filter.refine, values, blocks, &[], &[]) }
    }
}

/// The words of 32 bits in one of 16 bytes.
const WORDS: usize = 4;
