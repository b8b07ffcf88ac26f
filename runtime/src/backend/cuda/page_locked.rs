//! Page-locked host memory: the system does not move it, so a GPU accesses it directly.

use std::alloc::Layout;
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::Arc;

use cudarc::driver::{CudaContext, DriverError, result, sys};

use crate::Error;
use crate::backend::HostBytes;
use crate::host::{self, MemoryBudget};

/// Page-locked bytes, which CUDA calls "pinned". They start uninitialised.
pub(crate) struct PageLocked {
    start: NonNull<u8>,
    context: Arc<CudaContext>,
}

// SAFETY: it owns its bytes, as a Vec does; code that uses the pointer is responsible for the order of reads and writes.
unsafe impl Send for PageLocked {}
// SAFETY: as above.
unsafe impl Sync for PageLocked {}

impl PageLocked {
    /// Allocates `bytes` bytes, at least one.
    pub(crate) fn new(context: &Arc<CudaContext>, bytes: usize) -> Result<PageLocked, DriverError> {
        context.bind_to_thread()?;
        // No flag: cudarc's own pinned memory is write-combined, which is slow for the host to read.
        // SAFETY: a context is bound, and the driver returns memory or an error.
        let start = unsafe { result::malloc_host(bytes, 0) }?;
        let start = NonNull::new(start.cast());
        let start = start.ok_or(DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY))?;
        Ok(PageLocked { start, context: context.clone() })
    }

    /// Zeros of this layout, which is not empty.
    pub(super) fn zeroed(context: &Arc<CudaContext>, layout: Layout) -> crate::Result<PageLocked> {
        let bytes = layout.size();
        // The system commits page-locked memory at once and cannot swap it. Allocating more than is free would kill this or
        // other processes.
        if bytes >= host::LARGE
            && MemoryBudget::now().is_some_and(|budget| bytes > budget.unswapped)
        {
            return Err(Error::out_of_host_memory(bytes));
        }
        let memory = PageLocked::new(context, bytes);
        let memory = memory.map_err(|error| Error::pinned(bytes, error))?;
        // The driver allocates at a page boundary, and no type's alignment exceeds a page. CUDA does not guarantee this, so it
        // is checked.
        if !memory.start.addr().get().is_multiple_of(layout.align()) {
            return Err(Error::out_of_host_memory(bytes));
        }
        // SAFETY: only this function uses the bytes, and they may be uninitialised.
        let all = unsafe {
            std::slice::from_raw_parts_mut(memory.start.as_ptr().cast::<MaybeUninit<u8>>(), bytes)
        };
        let zero = |part: &mut [MaybeUninit<u8>]| part.fill(MaybeUninit::new(0));
        host::each(host::threads(), all.chunks_mut(host::LARGE), zero);
        Ok(memory)
    }
}

impl HostBytes for PageLocked {
    fn start(&self) -> NonNull<u8> {
        self.start
    }
}

impl Drop for PageLocked {
    fn drop(&mut self) {
        let freed = self.context.bind_to_thread().and_then(|()| {
            // SAFETY: the address is from `malloc_host`, and is freed once.
            unsafe { result::free_host(self.start.as_ptr().cast()) }
        });
        if let Err(error) = freed {
            tracing::debug!("the GPU failed before page-locked memory was freed: {error:?}");
        }
    }
}

/// Whether the driver reports these bytes as page-locked, whatever allocated them.
pub(crate) fn is_page_locked<T>(elements: &[T]) -> bool {
    let start = elements.as_ptr().cast::<u8>();
    match size_of_val(elements) {
        0 => false,
        // A slice may lie only partly in memory that was page-locked after its allocation.
        bytes => is_locked_at(start) && is_locked_at(start.wrapping_add(bytes - 1)),
    }
}

fn is_locked_at(address: *const u8) -> bool {
    let (address, mut kind) = (address.addr() as sys::CUdeviceptr, 0_u32);
    let mut attributes = [sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE];
    let mut answers = [(&raw mut kind).cast()];
    // For an address unknown to the driver, this function returns 0. `cuPointerGetAttribute` would return an error, which
    // checkers report.
    // SAFETY: memory of the device exists, so the driver is loaded; it reads one attribute and writes one number, and does not
    // dereference the address.
    let asked = unsafe {
        sys::cuPointerGetAttributes(1, attributes.as_mut_ptr(), answers.as_mut_ptr(), address)
    };
    asked == sys::CUresult::CUDA_SUCCESS && kind == sys::CUmemorytype::CU_MEMORYTYPE_HOST as u32
}
