//! Splits elements on the host into the parts of messages.

use std::ops::Range;

use td_kernel::DeviceType;

use crate::{Error, Result};

/// The maximum bytes of a message: large enough for any network's bandwidth, and less than 2^31.
pub(crate) const PART: usize = 1 << 30;

/// Splits `length` bytes into the ranges of messages, each of at most `part` bytes.
pub(crate) fn parts(length: usize, part: usize) -> impl Iterator<Item = Range<usize>> {
    let part = part.clamp(1, PART);
    (0..length).step_by(part).map(move |start| start..length.min(start + part))
}

/// An empty vector with capacity for `count` elements.
fn with_room<T>(count: usize) -> Result<Vec<T>> {
    let needed = count.saturating_mul(size_of::<T>());
    let mut elements = Vec::new();
    elements.try_reserve_exact(count).map_err(|_| Error::HostMemory { needed })?;
    Ok(elements)
}

/// Concatenates the elements of all parts.
pub(crate) fn concatenated<T: DeviceType>(parts: &[impl AsRef<[T]>]) -> Result<Vec<T>> {
    let parts = || parts.iter().map(AsRef::as_ref);
    let mut elements = with_room(parts().map(<[T]>::len).fold(0, usize::saturating_add))?;
    parts().for_each(|part| elements.extend_from_slice(part));
    Ok(elements)
}

/// Elements whose bits are all zero.
pub(crate) fn zeros<T: DeviceType>(count: u64) -> Result<Vec<T>> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut elements = with_room(count)?;
    // SAFETY: every bit pattern is a valid element, and so is zero.
    let zero: T = unsafe { std::mem::zeroed() };
    elements.resize(count, zero);
    Ok(elements)
}

#[cfg(test)]
mod tests {
    use std::ffi::c_int;

    use super::*;

    #[test]
    fn long_messages_are_split() {
        let all = |length, part| parts(length, part).collect::<Vec<_>>();
        assert_eq!(all(12, 5), [0..5, 5..10, 10..12]);
        assert_eq!(all(10, 5), [0..5, 5..10]);
        assert_eq!(all(0, 5), []);
        // 7 GB: MPI can count at most 2^31 - 1.
        let large = all(7_000_000_000, usize::MAX);
        assert_eq!((large.len(), large.last().map(|last| last.end)), (7, Some(7_000_000_000)));
        assert!(large.iter().all(|part| c_int::try_from(part.len()).is_ok()));
    }
}
