//! Which memory is written, and what kernels by hand write it.

use td_kernel::cudarc::driver::CudaSlice;
use td_kernel::{PackedSlots, SquareSlots};

use super::{pairs, units};
use crate::measure::by_hand::{BEST_TILE, SQUARE_TILE, Source, Tile};
use crate::measure::points::Value;

/// Which memory is written: a slot for each pair, or both halves of a square.
pub(crate) trait Layout: 'static {
    const IS_SQUARE: bool;
    /// The kernel that writes the distances in the plainest way.
    const REFERENCE: &'static str;
    type Slots<'a, U: Value>;

    fn count(n: usize) -> usize;

    fn slots<U: Value>(memory: &mut CudaSlice<U>) -> Self::Slots<'_, U>;

    /// The best kernel written by hand for so many points: its name, its text, its grid and its block.
    fn by_hand(features: u32, n: usize) -> (String, Source, [u32; 2], [u32; 2]);
}

pub(crate) struct InPacked;
pub(crate) struct InSquare;

impl Layout for InPacked {
    const IS_SQUARE: bool = false;
    const REFERENCE: &'static str = "packed_reference";
    type Slots<'a, U: Value> = &'a mut dyn PackedSlots<U>;

    fn count(n: usize) -> usize {
        pairs(n)
    }

    fn slots<U: Value>(memory: &mut CudaSlice<U>) -> &mut dyn PackedSlots<U> {
        memory
    }

    fn by_hand(features: u32, n: usize) -> (String, Source, [u32; 2], [u32; 2]) {
        tile(features, n, BEST_TILE)
    }
}

impl Layout for InSquare {
    const IS_SQUARE: bool = true;
    const REFERENCE: &'static str = "square_reference";
    type Slots<'a, U: Value> = &'a mut dyn SquareSlots<U>;

    fn count(n: usize) -> usize {
        n * n
    }

    fn slots<U: Value>(memory: &mut CudaSlice<U>) -> &mut dyn SquareSlots<U> {
        memory
    }

    fn by_hand(features: u32, n: usize) -> (String, Source, [u32; 2], [u32; 2]) {
        let [side, rows] = SQUARE_TILE;
        let tiles = n.div_ceil(side as usize) as u32;
        let name = format!("by hand, tiles of {side}");
        (name, Source::square_tile(features), [tiles, tiles], [side / 4, rows])
    }
}

/// A kernel written by hand of packed distances: its name, its text, its grid and its block.
pub(super) fn tile(features: u32, n: usize, tile: Tile) -> (String, Source, [u32; 2], [u32; 2]) {
    let Tile { side, threads: [x, y] } = tile;
    let name = format!("by hand, tiles of {side}, {x} x {y} threads");
    (name, Source::packed_tile(features, tile), [units(n, side), 1], [x, y])
}
