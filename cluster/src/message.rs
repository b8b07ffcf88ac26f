//! Elements between ranks, in parts: MPI counts them in a C int.

use std::ffi::{c_int, c_void};
use std::ops::Range;

use mpi::ffi;
use mpi::raw::AsRaw;
use mpi::topology::SimpleCommunicator;
use td_kernel::DeviceType;

use crate::{Error, Result};

/// The most bytes of a message: large enough for any network's rate, and less than 2^31.
pub(crate) const PART: usize = 1 << 30;

/// What ranks tell each other with different tags cannot be taken for each other.
#[derive(Clone, Copy)]
#[repr(i32)]
pub(crate) enum Tag {
    /// How much of a file a rank has written.
    Progress = 1,
    /// What a rank has gathered.
    Gathered = 2,
}

/// The ranges of `length` bytes that go in a message each, of at most `part` bytes.
fn parts(length: usize, part: usize) -> impl Iterator<Item = Range<usize>> {
    let part = part.clamp(1, PART);
    (0..length).step_by(part).map(move |start| start..length.min(start + part))
}

/// An error where a call of MPI returned one: usually MPI has ended the job then.
fn checked(call: &'static str, code: c_int) -> Result<()> {
    if code == ffi::MPI_SUCCESS as c_int { Ok(()) } else { Err(Error::Mpi { call, code }) }
}

/// Calls `transfer` with the address and the number of bytes of each part.
///
/// # Safety
///
/// There are `length` bytes at `memory`.
unsafe fn in_parts(
    memory: *mut u8,
    length: usize,
    part: usize,
    mut transfer: impl FnMut(*mut c_void, c_int) -> Result<()>,
) -> Result<()> {
    parts(length, part).try_for_each(|bytes| {
        // SAFETY: the range lies within the caller's bytes.
        let start = unsafe { memory.add(bytes.start) };
        // A part has at most 2^30 bytes.
        transfer(start.cast(), bytes.len() as c_int)
    })
}

/// Copies rank 0's elements to those of all other ranks, which are as many.
pub(crate) fn broadcast<T: DeviceType>(
    world: &SimpleCommunicator,
    elements: &mut [T],
    part: usize,
) -> Result<()> {
    let (memory, length) = (elements.as_mut_ptr().cast(), size_of_val(elements));
    let transfer = |start, count| {
        // SAFETY: MPI reads or writes `count` bytes there, and every pattern of bits is an element. What is padding is copied
        // as bytes that nobody looks at.
        let code = unsafe { ffi::MPI_Bcast(start, count, ffi::RSMPI_UINT8_T, 0, world.as_raw()) };
        checked("MPI_Bcast", code)
    };
    // SAFETY: the bytes are those of the slice.
    unsafe { in_parts(memory, length, part, transfer) }
}

/// Sends elements to a rank, which receives as many.
pub(crate) fn send<T: DeviceType>(
    world: &SimpleCommunicator,
    to: i32,
    elements: &[T],
    part: usize,
) -> Result<()> {
    let (memory, length) = (elements.as_ptr().cast_mut().cast(), size_of_val(elements));
    let transfer = |start: *mut c_void, count| {
        // SAFETY: MPI reads `count` bytes there, and writes none.
        let code = unsafe {
            ffi::MPI_Send(
                start,
                count,
                ffi::RSMPI_UINT8_T,
                to,
                Tag::Gathered as c_int,
                world.as_raw(),
            )
        };
        checked("MPI_Send", code)
    };
    // SAFETY: the bytes are those of the slice, and `transfer` only reads them.
    unsafe { in_parts(memory, length, part, transfer) }
}

/// Receives as many elements from a rank as there is room for.
pub(crate) fn receive<T: DeviceType>(
    world: &SimpleCommunicator,
    from: i32,
    elements: &mut [T],
    part: usize,
) -> Result<()> {
    let (memory, length) = (elements.as_mut_ptr().cast(), size_of_val(elements));
    let transfer = |start, count| {
        let tag = Tag::Gathered as c_int;
        // SAFETY: MPI writes at most `count` bytes there, of which every pattern is an element. It does not look at a status
        // that is to be ignored.
        let code = unsafe {
            ffi::MPI_Recv(
                start,
                count,
                ffi::RSMPI_UINT8_T,
                from,
                tag,
                world.as_raw(),
                ffi::RSMPI_STATUS_IGNORE,
            )
        };
        checked("MPI_Recv", code)
    };
    // SAFETY: the bytes are those of the slice.
    unsafe { in_parts(memory, length, part, transfer) }
}

/// An empty vector with room for so many elements.
fn with_room<T>(count: usize) -> Result<Vec<T>> {
    let needed = count.saturating_mul(size_of::<T>());
    let mut elements = Vec::new();
    elements.try_reserve_exact(count).map_err(|_| Error::HostMemory { needed })?;
    Ok(elements)
}

/// The elements of all parts, one part after the other.
pub(crate) fn concatenated<T: DeviceType>(parts: &[impl AsRef<[T]>]) -> Result<Vec<T>> {
    let parts = || parts.iter().map(AsRef::as_ref);
    let mut elements = with_room(parts().map(<[T]>::len).fold(0, usize::saturating_add))?;
    parts().for_each(|part| elements.extend_from_slice(part));
    Ok(elements)
}

/// Elements whose bits are all zero.
pub(crate) fn zeros<T: DeviceType>(count: usize) -> Result<Vec<T>> {
    let mut elements = with_room(count)?;
    // SAFETY: zero is a pattern of bits, and so an element.
    let zero: T = unsafe { std::mem::zeroed() };
    elements.resize(count, zero);
    Ok(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_cut_in_parts() {
        let all = |length, part| parts(length, part).collect::<Vec<_>>();
        assert_eq!(all(12, 5), [0..5, 5..10, 10..12]);
        assert_eq!(all(10, 5), [0..5, 5..10]);
        assert_eq!(all(0, 5), []);
        // 7 GB: MPI could count no more than 2^31 - 1 of it.
        let large = all(7_000_000_000, usize::MAX);
        assert_eq!((large.len(), large.last().map(|last| last.end)), (7, Some(7_000_000_000)));
        assert!(large.iter().all(|part| c_int::try_from(part.len()).is_ok()));
    }
}
