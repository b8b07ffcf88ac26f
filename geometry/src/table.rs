//! A lookup table of all blocks: it costs memory, but the root is computed only once.
//!
//! Entry λ holds the row of block λ in its high 16 bits and the column in its low 16 bits, in the order of the lower-triangular
//! map. The first launch for a number of rows builds the table, which the device then keeps: 4 bytes for each block. The papers
//! tried such a table and did not compare it, because it takes memory from the problem.
//!
//! The grid is a line of T(rows) blocks. A range of rows uses a part of the table for all rows before its end. Exact at every
//! size, up to 65,535 rows.
//!
#![doc = include_str!("../pictures/table-8.svg")]

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, Map, NoTable, Prologue, Shape, Tile, triangle};

/// The lookup table.
///
/// ```
/// use td_kernel_geometry::{Grid, Map, Shape, Table};
///
/// // A line of blocks, and an entry for each.
/// let launches = Table.launches(&Shape::blocks(8));
/// assert_eq!(launches[0].grid, Grid::new(36, 1));
/// assert_eq!(Table.table(8)?.len(), 36);
/// # Ok::<(), td_kernel_geometry::NoTable>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Table;

impl Sealed for Table {
    fn about(&self) -> About {
        About {
            has_row_ranges: true,
            parameters: &["const unsigned int *const __restrict__ table"],
            ..About::new(
                "table",
                "a lookup table of all blocks",
                "for comparison: it takes 4 bytes of memory per block",
            )
        }
    }
}

impl Map for Table {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        let Shape { first, rows, .. } = *shape;
        if first >= rows {
            return Vec::new();
        }
        // The entries cannot hold this many rows, even if only a few are launched. The grid is then that of all rows, which no
        // device supports.
        let skipped = if rows > MAX_ROWS { 0 } else { triangle(first) };
        vec![Launch::of(Grid::line(triangle(rows) - skipped))]
    }

    fn tiles(&self, shape: &Shape, _: &Launch, [x, _]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let x = triangle(shape.first) + x;
        let row = crate::Root::Exact.row(x);
        let entry = entry(row, (x - triangle(row)) as u32);
        each(Tile { row: entry >> 16, col: entry & 0xffff });
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let (begin, skipped) = match form.skipped("") {
            None => Default::default(),
            Some([begin, skipped]) => (begin, format!("{skipped} + ")),
        };
        let open = format!(
            "    // table: an entry has the block's row in its high half and the column in its low half.
{begin}    const unsigned int entry = table[{skipped}blockIdx.x];
    const unsigned int tile_i = entry >> 16;
    const unsigned int tile_j = entry & 0xffff;
"
        );
        Prologue::straight(Vec::new(), open)
    }

    fn has_table(&self) -> bool {
        true
    }

    fn table(&self, rows: u32) -> Result<Vec<u32>, NoTable> {
        if rows > MAX_ROWS {
            return Err(NoTable::TooManyRows { most: MAX_ROWS });
        }
        let bytes = triangle(rows) as usize * size_of::<u32>();
        let mut table = Vec::new();
        table.try_reserve_exact(triangle(rows) as usize).map_err(|_| NoTable::Memory { bytes })?;
        table.extend((0..rows).flat_map(|row| (0..=row).map(move |col| entry(row, col))));
        Ok(table)
    }
}

/// An entry has 16 bits for its row.
const MAX_ROWS: u32 = 1 << 16;

fn entry(row: u32, col: u32) -> u32 {
    row << 16 | col
}
