//! The tables of the maps `sets` and `set_rows`, which depend on the sizes of the sets alone.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use td_kernel_maps::{NoTable, RectangleTable, SetRowTable, SetTable};

use crate::backend::Backend;
use crate::host::sets::{RectangleOffsets, SetOffsets, SetPairs};
use crate::memory::Memory;
use crate::{Error, Result};

/// The tables on a device.
pub(crate) struct SetTables {
    pub(crate) sets: Memory<[u32; 4]>,
    /// The runs of pairs; for nearest neighbours the sets of rows.
    pub(crate) runs: Memory<[u32; 4]>,
    /// The sets whose pairs are in no run.
    pub(crate) large: Vec<u32>,
}

/// The pairs of a launch, and their tables.
pub(crate) type PairsAndTables = (SetPairs, Arc<SetTables>);

/// The sizes of the sets, and the tables that launches have made. They are kept because making them takes longer than a launch.
pub(crate) struct SetLayout {
    pub(crate) offsets: Arc<SetOffsets>,
    /// The number of elements from which a set has launches of its own.
    large: u32,
    /// For the pairs within each set.
    triangles: OnceLock<Arc<SetTables>>,
    /// As rows, for the pairs with the latest columns.
    rectangles: Mutex<Option<(Arc<RectangleOffsets>, Arc<SetTables>)>>,
    /// As rows, for nearest neighbours among the latest columns.
    rows: Mutex<Option<PairsAndTables>>,
}

impl SetLayout {
    pub(crate) fn new(offsets: SetOffsets, large: u32) -> SetLayout {
        let offsets = Arc::new(offsets);
        SetLayout {
            offsets,
            large,
            triangles: OnceLock::new(),
            rectangles: Mutex::default(),
            rows: Mutex::default(),
        }
    }

    /// The pairs within each set.
    pub(crate) fn triangles(&self, backend: &dyn Backend) -> Result<PairsAndTables> {
        let pairs = SetPairs::Triangles(self.offsets.clone());
        if let Some(tables) = self.triangles.get() {
            return Ok((pairs, tables.clone()));
        }
        pairs.expect_runs()?;
        let table = SetTable::new(&self.offsets.elements, self.large).map_err(failed)?;
        let tables = SetTables {
            sets: Memory::upload(backend, &table.sets)?,
            runs: Memory::upload(backend, &table.runs)?,
            large: table.large,
        };
        // If another thread was faster, its tables are the same.
        Ok((pairs, self.triangles.get_or_init(|| Arc::new(tables)).clone()))
    }

    /// The pairs of these rows with columns of as many sets.
    pub(crate) fn rectangles(
        &self,
        columns: &SetLayout,
        backend: &dyn Backend,
    ) -> Result<PairsAndTables> {
        // Ignores poisoning: a panic elsewhere cannot leave the tables half written.
        let mut latest = self.rectangles.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((offsets, tables)) = &*latest
            && offsets.columns == columns.offsets
        {
            return Ok((SetPairs::Rectangles(offsets.clone()), tables.clone()));
        }
        let offsets = Arc::new(RectangleOffsets::new(&self.offsets, &columns.offsets)?);
        let pairs = SetPairs::Rectangles(offsets.clone());
        pairs.expect_runs()?;
        let table = RectangleTable::new(&self.offsets.elements, &columns.offsets.elements);
        let table = table.map_err(failed)?;
        let tables = Arc::new(SetTables {
            sets: Memory::upload(backend, table.sets.as_flattened())?,
            runs: Memory::upload(backend, &table.runs)?,
            large: Vec::new(),
        });
        *latest = Some((offsets, tables.clone()));
        Ok((pairs, tables))
    }

    /// The pairs of these rows with columns of as many sets, or within each set, for nearest neighbours.
    pub(crate) fn rows(
        &self,
        columns: Option<&SetLayout>,
        backend: &dyn Backend,
    ) -> Result<PairsAndTables> {
        // Ignores poisoning, as above.
        let mut latest = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let is_latest = |pairs: &SetPairs| match (pairs, columns) {
            (SetPairs::Triangles(_), None) => true,
            (SetPairs::Rectangles(own), Some(columns)) => own.columns == columns.offsets,
            _ => false,
        };
        if let Some(found) = latest.as_ref().filter(|(pairs, _)| is_latest(pairs)) {
            return Ok(found.clone());
        }
        let pairs = match columns {
            None => SetPairs::Triangles(self.offsets.clone()),
            Some(columns) => {
                let offsets = RectangleOffsets::new(&self.offsets, &columns.offsets)?;
                SetPairs::Rectangles(Arc::new(offsets))
            }
        };
        let columns = columns.unwrap_or(self);
        let table = SetRowTable::new(&self.offsets.elements, &columns.offsets.elements);
        let table = table.map_err(failed)?;
        let tables = Arc::new(SetTables {
            sets: Memory::upload(backend, &table.sets)?,
            runs: Memory::upload(backend, &table.firsts)?,
            large: Vec::new(),
        });
        Ok(latest.insert((pairs, tables)).clone())
    }
}

/// The error of a table.
fn failed(error: NoTable) -> Error {
    match error {
        NoTable::Memory { bytes } => Error::out_of_host_memory(bytes),
        other => Error::version(&other.to_string()),
    }
}
