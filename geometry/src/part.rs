//! The parts of the rows that the threads of a CPU process.

/// The maximum number of rows of a part.
pub const PART_ROWS: u32 = 256;

/// The minimum number of rows of a part, unless there are fewer.
const LEAST: u32 = 16;

/// The approximate number of parts: several for each core, so that differences between parts even out.
const PARTS: u32 = 48;

/// The number of rows of a part, out of `rows`, on a CPU that runs a kernel's loops: at least one, at most [`PART_ROWS`]. Each
/// part copies the features of all of its columns, so a part with more rows costs less per pair.
///
/// It depends only on the number of rows, not on the number of cores: a part adds up the same values on every machine.
///
/// ```
/// use td_kernel_geometry::{PART_ROWS, part_rows};
///
/// assert_eq!((part_rows(100), part_rows(4000), part_rows(1_000_000)), (16, 84, PART_ROWS));
/// ```
pub const fn part_rows(rows: u32) -> u32 {
    // Multiples of four, which blocks of rows divide.
    let height = rows.div_ceil(PARTS).next_multiple_of(4);
    if height < LEAST {
        LEAST
    } else if height > PART_ROWS {
        PART_ROWS
    } else {
        height
    }
}
