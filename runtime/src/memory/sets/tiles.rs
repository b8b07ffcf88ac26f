//! The tables of the map `set_tiles`, for elements with features.

use std::sync::{Arc, PoisonError};

use td_kernel_maps::SetTileTable;
use td_kernel_maps::sets::SetShare;
use td_kernel_maps::sets::tiles::tile_count;

use super::tables::{PairsAndTables, SetLayout, SetTables, TileTables, Visited, failed};
use crate::host::sets::{RectangleOffsets, SetPairs};
use crate::memory::Memory;
use crate::{Result, Target};

impl SetLayout {
    /// The pairs within each set, or with columns of as many sets, and the tables of their tiles. `choose` gets the number of
    /// tiles of a side.
    pub(crate) fn tiles(
        &self,
        columns: Option<&SetLayout>,
        target: &Target,
        choose: impl FnOnce(&mut dyn FnMut(u32) -> u64) -> Result<Visited>,
    ) -> Result<PairsAndTables> {
        // Ignores poisoning: a panic elsewhere cannot leave the tables half written.
        let mut latest = self.tiles.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known =
            |latest: &TileTables| latest.pairs.columns() == columns.map(|columns| &columns.offsets);
        let known = match latest.take().filter(is_known) {
            Some(known) => known,
            None => {
                let pairs = self.pairs_with(columns)?;
                TileTables { pairs, counts: Vec::new(), made: Vec::new() }
            }
        };
        let TileTables { pairs, counts, made } = latest.insert(known);
        let rows = &self.offsets.elements;
        let columns = columns.map(|columns| &columns.offsets.elements[..]);
        let mut count = |side| match counts.iter().find(|known| known.0 == side) {
            Some((_, count)) => *count,
            None => {
                let count = tile_count(rows, columns, side);
                counts.push((side, count));
                count
            }
        };
        let visited = choose(&mut count)?;
        // Sets without elements are on no device, but their tables are on that of an earlier launch.
        let owns = |tables: &SetTables| target.backend().owns(&tables.memory[0].view().space());
        let is_made = |(known, tables): &&(Visited, Arc<[SetTables]>)| {
            *known == visited && tables.iter().all(owns)
        };
        if let Some((_, tables)) = made.iter().find(is_made) {
            return Ok((pairs.clone(), tables.clone()));
        }
        let table = match visited {
            Visited::Tiles(side) => SetTileTable::new(rows, columns, side),
            Visited::Bands => SetTileTable::of_bands(rows, columns),
        };
        let table = table.map_err(failed)?;
        let backend = target.backend();
        let memory = [
            Memory::upload(backend, table.sets.as_flattened())?,
            Memory::upload(backend, &table.tiles)?,
        ];
        let share = SetShare { pairs: 0..pairs.pair_count() as u64, runs: 0..0, large: Vec::new() };
        let tables: Arc<[SetTables]> = Arc::new([SetTables { share, memory }]);
        made.push((visited, tables.clone()));
        Ok((pairs.clone(), tables))
    }

    /// The pairs within each set, or of these rows with columns of as many sets.
    pub(super) fn pairs_with(&self, columns: Option<&SetLayout>) -> Result<SetPairs> {
        Ok(match columns {
            None => SetPairs::Triangles(self.offsets.clone()),
            Some(columns) => {
                let offsets = RectangleOffsets::new(&self.offsets, &columns.offsets)?;
                SetPairs::Rectangles(Arc::new(offsets))
            }
        })
    }
}
