//! A device: a GPU, or the CPU in place of one.

use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream};

use crate::backend::Backend;
#[cfg(feature = "cpu")]
use crate::backend::cpu::Cpu;
use crate::backend::cuda::Gpu;
use crate::{Result, Target};

/// A GPU, or the CPU in place of one. Clones are the same device.
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
/// Work on a GPU goes to the device's default stream, unless a kernel is given
/// [another](crate::PairKernel::with_stream).
///
/// [`Devices`](crate::Devices) are several of them. What both can do are the methods of [`Target`]; values for each pair
/// are on one device.
#[derive(Clone)]
pub struct Device {
    pub(crate) target: Target,
}

impl Device {
    pub(crate) fn new(backend: impl Backend + 'static) -> Device {
        Device { target: Target::new(Arc::new(backend)) }
    }

    /// The first GPU; where there is none, none new enough, or no driver for it, the CPU. A warning then says so
    /// through `tracing`, and so does [`name`](Target::name).
    ///
    /// # Errors
    ///
    /// A GPU is there and fails; or there is none, and no C++ compiler for the CPU either. Without the feature `cpu`
    /// of this crate: there is no GPU.
    pub fn best() -> Result<Device> {
        match Device::cuda(0) {
            #[cfg(feature = "cpu")]
            Err(reason) if reason.is_without_gpu() => {
                let reason = reason.without_advice();
                tracing::warn!("kernels run on the CPU, which is slow: {reason}");
                Device::cpu()
            }
            other => other,
        }
    }

    /// The GPU of this ordinal, counted from 0.
    ///
    /// # Errors
    ///
    /// There is no driver, no such GPU, or only one before compute capability 6.0; or the driver fails.
    pub fn cuda(ordinal: usize) -> Result<Device> {
        Ok(Device::new(Gpu::open(ordinal)?))
    }

    /// A GPU that cudarc has opened, with the work on its default stream.
    ///
    /// # Errors
    ///
    /// The GPU is one before compute capability 6.0, or the driver fails.
    pub fn from_cuda(context: &Arc<CudaContext>) -> Result<Device> {
        Ok(Device::new(Gpu::from_context(context)?))
    }

    /// The CPU: kernels are compiled by the system's C++ compiler.
    ///
    /// A kernel runs in plain loops over its pairs, on all cores, which the compiler makes vector instructions of where
    /// the body lets it: `CPU_SOURCE` of a kernel is their text. The order in which a kernel's variants would visit pairs
    /// on a GPU plays no part here; the [emulator](Device::emulator) runs the GPU's own text.
    ///
    /// The value of a pair has the same bits on every device, as long as the body calls no function that CUDA rounds in
    /// its own way (`sinf`, `expf` and others): products and sums are rounded one by one, and fused only where the body calls
    /// `fmaf`. With the key `fmad = true` the compiler of a GPU may fuse others. Sums of floats over several pairs are added
    /// in another order than on a GPU, within the same bounds. A deterministic sum does not depend on the number of threads.
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

    /// The CPU in the place of a GPU: it runs the GPU's own text, thread by thread, whatever the kernel. It is for tests and
    /// for learning: what a kernel does here it does on a GPU, only far more slowly.
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
    /// // The loops of the CPU and the text of the GPU do the same.
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

    /// How many GPUs the driver counts, old ones among them: for programs that choose one of several by its ordinal.
    ///
    /// ```
    /// use td_kernel::{Device, ErrorKind};
    ///
    /// // The third of several processes on this machine takes the third GPU, or begins again with the first.
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
    /// There is no driver, or it fails.
    pub fn count_gpus() -> Result<usize> {
        Gpu::count()
    }

    /// The stream that memory is copied and cleared on, if this is a GPU.
    pub fn stream(&self) -> Option<&Arc<CudaStream>> {
        self.backend().stream()
    }

    /// The same device, with the kernels that it compiles from now on kept in `folder`, for later
    /// processes to load without compiling.
    ///
    /// The environment variable `TD_KERNEL_CACHE` names such a folder for every device; `folder` replaces it. Memory and
    /// kernels are shared with the device that this was called on, and a kernel that is loaded already is not written.
    /// A folder that cannot be used is no error: a warning through `tracing` says why, once. Machine code is kept as
    /// NVRTC or the C++ compiler gave it, so use a folder that only people you trust can write to. On the CPU a library
    /// is found again where compiler, options and processor are the same, on Linux. An empty
    /// path, as from a variable that is not set, means no folder: nothing is kept then either.
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

impl Deref for Device {
    type Target = Target;

    fn deref(&self) -> &Target {
        &self.target
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Device").field(&self.name()).finish()
    }
}

impl AsRef<Target> for Device {
    fn as_ref(&self) -> &Target {
        &self.target
    }
}

impl From<Device> for Target {
    fn from(device: Device) -> Target {
        device.target
    }
}
