//! The rounds of [`Rounds`], with blocks that keep their row.
//!
//! In [`Rounds`] a block has one tile. If a block reads much of each of its elements and computes little with it, like a filter
//! by tensor cores, reading takes most of its time. Here a block keeps a row of tiles and visits the columns of several offsets
//! in turn. It reads its row once for all of them, and reads a column while it computes with the previous one.
//!
//! With *t* rows of tiles, row r has two columns for each offset o of a round: the one o places before it, and the one o
//! places after it, around the end:
//!
//! ```text
//! col = r - o        if o is at most r
//! col = r + o - t    if o is at least t - r
//! ```
//!
//! So in both cases the larger of two tiles is the row, and all rows together have the tiles of this offset in [`Rounds`]. A
//! block has columns of one of the two kinds. Among offsets o to o + h - 1, columns before a row exist for rows from o on, and
//! columns around the end for the last o + h - 1 rows. In a grid that is t + h - 1 blocks wide, block x has
//!
//! ```text
//! row = o + x              while x is below t - o
//! row = x + 1 - h          otherwise
//! ```
//!
//! In a rectangle of *c* columns of tiles, row r has column (r + o) mod c, as in [`Rounds`].

use std::ops::Range;

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, Map, Prologue, Rounds, Shape, Share, Tile};

/// The maximum number of offsets of a block. With more, it would hardly read its row less often.
const OFFSETS: u64 = 16;

/// The blocks per multiprocessor with which another block follows one that ends. With fewer, some multiprocessors would be
/// idle.
const BLOCKS: u64 = 16;

/// Rounds of offsets, row by row.
///
/// ```
/// use td_kernel_geometry::{Map, RoundRows, Shape, Tile};
///
/// let (map, shape) = (RoundRows::OF_ONE_SET, Shape::blocks(9));
/// let round = map.round(&shape, 1..4, 0..9);
/// let columns = |x| {
///     let mut columns = Vec::new();
///     map.tiles(&shape, &round, [x, 0], &mut |tile| columns.push((tile.row, tile.col)));
///     columns
/// };
/// // Few tiles have a block each.
/// assert_eq!((columns(0), columns(7), columns(8)), (vec![(1, 0)], vec![(8, 7)], vec![(8, 0)]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RoundRows {
    /// Whether the shapes are rectangles.
    is_of_two: bool,
    /// The number of multiprocessors that run the blocks.
    multiprocessors: u32,
}

impl RoundRows {
    /// For triangles.
    pub const OF_ONE_SET: RoundRows = RoundRows { is_of_two: false, multiprocessors: 1 };
    /// For rectangles.
    pub const OF_TWO_SETS: RoundRows = RoundRows { is_of_two: true, multiprocessors: 1 };

    /// The map for this shape.
    pub fn of(shape: &Shape) -> RoundRows {
        if shape.columns.is_some() { RoundRows::OF_TWO_SETS } else { RoundRows::OF_ONE_SET }
    }

    /// This map for a GPU with this many multiprocessors. The default is 1.
    #[must_use]
    pub fn on(self, multiprocessors: u32) -> RoundRows {
        RoundRows { multiprocessors, ..self }
    }

    /// The launch of these offsets, for these rows of tiles; in a triangle for all rows.
    pub fn round(&self, shape: &Shape, offsets: Range<u32>, tiles: Range<u32>) -> Launch {
        let width = offsets.end.saturating_sub(offsets.start);
        let rows = match self.is_of_two {
            true => tiles.end.saturating_sub(tiles.start),
            false => shape.rows,
        };
        let enough = BLOCKS * u64::from(self.multiprocessors.max(1));
        // It is at most 16.
        let height = (u64::from(width) * u64::from(rows) / enough).clamp(1, OFFSETS) as u32;
        let y = width.div_ceil(height).into();
        let numbers = vec![offsets.start, offsets.end, height];
        if self.is_of_two {
            let numbers = [numbers, vec![tiles.start]].concat();
            return Launch { grid: Grid { x: rows.into(), y }, numbers };
        }
        Launch { grid: Grid { x: u64::from(rows) + u64::from(height) - 1, y }, numbers }
    }

    /// Rounds that double, for a device's share.
    pub fn launches_of(&self, shape: &Shape, share: &Share) -> Vec<Launch> {
        let rounds = share.rounds().into_iter();
        rounds.map(|offsets| self.round(shape, offsets, share.tiles.clone())).collect()
    }
}

impl Sealed for RoundRows {
    fn about(&self) -> About {
        let parameters: &[_] = &[
            "const unsigned int offset_begin",
            "const unsigned int offset_end",
            "const unsigned int height",
            "const unsigned int tile_begin",
        ];
        About {
            parameters: if self.is_of_two { parameters } else { &parameters[..3] },
            ..About::new(
                if self.is_of_two { "round_rows_of_two" } else { "round_rows" },
                "rounds of offsets, with a block for a row of tiles and the columns at a few offsets",
                "for the nearest neighbours of each element, if a block computes little with the data it reads",
            )
        }
    }
}

impl Map for RoundRows {
    /// Rounds that double.
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        let (offsets, tiles) = (0..Rounds.offsets(shape), 0..shape.rows);
        self.launches_of(shape, &Share { offsets, tiles })
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let [first, end, height, ref tile @ ..] = launch.numbers[..] else { return };
        if x >= launch.grid.x || y >= launch.grid.y {
            return;
        }
        let (tiles, height) = (u64::from(shape.rows), u64::from(height));
        let begin = u64::from(first) + height * y;
        let end = (begin + height).min(end.into());
        let mut visit = |row: u64, col: u64| each(Tile { row: row as u32, col: col as u32 });
        if let Some(columns) = shape.columns {
            let row = tile.first().map_or(0, |tile| u64::from(*tile)) + x;
            (begin..end).for_each(|offset| visit(row, (row + offset) % u64::from(columns.max(1))));
            return;
        }
        if x < tiles - begin {
            let row = begin + x;
            (begin..end.min(row + 1)).for_each(|offset| visit(row, row - offset));
            return;
        }
        let row = x + begin + 1 - end;
        if row < tiles {
            // At a distance of half of all tiles, both ways lead to the same tile.
            let offsets = (begin.max(tiles - row)..end).filter(|offset| 2 * offset != tiles);
            offsets.for_each(|offset| visit(row, row + offset - tiles));
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        if self.is_of_two {
            let open = format!(
                "    // round_rows_of_two: a row of tiles visits the columns one after another, starting at its own index.
    const unsigned int tiles = {columns};
    const unsigned int begin = offset_begin + height * blockIdx.y, count = min(height, offset_end - begin);
    const unsigned int tile_i = tile_begin + blockIdx.x;
    const auto tile_j_of = [&](const unsigned int visit) {{
        return (tile_i + begin + visit) % tiles;
    }};
",
                columns = form.columns()
            );
            return Prologue::straight(Vec::new(), open);
        }
        let open = format!(
            "    // round_rows: a block visits a row of tiles with the columns in a range of offsets before it. Other blocks
    // visit the columns that these offsets reach around the end.
    const unsigned int tiles = {rows};
    const unsigned int begin = offset_begin + height * blockIdx.y, end = min(begin + height, offset_end);
    const bool wraps = blockIdx.x >= tiles - begin;
    const unsigned int tile_i = wraps ? blockIdx.x + begin + 1 - end : begin + blockIdx.x;
    if (tile_i >= tiles)
        return;
    const unsigned int start = wraps ? max(begin, tiles - tile_i) : begin;
    // At an offset of half of the tiles, both directions give the same tile.
    const unsigned int stop = !wraps ? min(end, tile_i + 1) : 2 * (end - 1) == tiles ? end - 1 : end;
    if (start >= stop)
        return;
    const unsigned int count = stop - start;
    const auto tile_j_of = [&](const unsigned int visit) {{
        return wraps ? tile_i + start + visit - tiles : tile_i - start - visit;
    }};
",
            rows = form.rows()
        );
        Prologue::straight(Vec::new(), open)
    }
}
