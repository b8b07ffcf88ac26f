//! The tiles of a sweep, and how the threads of a block share one.
//!
//! For the sweeps that store values all of it follows from the bytes of a slot. A warp stores whole sectors
//! of memory (32 bytes), whose number for each row a thread's columns decide; and the more bytes a slot has,
//! the smaller the tile, because what a block writes at a time should stay about the same. The numbers are
//! those that were fastest on an H200, n = 30,720 (`td-bench targets`).

use crate::cuda::types::Origin;
use crate::model::{Kind, Parameter, Stores, Sweep};

/// A tile, and how its threads share it.
type Tile = (u32, Stores);

/// What the tiles follow from.
pub(super) struct Sizes {
    /// The bytes of each slot of a pair; `None` where only rustc knows them.
    slots: Vec<Option<u32>>,
    /// Whether the `#[each]` elements of one index have at most 8 bytes.
    has_small_elements: bool,
    /// Whether some `#[each]` element is a struct, which may take many registers.
    has_structs: bool,
    /// Whether the `#[each]` elements of one index are so small that a thread keeps those of eight rows.
    are_few: bool,
}

/// The most bytes for that.
const MOST_OF_EIGHT: u32 = 16;

impl Sizes {
    pub(super) fn of(parameters: &[Option<Parameter>]) -> Sizes {
        let known = || parameters.iter().flatten();
        let staged = || known().filter(|each| each.kind == Kind::Each);
        let bytes: Option<u32> = staged().map(Parameter::size).sum();
        Sizes {
            slots: known().filter(|each| each.is_slot()).map(Parameter::size).collect(),
            has_small_elements: bytes.is_some_and(|bytes| bytes <= 8),
            has_structs: staged().any(|each| each.cuda.origin == Origin::User),
            are_few: bytes.is_some_and(|bytes| bytes <= MOST_OF_EIGHT),
        }
    }

    /// The bytes of all slots of a pair, where they are known.
    pub(super) fn slot_bytes(&self) -> Option<u32> {
        self.slots.iter().copied().sum()
    }
}

/// The tiles that a launch chooses from: large ones for large n; small ones, and more threads for each, so
/// that a small n keeps the whole GPU busy.
pub(super) fn usual(sweep: Sweep, sizes: &Sizes) -> Vec<Tile> {
    let sides: &[u32] = match (sweep, sizes.slot_bytes()) {
        (Sweep::Classic, _) => &[0],
        // A thread keeps the elements of its rows in registers, eight rows in a tile of 256.
        (Sweep::Columns, _) if sizes.has_structs => &[64, 32],
        (Sweep::Columns, _) if !sizes.are_few => &[128, 64, 32],
        (Sweep::Columns, _) => &[256, 128, 64],
        (Sweep::Rows, Some(1)) if sizes.has_small_elements => &[256, 64, 32],
        (Sweep::Rows, Some(1 | 2)) => &[128, 64, 32],
        // Larger elements take longer to be read, and so are read for more pairs.
        (Sweep::Rows, Some(4)) if !sizes.has_small_elements => &[96, 64, 32],
        (Sweep::Rows, Some(3 | 4)) => &[64, 32],
        (Sweep::Mirror, Some(1 | 2)) => &[128, 32],
        (Sweep::Mirror, Some(3 | 4)) => &[64, 32],
        (Sweep::Rows | Sweep::Mirror, _) => &[32],
    };
    sides.iter().map(|&side| of(sweep, side, sizes)).collect()
}

/// The tile of this side.
pub(super) fn of(sweep: Sweep, side: u32, sizes: &Sizes) -> Tile {
    match sweep {
        Sweep::Classic | Sweep::Columns => (side, Stores::NONE),
        Sweep::Rows | Sweep::Mirror => (side, stores(sweep, side, sizes)),
    }
}

fn stores(sweep: Sweep, side: u32, sizes: &Sizes) -> Stores {
    let bytes = sizes.slot_bytes();
    let neighbours = neighbours(sweep, side, sizes);
    // Some slots have parts of 16 bytes that go through shared memory, within a warp: those of a row have 8
    // threads of it, or fewer where the tile leaves no choice.
    let width = match is_direct(neighbours, sizes) {
        true if bytes == Some(1) && side >= 128 && sizes.has_small_elements => side / 16,
        true if side > 128 => side / (2 * neighbours).max(8),
        true => side / neighbours.max(4),
        false => [8, 4, 2]
            .into_iter()
            .find(|width| (side / neighbours).is_multiple_of(*width))
            .unwrap_or(1),
    };
    let width = if sweep == Sweep::Mirror && neighbours == 2 { side / 2 } else { width };
    // Segments are moved to multiples of half the height: for most slots 8 of them are whole sectors. For
    // smaller ones it takes more rows, and so more threads, as long as there are registers for these.
    let are_small = sizes.slots.iter().any(|size| matches!(size, Some(1..=3 | 6)));
    let height = match sweep {
        Sweep::Mirror if bytes == Some(1) => 32,
        // As many threads as registers are there for.
        Sweep::Mirror if matches!(bytes, Some(2 | 4)) && sizes.has_small_elements => 32,
        Sweep::Mirror if bytes.is_none_or(|bytes| bytes > 8) && bytes != Some(16) => 8,
        Sweep::Rows if are_small && sizes.has_small_elements => 32,
        _ => 16,
    };
    let unroll = match bytes {
        Some(1) => 4,
        Some(3 | 4) => 1,
        _ => 2,
    };
    Stores { columns: side / width, neighbours, height, unroll }
}

/// How many values of each slot a thread stores together: those of 16 bytes, or of a multiple of them.
fn neighbours(sweep: Sweep, side: u32, sizes: &Sizes) -> u32 {
    let count = |size: &Option<u32>| match size {
        Some(1 | 2 | 6) => 8,
        Some(3) => 16,
        Some(8) => 2,
        // Mirrored values are kept in registers until they are in the mirror too.
        Some(16 | 32) if sweep == Sweep::Mirror => 2,
        _ => 4,
    };
    let mut counts = sizes.slots.iter().map(count);
    let first = counts.next().unwrap_or(4);
    // What is good for one slot need not be so for another: four are for all.
    let all = if counts.all(|count| count == first) { first } else { 4 };
    all.min(side / 2)
}

/// Whether every slot's neighbours are stored from registers, as one vector.
fn is_direct(neighbours: u32, sizes: &Sizes) -> bool {
    let is_vector = |size: &Option<u32>| size.is_some_and(|size| is_vector(size * neighbours));
    sizes.slots.iter().all(is_vector)
}

/// Whether a thread can store so many bytes at once.
pub(crate) fn is_vector(bytes: u32) -> bool {
    matches!(bytes, 4 | 8 | 16)
}
