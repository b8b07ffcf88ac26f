//! The rounds of [`Rounds`], by persistent blocks.
//!
//! As in [`Persistent`](crate::Persistent), block b of B visits the tiles b, b + B, b + 2 B and so on, and reads its next tile
//! while it finishes the current one. The tiles of a round are in strips of eight first tiles: a strip has these tiles at the first
//! offset, then at the next one. So blocks that run at the same time share rows and columns in the cache.
//!
//! With an even number *t* of tiles in a triangle, two tiles are paired twice at offset t/2, so its second half is surplus. The
//! tiles of this offset, without the surplus, come after all strips.

use std::ops::Range;

use crate::map::{About, Sealed};
use crate::{Form, Grid, Launch, Map, Prologue, Rounds, Shape, Share, Tile};

/// The first tiles of a strip.
const WIDTH: u64 = 8;

/// Rounds of offsets, whose tiles persistent blocks visit in turn.
///
/// ```
/// use td_kernel_geometry::{Grid, Map, PersistentRounds, Shape, Tile};
///
/// let shape = Shape::blocks(20).with_resident(32);
/// let round = PersistentRounds.round(&shape, 1..4, 0..20);
/// assert_eq!(round.grid, Grid::new(32, 1));
/// let mut tiles = Vec::new();
/// PersistentRounds.tiles(&shape, &round, [0, 0], &mut |tile| tiles.push(tile));
/// assert_eq!(tiles, [Tile::new(1, 0), Tile::new(10, 8)]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PersistentRounds;

/// The tiles of a round: the first ones, its offsets, and how many tiles have no surplus.
struct Round {
    tiles: Range<u64>,
    offsets: Range<u64>,
    /// The number of tiles in strips.
    striped: u64,
    /// The number of tiles of the last offset, if that is half of all tiles.
    halved: u64,
}

impl Round {
    fn new(shape: &Shape, [begin, end, first, last]: [u64; 4]) -> Round {
        let is_half = shape.columns.is_none() && end > begin && 2 * (end - 1) == shape.rows.into();
        let count = end.saturating_sub(begin) - u64::from(is_half);
        let halved = if is_half { last.min(end - 1).saturating_sub(first) } else { 0 };
        let striped = count * last.saturating_sub(first);
        Round { tiles: first..last, offsets: begin..end, striped, halved }
    }

    fn units(&self) -> u64 {
        self.striped + self.halved
    }

    /// The first tile and the offset of a unit.
    fn place(&self, lambda: u64) -> [u64; 2] {
        if lambda >= self.striped {
            return [self.tiles.start + lambda - self.striped, self.offsets.end - 1];
        }
        let width = self.tiles.end - self.tiles.start;
        let length = WIDTH * (self.striped / width);
        let (base, x) = (lambda / length * WIDTH, lambda % length);
        let own = (width - base).min(WIDTH);
        [self.tiles.start + base + x % own, self.offsets.start + x / own]
    }
}

impl PersistentRounds {
    /// The launch of these offsets, for these first tiles of all rows.
    pub fn round(&self, shape: &Shape, offsets: Range<u32>, tiles: Range<u32>) -> Launch {
        let numbers = [offsets.start, offsets.end, tiles.start, tiles.end];
        let units = Round::new(shape, numbers.map(u64::from)).units();
        let x = units.min(shape.resident.max(1).into());
        Launch { grid: Grid { x, y: 1 }, numbers: numbers.to_vec() }
    }

    /// Rounds that double, for a device's share.
    pub fn launches_of(&self, shape: &Shape, share: &Share) -> Vec<Launch> {
        let rounds = share.rounds().into_iter();
        rounds.map(|offsets| self.round(shape, offsets, share.tiles.clone())).collect()
    }
}

impl Sealed for PersistentRounds {
    fn about(&self) -> About {
        About {
            parameters: &[
                "const unsigned int offset_begin",
                "const unsigned int offset_end",
                "const unsigned int tile_begin",
                "const unsigned int tile_end",
            ],
            ..About::new(
                "persistent_rounds",
                "rounds of offsets, whose tiles persistent blocks visit in turn",
                "for the nearest neighbours of each element, if a block should read its next tile while it finishes the current one",
            )
        }
    }
}

impl Map for PersistentRounds {
    /// Rounds that double.
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        let (offsets, tiles) = (0..Rounds.offsets(shape), 0..shape.rows);
        self.launches_of(shape, &Share { offsets, tiles })
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        let [begin, end, first, last] = launch.numbers[..] else { return };
        if y > 0 || x >= launch.grid.x {
            return;
        }
        let round = Round::new(shape, [begin, end, first, last].map(u64::from));
        for lambda in (x..round.units()).step_by(launch.grid.x as usize) {
            let [from, offset] = round.place(lambda);
            let to = (from + offset) % u64::from(shape.columns.unwrap_or(shape.rows).max(1));
            each(match shape.columns {
                Some(_) => Tile { row: from as u32, col: to as u32 },
                None => Tile { row: from.max(to) as u32, col: from.min(to) as u32 },
            });
        }
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let (tiles, half, place) = match form.domain.is_rectangle() {
            true => (form.columns(), "", "return {from, (from + offset) % tiles};"),
            false => (
                form.rows(),
                "
    // At an offset of half of all tiles, both indices of two tiles give the same pair. The second half is left out.
    const bool is_half = 2 * (offset_end - 1) == tiles;",
                "const unsigned int to = from + offset < tiles ? from + offset : from + offset - tiles;
        return {max(from, to), min(from, to)};",
            ),
        };
        let (count, halved, last) = match half.is_empty() {
            true => ("offset_end - offset_begin", "", ""),
            false => (
                "offset_end - offset_begin - is_half",
                " + (is_half ? max(min(tile_end, offset_end - 1), tile_begin) - tile_begin : 0)",
                "
        if (lambda >= striped) {
            from = tile_begin + (unsigned int)(lambda - striped);
            offset = offset_end - 1;
        } else",
            ),
        };
        let (open, close) = if half.is_empty() { ("", "") } else { (" {", "\n        }") };
        let indent = if half.is_empty() { "        " } else { "            " };
        let own = [
            "const unsigned long long length = 8ull * height;",
            "const unsigned int base = 8 * (unsigned int)(lambda / length), x = (unsigned int)(lambda % length);",
            "const unsigned int own = min(width - base, 8u);",
            "from = tile_begin + base + x % own;",
            "offset = offset_begin + x / own;",
        ];
        let own: String = own.iter().map(|line| format!("\n{indent}{line}")).collect();
        let open = format!(
            "    // persistent_rounds: block b visits the tiles b, b + gridDim.x and so on, of strips of eight first tiles, offset by offset.
    const unsigned int tiles = {tiles}, width = tile_end - tile_begin;{half}
    const unsigned int height = {count};
    const unsigned long long striped = (unsigned long long)width * height;
    const unsigned long long units = striped{halved};
    const auto locate = [&](const unsigned long long lambda) -> td_tile {{
        unsigned int from, offset;{last}{open}{own}{close}
        {place}
    }};
"
        );
        Prologue::straight(vec![crate::persistent::TILE], open)
    }
}
