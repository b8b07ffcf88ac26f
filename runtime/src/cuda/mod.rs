//! A GPU: opened through the driver, with the kernels and the memory of one context.

pub(crate) mod driver;
pub(crate) mod order;
mod page_locked;
mod root;
mod staging;

use std::sync::{Arc, Mutex};

use cudarc::driver::{CudaContext, CudaFunction, CudaStream, DriverError, sys};
use cudarc::nvrtc::Ptx;

pub(crate) use self::page_locked::{PageLocked, is_page_locked};
pub(crate) use self::staging::{Direction, Places, SHARED, Staging};
use crate::error::Cause;
use crate::{Error, Result, nvrtc};

/// A GPU.
pub(crate) struct Gpu {
    pub(crate) name: String,
    pub(crate) stream: Arc<CudaStream>,
    /// 90 for compute capability 9.0.
    architecture: u32,
    pub(crate) multiprocessors: u32,
    /// Keeps the order of streams, once there are several.
    pub(crate) keeper: order::Keeper,
    /// What large copies go through.
    pub(crate) staging: Arc<Staging>,
    /// How far each float root has been proven here.
    proven: Mutex<Vec<root::Proven>>,
}

impl Gpu {
    /// The GPU of this ordinal.
    pub(crate) fn open(ordinal: usize) -> Result<Gpu> {
        driver::probe()?;
        let count = match CudaContext::device_count() {
            Ok(count) => usize::try_from(count).unwrap_or_default(),
            // A driver without a card says so, rather than that there are 0.
            Err(DriverError(sys::CUresult::CUDA_ERROR_NO_DEVICE)) => 0,
            Err(error) => return Err(Error::driver("start the driver")(error)),
        };
        if ordinal >= count {
            return Err(Cause::NoGpu { ordinal, count }.into());
        }
        Gpu::from_context(&CudaContext::new(ordinal).map_err(Error::driver("open the GPU"))?)
    }

    /// The GPU of a context.
    pub(crate) fn from_context(context: &Arc<CudaContext>) -> Result<Gpu> {
        let ask = || Error::driver("ask what the GPU is");
        let name = context.name().map_err(ask())?;
        let (major, minor) = context.compute_capability().map_err(ask())?;
        let architecture = u32::try_from(major * 10 + minor).unwrap_or_default();
        nvrtc::is_supported(architecture)?;
        let count = sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        let multiprocessors = context.attribute(count).map_err(ask())?.unsigned_abs();
        let stream = context.default_stream();
        Ok(Gpu {
            name,
            stream,
            architecture,
            multiprocessors,
            keeper: order::Keeper::default(),
            staging: Arc::default(),
            proven: Mutex::default(),
        })
    }

    /// Compiles and loads a kernel, or finds it compiled in `cache`.
    pub(crate) fn load(
        &self,
        kernel: &str,
        entry: &str,
        source: &str,
        cache: Option<&nvrtc::Cache>,
    ) -> Result<CudaFunction> {
        let code = match cache {
            Some(cache) => cache.compile(kernel, source, self.architecture)?,
            None => nvrtc::compile(kernel, source, self.architecture)?,
        };
        let code = match code.code {
            nvrtc::Code::Cubin(bytes) => Ptx::from_binary(bytes),
            nvrtc::Code::Ptx(text) => Ptx::from_src(text),
        };
        let load = || Error::driver("load the kernel");
        let module = self.stream.context().load_module(code).map_err(load())?;
        module.load_function(entry).map_err(load())
    }

    /// How many blocks of `threads` threads run on the whole GPU at the same time.
    pub(crate) fn resident(&self, function: &CudaFunction, threads: u32) -> Result<u32> {
        let ask = || Error::driver("ask how many blocks fit");
        let context = self.stream.context();
        context.bind_to_thread().map_err(ask())?;
        let each = function
            .occupancy_max_active_blocks_per_multiprocessor(threads, 0, None)
            .map_err(ask())?;
        Ok(each.saturating_mul(self.multiprocessors))
    }

    /// How many warps a multiprocessor has at a time.
    pub(crate) fn warps_per_multiprocessor(&self) -> Result<u32> {
        let most = sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR;
        let threads = self.stream.context().attribute(most);
        let threads = threads.map_err(Error::driver("ask how many threads fit"))?;
        Ok((threads.unsigned_abs() / 32).max(1))
    }

    /// What to say when an allocation of `bytes` failed.
    pub(crate) fn allocation_error(&self, bytes: usize, error: DriverError) -> Error {
        match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                let free = self.stream.context().mem_get_info().ok().map(|(free, _)| free);
                Cause::OutOfMemory { needed: bytes, free }.into()
            }
            _ => Error::driver("allocate memory")(error),
        }
    }
}
