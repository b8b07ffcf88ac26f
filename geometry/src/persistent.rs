//! Persistent blocks: as many as a GPU holds, each of which visits many tiles.
//!
//! Starting a block costs more than a little work, and at its end a block waits for its last values to be stored. Here a block
//! reads its next tile while it finishes the current one. Block b of B visits the tiles b, b + B, b + 2 B and so on, in the
//! order of [`Strips`](crate::Strips): eight rows together, column by column, so that blocks that run together share rows and
//! columns in the cache.
//!
//! A range of rows has strips of its own, which start at its first row f. Strip s has the rows f + 8 s to f + 8 s + 7: eight rows
//! of f + 8 s columns, and a triangle of 36 tiles. So the strips before it have
//!
//! ```text
//! T(s) = 32 s^2 + (8 f + 4) s        tiles, and tile lambda is in strip
//! s = floor((sqrt(b^2 + 128 lambda) - b) / 64)        with b = 8 f + 4
//! ```
//!
//! In a rectangle all strips are equally long.
//!
//! Exact at every size: the root in double precision is off by less than one, and the strip is moved to the next or the
//! previous one if `T` says so. The rest is integers.

use crate::map::{About, Sealed};
use crate::strips::place_in_strip;
use crate::{Form, Launch, Map, Prologue, Shape, Tile};

/// The rows of a strip.
const HEIGHT: u64 = crate::strips::HEIGHT as u64;

/// Strips of eight rows, whose tiles persistent blocks visit in turn.
///
/// ```
/// use td_kernel_geometry::{Grid, Map, Persistent, Shape, Tile};
///
/// // 210 tiles for 132 blocks.
/// let shape = Shape::blocks(20).with_resident(132);
/// let launches = Persistent.launches(&shape);
/// assert_eq!(launches[0].grid, Grid::new(132, 1));
/// let mut tiles = Vec::new();
/// Persistent.tiles(&shape, &launches[0], [4, 0], &mut |tile| tiles.push(tile));
/// assert_eq!(tiles, [Tile::new(2, 1), Tile::new(16, 0)]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Persistent;

/// The tiles of the strips before this one, in a triangle's rows from `first` on.
fn before(strip: u64, first: u64) -> u64 {
    32 * strip * strip + (8 * first + 4) * strip
}

/// The position of a tile.
fn place(shape: &Shape, lambda: u64) -> Tile {
    let (first, end) = (u64::from(shape.first), u64::from(shape.rows));
    let (base, x) = match shape.columns {
        Some(columns) => {
            let width = HEIGHT * u64::from(columns.max(1));
            (first + lambda / width * HEIGHT, lambda % width)
        }
        None => {
            let b = 8 * first + 4;
            let mut strip = ((b * b + 128 * lambda).isqrt() - b) / 64;
            strip -= u64::from(before(strip, first) > lambda);
            (first + strip * HEIGHT, lambda - before(strip, first))
        }
    };
    let height = end.saturating_sub(base).clamp(1, HEIGHT);
    let [row, col] = place_in_strip(shape, base, height, x);
    Tile { row: row as u32, col: col as u32 }
}

impl Sealed for Persistent {
    fn about(&self) -> About {
        About {
            has_row_ranges: true,
            ..About::new(
                "persistent",
                "strips of eight rows, whose tiles persistent blocks visit in turn",
                "if a block should read its next tile while it finishes the current one",
            )
        }
    }
}

impl Map for Persistent {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        Launch::line(shape.units().min(shape.resident.max(1).into()))
    }

    fn tiles(&self, shape: &Shape, launch: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        if y > 0 || x >= launch.grid.x {
            return;
        }
        let lambdas = (x..shape.units()).step_by(launch.grid.x as usize);
        lambdas.for_each(|lambda| each(place(shape, lambda)));
    }

    fn prologue(&self, form: &Form) -> Prologue {
        let (rows, first) = (form.rows(), form.first().unwrap_or_else(|| "0".to_owned()));
        let (count, place) = if form.domain.is_rectangle() {
            (
                format!(
                    "    const unsigned int width = {columns};
    const unsigned long long units = (unsigned long long)(tiles - top_tile) * width;
",
                    columns = form.columns()
                ),
                "        const unsigned long long length = 8ull * width;
        const unsigned int base = top_tile + 8 * (unsigned int)(lambda / length);
        const unsigned int height = min(tiles - base, 8u);
        const unsigned long long x = lambda % length;
        return {base + (unsigned int)(x % height), (unsigned int)(x / height)};
",
            )
        } else {
            (
                "    const unsigned long long units = (tiles * (tiles + 1ull) - top_tile * (top_tile + 1ull)) / 2;
"
                .to_owned(),
                "        // The root may be off by one at the first and the last tile of a strip.
        const unsigned long long b = 8ull * top_tile + 4;
        const auto before = [&](const unsigned long long strip) { return (32 * strip + b) * strip; };
        unsigned long long strip = (unsigned long long)((sqrt((double)(b * b + 128 * lambda)) - b) / 64);
        if (before(strip) > lambda)
            --strip;
        else if (before(strip + 1) <= lambda)
            ++strip;
        const unsigned int base = top_tile + 8 * (unsigned int)strip;
        const unsigned int height = min(tiles - base, 8u);
        const unsigned long long x = lambda - before(strip), rectangle = (unsigned long long)base * height;
        if (x < rectangle)
            return {base + (unsigned int)(x % height), (unsigned int)(x / height)};
        const unsigned int index = (unsigned int)(x - rectangle);
        const unsigned int below = (index > 0) + (index > 2) + (index > 5) + (index > 9) + (index > 14) + (index > 20) + (index > 27);
        return {base + below, base + index - below * (below + 1) / 2};
",
            )
        };
        let open = format!(
            "    // persistent: block b visits the tiles b, b + gridDim.x and so on, of strips of eight rows, column by column.
    const unsigned int top_tile = {first}, tiles = {rows};
{count}    const auto locate = [&](const unsigned long long lambda) -> td_tile {{
{place}    }};
"
        );
        Prologue::straight(vec![TILE], open)
    }
}

/// The position of a tile.
pub(crate) const TILE: &str = "struct td_tile {
    unsigned int i, j;
};
";

#[cfg(test)]
mod tests {
    use super::before;

    /// The root in double precision, at the ends of strips and of the largest triangles.
    #[test]
    fn float_root_is_off_by_at_most_one() {
        for first in [0_u64, 1, 7, 1 << 10, (1 << 25) - 9] {
            for strip in [0_u64, 1, 2, 1000, (1 << 22) - 1] {
                for lambda in [before(strip, first), before(strip + 1, first) - 1] {
                    let b = 8 * first + 4;
                    let root = (((b * b + 128 * lambda) as f64).sqrt() - b as f64) / 64.0;
                    assert!((root as u64).abs_diff(strip) <= 1, "{first} {strip}");
                }
            }
        }
    }
}
