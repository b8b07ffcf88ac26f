//! Launches over many sets: one over the runs of pairs, and one for each large set, with the addresses of its elements and pairs.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::bind::Role;
use super::{Bound, Launch};
use crate::Result;
use crate::host::sets::SetPairs;
use crate::memory::Memory;
use crate::memory::sets::{SetLayout, SetTables};
use crate::plan::Plan;
use crate::run::Value;

/// Slots of any type that fill whole sectors of memory, which have 32 bytes.
const SECTOR: usize = 32;

/// The sets of a launch.
pub(crate) struct SetsOfLaunch {
    tables: Arc<SetTables>,
    pairs: SetPairs,
    /// The indices in `bound` of the parameters that only the launch over runs has.
    of_runs: Range<usize>,
    /// Whether the kernel takes the index of the set.
    takes_set: bool,
}

impl SetsOfLaunch {
    /// The pairs of all sets.
    pub(super) fn pairs(&self) -> &SetPairs {
        &self.pairs
    }

    /// The elements of a large set, which is a triangle.
    fn elements_of(&self, set: u32) -> Option<Range<usize>> {
        match &self.pairs {
            SetPairs::Triangles(offsets) => offsets.elements_of(set as usize),
            SetPairs::Rectangles(_) => None,
        }
    }

    /// The tables that the launch reads.
    pub(super) fn tables(&self) -> [&Memory<[u32; 4]>; 2] {
        [&self.tables.sets, &self.tables.runs]
    }

    /// The number of runs, and the sizes of large sets.
    pub(super) fn shape(&self) -> (usize, Vec<usize>) {
        let sizes = self.tables.large.iter().filter_map(|set| self.elements_of(*set));
        (self.tables.runs.len(), sizes.map(|elements| elements.len()).collect())
    }

    /// The large set of one of the launch's parts; `None` for the part of the runs.
    fn large(&self, part: usize) -> Option<u32> {
        let before = usize::from(self.tables.runs.len() > 0);
        self.tables.large.get(part.checked_sub(before)?).copied()
    }
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
        role: Role,
        name: &'static str,
        own: &'a SetLayout,
    ) -> Result<()> {
        let backend = self.kernel.device.backend();
        let is_nearest = self.kernel.info.is_nearest;
        let made = match (role, self.sets_of_one.take()) {
            (Role::Row | Role::Column, None) => {
                self.sets_of_one = Some(own);
                return Ok(());
            }
            (Role::Row, Some(columns)) if is_nearest => own.rows(Some(columns), backend),
            (Role::Column, Some(rows)) if is_nearest => rows.rows(Some(own), backend),
            (Role::Row, Some(columns)) => own.rectangles(columns, backend),
            (Role::Column, Some(rows)) => rows.rectangles(own, backend),
            _ if is_nearest => own.rows(None, backend),
            _ => own.triangles(backend),
        };
        let (pairs, tables) = made.map_err(|error| error.about(self.kernel.info.name, name))?;
        let before = self.bound.len();
        for memory in [&tables.sets, &tables.runs] {
            let access = self.kernel.on(0).read(name, memory.view().untyped())?;
            let address = access.address;
            self.push(Value::Word(address));
        }
        let of_runs = before..self.bound.len();
        self.sets = Some(SetsOfLaunch { tables, pairs, of_runs, takes_set: false });
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

    /// The number of slots between the start of an aligned sector and the first slot of a part's large set. A kernel writes whole
    /// sectors only if its memory is aligned, but a set can begin at any slot.
    pub(super) fn slots_before(&self, part: usize, plan: &Plan) -> usize {
        let sets = self.sets.as_ref().filter(|_| plan.takes_first_slot(self.kernel.info));
        let pairs = sets.and_then(|sets| sets.pairs.pairs_of(sets.large(part)? as usize));
        pairs.map_or(0, |pairs| pairs.start % SECTOR)
    }

    /// The values of a part of the launch on the device of this index: all of them, or those of a large set, whose memory begins
    /// this many slots before its own.
    pub(super) fn values(
        &self,
        part: usize,
        at: usize,
        slots_before: usize,
    ) -> SmallVec<[Value; 8]> {
        let all = self.bound.iter().map(|bound: &Bound| bound.on(at));
        let Some((sets, set)) = self.sets.as_ref().and_then(|sets| Some((sets, sets.large(part)?)))
        else {
            return all.collect();
        };
        // Large sets are among the sets.
        let first = sets.elements_of(set).map_or(0, |elements| elements.start);
        let slot = sets.pairs.pairs_of(set as usize).map_or(0, |pairs| pairs.start);
        let mut values: SmallVec<[Value; 8]> = SmallVec::new();
        for (index, value) in all.enumerate() {
            if index == sets.of_runs.start && sets.takes_set {
                values.push(Value::Number(set));
            }
            if sets.of_runs.contains(&index) {
                continue;
            }
            let stride = self.strides.iter().find(|stride| stride.at == index);
            values.push(match (value, stride) {
                (Value::Word(address), Some(Strided { bytes, is_of_pairs, .. })) => {
                    let before = if *is_of_pairs { slot - slots_before } else { first };
                    // The memory is longer than that.
                    Value::Word(address + (before * bytes) as u64)
                }
                (value, _) => value,
            });
        }
        values
    }
}
