//! The parts of the rows that the threads of a CPU share.

/// The most rows of a part.
pub const PART_ROWS: u32 = 256;

/// The least rows of a part, unless there are fewer.
const LEAST: u32 = 16;

/// About how many parts there are: some for each core, so that differences between parts even out.
const PARTS: u32 = 48;

/// How many of `rows` rows a part has, on a CPU that runs a kernel in plain loops: at least one, at most [`PART_ROWS`].
/// Each part copies the features of all of its columns, so a part with more rows costs less for each pair.
///
/// It follows from the number of rows alone, and not from the number of cores: what a part adds up is the same on every
/// machine.
///
/// ```
/// use td_kernel_maps::{PART_ROWS, part_rows};
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
