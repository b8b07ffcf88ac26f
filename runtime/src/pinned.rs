//! Memory of the host that a GPU reads and writes at the full rate of its connection.

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use cudarc::driver::CudaContext;

use crate::cuda::PageLocked;
use crate::device::Target;
use crate::error::Cause;
use crate::host::{self, Room};
use crate::{DeviceType, Error, Result};

/// Elements in pinned memory of the host, from [`Device::pinned`](crate::Device::pinned): a slice that is copied to
/// and from a GPU at the full rate of its connection, and by the GPU itself.
///
/// Allocating pinned memory takes longer than a copy, so it is worth its while for what is copied again and again.
/// It can't be swapped out, so it is memory that nobody else has.
///
/// ```
/// use td_kernel::Device;
///
/// let device = Device::cpu()?;
/// let mut values = device.pinned(3)?;
/// values.copy_from_slice(&[1.0_f32, 2.0, 3.0]);
/// let buffer = device.upload(&values)?;
/// values.fill(0.0);
/// buffer.download_into(&mut values)?;
/// assert_eq!(values[..], [1.0, 2.0, 3.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Pinned<T>(Place<T>);

enum Place<T> {
    /// For a GPU. The elements fill the memory.
    Locked(PageLocked),
    /// For the CPU, which has no use for page-locked memory; or none.
    Ordinary(Vec<T>),
}

impl<T: DeviceType> Pinned<T> {
    /// `length` elements, all their bits zero.
    pub(crate) fn zeroed(target: &Target, length: usize) -> Result<Pinned<T>> {
        match target {
            Target::Cuda(gpu) if length > 0 && size_of::<T>() > 0 => {
                locked::<T>(gpu.stream.context(), length)
                    .map(|memory| Pinned(Place::Locked(memory)))
            }
            _ => host::zeros(length).map(|elements| Pinned(Place::Ordinary(elements))),
        }
    }
}

fn locked<T: DeviceType>(context: &Arc<CudaContext>, length: usize) -> Result<PageLocked> {
    let bytes = length
        .checked_mul(size_of::<T>())
        .filter(|bytes| *bytes <= isize::MAX as usize)
        .ok_or(Cause::TooLarge { elements: length, size: size_of::<T>() }.into())?;
    // Locked memory is taken at once, and stays where it is: more than there is without swap would end other
    // processes, or this one.
    if bytes >= host::LARGE && Room::now().is_some_and(|room| bytes > room.unswapped) {
        return Err(Cause::HostMemory { needed: bytes }.into());
    }
    let memory = PageLocked::new(context, bytes).map_err(|error| Error::pinned(bytes, error))?;
    // It starts at a page, and no alignment of a type's is larger; but nobody promises the second.
    if !memory.start().cast::<T>().is_aligned() {
        return Err(Cause::HostMemory { needed: bytes }.into());
    }
    // SAFETY: the bytes are this function's alone, and may be uninitialised.
    let all = unsafe {
        std::slice::from_raw_parts_mut(memory.start().as_ptr().cast::<MaybeUninit<u8>>(), bytes)
    };
    let zero = |part: &mut [MaybeUninit<u8>]| part.fill(MaybeUninit::new(0));
    host::each(host::threads(), all.chunks_mut(host::LARGE), zero);
    Ok(memory)
}

impl<T: DeviceType> Deref for Pinned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Place::Ordinary(elements) => elements,
            Place::Locked(memory) => {
                let length = memory.bytes() / size_of::<T>().max(1);
                // SAFETY: the memory is aligned, was filled with zeros, which are a value of a DeviceType, and
                // since then with other values of it; a copy by the GPU borrows it until it has ended.
                unsafe { std::slice::from_raw_parts(memory.start().as_ptr().cast(), length) }
            }
        }
    }
}

impl<T: DeviceType> DerefMut for Pinned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Place::Ordinary(elements) => elements,
            Place::Locked(memory) => {
                let length = memory.bytes() / size_of::<T>().max(1);
                // SAFETY: as above, and `self` is borrowed alone.
                unsafe { std::slice::from_raw_parts_mut(memory.start().as_ptr().cast(), length) }
            }
        }
    }
}

impl<T: DeviceType> fmt::Debug for Pinned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pinned").field("len", &self.len()).finish_non_exhaustive()
    }
}
