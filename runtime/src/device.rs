//! Devices: where memory lives and kernels run.

mod cache;

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cudarc::driver::{CudaContext, CudaStream};

use td_kernel_maps::{Map, NoTable, Root};

use crate::Result;
use crate::backend::{Backend, Loaded, Progress, Text};
#[cfg(feature = "cpu")]
use crate::cpu::Cpu;
use crate::cuda::Gpu;
#[cfg(feature = "cpu")]
use crate::error::MachineCause;
use crate::error::{Cause, DevicesCause};
use crate::info::{KernelInfo, Loops, MERGING, Variant};
use crate::memory::Memory;
use crate::nvrtc::Cache;
#[cfg(feature = "testing")]
use crate::observer::Observer;
use crate::several::Several;

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
    /// The tables of maps that have one. Each is kept as long as the device: kernels on any stream may be reading it.
    tables: Mutex<Tables>,
}

/// Kernels, by their text and what of it.
type Kernels = HashMap<(&'static str, Which), Arc<dyn Loaded>>;

/// Which of the functions that a text can give.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Which {
    /// The kernel, with 32-bit λ.
    Kernel,
    /// The same with 64-bit λ.
    Wide,
    /// What merges nearest neighbours.
    Merge,
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
    /// The first GPU; where there is none, none new enough, or no driver for it, the CPU. A warning then says so
    /// through `tracing`, and so does [`name`](Device::name).
    ///
    /// # Errors
    ///
    /// A GPU is there and fails; or there is none, and no C++ compiler for the CPU either. Without the feature `cpu`
    /// of this crate: there is no GPU.
    pub fn best() -> Result<Device> {
        match Device::cuda(0) {
            #[cfg(feature = "cpu")]
            Err(reason)
                if matches!(
                    reason.cause(),
                    Cause::Machine(
                        MachineCause::NoDriver { .. }
                            | MachineCause::NoGpu { .. }
                            | MachineCause::OldGpu { .. }
                    )
                ) =>
            {
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
        Ok(Device::new(Arc::new(Gpu::open(ordinal)?)))
    }

    /// A GPU that cudarc has opened, with the work on its default stream.
    ///
    /// # Errors
    ///
    /// The GPU is one before compute capability 6.0, or the driver fails.
    pub fn from_cuda(context: &Arc<CudaContext>) -> Result<Device> {
        Ok(Device::new(Arc::new(Gpu::from_context(context)?)))
    }

    /// The CPU: kernels are compiled by the system's C++ compiler.
    ///
    /// A kernel runs in plain loops over its pairs, on all cores, which the compiler makes vector instructions of where
    /// the body lets it: `CPU_SOURCE` of a kernel is their text. The order in which a kernel's variants would visit pairs
    /// on a GPU plays no part here; the [emulator](Device::emulator) runs the GPU's own text. Kernels with a
    /// [`Nearest`](crate::Nearest) and without features have no such loops (their `CPU_SOURCE` is `None`), and run that text
    /// here, too.
    ///
    /// What a pair computes has the same bits here and on the emulator: products and sums are rounded as they are written,
    /// and none are fused, unless the body calls `fmaf`. On a GPU this holds for kernels with slots (`Packed`, `Square`,
    /// `Matrix`), whose texts are compiled without fused products; those that only sum, list or gather may have some fused
    /// there. Kernels over [`Features`](crate::Features) have them fused on a GPU and here, not on the emulator. Sums of
    /// floats are added up in another order than on a GPU, within the same bounds. The parts of the rows that cores share
    /// follow from the number of rows, so deterministic sums do not depend on the number of threads.
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
        Ok(Device::new(Arc::new(Cpu::open()?)))
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
        Ok(Device::new(Arc::new(Cpu::emulator()?)))
    }

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

    /// How many GPUs the driver counts.
    pub(crate) fn count_gpus() -> Result<usize> {
        Gpu::count()
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
                Err(DevicesCause::Slots { what, devices, instead }.into())
            }
        }
    }

    fn standing_for(devices: Vec<Device>, backend: Arc<dyn Backend>) -> Device {
        let (kernels, tables) = (Mutex::default(), Mutex::default());
        let shared = Shared { backend, devices, kernels, tables };
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
        let stopwatch = self.backend().stopwatch(stream)?;
        let result = work()?;
        Ok((result, stopwatch.stop()?))
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
            NoTable::Memory { bytes } => Cause::HostMemory { needed: bytes }.into(),
            // Only a map without a table, or a number of rows that no grid fits, has none: a launch never asks for
            // these.
            _ => Cause::UnknownMap { map: map.name() }.into(),
        })?;
        let table = Arc::new(Memory::upload(self.backend(), &table)?);
        Ok(tables().entry(key).or_insert(table).clone())
    }

    /// The code of a variant's `text`, with 32-bit or `wide` 64-bit λ: compiled now, or by an earlier call.
    pub(crate) fn loaded(
        &self,
        info: &KernelInfo,
        variant: &Variant,
        text: &'static str,
        wide: bool,
    ) -> Result<Arc<dyn Loaded>> {
        let threads = variant.tiling.thread_count();
        let which = if wide { Which::Wide } else { Which::Kernel };
        self.compiled((text, which), || {
            let source = if wide { widened(info.name, text) } else { text.to_owned() };
            let (kernel, entry, source) = (info.name, info.entry, &source);
            let whole = Text { kernel, entry, source, threads, is_loops: false };
            self.backend().compile(&whole, self.cache.as_deref())
        })
    }

    /// The code of a kernel's plain loops: compiled now, or by an earlier call.
    pub(crate) fn loaded_loops(&self, info: &KernelInfo, loops: &Loops) -> Result<Arc<dyn Loaded>> {
        let (kernel, entry, source) = (info.name, info.entry, loops.source);
        self.compiled((source, Which::Kernel), || {
            let text = Text { kernel, entry, source, threads: 1, is_loops: true };
            self.backend().compile(&text, self.cache.as_deref())
        })
    }

    /// The function `entry` of a text, which merges nearest neighbours; `code` is that of the text's kernel.
    pub(crate) fn loaded_merge(
        &self,
        info: &KernelInfo,
        entry: &str,
        source: &'static str,
        code: &Arc<dyn Loaded>,
    ) -> Result<Arc<dyn Loaded>> {
        let threads = MERGING.iter().product();
        self.compiled((source, Which::Merge), || match code.other(entry, threads)? {
            Some(other) => Ok(other),
            None => {
                let text = Text { kernel: info.name, entry, source, threads, is_loops: false };
                self.backend().compile(&text, self.cache.as_deref())
            }
        })
    }

    /// The code of a text: from an earlier call, or from `compile`.
    fn compiled(
        &self,
        key: (&'static str, Which),
        compile: impl FnOnce() -> Result<Box<dyn Loaded>>,
    ) -> Result<Arc<dyn Loaded>> {
        // Ignores poisoning: a panic elsewhere leaves only finished kernels in the map.
        let kernels = || self.shared.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = kernels().get(&key) {
            return Ok(loaded.clone());
        }
        // The lock is not held here: a compiler is slow, and compiling one kernel twice does no harm.
        let loaded = Arc::from(compile()?);
        Ok(kernels().entry(key).or_insert(loaded).clone())
    }

    /// The folder of the cache, if one was asked for.
    pub(crate) fn cache_folder(&self) -> Option<&Path> {
        self.cache.as_deref().map(Cache::folder)
    }
}

/// The text with 64-bit λ: the definition goes after the comment that the text begins with, and messages still count
/// its lines from 1.
fn widened(name: &str, source: &str) -> String {
    let title: usize =
        source.split_inclusive('\n').take_while(|line| line.starts_with("//")).map(str::len).sum();
    let (title, text) = source.split_at(title);
    let line = title.lines().count() + 1;
    format!("{title}#define TD_WIDE\n#line {line} \"{name}.cu\"\n{text}")
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Device").field(&self.name()).finish()
    }
}
