//! The tables of the maps `sets` and `set_rows`, which depend on the sizes of the sets alone. Those of `set_tiles` are in `tiles.rs`.

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;
use td_kernel_geometry::sets::rows::row_shares;
use td_kernel_geometry::sets::{SetShare, shares};
use td_kernel_geometry::{NoTable, RectangleTable, SetRowTable, SetTable};

use crate::backend::Backend;
use crate::host::sets::{SetOffsets, SetPairs};
use crate::memory::Memory;
use crate::{Error, Result, Target, host};

/// What a launch over elements with features visits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Visited {
    /// Tiles of this side.
    Tiles(u32),
    /// Bands of rows, in a CPU's loops.
    Bands,
}

/// The tables of tiles for the pairs within each set, or for those with the latest columns.
pub(super) struct TileTables {
    pub(super) pairs: SetPairs,
    /// The number of tiles of each side that a launch has asked for.
    pub(super) counts: Vec<(u32, u64)>,
    pub(super) made: Vec<TilesOfDevices>,
}

/// The tables of tiles on some devices.
pub(super) struct TilesOfDevices {
    /// The place of these devices among all that share launches.
    pub(super) place: [usize; 2],
    /// What each device visits.
    pub(super) visited: VisitedByEach,
    pub(super) tables: Arc<[SetTables]>,
}

/// What each device visits.
pub(crate) type VisitedByEach = SmallVec<[Visited; 1]>;

/// The share of a device, and its tables there. For nearest neighbours, `share.runs` are rows.
pub(crate) struct SetTables {
    pub(crate) share: SetShare,
    /// The table of sets, and that of runs; for results of rows that of the warps of all rows.
    pub(crate) memory: [Memory<[u32; 4]>; 2],
}

/// A CPU's plain loops visit larger sets by their runs, too. The table of runs of one set of this size has 134 MB.
pub(crate) const LARGE_IN_LOOPS: u32 = 1 << 16;

/// The pairs of a launch, and the tables of each device.
pub(crate) type PairsAndTables = (SetPairs, Arc<[SetTables]>);

/// The sizes of the sets, and the tables that launches have made. They are kept because making them takes longer than a launch.
pub struct SetLayout {
    pub(crate) offsets: Arc<SetOffsets>,
    /// The number of elements from which a set has launches of its own.
    large: u32,
    /// For the pairs within each set.
    triangles: Mutex<Option<Latest>>,
    /// As rows, for the pairs with the latest columns.
    rectangles: Mutex<Option<Latest>>,
    /// As rows, for results of rows among the latest columns.
    rows: Mutex<Option<Latest>>,
    /// For elements with features.
    pub(super) tiles: Mutex<Option<TileTables>>,
}

/// The latest tables.
struct Latest {
    /// The place of their devices among all that share launches.
    place: [usize; 2],
    /// The number of elements from which a set has launches of its own.
    large: u32,
    pairs: SetPairs,
    tables: Arc<[SetTables]>,
}

impl Latest {
    /// Whether the tables are for these devices. Those of sets without elements could be for others.
    fn is_for(&self, target: &Target, large: u32) -> bool {
        let devices = target.devices();
        let mut each = devices.iter().zip(&*self.tables);
        (self.place, self.large) == (target.backend().place(), large)
            && self.tables.len() == devices.len()
            && each.all(|(device, of)| device.backend().owns(&of.memory[0].view().space()))
    }
}

impl SetLayout {
    pub(crate) fn new(offsets: SetOffsets, large: u32) -> SetLayout {
        SetLayout {
            offsets: Arc::new(offsets),
            large,
            triangles: Mutex::default(),
            rectangles: Mutex::default(),
            rows: Mutex::default(),
            tiles: Mutex::default(),
        }
    }

    /// The number of elements from which a set has launches of its own.
    pub(crate) fn large(&self, runs_loops: bool) -> u32 {
        if runs_loops { self.large.max(LARGE_IN_LOOPS) } else { self.large }
    }

    /// The pairs within each set.
    pub(crate) fn triangles(&self, target: &Target, runs_loops: bool) -> Result<PairsAndTables> {
        let large = self.large(runs_loops);
        self.latest(&self.triangles, None, target, large, |pairs| {
            pairs.expect_runs(large)?;
            let table = SetTable::new_in(&self.offsets.elements, large, host::advise_huge_pages);
            let table = table.map_err(failed)?;
            on_each(target, shares_of(pairs, large, target)?, |share, backend| {
                let part = match target.backend().place() {
                    [0, 1] => &table,
                    _ => &table.of_share(&share).map_err(failed)?,
                };
                let sets = Memory::upload(backend, &part.sets)?;
                let memory = [sets, Memory::upload(backend, &part.runs)?];
                Ok(SetTables { share, memory })
            })
        })
    }

    /// The pairs of these rows with columns of as many sets.
    pub(crate) fn rectangles(
        &self,
        columns: &SetLayout,
        target: &Target,
    ) -> Result<PairsAndTables> {
        // Rectangles are never large.
        let large = u32::MAX;
        self.latest(&self.rectangles, Some(columns), target, large, |pairs| {
            pairs.expect_runs(large)?;
            let ends = [&self.offsets.elements, &columns.offsets.elements];
            let table = RectangleTable::new_in(ends[0], ends[1], host::advise_huge_pages);
            let table = table.map_err(failed)?;
            on_each(target, shares_of(pairs, large, target)?, |share, backend| {
                let part = match target.backend().place() {
                    [0, 1] => &table,
                    _ => &table.of_share(&share).map_err(failed)?,
                };
                let sets = Memory::upload(backend, part.sets.as_flattened())?;
                let memory = [sets, Memory::upload(backend, &part.runs)?];
                Ok(SetTables { share, memory })
            })
        })
    }

    /// The pairs of these rows with columns of as many sets, or within each set, for nearest neighbours and states. Each device has the tables of
    /// all rows.
    pub(crate) fn rows(
        &self,
        columns: Option<&SetLayout>,
        target: &Target,
    ) -> Result<PairsAndTables> {
        self.latest(&self.rows, columns, target, u32::MAX, |_| {
            let columns = columns.unwrap_or(self);
            let ends = [&self.offsets.elements, &columns.offsets.elements];
            let table = SetRowTable::new_in(ends[0], ends[1], host::advise_huge_pages);
            let table = table.map_err(failed)?;
            let shares = row_shares(&table.sets, count_of(target));
            let shares = shares.into_iter().map(|rows| SetShare {
                pairs: 0..0, // such a kernel has no values of pairs
                runs: rows.start as usize..rows.end as usize,
                large: Vec::new(),
            });
            on_each(target, own(target, shares), |share, backend| {
                let sets = Memory::upload(backend, &table.sets)?;
                let memory = [sets, Memory::upload(backend, &table.firsts)?];
                Ok(SetTables { share, memory })
            })
        })
    }

    /// The pairs with these columns, and the kept tables, if they are for the target's devices; otherwise those that `make` gives,
    /// which are then kept.
    fn latest(
        &self,
        kept: &Mutex<Option<Latest>>,
        columns: Option<&SetLayout>,
        target: &Target,
        large: u32,
        make: impl FnOnce(&SetPairs) -> Result<Arc<[SetTables]>>,
    ) -> Result<PairsAndTables> {
        // Ignores poisoning: a panic elsewhere cannot leave the tables half written.
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let columns_of = columns.map(|columns| &columns.offsets);
        let is_known =
            |latest: &&Latest| latest.is_for(target, large) && latest.pairs.columns() == columns_of;
        if let Some(Latest { pairs, tables, .. }) = kept.as_ref().filter(is_known) {
            return Ok((pairs.clone(), tables.clone()));
        }
        let pairs = self.pairs_with(columns)?;
        let tables = make(&pairs)?;
        let made = (pairs.clone(), tables.clone());
        *kept = Some(Latest { place: target.backend().place(), large, pairs, tables });
        Ok(made)
    }
}

/// The share of each of the target's devices. Sets of at least `large` elements have launches of their own.
pub(crate) fn shares_of(pairs: &SetPairs, large: u32, target: &Target) -> Result<Vec<SetShare>> {
    let shares = shares(pairs.pair_count() as u64, &pairs.large(large)?, count_of(target));
    Ok(own(target, shares.into_iter()))
}

/// The number of devices that share launches.
pub(super) fn count_of(target: &Target) -> u32 {
    u32::try_from(target.backend().place()[1]).unwrap_or(u32::MAX)
}

/// The shares of the target's devices among those of all devices.
pub(super) fn own<S>(target: &Target, shares: impl Iterator<Item = S>) -> Vec<S> {
    shares.skip(target.backend().place()[0]).take(target.devices().len()).collect()
}

/// The tables of each device. An error names it.
pub(super) fn on_each<S>(
    target: &Target,
    shares: impl IntoIterator<Item = S>,
    make: impl Fn(S, &dyn Backend) -> Result<SetTables>,
) -> Result<Arc<[SetTables]>> {
    let devices = target.devices().iter().zip(shares).enumerate();
    let make = |(at, (device, share)): (usize, (&Target, S))| {
        make(share, device.backend()).map_err(|error| target.named(at, error))
    };
    devices.map(make).collect()
}

pub(super) fn failed(error: NoTable) -> Error {
    match error {
        NoTable::Memory { bytes } => Error::out_of_host_memory(bytes),
        other => Error::version(&other.to_string()),
    }
}
