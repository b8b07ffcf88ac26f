//! Code on a GPU.

use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

use cudarc::driver::sys::{
    CUdevice_attribute_enum as DeviceAttribute, CUfunction_attribute_enum as Attribute,
};
use cudarc::driver::{CudaContext, CudaFunction, CudaModule, CudaStream, result};

use crate::backend::{Loaded, Resources};
use crate::{Error, Result, backend::driver};

/// A kernel loaded into a context.
pub(super) struct Function {
    context: Arc<CudaContext>,
    /// The code that contains it.
    module: Arc<CudaModule>,
    function: CudaFunction,
    /// Threads per block.
    threads: u32,
    /// Dynamic shared memory per block, in bytes.
    shared: u32,
    /// Blocks of the kernel that a multiprocessor runs at a time.
    blocks: u32,
    multiprocessors: u32,
    /// The sizes of the kernel's parameters, once they have been queried.
    parameters: OnceLock<Option<Vec<usize>>>,
}

impl Function {
    pub(super) fn new(
        context: &Arc<CudaContext>,
        module: Arc<CudaModule>,
        entry: &str,
        [threads, shared]: [u32; 2],
        multiprocessors: u32,
    ) -> Result<Function> {
        let function = module.load_function(entry).map_err(Error::driver("load the kernel"))?;
        let ask = || Error::driver("query how many blocks fit");
        context.bind_to_thread().map_err(ask())?;
        if shared > 0 {
            // CUDA gives a block more than 48 KiB only on request. No kernel asks for 2 GiB or more.
            let most = Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            let set = function.set_attribute(most, shared.cast_signed());
            set.map_err(Error::driver("set the shared memory of a kernel's blocks"))?;
        }
        let blocks = function
            .occupancy_max_active_blocks_per_multiprocessor(threads, shared as usize, None)
            .map_err(ask())?;
        let (context, parameters) = (context.clone(), OnceLock::new());
        Ok(Function {
            context,
            module,
            function,
            threads,
            shared,
            blocks,
            multiprocessors,
            parameters,
        })
    }

    pub(super) fn function(&self) -> &CudaFunction {
        &self.function
    }

    /// The most warps that a multiprocessor holds at a time.
    fn warps_per_multiprocessor(&self) -> Result<u32> {
        let most = DeviceAttribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR;
        let threads = self.context.attribute(most);
        let threads = threads.map_err(Error::driver("query how many threads fit"))?;
        Ok((threads.unsigned_abs() / 32).max(1))
    }
}

impl Loaded for Function {
    fn parameters(&self, count: usize) -> Option<&[usize]> {
        let ask = || driver::parameters(&self.context, &self.function, count);
        self.parameters.get_or_init(ask).as_deref()
    }

    fn resident(&self) -> u32 {
        self.blocks.saturating_mul(self.multiprocessors)
    }

    fn resources(&self) -> Result<Option<Resources>> {
        let attribute = |attribute| {
            let value = self.function.get_attribute(attribute).map(i32::unsigned_abs);
            value.map_err(Error::driver("query a kernel's resources"))
        };
        let warps = self.blocks * self.threads.div_ceil(32);
        Ok(Some(Resources {
            registers: attribute(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            shared: self.shared + attribute(Attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
            local: attribute(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            blocks: self.blocks,
            occupancy: f64::from(warps) / f64::from(self.warps_per_multiprocessor()?),
        }))
    }

    fn other(&self, entry: &str, threads: u32) -> Result<Box<dyn Loaded>> {
        let module = self.module.clone();
        let other =
            Function::new(&self.context, module, entry, [threads, 0], self.multiprocessors)?;
        Ok(Box::new(other))
    }

    unsafe fn launch(
        &self,
        stream: Option<&Arc<CudaStream>>,
        [x, y]: [u32; 2],
        [width, height]: [u32; 2],
        parameters: &mut [*mut c_void],
    ) -> Result<()> {
        self.context.bind_to_thread().map_err(Error::driver("use the device"))?;
        let (function, grid, block) = (self.function.cu_function(), (x, y, 1), (width, height, 1));
        // The null pointer is CUDA's default stream.
        let stream = stream.map_or(std::ptr::null_mut(), |stream| stream.cu_stream());
        // SAFETY: the caller's promise; the function and the stream are of one context, which is bound.
        let launched = unsafe {
            result::launch_kernel(function, grid, block, self.shared, stream, parameters)
        };
        launched.map_err(Error::driver("launch the kernel"))
    }
}
