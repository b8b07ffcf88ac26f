//! Launches over many sets: on each device one over its runs of pairs, and one for its rows of each large set, with the addresses
//! of the set's elements and of the rows' values. For elements with features it is one over the device's tiles.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::bind::{Addresses, Axis};
use super::counts::{ExtremesOfSets, PairSlots, Work};
use super::{Bound, Launch};
use crate::Result;
use crate::error::counted;
use crate::group::kernel::{Kernel, Plans, SetPart};
use crate::host::sets::SetPairs;
use crate::host::triangle;
use crate::memory::Memory;
use crate::memory::sets::{SetLayout, SetTables, Visited};
use crate::plan::Plan;
use crate::plan::extent::Extent;
use crate::run::Value;
use crate::types::info::Variant;

/// Slots of any type that fill whole sectors of memory, which have 32 bytes.
const SECTOR: usize = 32;

pub(crate) struct SetsOfLaunch {
    tables: Arc<[SetTables]>,
    pairs: SetPairs,
    /// What each device visits, with its index.
    parts: SmallVec<[(usize, SetPart); 1]>,
    /// The indices in `bound` of the parameters that only the launch over runs has.
    run_arguments: Range<usize>,
    /// Whether the kernel takes the index of the set.
    takes_set: bool,
    /// The variant that visits the tiles of elements with features.
    tile_variant: Option<&'static Variant>,
}

impl SetsOfLaunch {
    /// The work of the launch, after a check of the slots.
    pub(super) fn work(&self, launch: &Launch<'_>, extent: Extent) -> Result<Work> {
        let made_by = match &self.pairs {
            SetPairs::Triangles(_) => "packed_sets(&sets)",
            SetPairs::Rectangles(_) => "matrix_sets(&rows, &columns)",
        };
        let pairs = self.pairs.pair_count();
        let share_tables =
            || self.tables.iter().map(|of| (of.share.pairs.end - of.share.pairs.start) as usize);
        for PairSlots { name, length, set_pairs, device_lengths, .. } in &launch.slots {
            if !device_lengths.is_empty() && !share_tables().eq(device_lengths.iter().copied()) {
                let own: Vec<_> = share_tables().collect();
                let feature_suffix = match self.tile_variant {
                    Some(_) => {
                        ", where the sets are a `FeatureSets`, so write the features as `FeatureSets` and other elements as `&[T]`"
                    }
                    None => "",
                };
                return Err(launch.wrong(name, format!("has {device_lengths:?} slots on the devices, which visit {own:?} pairs: use `devices.{made_by}`{feature_suffix}")));
            }
            if *length != pairs {
                let problem = format!(
                    "has {}, but the sets have {}: use `device.{made_by}`",
                    counted(*length, "slot"),
                    counted(pairs, "pair")
                );
                return Err(launch.wrong(name, problem));
            }
            if set_pairs.as_ref().is_some_and(|set_pairs| *set_pairs != self.pairs) {
                return Err(launch.wrong(name, format!("is for sets of other sizes: make it with `device.{made_by}` from the sets that the launch visits")));
            }
        }
        self.check_extremes(launch)?;
        Ok(Work { extent, is_any: pairs > 0, first_slot: 0 })
    }

    /// Checks that there is an extreme for each set, and that its pairs can be counted.
    fn check_extremes(&self, launch: &Launch<'_>) -> Result<()> {
        let sets = self.pairs.len();
        for ExtremesOfSets { name, count, made_by, has_pair } in &launch.set_extremes {
            if *count != sets {
                let call = made_by.replace("(n)", &format!("({sets})"));
                let problem = format!(
                    "is for {}, but the launch has {sets}: write `device.{call}`",
                    counted(*count, "set")
                );
                return Err(launch.wrong(name, problem));
            }
            if *has_pair && self.pairs.has_wide_set() {
                return Err(launch.wrong(name, "has the index of a pair, but a set has more than 4294967295 pairs: leave out the index".to_owned()));
            }
        }
        Ok(())
    }

    /// The elements of a large set; `None` for rectangles, which are never large.
    fn elements_of(&self, set: u32) -> Option<Range<usize>> {
        let SetPairs::Triangles(offsets) = &self.pairs else { return None };
        offsets.elements_of(set as usize)
    }

    /// The tables that the launch reads, with the index of their device.
    pub(super) fn tables(&self) -> impl Iterator<Item = (usize, &Memory<[u32; 4]>)> {
        let tables = self.tables.iter().enumerate();
        tables.flat_map(|(at, of)| of.memory.iter().map(move |table| (at, table)))
    }

    /// The plan of the launch, for these elements in all.
    pub(super) fn plan(&self, kernel: &Kernel, all: Extent) -> Result<Arc<Plans>> {
        match self.tile_variant {
            _ if kernel.info.visits_set_rows() => {
                kernel.plan_of_set_rows(all, self.tables.iter().map(|of| of.share.runs.clone()))
            }
            Some(variant) => {
                let tiles = self.tables.iter().map(|of| of.memory[1].len());
                kernel.plan_of_set_tiles(all.n, variant, tiles)
            }
            _ => kernel.plan_of_sets(all.n, &self.parts, |set| self.elements_of(set)),
        }
    }

    /// How often a launch adds to one word of an element's exact sum, at most: for each of its pairs, a double as two floats.
    pub(super) fn additions(&self) -> u64 {
        2 * u64::from(self.pairs.most_of_element())
    }

    /// The rows of a large set that one of the launch's parts visits; `None` for a part of runs.
    fn rows(&self, part: usize) -> Option<RowsOfLarge> {
        let (at, SetPart::Rows(set, rows)) = self.parts.get(part)? else { return None };
        let row = triangle::pairs(rows.start as usize, false)?;
        // The set is among all sets, and the rows are among the device's pairs.
        let slot = self.pairs.pairs_of(*set as usize)?.start + row;
        let slot = slot - self.tables.get(*at)?.share.pairs.start as usize;
        Some(RowsOfLarge { set: *set, first: self.elements_of(*set)?.start, row, slot })
    }
}

/// Some rows of a large set.
struct RowsOfLarge {
    /// The index of the set.
    set: u32,
    /// Its first element.
    first: usize,
    /// The number of its pairs before the rows.
    row: usize,
    /// The number of pairs before the rows, among those of their device.
    slot: usize,
}

/// The memory at an address in `bound`: its bytes for each element, or for each pair.
#[derive(Clone, Copy)]
pub(super) struct Strided {
    pub(super) at: usize,
    pub(super) bytes: usize,
    pub(super) is_of_pairs: bool,
}

impl<'a> Launch<'a> {
    /// Takes the sizes of sets. Once the pairs are known, from one `Sets` or from those of rows and of columns, passes the tables.
    pub(super) fn take_sets(
        &mut self,
        axis: Axis,
        name: &'static str,
        own: &'a SetLayout,
    ) -> Result<()> {
        let (target, has_rows) = (&self.kernel.device, self.kernel.info.visits_set_rows());
        let has_features = self.kernel.is_of_set_tiles();
        let (mut tile_variant, kernel) = (None, self.kernel);
        let choose = |tiles: &mut dyn FnMut(u32) -> u64| {
            let variant = kernel.variant_of_tiles(tiles)?;
            tile_variant = Some(variant);
            let visited = |device| match kernel.loops_on(device) {
                Some(_) => Visited::Bands,
                None => Visited::Tiles(variant.tiling.side),
            };
            Ok(kernel.devices().iter().map(visited).collect())
        };
        let made = match (axis, self.sets_of_one.take()) {
            (Axis::Row | Axis::Column, None) => {
                self.sets_of_one = Some(own);
                return Ok(());
            }
            (Axis::Row, Some(columns)) if has_features => own.tiles(Some(columns), target, choose),
            (Axis::Column, Some(rows)) if has_features => rows.tiles(Some(own), target, choose),
            (Axis::Row, Some(columns)) if has_rows => own.rows(Some(columns), target),
            (Axis::Column, Some(rows)) if has_rows => rows.rows(Some(own), target),
            (Axis::Row, Some(columns)) => own.rectangles(columns, target),
            (Axis::Column, Some(rows)) => rows.rectangles(own, target),
            _ if has_features => own.tiles(None, target, choose),
            _ if has_rows => own.rows(None, target),
            _ => own.triangles(target, self.kernel.loops().is_some()),
        };
        let (pairs, tables) = made.map_err(|error| error.of_kernel(self.kernel.info.name))?;
        let before = self.bound.len();
        for table in 0..2 {
            let mut addresses = Addresses::new();
            for (at, of) in tables.iter().enumerate() {
                let access = self.kernel.on(at).read(name, of.memory[table].view().untyped())?;
                addresses.push(access.address);
            }
            self.push_addresses(&addresses);
        }
        let run_arguments = before..self.bound.len();
        let parts = tables.iter().enumerate();
        let parts = parts.flat_map(|(at, of)| SetPart::of(&of.share).map(move |part| (at, part)));
        let parts = parts.collect();
        self.sets = Some(SetsOfLaunch {
            tables,
            pairs,
            parts,
            run_arguments,
            takes_set: false,
            tile_variant,
        });
        Ok(())
    }

    /// Passes the index of the pair's set, if the body uses it. Only a launch of a large set has it as a parameter.
    pub fn takes_set(&mut self) {
        if let Some(sets) = &mut self.sets {
            sets.takes_set = true;
        }
    }

    /// Records that the latest address is that of elements, or of values of pairs, of this size.
    pub(super) fn strided(&mut self, bytes: usize, is_of_pairs: bool) {
        if self.kernel.is_of_sets() {
            let at = self.bound.len().saturating_sub(1);
            self.strides.push(Strided { at, bytes, is_of_pairs });
        }
    }

    /// Where the slots of a part of the launch begin: the number of slots between the start of an aligned sector and the part's
    /// first slot, and the number of that slot, counted in the part's set. A kernel writes whole sectors only if its memory is
    /// aligned, but the rows of a large set can begin at any slot.
    pub(super) fn slots_of_part(&self, part: usize, plan: &Plan) -> Option<[usize; 2]> {
        let sets = self.sets.as_ref().filter(|_| plan.takes_first_slot(self.kernel.info))?;
        let rows = sets.rows(part)?;
        Some([rows.slot % SECTOR, rows.row])
    }

    /// The values of a part of the launch on the device of this index: all of them, or those of a large set, whose memory begins
    /// this many slots before those of its rows.
    pub(super) fn values(
        &self,
        part: usize,
        at: usize,
        slots_before: usize,
    ) -> SmallVec<[Value; 8]> {
        let all = self.bound.iter().map(|bound: &Bound| bound.on(at));
        let Some((sets, rows)) = self.sets.as_ref().and_then(|sets| Some((sets, sets.rows(part)?)))
        else {
            return all.collect();
        };
        let mut values: SmallVec<[Value; 8]> = SmallVec::new();
        for (index, value) in all.enumerate() {
            if index == sets.run_arguments.start && sets.takes_set {
                values.push(Value::Number(rows.set));
            }
            if sets.run_arguments.contains(&index) {
                continue;
            }
            let stride = self.strides.iter().find(|stride| stride.at == index);
            values.push(match (value, stride) {
                (Value::Word(address), Some(Strided { bytes, is_of_pairs, .. })) => {
                    let before = if *is_of_pairs { rows.slot - slots_before } else { rows.first };
                    // The memory is longer than that.
                    Value::Word(address + (before * bytes) as u64)
                }
                (value, _) => value,
            });
        }
        values
    }
}
