//! The description of a kernel that the macro generates as constants.

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::{ptr, slice};

use td_kernel_geometry::{Root, SET_TILES, Space, Sweep, Tiling};

use crate::types::device_type::{Parts, Text, concatenate, length};
use crate::types::warnings::Warning;

/// A kernel.
#[derive(Debug)]
pub struct KernelInfo {
    /// The kernel's name.
    pub name: &'static str,
    /// The kernel function in each source.
    pub entry: &'static str,
    /// Whether the kernel visits the pairs (i, i).
    pub diagonal: bool,
    /// Whether it writes a square, which has a diagonal even if the kernel does not visit the pairs (i, i).
    pub has_square: bool,
    /// Whether it writes slots along rows, of a `Packed` or a `Matrix`. A source for ranges of rows then takes `first_slot`.
    pub has_packed: bool,
    /// Whether its pairs are those of two sets: a rectangle.
    pub is_rectangle: bool,
    /// Whether its rows are the user's columns, and its columns the user's rows.
    pub is_exchanged: bool,
    /// Whether it finds nearest neighbours, in rounds.
    pub is_nearest: bool,
    /// What it needs to visit only near tiles, if it has a lower bound over boxes.
    pub near: Option<NearInfo>,
    /// The functions that join states, one for each `Reduce`, in the order of the parameters.
    pub joins: &'static [&'static str],
    /// What launches over given pairs run, or why it cannot visit them.
    pub entries: Result<Entries, &'static str>,
    /// Why it does not support other ways of launching.
    pub refused: Refused,
    /// NVRTC's options for its sources, beside those for every source.
    pub options: &'static [&'static str],
    /// The loops that the CPU runs instead.
    pub loops: Loops,
    /// The sources that a launch chooses from, at least one. Those of one sweep are sorted by tile, largest first.
    pub variants: &'static [Variant],
    /// The warnings that are logged when it is loaded.
    pub warnings: &'static [Warning],
    /// For each user string that starts in the middle of a line: the `#line` directive before it, and the number of columns
    /// before it in the user's line.
    pub columns: &'static [(&'static str, usize)],
}

/// Why a kernel does not support a way of launching, and what to write instead. `None` for those that it supports.
#[derive(Debug)]
pub struct Refused {
    /// Over a range of the rows.
    pub rows: Option<&'static str>,
    /// On several devices.
    pub devices: Option<&'static str>,
    /// On all of several devices together: in chunks, each launch is on one of them.
    pub divided: Option<&'static str>,
    /// Of values in chunks. `Some` only for launches shared with other processes.
    pub chunks: Option<&'static str>,
    /// On devices that share them with other processes. `Some` only for launches over lists.
    pub processes: Option<&'static str>,
    /// On GPUs beside a CPU. `Some` only for kept lists.
    pub mixed: Option<&'static str>,
    /// Of every variant, to compare their times.
    pub tuning: Option<&'static str>,
    /// Described by a report. `Some` only for launches over lists.
    pub reports: Option<&'static str>,
    /// With a product from tensor cores: it is folded.
    pub products: Option<&'static str>,
}

impl Refused {
    /// Every way is supported.
    pub const NONE: Refused = Refused {
        rows: None,
        devices: None,
        divided: None,
        chunks: None,
        processes: None,
        mixed: None,
        tuning: None,
        reports: None,
        products: None,
    };
}

/// What launches over given pairs, over near pairs that they keep, and shared with other processes do not support.
pub(crate) static OTHERS: [Refused; 3] = td_kernel_macros::other_launches!();

/// What launches need that visit only near tiles.
#[derive(Debug)]
pub struct NearInfo {
    /// The sizes of one set, or of rows and of columns.
    pub sets: &'static [NearSet],
    /// The loops with which the CPU visits all pairs instead, if a launch may choose.
    pub all_pairs: Option<Loops>,
    /// What lists near pairs, or why launches cannot keep a list.
    pub list: Result<NearList, &'static str>,
}

/// What lists the pairs whose lower bound is at most a skin. The sources take, after the user's parameters, the skin, the address of
/// the list, that of its count, and its capacity.
#[derive(Debug)]
pub struct NearList {
    /// The source for a GPU.
    pub variant: Variant,
    /// The loops for the CPU.
    pub loops: Loops,
    /// The names of the scalars and slices that the lower bound uses.
    pub numbers: &'static [&'static str],
}

/// The sizes of a set.
#[derive(Debug)]
pub struct NearSet {
    /// The bytes of an element of each slice that is copied in order.
    pub sorted: &'static [usize],
    /// The bytes of a box, at most.
    pub boxed: usize,
}

/// What launches over given pairs run: sources that take, after the user's parameters, the addresses of the indices, how many
/// words two pairs are apart, and the number of pairs.
#[derive(Debug)]
pub struct Entries {
    /// The source for a GPU. The side of its tiling is the entries of a block.
    pub variant: Variant,
    /// The sources for a GPU that visit the pairs by element, if the outputs support it. They take where each element's partners
    /// are, the partners, and the number of elements. The side of a tiling is the elements of a block; the largest comes first.
    pub partners: &'static [Variant],
    /// The loops for the CPU.
    pub loops: Loops,
}

/// The function that tests the pairs of some elements, if a launch may choose between near tiles and all pairs.
pub(crate) const SAMPLE: &str = "sample";

/// The functions that sort the keys of any set.
pub(crate) const SORTING: [&str; 3] = ["count", "scan", "scatter"];

/// The functions of a set, and the function of the CPU's loops that does the same.
#[derive(Debug)]
pub(crate) struct OfSet {
    /// They compute the grid, the cells of elements, the boxes of tiles, and the boxes of boxes.
    pub(crate) parts: [&'static str; 4],
    pub(crate) sort: &'static str,
    /// In a source that lists pairs: it compares the elements with those when the list was made.
    pub(crate) moved: &'static str,
}

const OF_ONE_SET: &[OfSet] =
    &[OfSet { parts: ["frame", "cells", "boxes", "join"], sort: "sort", moved: "moved" }];

const OF_TWO_SETS: &[OfSet] = &[
    OfSet {
        parts: ["row_frame", "row_cells", "row_boxes", "row_join"],
        sort: "row_sort",
        moved: "row_moved",
    },
    OfSet {
        parts: ["column_frame", "column_cells", "column_boxes", "column_join"],
        sort: "column_sort",
        moved: "column_moved",
    },
];

/// The threads of a block that merges nearest neighbours, or prepares or evaluates their features: four warps, each with one
/// element. Also those of a block that joins states, one for each thread.
pub(crate) const MERGE_BLOCK: [u32; 2] = [32, 4];

impl KernelInfo {
    /// The function in a variant's source that merges nearest neighbours between rounds, if it has rounds.
    pub(crate) fn merge(&self, variant: &Variant) -> Option<String> {
        let without_rounds = matches!(variant.tiling.sweep, Sweep::Near | Sweep::SetRows);
        let has_rounds = self.is_nearest && !without_rounds;
        has_rounds.then(|| self.function("merge"))
    }

    /// The user's numbers of elements, or of rows and columns, for the kernel's; and the other way round.
    pub(crate) fn own_counts(&self, n: usize, columns: Option<usize>) -> (usize, Option<usize>) {
        match columns {
            Some(columns) if self.is_exchanged => (columns, Some(n)),
            columns => (n, columns),
        }
    }

    /// The functions that sort each set, if the kernel has a lower bound over boxes.
    pub(crate) fn near_sets(&self) -> &'static [OfSet] {
        match (&self.near, self.is_rectangle) {
            (None, _) => &[],
            (Some(_), false) => OF_ONE_SET,
            (Some(_), true) => OF_TWO_SETS,
        }
    }

    /// Whether a launch may choose between near tiles and all pairs. The values that nearest neighbours are compared with are not
    /// known before.
    pub(crate) fn can_sample(&self) -> bool {
        self.near.is_some() && !self.is_nearest
    }

    /// What lists near pairs, or why launches cannot keep a list.
    ///
    /// # Errors
    ///
    /// The reason.
    pub fn list(&self) -> Result<&NearList, &'static str> {
        let near = self.near.as_ref().ok_or("it has no lower bound over boxes")?;
        near.list.as_ref().map_err(|why| *why)
    }

    /// Whether this variant lists near pairs.
    pub(crate) fn lists(&self, variant: &Variant) -> bool {
        self.list().is_ok_and(|list| ptr::eq(&raw const list.variant, variant))
    }

    /// Whether its sweep is `set_rows`.
    pub(crate) fn visits_set_rows(&self) -> bool {
        self.variants.iter().any(|variant| variant.tiling.sweep == Sweep::SetRows)
    }

    /// The functions of a variant's source beside the kernel.
    pub(crate) fn others(&self, variant: &Variant) -> Vec<String> {
        let filters = variant.tiling.sweep == Sweep::Filter;
        let multiplies = filters || variant.tiling.sweep == Sweep::Product;
        let is_near = variant.tiling.sweep == Sweep::Near;
        let lists = self.lists(variant);
        let all = [
            ("merge", self.merge(variant).is_some()),
            ("prepare", multiplies),
            ("refine", filters && self.is_nearest),
            (SAMPLE, is_near && self.can_sample() && !lists),
        ];
        let set_functions = self.near_sets().iter().flat_map(|set| set.parts);
        let near_functions = SORTING.into_iter().chain(set_functions).map(|part| (part, is_near));
        let joins = self.joins.iter().map(|join| (*join, true));
        let moved = self.near_sets().iter().map(|set| (set.moved, lists));
        let all = all.into_iter().chain(near_functions).chain(moved).chain(joins);
        let own = all.filter(|(_, has)| *has);
        own.map(|(part, _)| self.function(part)).collect()
    }

    /// The name of a function beside the kernel.
    pub(crate) fn function(&self, part: &str) -> String {
        let name = self.entry.strip_suffix("_kernel").unwrap_or(self.entry);
        format!("{name}_{part}")
    }
}

/// A kernel source, as an ordered list of parts. The sources of a kernel share most parts, and each part is stored once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The parts of all sources of the kernel.
    pub parts: &'static [&'static str],
    /// The indices of this source's parts.
    pub order: &'static [usize],
}

impl Hash for Source {
    /// Without the parts, which are long: few kernels have the same order.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.order.hash(state);
    }
}

impl Source {
    /// A source with a single part.
    pub const fn whole(text: &'static &'static str) -> Self {
        Source { parts: slice::from_ref(text), order: &[0] }
    }

    /// The length in bytes.
    pub const fn length(&self) -> usize {
        length(&Parts::Texts(self.parts, self.order))
    }

    /// The source for a constant; `N` is its [`length`](Self::length).
    pub const fn joined<const N: usize>(&self) -> Text<N> {
        concatenate(&Parts::Texts(self.parts, self.order))
    }

    /// The source as a string.
    pub fn text(&self) -> String {
        self.order.iter().filter_map(|at| self.parts.get(*at).copied()).collect()
    }
}

/// A kernel's source for the CPU: loops over a range of the rows.
#[derive(Debug)]
pub struct Loops {
    /// The source. Its parameters are n or the number of rows, if it takes that; the number of a rectangle's columns;
    /// `row_begin`, `row_end`; `first_slot` in a kernel with packed slots; the rows of a part; then those of the other sources
    /// without their maps' own.
    pub source: Source,
    /// Whether it takes n, or the number of all rows.
    pub takes_n: bool,
    /// The C++ compiler's options for it, beside those for every source.
    pub options: &'static [&'static str],
}

/// The first architecture with the tensor cores that filters and products use.
pub(crate) const TENSOR_CORES: u32 = 80;

/// Whether a source with this tiling multiplies on tensor cores.
pub(crate) fn multiplies(tiling: &Tiling) -> bool {
    matches!(tiling.sweep, Sweep::Filter | Sweep::Product)
}

/// One of a kernel's variants.
#[derive(Debug)]
pub struct Variant {
    /// The source. For ranges of rows, its parameters are n if it takes that, `row_begin`, `row_end`, `first_slot` if the
    /// kernel writes slots along rows, and then those of the map and the user.
    pub source: Source,
    /// Whether it visits a range of the rows, which may be all of them: the map and the outputs support ranges.
    pub has_rows: bool,
    /// Whether it takes n, or for a rectangle the number of all rows.
    pub takes_n: bool,
    /// The map's name.
    pub map: &'static str,
    /// The root inside the map.
    pub root: Root,
    /// The map's units.
    pub space: Space,
    /// Whether it uses the map's one-dimensional grid.
    pub linear: bool,
    /// How the threads of a block share its pairs.
    pub tiling: Tiling,
    /// The shared memory of a block, in bytes: for elements, tiles and sums.
    pub shared: usize,
    /// For the mirror sweep: if n is a multiple of this, rows of the squares start at sectors of memory.
    pub sector: usize,
}

impl Variant {
    /// Whether it visits the pairs of many sets.
    pub(crate) fn is_of_sets(&self) -> bool {
        self.tiling.sweep.is_of_sets() || self.is_of_set_tiles()
    }

    /// Whether GPUs of this architecture can run it: 90 for compute capability 9.0.
    #[cfg(feature = "testing")]
    pub(crate) fn runs_on(&self, architecture: u32) -> bool {
        !multiplies(&self.tiling) || architecture >= TENSOR_CORES
    }

    /// Whether it visits tiles of many sets, whose elements have features.
    pub(crate) fn is_of_set_tiles(&self) -> bool {
        self.map == SET_TILES.name()
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Variant { map, tiling, .. } = self;
        let (Tiling { sweep, side, .. }, [x, y]) = (tiling, tiling.threads());
        write!(f, "map {map}, sweep {sweep}, tile {side}, {x} x {y} threads")
    }
}

/// The shared memory that every block on every GPU can have, in bytes.
const SHARED: usize = 48 * 1024;

/// Returns `bytes`, if a block can have this much shared memory.
///
/// # Panics
///
/// If a block cannot: at compile time, since the macro calls this in a constant.
pub const fn shared(bytes: usize) -> usize {
    assert!(
        bytes <= SHARED,
        "the elements and outputs that a block keeps exceed its 48 KiB of shared memory: write a smaller `tile` or `block`, or `tile = 0`, or take the slice without `#[each]`, `#[row]` or `#[column]`, or long vectors as `Features`, or a smaller state of a `Reduce`"
    );
    bytes
}

/// The items of `all` whose variants fit into a block's shared memory. If the first variant does not fit, the first `optional`
/// ones are dropped together. The last `fallbacks` remain only if no other variant does: of the others, all up to the last one
/// that does not fit are dropped.
///
/// # Panics
///
/// If the fallbacks do not fit, either: at compile time, since the macro calls this in a constant.
pub const fn fitting<T>(
    all: &'static [T],
    variants: &[Variant],
    optional: usize,
    fallbacks: usize,
) -> &'static [T] {
    let own = variants.len() - fallbacks;
    let mut first = if optional > 0 && variants[0].shared > SHARED { optional } else { 0 };
    let mut at = first;
    while fallbacks > 0 && at < own {
        at += 1;
        if variants[at - 1].shared > SHARED {
            first = at;
        }
    }
    if first < own {
        return all.split_at(own).0.split_at(first).1;
    }
    while at < variants.len() {
        shared(variants[at].shared);
        at += 1;
    }
    all.split_at(own).1
}

/// The first of a kernel's sources, which always exists.
pub const fn first(texts: &'static [&'static str]) -> &'static str {
    match texts {
        [first, ..] => first,
        [] => "",
    }
}

/// The most bytes of a kernel's parameters, from CUDA 12.1 and sm_70 on. The CPU has the same limit, so a kernel that runs
/// there runs on a GPU.
///
/// With NVRTC 12.0, and for GPUs before sm_70, the limit is 4,096 bytes. rustc does not see the version or the GPU, so NVRTC
/// rejects such a kernel: "Formal parameter space overflowed (5008 bytes required, max 4096 bytes allowed)".
pub(crate) const PARAMETERS: usize = 32_764;

/// The part of these bytes for n, a range's rows and first slot, and the map's own parameters.
const OF_MAPS: usize = 64;

/// Checks that a kernel's parameters without those of the map, `bytes` in all, fit.
///
/// # Panics
///
/// If they do not fit: at compile time, since the macro calls this in a constant.
pub const fn parameters(bytes: usize) {
    assert!(
        bytes <= PARAMETERS - OF_MAPS,
        "the parameters of a kernel can take at most 32,764 bytes, including the diagonal value of a square: pass large values as slices of one element"
    );
}

/// The most bytes that a parameter takes, including the padding before it.
pub const fn room<T: crate::DeviceType>() -> usize {
    size_of::<T>() + T::ALIGNMENT
}

/// The number of values of `size` bytes that fill whole 32-byte sectors, or `others`, the number for other outputs, if that is
/// larger.
pub const fn sector(size: usize, others: usize) -> usize {
    let mut count = 1;
    while !(count * size).is_multiple_of(32) {
        count *= 2;
    }
    if count > others { count } else { others }
}
