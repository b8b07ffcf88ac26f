//! A device whose compiled kernels are kept on disk.

use std::path::Path;
use std::sync::Arc;

use crate::Device;
use crate::backend::nvrtc::Cache;

impl Device {
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
        let cache = Some(Cache::new(folder)).filter(|cache| !cache.is_off());
        Device { cache: cache.map(Arc::new), ..self.clone() }
    }
}
