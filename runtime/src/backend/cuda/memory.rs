//! Memory of a GPU, and copies to and from it.

use std::sync::Arc;

use cudarc::driver::{
    CudaSlice, CudaStream, CudaView, CudaViewMut, DevicePtr, DevicePtrMut, DriverError, result,
};

use super::page_locked::is_page_locked;
use super::staging::{Addresses, Direction, SHARED, Staging};
use crate::backend::Allocation;
use crate::backend::order::Access;
use crate::backend::view::{Byte, View, ViewMut};
use crate::{Error, Result};

/// Bytes on a GPU.
pub(super) struct Memory {
    bytes: CudaSlice<u8>,
    /// For large copies.
    staging: Arc<Staging>,
}

impl Memory {
    /// Allocates `length` bytes, at least one: a copy of `contents`, or zeros.
    pub(super) fn new(
        stream: &Arc<CudaStream>,
        staging: Arc<Staging>,
        length: usize,
        contents: Option<&[Byte]>,
    ) -> Result<Memory> {
        // SAFETY: all of it is written below, before anything can read it.
        let bytes = unsafe { stream.alloc::<u8>(length) };
        let bytes = bytes.map_err(|error| allocation_error(stream, length, error))?;
        let mut memory = Memory { bytes, staging };
        match contents {
            Some(contents) => memory.copy_from(0, contents)?,
            None => memory.clear()?,
        }
        Ok(memory)
    }

    fn part(&self, first: usize, length: usize) -> Result<CudaView<'_, u8>> {
        let part = self.bytes.try_slice(first..first + length);
        part.ok_or_else(|| Error::copy_length(self.bytes.len() - first, length))
    }
}

fn allocation_error(stream: &CudaStream, needed: usize, error: DriverError) -> Error {
    if error.0 == cudarc::driver::sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY {
        let free = stream.context().mem_get_info().ok().map(|(free, _)| free);
        return Error::out_of_device_memory(needed, free);
    }
    Error::driver("allocate memory")(error)
}

impl Allocation for Memory {
    fn view(&self) -> View<'_, Byte> {
        // SAFETY: a `Byte` has the layout of a `u8`, and may be uninitialised.
        let view = unsafe { self.bytes.transmute(self.bytes.len()) };
        view.map_or(View::Empty, View::Cuda)
    }

    fn view_mut(&mut self) -> ViewMut<'_, Byte> {
        // SAFETY: as above; kernels and copies write only initialised bytes.
        let view = unsafe { self.bytes.transmute_mut(self.bytes.len()) };
        view.map_or(ViewMut::Empty, ViewMut::Cuda)
    }

    fn copy_to(&self, first: usize, host: &mut [Byte]) -> Result<()> {
        let failed = || Error::driver("copy from the device");
        let stream = self.bytes.stream();
        stream.context().bind_to_thread().map_err(failed())?;
        let part = self.part(first, host.len())?;
        let (address, guard) = part.device_ptr(stream);
        // The copy has ended when this call returns, so nothing needs to wait for it. Recording would overwrite an unfinished
        // reader's event.
        drop(Access::gpu(address, guard, None));
        if host.len() >= SHARED && !is_page_locked(host) {
            stream.synchronize().map_err(Error::driver("wait for the device"))?;
            let addresses =
                Addresses { host: host.as_mut_ptr().cast(), device: address, bytes: host.len() };
            // SAFETY: `address` has `host.len()` bytes, whose writers the stream has waited for; both sides are borrowed here.
            let copied = unsafe { self.staging.copy(stream, Direction::ToHost, addresses) };
            if copied.map_err(failed())? {
                return Ok(());
            }
        }
        // SAFETY: as above.
        unsafe { result::memcpy_dtoh_async(host, address, stream.cu_stream()) }.map_err(failed())?;
        stream.synchronize().map_err(Error::driver("wait for the device"))
    }

    fn copy_from(&mut self, first: usize, host: &[Byte]) -> Result<()> {
        let stream = self.bytes.stream().clone();
        let staging = self.staging.clone();
        let length = self.bytes.len();
        let mut part = self.bytes.try_slice_mut(first..first + host.len());
        let part = part.as_mut().ok_or_else(|| Error::copy_length(length - first, host.len()))?;
        upload(&stream, &staging, host, part).map_err(Error::driver("copy to the device"))
    }

    fn clear(&mut self) -> Result<()> {
        let stream = self.bytes.stream().clone();
        let cleared = stream.memset_zeros(&mut self.bytes);
        cleared.map_err(Error::driver("fill memory with zeros"))
    }

    /// Copies the first elements behind themselves until all bytes are filled: each copy is twice as long.
    fn fill(&mut self, element: &[Byte]) -> Result<()> {
        self.copy_from(0, element)?;
        let failed = || Error::driver("fill memory");
        let (stream, length) = (self.bytes.stream().clone(), self.bytes.len());
        // The guard records the copies when it is dropped.
        let (address, _guard) = self.bytes.device_ptr_mut(&stream);
        let mut filled = element.len();
        while filled > 0 && filled < length {
            let count = filled.min(length - filled);
            let to = address + filled as u64;
            // SAFETY: both parts are in this memory and do not overlap, and the stream has written the first one.
            unsafe { result::memcpy_dtod_async(to, address, count, stream.cu_stream()) }
                .map_err(failed())?;
            filled += count;
        }
        Ok(())
    }
}

/// Copies host bytes to a part of the memory of the same length. After it returns, the host bytes may be changed or freed.
fn upload(
    stream: &Arc<CudaStream>,
    staging: &Staging,
    host: &[Byte],
    memory: &mut CudaViewMut<'_, u8>,
) -> Result<(), DriverError> {
    stream.context().bind_to_thread()?;
    // The guard records the copy when it is dropped, after the copy is on the stream.
    let (address, _guard) = memory.device_ptr_mut(stream);
    let is_locked = is_page_locked(host);
    if host.len() >= SHARED && !is_locked {
        stream.synchronize()?;
        let start = host.as_ptr().cast::<u8>().cast_mut();
        let addresses = Addresses { host: start, device: address, bytes: host.len() };
        // SAFETY: `address` has as many bytes as `host`, in mutably borrowed memory; the host bytes are borrowed and only read.
        if unsafe { staging.copy(stream, Direction::ToDevice, addresses) }? {
            return Ok(());
        }
    }
    // SAFETY: as above.
    unsafe { result::memcpy_htod_async(address, host, stream.cu_stream()) }?;
    // From pageable memory, the driver has read the host bytes when it returns. From page-locked memory, the GPU reads them
    // later.
    if is_locked { stream.synchronize() } else { Ok(()) }
}
