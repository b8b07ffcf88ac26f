//! Memory of the CPU backend, which is host memory.

use std::alloc::Layout;
#[cfg(not(all(feature = "__guarded", target_os = "linux")))]
use std::alloc::{alloc_zeroed, dealloc};
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(all(feature = "__guarded", target_os = "linux"))]
use super::guarded::{alloc_zeroed, dealloc};
use crate::backend::view::{Byte, View, ViewMut};
use crate::backend::{Allocation, HostBytes};
use crate::host::{self, LARGE, MemoryBudget, advise_huge_pages};
use crate::{Error, Result};

/// Bytes of elements, aligned as on a GPU: C++ may load a `float4` as one value, but Rust aligns `[f32; 4]` to 4 bytes only.
pub(super) struct Memory {
    start: NonNull<u8>,
    bytes: usize,
    /// The start of the allocation, at or before `start`.
    allocation: NonNull<u8>,
    layout: Layout,
}

/// Whether a page that cannot be accessed follows each allocation.
const IS_GUARDED: bool = cfg!(all(feature = "__guarded", target_os = "linux"));

/// CUDA's allocations start at multiples of 256 bytes. Code that relies on it works here too, except where the end is guarded.
const ALIGNMENT: usize = if IS_GUARDED { COMMON } else { 256 };

/// The alignment that an allocator provides by itself. For a larger alignment it writes zeros, even to pages that the system
/// has just zeroed.
const COMMON: usize = 16;

/// The bytes of a large copy that a thread takes at a time.
const PIECE: usize = 4 << 20;

/// The bytes of all large allocations. The system counts a page as used only once it is written to.
static PROMISED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: it owns its bytes, as a Vec does.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    /// Zeroed memory of this layout, which is not empty. Pages are taken from the system when they are first written to.
    pub(super) fn zeroed(wanted: Layout) -> Result<Self> {
        let bytes = wanted.size();
        let alignment = ALIGNMENT.max(wanted.align());
        let padded = bytes.checked_add(alignment - COMMON);
        let layout = padded.and_then(|padded| Layout::from_size_align(padded, COMMON).ok());
        let layout = layout.ok_or_else(|| Error::out_of_device_memory(bytes, None))?;
        promise(bytes)?;
        // SAFETY: the layout has a size.
        let Some(allocation) = NonNull::new(unsafe { alloc_zeroed(layout) }) else {
            take_back(bytes);
            let free = MemoryBudget::now().map(|budget| budget.free);
            return Err(Error::out_of_device_memory(bytes, free));
        };
        // Less than the alignment, and a multiple of COMMON: the layout has room for it after `bytes`.
        let skipped = allocation.addr().get().next_multiple_of(alignment) - allocation.addr().get();
        // SAFETY: the allocation is longer than that.
        let start = unsafe { allocation.add(skipped) };
        if bytes >= LARGE {
            advise_huge_pages(start, bytes);
        }
        Ok(Memory { start, bytes, allocation, layout })
    }

    /// The bytes. Padding between values may be uninitialised.
    pub(super) fn as_slice(&self) -> &[Byte] {
        // SAFETY: the allocation holds `self.bytes` bytes from `start` on.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr().cast(), self.bytes) }
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [Byte] {
        // SAFETY: as above, and `self` is mutably borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().cast(), self.bytes) }
    }
}

impl Allocation for Memory {
    fn view(&self) -> View<'_, Byte> {
        View::Cpu(self.as_slice())
    }

    fn view_mut(&mut self) -> ViewMut<'_, Byte> {
        ViewMut::Cpu(self.as_mut_slice())
    }

    fn copy_to(&self, first: usize, host: &mut [Byte]) -> Result<()> {
        copy(&self.as_slice()[first..], host);
        Ok(())
    }

    fn copy_from(&mut self, first: usize, host: &[Byte]) -> Result<()> {
        copy(host, &mut self.as_mut_slice()[first..]);
        Ok(())
    }

    fn clear(&mut self) -> Result<()> {
        self.as_mut_slice().fill(MaybeUninit::new(0));
        Ok(())
    }

    fn fill(&mut self, element: &[Byte]) -> Result<()> {
        let filled = self.as_mut_slice().chunks_exact_mut(element.len().max(1));
        filled.for_each(|each| each.copy_from_slice(element));
        Ok(())
    }
}

impl HostBytes for Memory {
    fn start(&self) -> NonNull<u8> {
        self.start
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated in `zeroed`, with this layout.
        unsafe { dealloc(self.allocation.as_ptr(), self.layout) };
        take_back(self.bytes);
    }
}

/// Copies elements up to the length of the shorter slice, on several threads if the slices are large.
pub(super) fn copy<T: Copy + Send + Sync>(from: &[T], to: &mut [T]) {
    let length = from.len().min(to.len());
    let (from, to) = (&from[..length], &mut to[..length]);
    if size_of_val(from) < LARGE {
        return to.copy_from_slice(from);
    }
    let piece = (PIECE / size_of::<T>().max(1)).max(1);
    let pieces = to.chunks_mut(piece).zip(from.chunks(piece));
    host::each(host::threads(), pieces, |(to, from)| to.copy_from_slice(from));
}

/// Counts an allocation, or rejects it if the machine has too little memory. The system may grant the memory anyway, and would
/// then end the process when it is written to.
fn promise(bytes: usize) -> Result<()> {
    if bytes < LARGE {
        return Ok(());
    }
    let Some(budget) = MemoryBudget::now() else {
        PROMISED.fetch_add(bytes, Ordering::Relaxed);
        return Ok(());
    };
    // One atomic step: a rejected allocation never counts, so it cannot make another one fail.
    let promised = PROMISED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |before| {
        (bytes <= free(budget, before)).then(|| before + bytes)
    });
    match promised {
        Ok(_) => Ok(()),
        Err(before) => Err(Error::out_of_device_memory(bytes, Some(free(budget, before)))),
    }
}

/// The memory that the machine has left. Granted memory may be in use already or not yet.
fn free(budget: MemoryBudget, promised: usize) -> usize {
    budget.free.min(budget.total.saturating_sub(promised))
}

fn take_back(bytes: usize) {
    if bytes >= LARGE {
        PROMISED.fetch_sub(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    fn bytes(count: usize) -> Result<Memory> {
        Memory::zeroed(Layout::array::<u8>(count).unwrap())
    }

    #[test]
    fn memory_is_zero_and_aligned() {
        for length in [1, 3, 1000, LARGE, LARGE + 1] {
            for alignment in [1, 16, 256, 1024] {
                let layout = Layout::from_size_align(length, alignment).unwrap();
                let mut memory = Memory::zeroed(layout).unwrap();
                assert_eq!(memory.start().addr().get() % ALIGNMENT.max(alignment), 0);
                assert_eq!(memory.as_slice().len(), length);
                // SAFETY: all bits are zero.
                let is_zero = |byte: &Byte| unsafe { byte.assume_init() } == 0;
                assert!(memory.as_slice().iter().all(is_zero));
                memory.as_mut_slice().fill(MaybeUninit::new(1));
            }
        }
    }

    #[test]
    fn oversized_allocation_is_an_error() {
        let Err(error) = bytes(1 << 57) else { panic!("128 PB") };
        assert!(error.needed() == Some(1 << 57), "{error}");
        if cfg!(target_os = "linux") {
            assert!(error.limit().is_some(), "{error}");
        }
        let Err(error) = bytes(isize::MAX as usize) else { panic!("all of it") };
        assert!(error.kind() == ErrorKind::OutOfDeviceMemory, "{error}");
    }

    #[test]
    fn promised_memory_is_not_free() {
        let budget = MemoryBudget { total: 100, free: 80, unswapped: 80 };
        let left = [0, 20, 30, 100, 101].map(|promised| free(budget, promised));
        assert_eq!(left, [80, 80, 70, 0, 0]);
        let before = PROMISED.load(Ordering::Relaxed);
        let memory = bytes(LARGE).unwrap();
        assert!(PROMISED.load(Ordering::Relaxed) >= LARGE);
        drop(memory);
        assert!(bytes(1 << 57).is_err());
        // Other tests may have allocated memory by now, but not that much.
        assert!(PROMISED.load(Ordering::Relaxed) < before + (1 << 40));
    }

    #[test]
    fn copies_of_every_size_are_complete() {
        for length in [0, 1, LARGE / 4 - 1, LARGE / 4, LARGE / 4 + 1, 3 * PIECE / 2 + 5] {
            let from: Vec<u32> = (0..length as u32).collect();
            let mut to = vec![u32::MAX; length];
            copy(&from, &mut to);
            assert!(from == to, "{length}");
        }
    }
}
