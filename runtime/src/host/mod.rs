//! Host-side code: memory and threads for copies of large results, files, numbers, and matrices with the shape of a result.
//!
//! Uses `types` and `error`.

pub(crate) mod count;
pub(crate) mod files;
pub(crate) mod histogram;
pub(crate) mod indexed;
pub(crate) mod matrix;
pub(crate) mod methods;
pub(crate) mod sets;
pub(crate) mod shape;
pub(crate) mod triangle;
pub(crate) mod word;

mod free;
mod parallel;
mod zeros;

pub(crate) use self::free::MemoryBudget;
pub(crate) use self::parallel::{each, map_concurrently, threads};
pub(crate) use self::zeros::{advise_huge_pages, collected, make_room, with_room, zero, zeros};

/// The size in bytes from which an allocation is checked against the machine's free memory, and a copy uses several threads.
///
/// The check reads some files, and starting threads takes some tenths of a millisecond: less than a tenth of the time of
/// copying 16 MB.
pub(crate) const LARGE: usize = 16 << 20;
