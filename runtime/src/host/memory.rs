//! Memory of the CPU device.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{LARGE, Room, advise_huge_pages};
use crate::error::Cause;
use crate::{DeviceType, Error, Result};

/// Elements on the CPU, aligned as on a GPU: C++ may load a `float4` as one, where Rust's own
/// `[f32; 4]` is aligned to 4 bytes only.
pub(crate) struct HostMemory<T> {
    start: NonNull<T>,
    length: usize,
    /// Where the allocation begins, at or before `start`.
    allocation: NonNull<u8>,
    layout: Layout,
}

/// CUDA's allocations start at multiples of 256 bytes; code that relies on it works here too.
const ALIGNMENT: usize = 256;

/// What an allocator aligns by itself. For more it has to write zeros where the system's pages are zero already.
const COMMON: usize = 16;

/// The bytes of all large allocations: the system counts a page as used only when it is written to.
static PROMISED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: it owns its elements, as a Vec does, and a DeviceType is Send and Sync.
unsafe impl<T: DeviceType> Send for HostMemory<T> {}
// SAFETY: as above.
unsafe impl<T: DeviceType> Sync for HostMemory<T> {}

impl<T: DeviceType> HostMemory<T> {
    /// `length` elements, at least one, all their bits zero. Pages are taken from the system when they are first
    /// written to.
    pub(crate) fn zeroed(length: usize) -> Result<Self> {
        let too_large = || Error::new(Cause::TooLarge { elements: length, size: size_of::<T>() });
        let alignment = ALIGNMENT.max(align_of::<T>());
        let bytes = length.checked_mul(size_of::<T>()).ok_or_else(too_large)?;
        let padded = bytes.checked_add(alignment - COMMON).ok_or_else(too_large)?;
        let layout = Layout::from_size_align(padded, COMMON).map_err(|_| too_large())?;
        if bytes == 0 {
            return Err(Cause::OutOfMemory { needed: 0, free: None }.into());
        }
        promise(bytes)?;
        // SAFETY: the layout has a size.
        let Some(allocation) = NonNull::new(unsafe { alloc_zeroed(layout) }) else {
            take_back(bytes);
            return Err(Cause::OutOfMemory {
                needed: bytes,
                free: Room::now().map(|room| room.free),
            }
            .into());
        };
        // By less than the alignment, and by a multiple of COMMON: what the layout has more than `bytes`.
        let skipped = allocation.addr().get().next_multiple_of(alignment) - allocation.addr().get();
        // SAFETY: the allocation is longer than that.
        let start = unsafe { allocation.add(skipped) };
        if bytes >= LARGE {
            advise_huge_pages(start, bytes);
        }
        Ok(HostMemory { start: start.cast(), length, allocation, layout })
    }
}

impl<T> HostMemory<T> {
    fn bytes(&self) -> usize {
        self.length * size_of::<T>()
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        // SAFETY: the allocation holds `length` elements from there on, aligned, and zeros are a value of a
        // DeviceType, which alone it is made of.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as above, and `self` is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }

    pub(crate) fn clear(&mut self) {
        // SAFETY: the allocation holds `length` elements, and zeros are a value of a DeviceType.
        unsafe { self.start.write_bytes(0, self.length) };
    }
}

impl<T> Drop for HostMemory<T> {
    fn drop(&mut self) {
        // SAFETY: allocated in `zeroed`, with this layout.
        unsafe { dealloc(self.allocation.as_ptr(), self.layout) };
        take_back(self.bytes());
    }
}

/// Counts an allocation, or refuses it where the machine has no such memory: the system may promise it all the
/// same, and would end the process when it is written to.
fn promise(bytes: usize) -> Result<()> {
    if bytes < LARGE {
        return Ok(());
    }
    let before = PROMISED.fetch_add(bytes, Ordering::Relaxed);
    match Room::now().map(|room| free(room, before)) {
        Some(free) if bytes > free => {
            take_back(bytes);
            Err(Cause::OutOfMemory { needed: bytes, free: Some(free) }.into())
        }
        _ => Ok(()),
    }
}

/// What is left of the machine's memory. What was promised before may be in use already, or not yet.
fn free(room: Room, promised: usize) -> usize {
    room.free.min(room.total.saturating_sub(promised))
}

fn take_back(bytes: usize) {
    if bytes >= LARGE {
        PROMISED.fetch_sub(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero_and_aligned_as_on_a_gpu() {
        for length in [1, 3, 1000, LARGE / 16, LARGE / 16 + 1] {
            let mut memory = HostMemory::<[f32; 4]>::zeroed(length).unwrap();
            assert_eq!(memory.as_slice().as_ptr().addr() % ALIGNMENT, 0);
            assert_eq!(memory.as_slice().len(), length);
            assert!(memory.as_slice().iter().all(|value| *value == [0.0; 4]));
            memory.as_mut_slice().fill([1.0; 4]);
            memory.clear();
            assert!(memory.as_slice().iter().all(|value| *value == [0.0; 4]));
        }
    }

    #[test]
    fn what_the_machine_does_not_have_is_refused_with_both_numbers() {
        let Err(error) = HostMemory::<f32>::zeroed(1 << 55) else { panic!("128 PB") };
        assert!(
            matches!(error.cause(), Cause::OutOfMemory { needed, .. } if *needed == 1 << 57),
            "{error}"
        );
        if cfg!(target_os = "linux") {
            assert!(matches!(error.cause(), Cause::OutOfMemory { free: Some(_), .. }), "{error}");
        }
        let Err(error) = HostMemory::<f32>::zeroed(usize::MAX) else { panic!("all of it") };
        assert!(matches!(error.cause(), Cause::TooLarge { .. }), "{error}");
    }

    #[test]
    fn memory_is_not_promised_twice() {
        let room = Room { total: 100, free: 80, unswapped: 80 };
        assert_eq!([0, 20, 30, 100, 101].map(|promised| free(room, promised)), [80, 80, 70, 0, 0]);
        let before = PROMISED.load(Ordering::Relaxed);
        let memory = HostMemory::<u8>::zeroed(LARGE).unwrap();
        assert!(PROMISED.load(Ordering::Relaxed) >= LARGE);
        drop(memory);
        assert!(HostMemory::<u8>::zeroed(1 << 57).is_err());
        // Other tests may have some of their own by now, but none as large.
        assert!(PROMISED.load(Ordering::Relaxed) < before + (1 << 40));
    }
}
