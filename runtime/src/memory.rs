//! Memory of a device: the one place that knows there are two kinds.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

use cudarc::driver::{CudaSlice, DevicePtr, result};

use crate::cuda::order::Use;
use crate::device::Target;
use crate::{DeviceType, Error, Result, View, ViewMut};

/// Elements on a device.
pub(crate) enum Memory<T> {
    /// No elements, and so no allocation: CUDA refuses one of zero bytes.
    Empty,
    /// On a GPU.
    Cuda(CudaSlice<T>),
    /// On the CPU.
    Cpu(HostMemory<T>),
}

impl<T: DeviceType> Memory<T> {
    /// `length` elements, all their bits zero.
    pub(crate) fn zeroed(target: &Target, length: usize) -> Result<Self> {
        let bytes = bytes::<T>(length)?;
        if length == 0 {
            return Ok(Memory::Empty);
        }
        match target {
            Target::Cpu(_) => HostMemory::zeroed(length).map(Memory::Cpu),
            Target::Cuda(gpu) => {
                let mut memory = Self::cuda(gpu, length, bytes)?;
                // The bytes, because cudarc knows of no T that zeros are a value of it.
                let view = unsafe {
                    // SAFETY: every pattern of bits is a value of a DeviceType, and the view has
                    // the length of the allocation in bytes.
                    memory.transmute_mut::<u8>(bytes)
                };
                if let Some(mut view) = view {
                    gpu.stream
                        .memset_zeros(&mut view)
                        .map_err(Error::driver("fill memory with zeros"))?;
                }
                Ok(Memory::Cuda(memory))
            }
        }
    }

    /// A copy of `elements`.
    pub(crate) fn upload(target: &Target, elements: &[T]) -> Result<Self> {
        let bytes = bytes::<T>(elements.len())?;
        if elements.is_empty() {
            return Ok(Memory::Empty);
        }
        match target {
            Target::Cpu(_) => {
                let mut memory = HostMemory::zeroed(elements.len())?;
                memory.as_mut_slice().copy_from_slice(elements);
                Ok(Memory::Cpu(memory))
            }
            Target::Cuda(gpu) => {
                let mut memory = Self::cuda(gpu, elements.len(), bytes)?;
                gpu.stream
                    .memcpy_htod(elements, &mut memory)
                    .map_err(Error::driver("copy to the device"))?;
                Ok(Memory::Cuda(memory))
            }
        }
    }

    fn cuda(gpu: &crate::cuda::Gpu, length: usize, bytes: usize) -> Result<CudaSlice<T>> {
        // SAFETY: the callers write all of the memory before anything can read it.
        let memory = unsafe { gpu.stream.alloc::<T>(length) };
        memory.map_err(|error| gpu.allocation_error(bytes, error))
    }

    /// A copy, on the host, once everything before it on the stream has ended.
    pub(crate) fn download(&self) -> Result<Vec<T>> {
        match self {
            Memory::Empty => Ok(Vec::new()),
            Memory::Cpu(memory) => {
                let mut elements = zeros(self.len())?;
                elements.copy_from_slice(memory.as_slice());
                Ok(elements)
            }
            Memory::Cuda(memory) => {
                let mut elements = zeros(self.len())?;
                let failed = || Error::driver("copy from the device");
                let stream = memory.stream();
                stream.context().bind_to_thread().map_err(failed())?;
                let (address, guard) = memory.device_ptr(stream);
                // The copy has ended before anybody could wait for it, so it is not recorded: as the latest
                // reader it would stand for others that have not.
                let _ = Use::of(guard);
                // SAFETY: as many elements are at the address, which the stream has waited for, and every pattern
                // of bits is a value of a DeviceType.
                unsafe { result::memcpy_dtoh_async(&mut elements, address, stream.cu_stream()) }
                    .map_err(failed())?;
                stream.synchronize().map_err(Error::driver("wait for the device"))?;
                Ok(elements)
            }
        }
    }

    /// Sets all bits to zero.
    pub(crate) fn clear(&mut self) -> Result<()> {
        match self {
            Memory::Empty => Ok(()),
            Memory::Cpu(memory) => {
                memory.clear();
                Ok(())
            }
            Memory::Cuda(memory) => {
                let stream = memory.stream().clone();
                let bytes = memory.num_bytes();
                // SAFETY: as in `zeroed`.
                match unsafe { memory.transmute_mut::<u8>(bytes) } {
                    Some(mut view) => stream
                        .memset_zeros(&mut view)
                        .map_err(Error::driver("fill memory with zeros")),
                    None => Ok(()),
                }
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Memory::Empty => 0,
            Memory::Cuda(memory) => memory.len(),
            Memory::Cpu(memory) => memory.as_slice().len(),
        }
    }

    /// Where the elements are, on the CPU; 0 where there are none.
    pub(crate) fn address(&self) -> u64 {
        match self {
            Memory::Cpu(memory) => memory.as_slice().as_ptr() as u64,
            Memory::Empty | Memory::Cuda(_) => 0,
        }
    }

    pub(crate) fn view(&self) -> View<'_, T> {
        match self {
            Memory::Empty => View::Empty,
            Memory::Cuda(memory) => View::Cuda(memory),
            Memory::Cpu(memory) => View::Cpu(memory.as_slice()),
        }
    }

    pub(crate) fn view_mut(&mut self) -> ViewMut<'_, T> {
        match self {
            Memory::Empty => ViewMut::Empty,
            Memory::Cuda(memory) => ViewMut::Cuda(memory),
            Memory::Cpu(memory) => ViewMut::Cpu(memory.as_mut_slice()),
        }
    }
}

/// `length` elements on the host, all their bits zero, for a copy to be written over. The system gives such
/// memory without writing it.
fn zeros<T: DeviceType>(length: usize) -> Result<Vec<T>> {
    let needed = bytes::<T>(length)?;
    let layout = Layout::array::<T>(length).map_err(|_| Error::HostMemory { needed })?;
    if layout.size() == 0 {
        return Ok(Vec::new());
    }
    // SAFETY: the layout has a size.
    let start =
        NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or(Error::HostMemory { needed })?;
    // SAFETY: allocated just now as a Vec allocates, with this length, and zeros are a value of a DeviceType.
    Ok(unsafe { Vec::from_raw_parts(start.as_ptr().cast(), length, length) })
}

/// The bytes of `length` elements, where an address space can hold them.
fn bytes<T>(length: usize) -> Result<usize> {
    length
        .checked_mul(size_of::<T>())
        .filter(|bytes| *bytes <= isize::MAX as usize)
        .ok_or(Error::TooLarge { elements: length, size: size_of::<T>() })
}

/// Elements on the CPU, aligned as on a GPU: C++ may load a `float4` as one, where Rust's own
/// `[f32; 4]` is aligned to 4 bytes only.
pub(crate) struct HostMemory<T> {
    start: NonNull<T>,
    length: usize,
}

// SAFETY: it owns its elements, as a Vec does, and a DeviceType is Send and Sync.
unsafe impl<T: DeviceType> Send for HostMemory<T> {}
// SAFETY: as above.
unsafe impl<T: DeviceType> Sync for HostMemory<T> {}

impl<T> HostMemory<T> {
    /// CUDA's allocations start at multiples of 256 bytes; code that relies on it works here too.
    const ALIGNMENT: usize = 256;

    fn layout(length: usize) -> Result<Layout> {
        let too_large = || Error::TooLarge { elements: length, size: size_of::<T>() };
        let layout = Layout::array::<T>(length).map_err(|_| too_large())?;
        layout.align_to(Self::ALIGNMENT).map_err(|_| too_large())
    }
}

impl<T: DeviceType> HostMemory<T> {
    /// `length` elements, at least one, all their bits zero.
    fn zeroed(length: usize) -> Result<Self> {
        let layout = Self::layout(length)?;
        let out_of_memory = || Error::OutOfMemory { needed: layout.size(), free: None };
        if layout.size() == 0 {
            return Err(out_of_memory());
        }
        // SAFETY: the layout has a size.
        let start = unsafe { alloc_zeroed(layout) };
        NonNull::new(start.cast())
            .map(|start| HostMemory { start, length })
            .ok_or_else(out_of_memory)
    }

    fn as_slice(&self) -> &[T] {
        // SAFETY: the allocation holds `length` elements, aligned, and zeros are a value of a
        // DeviceType.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }

    fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as above, and `self` is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }

    fn clear(&mut self) {
        // SAFETY: the allocation holds `length` elements, and zeros are a value of a DeviceType.
        unsafe { self.start.write_bytes(0, self.length) };
    }
}

impl<T> Drop for HostMemory<T> {
    fn drop(&mut self) {
        if let Ok(layout) = Self::layout(self.length) {
            // SAFETY: allocated in `zeroed`, with this layout.
            unsafe { dealloc(self.start.as_ptr().cast(), layout) };
        }
    }
}
