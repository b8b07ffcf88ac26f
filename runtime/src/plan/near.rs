//! What launches that visit only near tiles need: functions that sort elements and compute boxes, and memory for both.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Result;
use crate::backend::{Backend, Loaded};
use crate::memory::Memory;
use crate::plan::Step;
use crate::plan::extent::Extent;
use crate::types::info::{self, KernelInfo, SAMPLE, SORTING};

/// The elements of a tile, the tiles of a group and the groups of a section.
const SIDE: usize = 32;

/// The elements of a core's part in the CPU's loops.
const PART: u32 = 256;

/// The keys that a block sorts, and the values of the bits by which they are sorted at a time.
pub(crate) const BLOCK_KEYS: usize = 2048;
pub(crate) const DIGITS: usize = 256;

/// The elements of each set whose pairs a GPU tests before it sorts, at most. Each block counts in a word of its own, for which
/// there is room where the keys are counted later.
pub(crate) const SAMPLES: u32 = 1024;

/// The same for the CPU's loops, which have one count. It is at most this part of the elements.
pub(crate) const TESTED: u32 = 256;
pub(crate) const TESTED_PART: u32 = 16;

/// The functions and the memory for the elements of one set or of two.
pub(crate) struct NearPlan {
    pub(crate) sort: Sort,
    /// Tests the pairs of some elements, if a launch may visit all pairs instead.
    pub(crate) sample: Option<Arc<dyn Loaded>>,
    /// If the launch lists pairs: for each set, the function that finds elements that have moved since.
    pub(crate) moved: Vec<Arc<dyn Loaded>>,
    pub(crate) sets: Vec<Layout>,
    /// The words with which one set after another is sorted.
    pub(crate) length: usize,
    /// The memory of the latest launch. Launches at the same time have their own.
    kept: Mutex<Option<Memory<u32>>>,
}

/// The functions that sort elements and compute boxes.
pub(crate) enum Sort {
    /// A GPU's, in the order of [`SORTING`], and for each set in that of [`OfSet::parts`](info::OfSet::parts).
    Functions([Arc<dyn Loaded>; SORTING.len()], Vec<[Arc<dyn Loaded>; 4]>),
    /// Those of the CPU's loops, one for each set.
    Loops(Vec<Arc<dyn Loaded>>),
}

/// The offsets of a set's arrays, in 32-bit words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The number of elements.
    pub(crate) n: u32,
    /// In the memory with which sets are sorted: the grid of cells.
    pub(crate) frame: usize,
    /// The keys of the elements, twice: they are moved from one to the other.
    pub(crate) keys: [usize; 2],
    /// The second place for their indices.
    pub(crate) indices: usize,
    /// The counts of keys by block.
    pub(crate) counts: usize,
    /// In the memory of the set's order: the indices of the elements.
    pub(crate) order: usize,
    /// The elements in order.
    pub(crate) sorted: Vec<usize>,
    /// The boxes of tiles, groups and sections, one after another.
    pub(crate) boxes: usize,
    /// The words of the order.
    pub(crate) length: usize,
    /// The numbers of tiles and of groups.
    pub(crate) tiles: u32,
    pub(crate) groups: u32,
}

impl Layout {
    /// The layout of a set, and the words with which it is sorted.
    fn new(set: &info::NearSet, n: usize) -> (Layout, usize) {
        let [mut length, mut all] = [0, 0];
        let bytes = |count: usize, size: usize| count.saturating_mul(size).div_ceil(4);
        let tiles = n.div_ceil(SIDE);
        let (groups, blocks) = (tiles.div_ceil(SIDE), n.div_ceil(BLOCK_KEYS));
        let boxes = tiles + groups + groups.div_ceil(SIDE);
        let layout = Layout {
            // The plan ensures that they fit 32 bits.
            n: n as u32,
            frame: part(&mut length, 12),
            keys: [part(&mut length, n), part(&mut length, n)],
            indices: part(&mut length, n),
            counts: part(&mut length, DIGITS * (blocks + 1)),
            order: part(&mut all, n),
            sorted: set.sorted.iter().map(|size| part(&mut all, bytes(n, *size))).collect(),
            boxes: part(&mut all, bytes(boxes, set.boxed)),
            length: all,
            // At most 2^27.
            tiles: tiles as u32,
            groups: groups as u32,
        };
        (layout, length)
    }
}

/// Adds a part to `length` words; returns where it starts, at a multiple of 256 bytes. A sum that saturates is more than memory.
fn part(length: &mut usize, words: usize) -> usize {
    let start = *length;
    *length = length.saturating_add(words).saturating_add(63) / 64 * 64;
    start
}

/// The parts of the CPU's loops that one of several devices takes: those of all elements, because sorted elements have no order of
/// rows. There are no steps if no part is left.
pub(super) fn parts(extent: &Extent, device: u32, devices: u32) -> Vec<Step> {
    // The plan ensures that they fit 32 bits.
    let parts = (extent.n as u32).div_ceil(PART);
    let own = parts.saturating_sub(device).div_ceil(devices.max(1));
    let step = Step { grid: [own, 1], numbers: vec![PART, device, devices] };
    (own > 0).then_some(step).into_iter().collect()
}

impl NearPlan {
    /// For these pairs on a GPU. `function` loads one of the functions.
    pub(super) fn new(
        info: &KernelInfo,
        extent: &Extent,
        lists: bool,
        function: impl Fn(&'static str) -> Result<Arc<dyn Loaded>>,
    ) -> Result<NearPlan> {
        let [count, scan, scatter] = SORTING.map(&function);
        let shared = [count?, scan?, scatter?];
        let set_functions = |set: &info::OfSet| -> Result<_> {
            let [frame, cells, boxes, join] = set.parts.map(&function);
            Ok([frame?, cells?, boxes?, join?])
        };
        let sets = info.near_sets().iter().map(set_functions).collect::<Result<_>>()?;
        NearPlan::of(info, extent, lists, Sort::Functions(shared, sets), function)
    }

    /// For these pairs, sorted in this way.
    pub(super) fn of(
        info: &KernelInfo,
        extent: &Extent,
        lists: bool,
        sort: Sort,
        function: impl Fn(&'static str) -> Result<Arc<dyn Loaded>>,
    ) -> Result<NearPlan> {
        let sample = (info.can_sample() && !lists).then(|| function(SAMPLE)).transpose()?;
        let sets = info.near_sets().iter().filter(|_| lists);
        let moved = sets.map(|set| function(set.moved)).collect::<Result<_>>()?;
        let unknown = || crate::Error::unknown_map("near").of_kernel(info.name);
        let sets = info.near.as_ref().ok_or_else(unknown)?.sets;
        let counts = [extent.n, extent.columns.unwrap_or(extent.n)];
        let sets = sets.iter().zip(counts).map(|(set, n)| Layout::new(set, n));
        let (sets, lengths): (Vec<_>, Vec<_>) = sets.unzip();
        let length = lengths.into_iter().max().ok_or_else(unknown)?;
        Ok(NearPlan { sort, sample, moved, sets, length, kept: Mutex::default() })
    }

    /// The number of addresses that the kernel takes after the user's: for each set the order, the copies of elements, and the
    /// boxes.
    pub(super) fn addresses(&self) -> usize {
        self.sets.iter().map(|set| set.sorted.len() + 2).sum()
    }

    /// The words of a launch that sorts all sets in memory of its own.
    pub(crate) fn whole_length(&self) -> usize {
        self.sets.iter().fold(self.length, |sum, set| sum.saturating_add(set.length))
    }

    /// At least as many words for a launch: those of an earlier one, or new ones.
    pub(crate) fn take(&self, backend: &dyn Backend, length: usize) -> Result<Memory<u32>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        let kept = kept.filter(|memory| memory.len() >= length);
        kept.map_or_else(|| Memory::zeroed(backend, length), Ok)
    }

    /// Keeps the memory for the next launch, which waits for this one.
    pub(crate) fn keep(&self, memory: Memory<u32>) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(memory);
    }
}
