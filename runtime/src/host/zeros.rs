//! Host memory that is zero without being written.

use std::alloc::Layout;
use std::ptr::NonNull;

use bytemuck::allocation::{TransparentWrapperAlloc, try_zeroed_vec};
use bytemuck::{TransparentWrapper, Zeroable};

use super::{LARGE, MemoryBudget};
use crate::{DeviceType, Error, Result};

/// A value whose bits may all be zero. bytemuck's traits are implemented for this wrapper, because a user's struct may already
/// implement them.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Zeros<T>(T);

// SAFETY: every bit pattern is a value of a DeviceType, including zeros.
unsafe impl<T: DeviceType> Zeroable for Zeros<T> {}
// SAFETY: the wrapper is `repr(transparent)`.
unsafe impl<T> TransparentWrapper<T> for Zeros<T> {}

/// The value with all bits zero.
pub(crate) fn zero<T: DeviceType>() -> T {
    Zeros::peel(Zeros::zeroed())
}

/// `length` elements, all bits zero, to be overwritten by a copy. The system provides such memory without writing it.
pub(crate) fn zeros<T: DeviceType>(length: usize) -> Result<Vec<T>> {
    let layout =
        Layout::array::<T>(length).map_err(|_| Error::too_large(length, size_of::<T>()))?;
    let needed = layout.size();
    if needed == 0 {
        return Ok(Vec::new());
    }
    expect_free(needed)?;
    let zeros = try_zeroed_vec(length).map_err(|()| Error::out_of_host_memory(needed))?;
    let mut zeros = Zeros::peel_vec(zeros);
    if needed >= LARGE {
        advise_huge_pages(NonNull::from(zeros.as_mut_slice()).cast(), needed);
    }
    Ok(zeros)
}

/// An error if the machine has less free memory. A system may grant more memory than it has, and then end the process when it
/// writes to it.
fn expect_free(needed: usize) -> Result<()> {
    match needed >= LARGE && MemoryBudget::now().is_some_and(|budget| needed > budget.free) {
        true => Err(Error::out_of_host_memory(needed)),
        false => Ok(()),
    }
}

/// An empty vector with this capacity. Pushing within it cannot fail.
pub(crate) fn with_room<T>(length: usize) -> Result<Vec<T>> {
    let mut vector = Vec::new();
    make_room(&mut vector, length)?;
    Ok(vector)
}

/// Reserves memory for this many more elements.
pub(crate) fn make_room<T>(vector: &mut Vec<T>, more: usize) -> Result<()> {
    let needed = more.saturating_mul(size_of::<T>());
    expect_free(needed)?;
    vector.try_reserve_exact(more).map_err(|_| Error::out_of_host_memory(needed))
}

/// Collects at most `length` elements.
pub(crate) fn collected<T>(length: usize, elements: impl IntoIterator<Item = T>) -> Result<Vec<T>> {
    let mut all = with_room(length)?;
    all.extend(elements.into_iter().take(length));
    Ok(all)
}

/// Asks for huge pages on systems that give them on request. New memory is mapped page by page at the first write, and with
/// small pages that takes longer than the copy itself.
pub(crate) fn advise_huge_pages(start: NonNull<u8>, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        /// The size of huge pages on x86-64, and on AArch64 with 4 KB pages; a multiple of every ordinary page size.
        const HUGE: usize = 2 << 20;
        let skipped = start.as_ptr().align_offset(HUGE);
        let whole = bytes.saturating_sub(skipped) / HUGE * HUGE;
        if whole > 0 {
            // SAFETY: the range lies inside an allocation of the caller's, and the advice does not change the memory's
            // contents. The result is ignored, since this is only advice.
            unsafe {
                libc::madvise(start.as_ptr().add(skipped).cast(), whole, libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn zeros_of_every_size() {
        for length in [0, 1, LARGE / 4 - 1, LARGE / 4, LARGE / 2 + 3] {
            let zeros = zeros::<f32>(length).unwrap();
            assert_eq!(zeros.len(), length);
            assert!(zeros.iter().all(|value| value.to_bits() == 0));
        }
    }

    #[test]
    fn oversized_zeros_are_an_error() {
        let error = zeros::<f64>(1 << 50).unwrap_err();
        assert!(error.needed() == Some(8 << 50), "{error}");
        let error = zeros::<f64>(usize::MAX / 4).unwrap_err();
        assert!(error.kind() == ErrorKind::TooLarge, "{error}");
    }
}
