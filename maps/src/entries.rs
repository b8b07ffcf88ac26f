//! The entries of a list: the map of launches over given pairs, which have neither a root nor a triangle.
//!
//! A block visits adjacent entries of the list, and each of its threads every 256th of them. An entry has the indices of its
//! pair's elements:
//!
//! ```text
//! entry = 1024 x + 256 k + thread      for k = 0, 1, 2, 3
//! ```
//!
//! Here a unit is a block's part of the list: the shape has one row, whose columns are the parts. Exact at every size: all
//! numbers are integers.
//!
#![doc = include_str!("../pictures/entries-8.svg")]

use crate::map::Sealed;
use crate::{Form, Grid, Launch, Map, Prologue, Shape, Tile};

/// The entries of a list, a part for each block.
///
/// ```
/// use td_kernel_maps::{Entries, Grid, Map, Shape};
///
/// // 10,000 entries, 1024 for each block.
/// let parts = Shape::blocks(1).with_columns(10_000_u32.div_ceil(1024));
/// assert_eq!(Entries.launches(&parts)[0].grid, Grid::new(10, 1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Entries;

impl Sealed for Entries {}

impl Map for Entries {
    fn name(&self) -> &'static str {
        "entries"
    }

    fn summary(&self) -> &'static str {
        "a thread for each entry of a list"
    }

    fn advice(&self) -> &'static str {
        "for given pairs"
    }

    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        match shape.units() {
            0 => Vec::new(),
            units => vec![Launch::of(Grid { x: units, y: 1 })],
        }
    }

    fn tiles(&self, shape: &Shape, _: &Launch, [x, y]: [u64; 2], each: &mut dyn FnMut(Tile)) {
        if y == 0 && x < shape.units() {
            each(Tile { row: 0, col: x as u32 });
        }
    }

    fn prologue(&self, _: &Form) -> Prologue {
        let open = "    // entries: a part of the list for each block.
    const unsigned long long part = blockIdx.x;
";
        Prologue::straight(Vec::new(), open.to_owned())
    }
}
