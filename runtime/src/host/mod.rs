//! What the host does by itself: memory and threads for copies of large results, files, numbers, and matrices of the shape
//! of a result.
//!
//! Uses `types` and `error`.

pub(crate) mod count;
pub(crate) mod files;
pub(crate) mod indexed;
pub(crate) mod matrix;
pub(crate) mod shape;
pub(crate) mod triangle;
pub(crate) mod word;

mod free;
mod parallel;
mod zeros;

pub(crate) use self::free::Room;
pub(crate) use self::parallel::{each, threads, together};
#[cfg(feature = "cpu")]
pub(crate) use self::zeros::advise_huge_pages;
pub(crate) use self::zeros::{collected, make_room, with_room, zero, zeros};

/// From how many bytes on an allocation is compared with what the machine has, and a copy is shared by threads.
///
/// Asking the machine reads some files, and starting threads takes some tenths of a millisecond: less than a tenth of
/// the time of copying 16 MB.
pub(crate) const LARGE: usize = 16 << 20;
