//! The tiles of a sweep, and how the threads of a block share one.
//!
//! For the sweeps that store values, everything follows from the bytes of a slot. A warp stores whole sectors of memory (32
//! bytes); the columns of a thread decide how many per row. The more bytes a slot has, the smaller the tile, because a block
//! should write about the same amount at a time. The numbers are the fastest ones on an H200 at n = 30,720 (`td-bench
//! targets`).

#[cfg(test)]
mod tests;

use td_kernel_geometry::{SharedUse, Sweep, Tiling};

use super::Signature;
use crate::cuda_type::{self, Origin};
use crate::kind::{BYTES_BESIDE, SUM};
use crate::model::{End, Parameter, Role};

/// The facts that determine the tiles.
pub(super) struct Sizes {
    /// The bytes of each slot of a pair; `None` if only rustc knows them.
    slots: Vec<Option<u32>>,
    /// Whether the elements of one row, and those of one column, have at most 8 bytes. With `#[each]` these are the same.
    has_small_elements: bool,
    /// Whether an element of a row or a column is a struct, which may take many registers.
    has_structs: bool,
    /// Whether the elements of one row are so small that a thread has registers for eight rows.
    has_room_for_eight: bool,
    /// Whether the slots are those of a matrix, whose rows all have the same alignment.
    has_matrix: bool,
    /// The bytes of the elements of a row or a column and its results, if known.
    kept_bytes: Option<u32>,
    /// The bytes of registers of a pair's folds.
    fold_bytes: u32,
    /// Whether elements have results.
    has_results: bool,
    /// Whether elements have nearest neighbours.
    has_neighbours: bool,
    /// The bytes of a feature, if elements have features.
    feature_bytes: Option<u32>,
    /// The bytes of the elements of a row and its results, and of the results of a column and its elements, if one of them is an
    /// array of more than four numbers.
    wide_bytes: Option<[u32; 3]>,
    /// The number of panels of features in a tile: those of its rows, and those of its columns.
    panels: usize,
    /// What a block of mirrored tiles keeps, as far as its sizes are known.
    mirrored: Vec<SharedUse>,
}

/// The maximum bytes of the elements of one index with which a thread has registers for eight rows.
const MAX_BYTES_FOR_EIGHT_ROWS: u32 = 16;

/// The maximum bytes of a row's elements and results with which a thread has registers for eight rows in the sweep `rotate`.
const MAX_KEPT_BYTES_FOR_EIGHT_ROWS: u32 = 32;

/// The same for four rows.
const MAX_KEPT_BYTES_FOR_FOUR_ROWS: u32 = 64;

/// The bytes of registers for elements and results that are arrays of more than four numbers.
const MAX_WIDE_BYTES_OF_THREAD: u32 = 680;

impl Sizes {
    /// Whether a pair's folds exceed a thread's registers.
    pub(super) fn has_large_folds(&self) -> bool {
        self.fold_bytes > MAX_FOLD_BYTES
    }

    /// Whether the panels of features exceed a block's shared memory.
    pub(super) fn has_many_panels(&self) -> bool {
        self.panels > MAX_PANELS
    }

    pub(super) fn of(signature: &Signature) -> Sizes {
        let known = || signature.parameters.iter();
        let of =
            |role| known().filter(move |each| [Role::Elements, role].contains(&each.kind.role()));
        let bytes = |role| of(role).map(Parameter::size).sum::<Option<u32>>();
        let (row, column) = (bytes(Role::Row), bytes(Role::Column));
        let most = row.zip(column).map(|(row, column)| row.max(column));
        let results = known().filter(|each| each.end().is_some());
        // A part may be wider than its type, and have the index of a partner.
        let results = results
            .map(|each| each.size().map(|bytes| bytes.max(4) + each.partner_bytes()))
            .sum::<Option<u32>>();
        let results_of = |has_end: fn(End) -> bool| {
            let end_sizes = known().filter(move |each| each.end().is_some_and(has_end));
            end_sizes.filter_map(Parameter::size).sum::<u32>()
        };
        let own_bytes = row.unwrap_or(BYTES_OF_A_STRUCT) + results_of(End::has_row);
        let elements_of_column = column.unwrap_or(BYTES_OF_A_STRUCT);
        let wide_bytes = known().any(Parameter::is_wide).then_some([
            own_bytes,
            results_of(End::has_column),
            elements_of_column,
        ]);
        let is_struct = |each: &Parameter| each.cuda.origin == Origin::User;
        let panels = known().filter_map(Parameter::features);
        let counters = known().any(|each| each.kind.about().has_counters);
        let counters = counters.then_some(SharedUse::Counters { bytes: BYTES_BESIDE as usize });
        Sizes {
            fold_bytes: signature.folded().map(|fold| fold.size.next_multiple_of(4)).sum(),
            has_results: known().any(|each| each.end().is_some()),
            has_neighbours: known().any(|each| each.neighbours_of().is_some()),
            feature_bytes: known()
                .filter(|each| each.features().is_some())
                .filter_map(Parameter::size)
                .max(),
            wide_bytes,
            panels: panels.map(|end| if end == End::Each { 2 } else { 1 }).sum(),
            mirrored: known().flat_map(mirrored).chain(counters).collect(),
            slots: known().filter(|each| each.is_slot()).map(Parameter::size).collect(),
            has_small_elements: most.is_some_and(|bytes| bytes <= 8),
            has_structs: of(Role::Row).chain(of(Role::Column)).any(is_struct),
            has_matrix: known().any(|each| each.kind.role() == Role::Matrix),
            kept_bytes: most.zip(results).map(|(elements, results)| elements + results),
            has_room_for_eight: row.is_some_and(|bytes| bytes <= MAX_BYTES_FOR_EIGHT_ROWS),
        }
    }

    /// The bytes of a pair in slots whose neighbouring values are stored through shared memory.
    fn indirect_bytes(&self, neighbours: u32) -> u32 {
        let indirect = self.slots.iter().map(|size| size.unwrap_or(BYTES_OF_A_STRUCT));
        indirect.filter(|size| !is_vector(size * neighbours)).sum()
    }

    /// Whether a block has shared memory for such mirrored tiles.
    fn fits(&self, tiling: &Tiling) -> bool {
        let is_kept = |kept: &SharedUse| match kept {
            SharedUse::Segment { size } => !is_vector(*size as u32 * tiling.neighbours),
            _ => true,
        };
        let kept: Vec<_> = self.mirrored.iter().copied().filter(is_kept).collect();
        tiling.shared(true, &kept) <= SHARED_BYTES as usize
    }

    /// The bytes of all slots of a pair, if known.
    pub(super) fn slot_bytes(&self) -> Option<u32> {
        self.slots.iter().copied().sum()
    }
}

/// What a block of mirrored tiles keeps for a parameter, if its size is known.
fn mirrored(parameter: &Parameter) -> Vec<SharedUse> {
    let Some(size) = parameter.size().map(|bytes| bytes as usize) else { return Vec::new() };
    match parameter.kind.role() {
        Role::Elements => vec![SharedUse::Element { size }],
        Role::Square => vec![SharedUse::Mirror { size }, SharedUse::Segment { size }],
        Role::Packed => vec![SharedUse::Mirror { size }],
        // Totals have at most twice the bytes of their terms.
        _ if parameter.kind == SUM => vec![SharedUse::Sum { size: 2 * size.max(4) }],
        _ if parameter.kind.about().is_state_of_all() => vec![SharedUse::State { size }],
        _ => Vec::new(),
    }
}

/// The tiles that a launch chooses from: large tiles for large n; for small n, small tiles with more threads, which keep the
/// whole GPU busy.
pub(super) fn usual(sweep: Sweep, sizes: &Sizes) -> Vec<Tiling> {
    let feature_sides = folding(sizes);
    let keeps_rows = matches!(sweep, Sweep::Columns | Sweep::Rotate);
    let wide = sizes.wide_bytes.filter(|_| keeps_rows).map(wide_sides);
    let usual: &[u32] = match (sweep, sizes.slot_bytes()) {
        (Sweep::Fold, _) => &feature_sides,
        // A thread keeps the elements of its rows in registers, eight rows in a tile of 256.
        (Sweep::Columns | Sweep::Rotate, _) if sizes.has_structs => &[64, 32],
        (Sweep::Rotate, _) => match sizes.kept_bytes {
            Some(0..=MAX_KEPT_BYTES_FOR_EIGHT_ROWS) => &[256, 128, 64],
            Some(0..=MAX_KEPT_BYTES_FOR_FOUR_ROWS) => &[128, 64, 32],
            _ => &[64, 32],
        },
        // An element's queue has room for two tiles.
        (Sweep::Columns, _) if sizes.has_neighbours => &[128, 64],
        (Sweep::Columns, _) if !sizes.has_room_for_eight => &[128, 64, 32],
        (Sweep::Columns, _) => &[256, 128, 64],
        (Sweep::Rows, _) if sizes.wide_bytes.is_some() => &[64, 32],
        (Sweep::Rows, Some(1..=4)) if sizes.has_results => &[64, 32],
        (Sweep::Rows, Some(1)) if sizes.has_small_elements => &[256, 64, 32],
        (Sweep::Rows, Some(1 | 2)) => &[128, 64, 32],
        // Larger elements take longer to read, so each read has to serve more pairs.
        (Sweep::Rows, Some(4)) if !sizes.has_small_elements => &[96, 64, 32],
        (Sweep::Rows, Some(3 | 4)) => &[64, 32],
        (Sweep::Mirror, Some(1 | 2)) => &[128, 32],
        (Sweep::Mirror, Some(3 | 4)) => &[64, 32],
        (Sweep::Rows | Sweep::Mirror, _) => &[32],
        // The classic sweep has blocks of threads and no tiles. A new sweep needs an entry here.
        _ => &[],
    };
    let all = wide.unwrap_or(usual).iter().map(|&side| of(sweep, side, sizes));
    all.filter(|tiling| sweep != Sweep::Mirror || sizes.fits(tiling)).collect()
}

/// The sides of tiles with arrays of more than four numbers, of which a row and a column have these bytes: a thread keeps those of
/// four rows, two or one in registers, and a block the elements and results of all columns in shared memory.
fn wide_sides([row, results, elements]: [u32; 3]) -> &'static [u32] {
    let sides: &[u32] = match MAX_WIDE_BYTES_OF_THREAD.saturating_sub(results).checked_div(row) {
        // Rows may have neither.
        None | Some(4..) => &[128, 64, 32],
        Some(2 | 3) => &[64, 32],
        Some(0 | 1) => &[32],
    };
    let fits = |side: &u32| side * (results + elements + OTHER_BYTES_OF_COLUMN) <= SHARED_BYTES;
    let first = sides.iter().position(fits).unwrap_or(sides.len() - 1);
    &sides[first..]
}

/// The bytes of a block's shared memory on every GPU.
const SHARED_BYTES: u32 = 48 << 10;

/// The bytes of shared memory for each column besides its elements and results.
const OTHER_BYTES_OF_COLUMN: u32 = 32;

/// The maximum bytes of registers of a pair's folds.
const MAX_FOLD_BYTES: u32 = 64;

/// The maximum number of panels of features in a tile: two buffers of each take 8.25 to 9 KiB of a block's 48 KiB, in every
/// tile.
const MAX_PANELS: usize = 5;

/// The tiles of the sweep `fold`, each with the maximum bytes of a pair's folds and the maximum number of panels. A thread has
/// registers for the folds of 64 pairs of 4 bytes, or of fewer pairs of more; and a block has shared memory for the panels of as
/// many elements.
const FOLDING: [(u32, u32, usize); 3] =
    [(128, 4, 2), (64, 16, 4), (32, MAX_FOLD_BYTES, MAX_PANELS)];

/// The possible tiles of the sweep `fold`, from large to small.
pub(super) fn folding(sizes: &Sizes) -> Vec<u32> {
    let sides = FOLDING.iter().map(|limits| limits.0);
    sides.filter(|&side| missing_for(side, sizes).is_empty()).collect()
}

/// What a tile of the sweep `fold` with this side needs and these features and folds do not have.
pub(super) fn missing_for(side: u32, sizes: &Sizes) -> Vec<String> {
    let Some(&(_, fold_bytes, panels)) = FOLDING.iter().find(|limits| limits.0 == side) else {
        return Vec::new();
    };
    // Features of 8 bytes take twice the registers, and smaller ones have to be unpacked. Results of elements take some, too.
    let is_large = side == 128;
    let needs = [
        (is_large && sizes.feature_bytes != Some(4), "features of 4 bytes".to_owned()),
        (sizes.fold_bytes > fold_bytes, format!("folds of at most {fold_bytes} bytes in all")),
        (is_large && sizes.has_results, "a kernel without results of elements".to_owned()),
        (
            sizes.panels > panels,
            format!(
                "at most {panels} parameters of features, of which one with `#[each]` counts twice"
            ),
        ),
    ];
    needs.into_iter().filter(|(is_missing, _)| *is_missing).map(|(_, need)| need).collect()
}

/// The tile of this side. Side 0 belongs to the classic sweep only; the error for other sweeps is reported elsewhere.
pub(super) fn of(sweep: Sweep, side: u32, sizes: &Sizes) -> Tiling {
    if side == 0 || !sweep.stores_vectors() {
        return Tiling::new(sweep, side);
    }
    let bytes = sizes.slot_bytes();
    let neighbours = neighbours(sweep, side, sizes);
    // Some slots go through shared memory in parts of 16 bytes, within a warp. A row has 8 threads of the warp, or fewer if the
    // tile is too small.
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
    // Segments are moved to multiples of half the height. For most slots 8 values are whole sectors. Smaller slots need more
    // values, and so more threads, as far as registers allow.
    let are_small = sizes.slots.iter().any(|size| matches!(size, Some(1..=3 | 6)));
    let height = match sweep {
        Sweep::Mirror if bytes == Some(1) => 32,
        // As many threads as registers allow.
        Sweep::Mirror if matches!(bytes, Some(2 | 4)) && sizes.has_small_elements => 32,
        Sweep::Mirror if bytes.is_none_or(|bytes| bytes > 8) && bytes != Some(16) => 8,
        // 16 neighbours of 3 bytes form whole vectors, which only start at multiples of 16 slots.
        Sweep::Rows if neighbours == 16 => 32,
        Sweep::Rows if are_small && sizes.has_small_elements => 32,
        _ => 16,
    };
    let bytes_of_a_row = width * neighbours * sizes.indirect_bytes(neighbours);
    let height = if neighbours == 16 { height } else { fitting(height, bytes_of_a_row) };
    // One warp or less would leave a multiprocessor half empty.
    let height = if height * width < 64 { (64 / width).min(32) } else { height };
    let unroll = match bytes {
        // Values stay in registers until they are mirrored: more rows at a time would need too many registers.
        _ if sweep == Sweep::Mirror => 1,
        Some(1) => 4,
        Some(2 | 5..) => 2,
        Some(4) if sizes.has_matrix => 2,
        // A struct may be large.
        Some(_) | None => 1,
    };
    Tiling::new(sweep, side).with_columns(side / width, neighbours).with_height(height, unroll)
}

/// The height, reduced if the segments of that many rows would take too much shared memory.
fn fitting(mut height: u32, bytes_of_a_row: u32) -> u32 {
    while height > 8 && height * bytes_of_a_row > MAX_SEGMENT_BYTES {
        height /= 2;
    }
    height
}

/// The maximum bytes of a block's shared memory for segments: the rest is for elements.
const MAX_SEGMENT_BYTES: u32 = 24 * 1024;

/// The assumed size of a struct, which only rustc knows: a larger one goes through no segment.
const BYTES_OF_A_STRUCT: u32 = 32;

/// The number of values of each slot that a thread stores together: 16 bytes, or a multiple.
fn neighbours(sweep: Sweep, side: u32, sizes: &Sizes) -> u32 {
    let count = |size: &Option<u32>| match size {
        Some(1 | 2 | 6) => 8,
        Some(3) => 16,
        Some(8) => 2,
        // Mirrored values also stay in registers until they are mirrored.
        Some(16 | 32) if sweep == Sweep::Mirror => 2,
        _ => 4,
    };
    let mut counts = sizes.slots.iter().map(count);
    let first = counts.next().unwrap_or(4);
    // Slots of different sizes need different numbers; four suits all of them.
    let all = if counts.all(|count| count == first) { first } else { 4 };
    // A thread keeps the results of its columns, so it has few.
    let most = if sizes.has_results { 4 } else { side / 2 };
    all.min(side / 2).min(most)
}

/// Whether every slot's neighbouring values are stored from registers, as one vector.
fn is_direct(neighbours: u32, sizes: &Sizes) -> bool {
    let is_vector = |size: &Option<u32>| size.is_some_and(|size| is_vector(size * neighbours));
    sizes.slots.iter().all(is_vector)
}

/// Whether a thread can store this many bytes at once.
fn is_vector(bytes: u32) -> bool {
    cuda_type::stored_at_once(bytes).is_some()
}
