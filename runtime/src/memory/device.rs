//! A device: a GPU, or the CPU.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "cudarc")]
use cudarc::driver::{CudaContext, CudaStream};

use crate::backend::Backend;
#[cfg(feature = "cpu")]
use crate::backend::cpu::Cpu;
use crate::backend::cuda::Gpu;
use crate::host::methods::is_target;
use crate::{Result, Target};

/// A GPU, or the CPU. Clones are the same device.
///
/// ```
/// use td_kernel::Device;
///
/// let device = Device::best()?;
/// println!("kernels run on {}", device.name());
/// let buffer = device.upload(&[1.0, 2.0, 3.0])?;
/// assert_eq!(buffer.download()?, [1.0, 2.0, 3.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// Work on a GPU runs on the device's default stream, unless a kernel has [its own](crate::PairKernel::with_stream).
///
/// [`Devices`](crate::Devices) combines several devices. The methods common to both are those of [`Target`]. A value for each
/// pair needs a single device.
#[derive(Clone)]
pub struct Device {
    pub(crate) target: Target,
}

impl Device {
    pub(crate) fn new(backend: impl Backend + 'static) -> Device {
        Device { target: Target::new(Arc::new(backend)) }
    }

    /// Opens the first GPU. If that fails, opens the CPU and logs a warning with the reason through `tracing`: there is no GPU or
    /// no driver, the driver does not start, or the GPU is too old or fails. [`name`](Target::name) shows which it is.
    ///
    /// # Errors
    ///
    /// There is neither a usable GPU nor a C++ compiler for the CPU. Without the feature `cpu` of this crate: there is no usable
    /// GPU.
    pub fn best() -> Result<Device> {
        match Device::cuda(0) {
            #[cfg(feature = "cpu")]
            Err(reason) => {
                let reason = reason.without_advice();
                tracing::warn!("kernels run on the CPU, which is slow: {reason}");
                Device::cpu()
            }
            other => other,
        }
    }

    /// Opens the GPU with this ordinal, counted from 0.
    ///
    /// # Errors
    ///
    /// There is no driver that starts or no such GPU, its compute capability is below 6.0, or the GPU fails.
    pub fn cuda(ordinal: usize) -> Result<Device> {
        Ok(Device::new(Gpu::open(ordinal)?))
    }

    /// Uses a GPU that cudarc has opened. Work runs on its default stream. Needs the feature `cudarc` of this crate.
    ///
    /// # Errors
    ///
    /// The GPU's compute capability is below 6.0, or the driver fails.
    #[cfg(feature = "cudarc")]
    pub fn from_cuda(context: &Arc<CudaContext>) -> Result<Device> {
        Ok(Device::new(Gpu::from_context(context)?))
    }

    /// Opens the CPU. The system's C++ compiler compiles kernels.
    ///
    /// A kernel runs as loops over its pairs, on all cores; the compiler vectorises them where the body allows it. A kernel's
    /// `CPU_SOURCE` is their source. The GPU's maps and sweeps are not used; the [emulator](Device::emulator) runs the GPU's
    /// kernel source.
    ///
    /// The value of a pair has the same bits on every device if the body calls no function that CUDA rounds differently
    /// (`sinf`, `expf` and others). Products and sums are rounded one by one, and fused only where the body calls `fmaf`; with
    /// the key `fmad = true` a GPU's compiler may fuse others. Sums of floats over several pairs are added in another order
    /// than on a GPU, within the same bounds. A deterministic sum does not depend on the number of threads.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn areas(#[each] p: &[[f32; 2]], area: &mut Packed<f32>) {
    ///     r#" area = p.i.x * p.j.y - p.i.y * p.j.x; "#
    /// }
    ///
    /// let mut found = Vec::new();
    /// for device in [Device::cpu()?, Device::emulator()?] {
    ///     let points = device.upload(&[[0.1, 0.2], [0.3, 0.7], [0.9, 0.6]])?;
    ///     let mut area = device.packed(3)?;
    ///     areas::load(&device)?.launch(&points, &mut area)?;
    ///     found.push(area.download()?);
    /// }
    /// assert_eq!(found[0], found[1]); // to the last bit
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// Needs the feature `cpu` of this crate, which is on by default.
    ///
    /// # Errors
    ///
    /// There is no C++ compiler.
    #[cfg(feature = "cpu")]
    pub fn cpu() -> Result<Device> {
        Ok(Device::new(Cpu::open()?))
    }

    /// Opens the CPU as an emulated GPU: it runs the GPU's kernel source thread by thread, for every kernel. It is for tests
    /// and for learning: a kernel does the same as on a GPU, but far more slowly.
    ///
    /// ```
    /// use td_kernel::{Device, Features, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn products(#[each] p: &Features<i32>, #[fold] sum: i32, product: &mut Packed<i32>) {
    ///     let feature = r#" sum += p.i * p.j; "#;
    ///     let pair = r#" product = sum; "#;
    /// }
    ///
    /// // The loops of the CPU and the kernel source of the GPU give the same results.
    /// let mut found = Vec::new();
    /// for device in [Device::cpu()?, Device::emulator()?] {
    ///     let p = device.features(&[1, 2, 3, 4, 5, 6], 2)?;
    ///     let mut product = device.packed(3)?;
    ///     products::load(&device)?.launch(&p, &mut product)?;
    ///     found.push(product.download()?.as_slice().to_vec());
    /// }
    /// assert_eq!(found, [[11, 17, 39], [11, 17, 39]]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// Needs the feature `cpu` of this crate, which is on by default.
    ///
    /// # Errors
    ///
    /// There is no C++ compiler.
    #[cfg(feature = "cpu")]
    pub fn emulator() -> Result<Device> {
        Ok(Device::new(Cpu::emulator()?))
    }

    /// The number of GPUs that the driver reports, including those that are too old. With it a program can choose a GPU by
    /// ordinal.
    ///
    /// ```
    /// use td_kernel::{Device, ErrorKind};
    ///
    /// // The third of several processes on this machine takes the third GPU, or starts again at the first.
    /// let process = 2;
    /// let device = match Device::count_gpus() {
    ///     Ok(0) => Device::cpu()?,
    ///     Ok(count) => Device::cuda(process % count)?,
    ///     Err(error) if error.kind() == ErrorKind::NoGpu => Device::cpu()?,
    ///     Err(error) => return Err(error),
    /// };
    /// println!("it runs on {}", device.name());
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is no driver, or it does not start: [`NoGpu`](crate::ErrorKind::NoGpu).
    pub fn count_gpus() -> Result<usize> {
        Gpu::count()
    }

    /// The stream on which memory is copied and cleared, if this is a GPU. Needs the feature `cudarc` of this crate.
    #[cfg(feature = "cudarc")]
    pub fn stream(&self) -> Option<&Arc<CudaStream>> {
        self.backend().stream()
    }

    /// The same device, but kernels that it compiles from now on are stored in `folder`. Later processes load them without
    /// compiling.
    ///
    /// `folder` replaces the folder in the environment variable `TD_KERNEL_CACHE`, which applies to every device. Memory and
    /// kernels are shared with the original device; a kernel that is already loaded is not stored. An unusable folder is not an
    /// error: a warning through `tracing` gives the reason, once. Machine code is stored as NVRTC or the C++ compiler produced
    /// it, so use a folder that only people you trust can write to. On the CPU a library is reused only on Linux, and only with
    /// the same compiler, options and processor. An empty path, as from an unset variable, turns the cache off.
    ///
    /// ```
    /// use td_kernel::Device;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// let device = Device::best()?.with_cache(folder.join("kernels"));
    /// # assert!(!device.name().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_cache(&self, folder: impl AsRef<Path>) -> Device {
        Device { target: self.target.with_cache(folder) }
    }
}

is_target!(Device, target);

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Device").field(&self.name()).finish()
    }
}
