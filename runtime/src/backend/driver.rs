//! Checks the driver's library before cudarc uses it, because cudarc panics where the library or a function of it is missing
//! (<https://github.com/chelsea0x3b/cudarc/issues/422>).

use cudarc::driver::{CudaContext, CudaEvent, CudaFunction, DriverError, sys};
use libloading::Library;

use super::libraries;
use crate::error::Detail;
use crate::{Error, ErrorKind, Result};

/// The functions that this crate calls through cudarc. Every driver from CUDA 11.2 on has them.
const FUNCTIONS: &[&str] = &[
    "cuCtxGetCurrent",
    "cuCtxSetCurrent",
    "cuCtxSynchronize",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRetain",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventElapsedTime",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuFuncGetAttribute",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuInit",
    "cuLaunchKernel",
    "cuMemAllocAsync",
    "cuMemAlloc_v2",
    "cuMemFreeAsync",
    "cuMemFreeHost",
    "cuMemFree_v2",
    "cuMemGetInfo_v2",
    "cuMemHostAlloc",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemsetD8Async",
    "cuModuleGetFunction",
    "cuModuleLoadData",
    "cuModuleUnload",
    "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cuPointerGetAttributes",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
];

/// Finds the driver. The error names what was looked for and what is missing.
pub(crate) fn probe() -> Result<()> {
    if libraries::driver().is_none() {
        let names = match cfg!(windows) {
            true => &["nvcuda.dll", "cuda.dll"][..],
            false => &["libcuda.so.1", "libcuda.so", libraries::DRIVER_OF_WSL],
        };
        return Err(Error::no_gpu(format!(
            "no NVIDIA driver found\n  tried: {}\n  install the driver of your GPU",
            names.join(", ")
        )));
    }
    let missing = FUNCTIONS.iter().find(|name| !has(name));
    missing.map_or(Ok(()), |function| Err(Error::old_driver(function)))
}

/// Whether the driver has a function of this name.
fn has(name: &str) -> bool {
    // SAFETY: the symbol's address is not used.
    let has =
        |driver: &Library| unsafe { driver.get::<unsafe extern "C" fn()>(name.as_bytes()) }.is_ok();
    libraries::driver().is_some_and(has)
}

/// A number that identifies a GPU, or a partition of one, in all processes; `None` before CUDA 11.4.
pub(crate) fn identity(context: &CudaContext) -> Option<u64> {
    const FUNCTION: &str = "cuDeviceGetUuid_v2";
    if !has(FUNCTION) {
        return None;
    }
    let mut uuid = sys::CUuuid_st { bytes: [0; 16] };
    // SAFETY: the driver has the function, which writes the 16 bytes for an existing device.
    let told = unsafe { sys::cuDeviceGetUuid_v2(&raw mut uuid, context.cu_device()) };
    if told != sys::CUresult::CUDA_SUCCESS {
        return None;
    }
    let bytes = uuid.bytes.map(|byte| byte as u8);
    let (halves, _) = bytes.as_chunks::<8>();
    // Zero stands for the host's memory.
    Some(halves.iter().fold(0, |all, half| all ^ u64::from_le_bytes(*half)).max(1))
}

/// The sizes in bytes of a kernel's first `count` parameters, or of all if it has fewer; `None` before CUDA 12.4.
///
/// Does not ask for more than `count` parameters: the driver would return an error, which checkers report.
pub(crate) fn parameters(
    context: &CudaContext,
    function: &CudaFunction,
    count: usize,
) -> Option<Vec<usize>> {
    type Ask =
        unsafe extern "C" fn(sys::CUfunction, usize, *mut usize, *mut usize) -> sys::CUresult;
    context.bind_to_thread().ok()?;
    // SAFETY: `cuFuncGetParamInfo` has had this type since it was added.
    let ask = unsafe { libraries::driver()?.get::<Ask>(b"cuFuncGetParamInfo") }.ok()?;
    let mut sizes = Vec::with_capacity(count);
    while sizes.len() < count {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: the function exists, and the driver writes two numbers.
        match unsafe { ask(function.cu_function(), sizes.len(), &mut offset, &mut size) } {
            sys::CUresult::CUDA_SUCCESS => sizes.push(size),
            // No parameter has this index.
            sys::CUresult::CUDA_ERROR_INVALID_VALUE => break,
            // The device has failed. The launch reports it.
            _ => return None,
        }
    }
    Some(sizes)
}

/// The time between two events in milliseconds, once both have passed.
///
/// cudarc calls a version of the function that needs CUDA 12.8. The first version does the same, and every driver has it.
pub(crate) fn elapsed(start: &CudaEvent, end: &CudaEvent) -> Result<f32> {
    type Elapsed = unsafe extern "C" fn(*mut f32, sys::CUevent, sys::CUevent) -> sys::CUresult;
    let fail = || Error::driver("time a kernel");
    end.synchronize().map_err(fail())?;
    let mut milliseconds = 0.0;
    const FUNCTION: &str = "cuEventElapsedTime";
    // SAFETY: the function has had this type since it was added.
    let elapsed =
        |driver: &'static Library| unsafe { driver.get::<Elapsed>(FUNCTION.as_bytes()) }.ok();
    let Some(elapsed) = libraries::driver().and_then(elapsed) else {
        return Err(Error::old_driver(FUNCTION));
    };
    // SAFETY: it writes one number.
    let result = unsafe { elapsed(&mut milliseconds, start.cu_event(), end.cu_event()) };
    result.result().map_err(fail())?;
    Ok(milliseconds)
}

impl Error {
    /// Turns a driver error into one that names the failed action.
    pub(crate) fn driver(action: &'static str) -> impl FnOnce(DriverError) -> Error {
        move |code| {
            let words = driver_message(&code);
            let problem = format!("cannot {action}: {words}");
            Error::new(ErrorKind::DeviceFailed, problem).with(Detail::Driver(code))
        }
    }

    fn old_driver(function: &str) -> Error {
        Error::no_gpu(format!(
            "the NVIDIA driver lacks the function `{function}`: install a driver for CUDA 11.2 or newer"
        ))
    }

    /// The error for a driver that does not start, for example in a container for GPUs on a machine without any.
    pub(crate) fn no_driver(code: DriverError) -> Error {
        let advice = match code.0 {
            sys::CUresult::CUDA_ERROR_STUB_LIBRARY => {
                ": this libcuda is the CUDA toolkit's stub, which is only for linking; put the folder of the driver's own libcuda before it in the library path"
            }
            _ => ": `nvidia-smi` shows whether the driver works",
        };
        let problem = format!("cannot start the NVIDIA driver: {}{advice}", driver_message(&code));
        Error::no_gpu(problem).with(Detail::Driver(code))
    }

    /// The error for a failed allocation of page-locked memory.
    pub(crate) fn pinned(needed: usize, error: DriverError) -> Error {
        match error.0 {
            sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::out_of_host_memory(needed),
            _ => Error::driver("allocate pinned memory")(error),
        }
    }
}

/// The driver's name and description of an error.
fn driver_message(error: &DriverError) -> String {
    // Without a driver, cudarc panics when asked for the description.
    if probe().is_err() {
        return format!("{:?}", error.0);
    }
    let text = error.error_string().map(|text| text.to_string_lossy().into_owned());
    let name = error.error_name().map(|name| name.to_string_lossy().into_owned());
    match (name, text) {
        (Ok(name), Ok(text)) => format!("{text} ({name})"),
        _ => format!("{:?}", error.0),
    }
}
