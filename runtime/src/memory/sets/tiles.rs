//! The tables of the map `set_tiles`, for elements with features.

use std::sync::{Arc, PoisonError};

use td_kernel_geometry::SetTileTable;
use td_kernel_geometry::sets::SetShare;

use super::tables::{
    PairsAndTables, SetLayout, SetTables, TileTables, TilesOfDevices, Visited, VisitedByEach,
    count_of, failed, on_each, own,
};
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
        choose: impl FnOnce(&mut dyn FnMut(u32) -> u64) -> Result<VisitedByEach>,
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
        let mut count = |side| match counts.iter().find(|known| known.0 == side) {
            Some((_, count)) => *count,
            None => {
                let count = pairs.tiled().tile_count(side);
                counts.push((side, count));
                count
            }
        };
        let visited = choose(&mut count)?;
        let place = target.backend().place();
        // Sets without elements are on no device, but their tables are on those of an earlier launch.
        let is_made = |made: &&TilesOfDevices| {
            let mut each = target.devices().iter().zip(&*made.tables);
            (made.place, &made.visited) == (place, &visited)
                && each.all(|(device, of)| device.backend().owns(&of.memory[0].view().space()))
        };
        if let Some(made) = made.iter().find(is_made) {
            return Ok((pairs.clone(), made.tables.clone()));
        }
        let shares = own(target, pairs.tiled().shares(count_of(target)).into_iter());
        let shares = shares.into_iter().zip(visited.iter().copied());
        let tables = on_each(target, shares, |(sets, visited), backend| {
            let table = match visited {
                Visited::Tiles(side) => SetTileTable::new(&sets, side),
                Visited::Bands => SetTileTable::bands(&sets),
            };
            let table = table.map_err(failed)?;
            let memory = [
                Memory::upload(backend, table.sets.as_flattened())?,
                Memory::upload(backend, &table.tiles)?,
            ];
            let share = SetShare { pairs: sets.pairs(), runs: 0..0, large: Vec::new() };
            Ok(SetTables { share, memory })
        })?;
        made.push(TilesOfDevices { place, visited, tables: tables.clone() });
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
