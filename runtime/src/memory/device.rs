//! Devices: where memory lives and kernels run.

mod cache;
mod code;
mod open;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cudarc::driver::CudaStream;
use td_kernel_maps::{Map, NoTable, Root};

use crate::backend::cuda::Gpu;
use crate::backend::nvrtc::Cache;
use crate::backend::several::Several;
use crate::backend::{Backend, Progress};
use crate::memory::Memory;
#[cfg(feature = "testing")]
use crate::memory::observer::Observer;
use crate::types::info::Source;
use crate::{Error, Result};
use code::Kernels;
pub(crate) use code::Which;

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
/// [`Devices`](crate::Devices) are several of them as one.
#[derive(Clone)]
pub struct Device {
    shared: Arc<Shared>,
    /// The cache of compiled kernels, if one was asked for.
    cache: Option<Arc<Cache>>,
    /// In a test: chooses the texts of kernels and follows their launches.
    #[cfg(feature = "testing")]
    pub(crate) observer: Option<Arc<dyn Observer>>,
}

struct Shared {
    backend: Arc<dyn Backend>,
    /// The devices that this one stands for, where they are several.
    devices: Vec<Device>,
    /// Every kernel compiled so far.
    kernels: Mutex<Kernels>,
    /// The texts of kernels whose warnings have been told.
    told: Mutex<HashSet<Source>>,
    /// The tables of maps that have one. Each is kept as long as the device: kernels on any stream may be reading it.
    tables: Mutex<Tables>,
}

/// Tables, by map and number of rows.
type Tables = HashMap<(&'static str, u32), Arc<Memory<u32>>>;

impl Drop for Shared {
    fn drop(&mut self) {
        // Kernels on any stream may still run code and read tables that are freed here; and from here on nothing keeps
        // the order of streams.
        if let Err(error) = self.backend.synchronize() {
            tracing::warn!("the device failed before it was given back: {error}");
        }
    }
}

impl Device {
    fn new(backend: Arc<dyn Backend>) -> Device {
        Self::standing_for(Vec::new(), backend)
    }

    /// A device that a test has made.
    #[cfg(all(test, feature = "cpu"))]
    pub(crate) fn of_backend(backend: Arc<dyn Backend>) -> Device {
        Self::new(backend)
    }

    /// These devices as one, at least one of them.
    pub(crate) fn joint(devices: Vec<Device>) -> Device {
        let backends = devices.iter().map(|device| device.shared.backend.clone()).collect();
        Self::standing_for(devices, Arc::new(Several::new(backends)))
    }

    /// The same, as some of the devices that share each launch: so many come before them, and so many there are.
    pub(crate) fn joint_among(devices: Vec<Device>, first: usize, of: usize) -> Device {
        let backends = devices.iter().map(|device| device.shared.backend.clone()).collect();
        Self::standing_for(devices, Arc::new(Several::new(backends).among(first, of)))
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

    /// What decides which pairs each of several devices visits, for each of these, in words: processes that share launches
    /// compare it.
    #[doc(hidden)]
    pub fn sharing_facts(&self) -> String {
        let facts = self.devices().iter().map(|device| {
            let backend = device.backend();
            let count = backend.multiprocessors();
            match (backend.is_cpu(), backend.runs_loops()) {
                // Which compiler there is makes no difference to it.
                (true, true) => format!("a CPU of {count} cores"),
                (true, false) => format!("a CPU of {count} cores that runs the GPU's text"),
                (false, _) => format!("{} of {count} multiprocessors", device.name()),
            }
        });
        facts.collect::<Vec<_>>().join(" and ")
    }

    /// The devices that share the work: those that this one stands for, or itself.
    pub(crate) fn devices(&self) -> &[Device] {
        if self.shared.devices.is_empty() {
            std::slice::from_ref(self)
        } else {
            &self.shared.devices
        }
    }

    /// Whether it stands for several devices, or for one in the way of several.
    pub(crate) fn is_several(&self) -> bool {
        self.backend().is_several()
    }

    /// Whether devices of other processes share its launches: each process then cuts the pairs by itself.
    pub(crate) fn is_part(&self) -> bool {
        let [_, of] = self.backend().place();
        of > self.devices().len()
    }

    /// Whether both are the same device.
    pub(crate) fn is_same(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// An error where slots for pairs would lie on several devices.
    pub(crate) fn expect_one(&self, what: &'static str, instead: &'static str) -> Result<()> {
        match self.is_several() {
            false => Ok(()),
            true => {
                let devices = self.name().to_owned();
                Err(Error::arguments(format!(
                    "a `{what}` is on one device, and these are {devices}: write `kernel.bands(…)`, whose bands go to all of these; or make one on each, as in `for device in devices.iter()`, with the rows that it is to have: `{instead}`"
                )))
            }
        }
    }

    fn standing_for(devices: Vec<Device>, backend: Arc<dyn Backend>) -> Device {
        let (kernels, told, tables) = (Mutex::default(), Mutex::default(), Mutex::default());
        let shared = Shared { backend, devices, kernels, told, tables };
        Device {
            shared: Arc::new(shared),
            cache: Cache::from_environment().map(Arc::new),
            #[cfg(feature = "testing")]
            observer: None,
        }
    }

    /// What the device calls itself: the GPU's name, or `CPU` with the compiler that it uses.
    pub fn name(&self) -> &str {
        self.backend().name()
    }

    /// Whether this is the CPU.
    pub fn is_cpu(&self) -> bool {
        self.backend().is_cpu()
    }

    /// The stream that memory is copied and cleared on, if this is a GPU.
    pub fn stream(&self) -> Option<&Arc<CudaStream>> {
        self.backend().stream()
    }

    pub(crate) fn backend(&self) -> &dyn Backend {
        &*self.shared.backend
    }

    /// Waits until everything launched so far has ended, on every stream.
    ///
    /// # Errors
    ///
    /// A kernel failed.
    pub fn synchronize(&self) -> Result<()> {
        self.backend().synchronize()
    }

    /// How far the launches on this device and its clones have got. It is meant for the CPU, where a launch can take
    /// hours and another thread can ask meanwhile. Blocks of one kernel take about equally long, so the share that has
    /// run tells how much time is left.
    ///
    /// The counts only grow: subtract what they were before a launch. After a launch has failed, all its blocks count
    /// as run. A GPU does not count: both stay zero.
    pub fn progress(&self) -> Progress {
        self.backend().progress()
    }

    /// Runs `work`, waits for what it launched on the device's stream, and tells how long that
    /// took: on a GPU by its own clock, between two events; on several devices by the host's, until all of them have ended.
    ///
    /// # Errors
    ///
    /// The error of `work`, or the device fails.
    pub fn timed<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<(R, Duration)> {
        self.timed_on(self.stream(), work)
    }

    /// Like [`Device::timed`], on this stream; on the CPU there is none.
    pub(crate) fn timed_on<R>(
        &self,
        stream: Option<&Arc<CudaStream>>,
        work: impl FnOnce() -> Result<R>,
    ) -> Result<(R, Duration)> {
        let mut stopwatch = self.backend().stopwatch(stream)?;
        let result = work()?;
        stopwatch.lap()?;
        Ok((result, stopwatch.laps()?.iter().sum()))
    }

    /// The smallest λ below `end` whose row `root` gets wrong on this device.
    ///
    /// It computes the row of every λ; on a GPU, λ that were checked before are not computed again. A launch asks this
    /// by itself.
    ///
    /// # Errors
    ///
    /// The device fails.
    pub fn root_failure(&self, root: Root, end: u64) -> Result<Option<u64>> {
        self.backend().root_failure(root, end, self.cache.as_deref())
    }

    /// The table of a map that has one, for a triangle of `rows` rows: made now, or by an earlier call.
    pub(crate) fn table(&self, map: &dyn Map, rows: u32) -> Result<Arc<Memory<u32>>> {
        let tables = || self.shared.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (map.name(), rows);
        if let Some(table) = tables().get(&key) {
            return Ok(table.clone());
        }
        let table = map.table(rows).map_err(|reason| match reason {
            NoTable::Memory { bytes } => Error::out_of_host_memory(bytes),
            // Only a map without a table, or a number of rows that no grid fits, has none: a launch never asks for
            // these.
            _ => Error::unknown_map(map.name()),
        })?;
        let table = Arc::new(Memory::upload(self.backend(), &table)?);
        Ok(tables().entry(key).or_insert(table).clone())
    }

    /// The folder of the cache, if one was asked for.
    pub(crate) fn cache_folder(&self) -> Option<&Path> {
        self.cache.as_deref().map(Cache::folder)
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Device").field(&self.name()).finish()
    }
}
