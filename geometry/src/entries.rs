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

use std::ops::Range;

use crate::map::{About, Sealed};
use crate::{Form, Launch, Map, Prologue, Shape, Tile};

/// The entries of a list, a part for each block.
///
/// ```
/// use td_kernel_geometry::{Entries, Grid, Map, Shape};
///
/// // 10,000 entries, 1024 for each block.
/// let parts = Shape::blocks(1).with_columns(10_000_u32.div_ceil(1024));
/// assert_eq!(Entries.launches(&parts)[0].grid, Grid::new(10, 1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Entries;

/// The entries of a core's part in the CPU's loops: those of several whole blocks on a GPU. Devices' shares of a list end between
/// such parts, so the sums of parts and of blocks do not depend on the number of devices.
pub const ENTRIES_OF_PART: u32 = 4096;

/// The shares of several devices of a list with `length` entries: about as many parts for each.
///
/// ```
/// use td_kernel_geometry::entry_shares;
///
/// assert_eq!(entry_shares(10_000, 2).collect::<Vec<_>>(), [0..8192, 8192..10_000]);
/// assert_eq!(entry_shares(33, 2).collect::<Vec<_>>(), [0..33, 33..33]);
/// ```
pub fn entry_shares(length: usize, devices: usize) -> impl Iterator<Item = Range<usize>> {
    let part = ENTRIES_OF_PART as usize;
    let parts = length.div_ceil(part);
    let (each, more) = (parts / devices.max(1), parts % devices.max(1));
    // The first devices have one part more. The last part may be shorter than others.
    let start = move |device| (each * device + more.min(device)).saturating_mul(part).min(length);
    (0..devices).map(move |device| start(device)..start(device + 1))
}

impl Sealed for Entries {
    fn about(&self) -> About {
        About::new("entries", "a thread for each entry of a list", "for given pairs")
    }
}

impl Map for Entries {
    fn launches(&self, shape: &Shape) -> Vec<Launch> {
        Launch::line(shape.units())
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
