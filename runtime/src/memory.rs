//! Memory of a device: the one place that knows there are two kinds.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, DevicePtr, DevicePtrMut, DriverError, result};

use crate::cuda::order::Use;
use crate::cuda::{Direction, Gpu, Places, SHARED, Staging, is_page_locked};
use crate::device::Target;
use crate::error::Cause;
use crate::host::{self, HostMemory};
use crate::{DeviceType, Error, Result, View, ViewMut};

/// Elements on a device.
pub(crate) enum Memory<T> {
    /// No elements, and so no allocation: CUDA refuses one of zero bytes.
    Empty,
    /// On a GPU, with what large copies go through.
    Cuda(CudaSlice<T>, Arc<Staging>),
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
                Ok(Memory::Cuda(memory, gpu.staging.clone()))
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
                host::copy(elements, memory.as_mut_slice());
                Ok(Memory::Cpu(memory))
            }
            Target::Cuda(gpu) => {
                let mut memory = Self::cuda(gpu, elements.len(), bytes)?;
                upload(gpu, elements, &mut memory, bytes)
                    .map_err(Error::driver("copy to the device"))?;
                Ok(Memory::Cuda(memory, gpu.staging.clone()))
            }
        }
    }

    fn cuda(gpu: &Gpu, length: usize, bytes: usize) -> Result<CudaSlice<T>> {
        // SAFETY: the callers write all of the memory before anything can read it.
        let memory = unsafe { gpu.stream.alloc::<T>(length) };
        memory.map_err(|error| gpu.allocation_error(bytes, error))
    }

    /// A copy, on the host, once everything before it on the stream has ended.
    pub(crate) fn download(&self) -> Result<Vec<T>> {
        self.download_first(self.len())
    }

    /// The same of the first `count` elements, or of all where there are fewer.
    pub(crate) fn download_first(&self, count: usize) -> Result<Vec<T>> {
        let mut elements = host::zeros(count.min(self.len()))?;
        self.copy_first(&mut elements)?;
        Ok(elements)
    }

    /// A copy into a slice of the same length.
    pub(crate) fn download_into(&self, elements: &mut [T]) -> Result<()> {
        let (length, found) = (self.len(), elements.len());
        if length != found {
            return Err(Cause::CopyLength { length, found }.into());
        }
        self.copy_first(elements)
    }

    /// Fills a slice, which is not longer than this.
    fn copy_first(&self, elements: &mut [T]) -> Result<()> {
        match self {
            Memory::Empty => {}
            // Also of a list without pairs, whose length was downloaded before.
            _ if elements.is_empty() => {}
            Memory::Cpu(memory) => host::copy(memory.as_slice(), elements),
            Memory::Cuda(memory, staging) => {
                let failed = || Error::driver("copy from the device");
                let stream = memory.stream();
                stream.context().bind_to_thread().map_err(failed())?;
                let (address, guard) = memory.device_ptr(stream);
                // The copy has ended before anybody could wait for it, so it is not recorded: as the latest
                // reader it would stand for others that have not.
                let _ = Use::of(guard);
                let bytes = size_of_val(elements);
                if bytes >= SHARED && !is_page_locked(elements) {
                    stream.synchronize().map_err(Error::driver("wait for the device"))?;
                    let host = elements.as_mut_ptr().cast();
                    let places = Places { host, device: address, bytes };
                    // SAFETY: at least as many bytes are at the address, which the stream has waited for, and
                    // every pattern of bits is a value of a DeviceType. Both are borrowed here.
                    if unsafe { staging.copy(stream, Direction::ToHost, places) }
                        .map_err(failed())?
                    {
                        return Ok(());
                    }
                }
                // SAFETY: as above.
                unsafe { result::memcpy_dtoh_async(elements, address, stream.cu_stream()) }
                    .map_err(failed())?;
                stream.synchronize().map_err(Error::driver("wait for the device"))?;
            }
        }
        Ok(())
    }

    /// Sets all bits to zero.
    pub(crate) fn clear(&mut self) -> Result<()> {
        match self {
            Memory::Empty => Ok(()),
            Memory::Cpu(memory) => {
                memory.clear();
                Ok(())
            }
            Memory::Cuda(memory, _) => {
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
            Memory::Cuda(memory, _) => memory.len(),
            Memory::Cpu(memory) => memory.as_slice().len(),
        }
    }

    /// Where the elements are, on the CPU; 0 where there are none.
    pub(crate) fn address(&self) -> u64 {
        match self {
            Memory::Cpu(memory) => memory.as_slice().as_ptr() as u64,
            Memory::Empty | Memory::Cuda(..) => 0,
        }
    }

    pub(crate) fn view(&self) -> View<'_, T> {
        match self {
            Memory::Empty => View::Empty,
            Memory::Cuda(memory, _) => View::Cuda(memory),
            Memory::Cpu(memory) => View::Cpu(memory.as_slice()),
        }
    }

    pub(crate) fn view_mut(&mut self) -> ViewMut<'_, T> {
        match self {
            Memory::Empty => ViewMut::Empty,
            Memory::Cuda(memory, _) => ViewMut::Cuda(memory),
            Memory::Cpu(memory) => ViewMut::Cpu(memory.as_mut_slice()),
        }
    }
}

/// Copies all elements. They may be changed, or given back, once it has returned.
fn upload<T: DeviceType>(
    gpu: &Gpu,
    elements: &[T],
    memory: &mut CudaSlice<T>,
    bytes: usize,
) -> std::result::Result<(), DriverError> {
    let stream = &gpu.stream;
    stream.context().bind_to_thread()?;
    // The guard records the copy when it goes, after it is on the stream.
    let (address, _guard) = memory.device_ptr_mut(stream);
    let is_locked = is_page_locked(elements);
    if bytes >= SHARED && !is_locked {
        stream.synchronize()?;
        let host = elements.as_ptr().cast::<u8>().cast_mut();
        let places = Places { host, device: address, bytes };
        // SAFETY: as many bytes are at the address, in memory of this stream's that nobody else has; the elements
        // are borrowed, and only read.
        if unsafe { gpu.staging.copy(stream, Direction::ToDevice, places) }? {
            return Ok(());
        }
    }
    // SAFETY: as above.
    unsafe { result::memcpy_htod_async(address, elements, stream.cu_stream()) }?;
    // The driver has copied other memory when it returns; the GPU reads this by itself, later.
    if is_locked { stream.synchronize() } else { Ok(()) }
}

/// The bytes of `length` elements, where an address space can hold them.
fn bytes<T>(length: usize) -> Result<usize> {
    length
        .checked_mul(size_of::<T>())
        .filter(|bytes| *bytes <= isize::MAX as usize)
        .ok_or(Cause::TooLarge { elements: length, size: size_of::<T>() }.into())
}
