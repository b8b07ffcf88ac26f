//! What kernels run on, one device or several: memory, compiled code and clock.

mod code;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cudarc::driver::CudaStream;
use td_kernel_geometry::{Map, NoTable, Root};

use crate::backend::nvrtc::Cache;
use crate::backend::several::Several;
use crate::backend::{Backend, Progress};
use crate::memory::Memory;
#[cfg(feature = "testing")]
use crate::memory::observer::Observer;
use crate::types::info::Source;
use crate::{Error, ErrorKind, Result};
use code::Kernels;
pub(crate) use code::{FIRST_NUMBER, KernelFunction};
#[cfg(feature = "testing")]
pub(crate) use code::{tested_numbers, with_number};

/// What kernels are loaded for and memory is allocated on: a [`Device`](crate::Device) or several [`Devices`](crate::Devices).
/// Both have its methods, and a function with a parameter `&Target` accepts both:
///
/// ```
/// use td_kernel::{Device, Devices, Result, Target, td_kernel};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &[f32], count: &mut Sum<u32>) {
///     r#" if (fabsf(x.i - x.j) < 1) count += 1; "#
/// }
///
/// fn count(target: &Target, x: &[f32]) -> Result<u32> {
///     let mut count = target.sum()?;
///     close::load(target)?.launch(&target.upload(x)?, &mut count)?;
///     count.download()
/// }
///
/// let x = [0.0, 0.5, 2.0, 2.5];
/// let (one, several) = (Device::cpu()?, Devices::cpu(3)?);
/// assert_eq!((count(&one, &x)?, count(&several, &x)?), (2, 2));
/// // A program can also choose at run time.
/// let target: Target = Devices::cpu(2)?.into();
/// assert_eq!(count(&target, &x)?, 2);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// Clones are the same device or devices.
#[derive(Clone)]
pub struct Target {
    shared: Arc<Shared>,
    /// The cache of compiled kernels, if enabled.
    cache: Option<Arc<Cache>>,
    /// In a test: chooses kernels' sources and observes their launches.
    #[cfg(feature = "testing")]
    pub(crate) observer: Option<Arc<dyn Observer>>,
}

struct Shared {
    backend: Arc<dyn Backend>,
    /// The devices that this target combines; empty for a single device.
    devices: Vec<Target>,
    /// Every kernel compiled so far.
    kernels: Mutex<Kernels>,
    /// The sources of kernels whose warnings have been logged.
    warned: Mutex<HashSet<Source>>,
    /// The tables of maps that have one. A table lives as long as the device, because kernels on any stream may be reading it.
    tables: Mutex<Tables>,
}

/// Tables by map and number of rows.
type Tables = HashMap<(&'static str, u32), Arc<Memory<u32>>>;

impl Drop for Shared {
    fn drop(&mut self) {
        // Kernels on any stream may still use code and tables that are freed here, and from here on nothing orders the streams.
        if let Err(error) = self.backend.synchronize() {
            tracing::warn!("the device failed before it was closed: {error}");
        }
    }
}

impl Target {
    pub(super) fn new(backend: Arc<dyn Backend>) -> Target {
        Self::standing_for(Vec::new(), backend)
    }

    /// Combines at least one device; they are numbers `first` and up of the `of` devices that share each launch.
    pub(crate) fn joint(devices: Vec<Target>, first: usize, of: usize) -> Target {
        let backends = devices.iter().map(|device| device.shared.backend.clone()).collect();
        Self::standing_for(devices, Arc::new(Several::new(backends, first, of)))
    }

    /// The devices that share the work: those combined here, or the device itself.
    pub(crate) fn devices(&self) -> &[Target] {
        if self.shared.devices.is_empty() {
            std::slice::from_ref(self)
        } else {
            &self.shared.devices
        }
    }

    /// Whether this combines devices, even if only one.
    pub(crate) fn is_several(&self) -> bool {
        self.backend().is_several()
    }

    /// An error on the device of this index. It names the device if there are several.
    pub(crate) fn named(&self, at: usize, error: Error) -> Error {
        if self.is_several() { error.on_device(at, self.devices()[at].name()) } else { error }
    }

    /// Whether devices of other processes share its launches. Each process then divides the pairs by itself.
    pub(crate) fn is_part(&self) -> bool {
        let [_, of] = self.backend().place();
        of > self.devices().len()
    }

    /// The error for an argument that is not where the kernel runs, which was loaded for this.
    pub(crate) fn elsewhere(
        &self,
        kernel: &'static str,
        argument: &'static str,
        found: &str,
    ) -> Error {
        let (by, devices) = match self.devices().len() {
            1 => ("that `Device`", "device"),
            _ => ("these `Devices`", "devices"),
        };
        let name = self.name();
        let problem = format!(
            "is on {found}, but the kernel was loaded for {name}: make it with {by}, as `{devices}.upload(&values)` does"
        );
        Error::new(ErrorKind::WrongDevice, problem).about(kernel, argument)
    }

    /// Whether both are the same device.
    pub(crate) fn is_same(&self, other: &Target) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    fn standing_for(devices: Vec<Target>, backend: Arc<dyn Backend>) -> Target {
        let (kernels, warned, tables) = (Mutex::default(), Mutex::default(), Mutex::default());
        let shared = Shared { backend, devices, kernels, warned, tables };
        Target {
            shared: Arc::new(shared),
            cache: Cache::from_environment().map(Arc::new),
            #[cfg(feature = "testing")]
            observer: None,
        }
    }

    /// The name of the GPU, or `CPU` with the name of its compiler.
    pub fn name(&self) -> &str {
        self.backend().name()
    }

    /// Whether this is the CPU.
    pub fn is_cpu(&self) -> bool {
        self.backend().is_cpu()
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        &*self.shared.backend
    }

    /// Waits until everything launched so far has finished, on every stream.
    ///
    /// # Errors
    ///
    /// A kernel failed.
    pub fn synchronize(&self) -> Result<()> {
        self.backend().synchronize()
    }

    /// The progress of the launches on this device and its clones. It is meant for the CPU, where a launch can take hours and
    /// another thread can query it. Blocks of one kernel take about equally long, so the share that has run predicts the
    /// remaining time.
    ///
    /// The counts only grow: subtract the values from before a launch. After a failed launch all its blocks count as run. On a
    /// GPU both counts stay zero.
    pub fn progress(&self) -> Progress {
        self.backend().progress()
    }

    /// Runs `work`, waits for what it launched on the device's stream, and returns the time that this took. A GPU measures it
    /// between two events; for several devices the host measures it until all of them have finished.
    ///
    /// # Errors
    ///
    /// The error of `work`, or the device fails.
    pub fn timed<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<(R, Duration)> {
        self.timed_on(self.backend().stream(), work)
    }

    /// Like [`Target::timed`], on this stream; the CPU has none.
    pub(crate) fn timed_on<R>(
        &self,
        stream: Option<&Arc<CudaStream>>,
        work: impl FnOnce() -> Result<R>,
    ) -> Result<(R, Duration)> {
        let stopwatch = self.backend().stopwatch(stream)?;
        let result = work()?;
        Ok((result, stopwatch.stop()?))
    }

    /// The smallest λ below `end` for which `root` gives a wrong row on this device.
    ///
    /// Computes the row of every λ; a GPU skips those that were checked before. A launch calls this itself.
    ///
    /// # Errors
    ///
    /// The device fails.
    pub fn root_failure(&self, root: Root, end: u64) -> Result<Option<u64>> {
        self.backend().root_failure(root, end, self.cache.as_deref())
    }

    /// The table of a map that has one, for a triangle of `rows` rows. It is built once.
    pub(crate) fn table(&self, map: &dyn Map, rows: u32) -> Result<Arc<Memory<u32>>> {
        let tables = || self.shared.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (map.name(), rows);
        if let Some(table) = tables().get(&key) {
            return Ok(table.clone());
        }
        let table = map.table(rows).map_err(|reason| match reason {
            NoTable::Memory { bytes } => Error::out_of_host_memory(bytes),
            // Other reasons are a map without a table and a number of rows that fits no grid. A launch asks for neither.
            _ => Error::unknown_map(map.name()),
        })?;
        let table = Arc::new(Memory::upload(self.backend(), &table)?);
        Ok(tables().entry(key).or_insert(table).clone())
    }

    /// The same, but kernels compiled from now on are stored in `folder`: see
    /// [`Device::with_cache`](crate::Device::with_cache).
    #[must_use]
    pub fn with_cache(&self, folder: impl AsRef<Path>) -> Target {
        let cache = Some(Cache::new(folder)).filter(|cache| !cache.is_off());
        Target { cache: cache.map(Arc::new), ..self.clone() }
    }

    /// The folder of the cache, if enabled.
    pub(crate) fn cache_folder(&self) -> Option<&Path> {
        self.cache.as_deref().map(Cache::folder)
    }
}

impl AsRef<Target> for Target {
    fn as_ref(&self) -> &Target {
        self
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Target").field(&self.name()).finish()
    }
}
