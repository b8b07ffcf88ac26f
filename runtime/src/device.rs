//! Devices: where memory lives and kernels run.

mod cache;
mod trial;

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use cudarc::driver::{CudaContext, CudaStream, sys::CUevent_flags};

use td_kernel_maps::{Map, NoTable, Root, SLOTS};

pub(crate) use self::trial::Trial;
use crate::cpu::{Compiler, Counter, Progress};
use crate::cuda::Gpu;
use crate::error::Cause;
use crate::info::{KernelInfo, Variant};
use crate::kernel::Loaded;
use crate::memory::Memory;
use crate::nvrtc::Cache;
use crate::{
    Buffer, DeviceType, Error, Packed, Pairs, Pinned, Result, Square, Sum, Summand, packed,
};

/// A GPU, or the CPU in place of one. Clones are the same device.
///
/// Work on a GPU goes to the device's default stream, unless a kernel is put
/// [on](crate::Kernel::on) another.
#[derive(Clone)]
pub struct Device {
    shared: Arc<Shared>,
    /// Where its compiled kernels are kept, if that was asked for.
    cache: Option<Arc<Cache>>,
    /// The trial that kernels are loaded for, if there is one.
    pub(crate) trial: Option<Arc<Trial>>,
}

struct Shared {
    target: Target,
    name: String,
    /// Every kernel compiled so far, by its text and whether its λ have 64 bits.
    kernels: Mutex<HashMap<(&'static str, bool), Arc<Loaded>>>,
    /// The tables of maps that have one, by their number of rows. Each is kept as long as the device:
    /// kernels on any stream may be reading it.
    tables: Mutex<Tables>,
    /// Counts the blocks of launches on the CPU.
    counter: Counter,
}

/// Tables on the device, by map and number of rows.
type Tables = HashMap<(&'static str, u32), Arc<Memory<u32>>>;

impl Drop for Shared {
    fn drop(&mut self) {
        // Kernels on any stream may be running still, from code and with tables that go away here; and from here on
        // nothing keeps the order of streams.
        if let Target::Cuda(gpu) = &self.target
            && let Err(error) = gpu.stream.context().synchronize()
        {
            tracing::warn!("the GPU failed before it was given back: {error}");
        }
    }
}

/// The two kinds of device.
pub(crate) enum Target {
    Cuda(Gpu),
    Cpu(Compiler),
}

impl Device {
    /// The first GPU; where there is none, none new enough, or no driver for it, the CPU. A warning then says so
    /// through `tracing`, and so does [`name`](Device::name).
    ///
    /// # Errors
    ///
    /// A GPU is there and fails; or there is none, and no C++ compiler for the CPU either.
    pub fn best() -> Result<Device> {
        match Device::cuda(0) {
            Err(reason)
                if matches!(
                    reason.cause(),
                    Cause::NoDriver { .. } | Cause::NoGpu { .. } | Cause::OldGpu { .. }
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
    /// No driver, no such GPU, one before compute capability 6.0, or the driver fails.
    pub fn cuda(ordinal: usize) -> Result<Device> {
        Ok(Device::new(Target::Cuda(Gpu::open(ordinal)?)))
    }

    /// A GPU that cudarc has opened, with the work on its default stream.
    ///
    /// # Errors
    ///
    /// The GPU is one before compute capability 6.0, or the driver fails.
    pub fn from_cuda(context: &Arc<CudaContext>) -> Result<Device> {
        Ok(Device::new(Target::Cuda(Gpu::from_context(context)?)))
    }

    /// The CPU: kernels are compiled by the system's C++ compiler and run by threads and fibers.
    /// It is there to try kernels and to test them, and is not fast.
    ///
    /// # Errors
    ///
    /// There is no C++ compiler.
    pub fn cpu() -> Result<Device> {
        Ok(Device::new(Target::Cpu(Compiler::find()?)))
    }

    fn new(target: Target) -> Device {
        let name = match &target {
            Target::Cuda(gpu) => gpu.name.clone(),
            Target::Cpu(compiler) => format!("CPU ({})", compiler.describe()),
        };
        let shared = Shared {
            target,
            name,
            kernels: Mutex::default(),
            tables: Mutex::default(),
            counter: Counter::default(),
        };
        let cache = Cache::from_environment().map(Arc::new);
        Device { shared: Arc::new(shared), cache, trial: None }
    }

    /// What the device calls itself: the GPU's name, or `CPU` with the compiler that it uses.
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Whether this is the CPU.
    pub fn is_cpu(&self) -> bool {
        matches!(self.target(), Target::Cpu(_))
    }

    /// The stream that memory is copied and cleared on, if this is a GPU.
    pub fn stream(&self) -> Option<&Arc<CudaStream>> {
        match self.target() {
            Target::Cuda(gpu) => Some(&gpu.stream),
            Target::Cpu(_) => None,
        }
    }

    pub(crate) fn target(&self) -> &Target {
        &self.shared.target
    }

    /// A copy of `elements` on the device: of memory like any other by several threads, where there is much of it,
    /// and of [pinned](Device::pinned) memory by the GPU itself.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn upload<T: DeviceType>(&self, elements: &[T]) -> Result<Buffer<T>> {
        Ok(Buffer { memory: Memory::upload(self.target(), elements)? })
    }

    /// `length` elements on the device, all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn zeroed<T: DeviceType>(&self, length: usize) -> Result<Buffer<T>> {
        Ok(Buffer { memory: Memory::zeroed(self.target(), length)? })
    }

    /// `length` elements in pinned memory of the host, all their bits zero: what is copied to this device from
    /// there, or into it, is copied at the full rate of the device's connection. On the CPU it is memory like any
    /// other.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn pinned<T: DeviceType>(&self, length: usize) -> Result<Pinned<T>> {
        Pinned::zeroed(self.target(), length)
    }

    /// A slot for each pair i > j of `elements` elements: n (n - 1) / 2, all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn packed<T: DeviceType>(&self, elements: usize) -> Result<Packed<T>> {
        self.packed_slots(elements, false)
    }

    /// A slot for each pair i >= j of `elements` elements: n (n + 1) / 2, all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn packed_with_diagonal<T: DeviceType>(&self, elements: usize) -> Result<Packed<T>> {
        self.packed_slots(elements, true)
    }

    fn packed_slots<T: DeviceType>(&self, elements: usize, diagonal: bool) -> Result<Packed<T>> {
        let slots = packed::pairs(elements, diagonal)
            .ok_or(Cause::TooLarge { elements, size: size_of::<T>() }.into())?;
        Ok(Packed { memory: Memory::zeroed(self.target(), slots)?, elements, diagonal })
    }

    /// A place for each two of `elements` elements: n², all their bits zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn square<T: DeviceType>(&self, elements: usize) -> Result<Square<T>> {
        let length = elements
            .checked_mul(elements)
            .ok_or(Cause::TooLarge { elements, size: size_of::<T>() }.into())?;
        // SAFETY: every pattern of bits is a value of a DeviceType.
        let diagonal = unsafe { std::mem::zeroed() };
        Ok(Square { memory: Memory::zeroed(self.target(), length)?, elements, diagonal })
    }

    /// A total, at zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn sum<T: Summand>(&self) -> Result<Sum<T>> {
        Ok(Sum { memory: Memory::zeroed(self.target(), SLOTS as usize)? })
    }

    /// An empty list with room for `capacity` pairs.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn pairs(&self, capacity: usize) -> Result<Pairs> {
        let list = Memory::zeroed(self.target(), capacity)?;
        Ok(Pairs { list, count: Memory::zeroed(self.target(), 1)? })
    }

    /// Waits until everything launched so far has ended, on every stream.
    ///
    /// # Errors
    ///
    /// A kernel failed.
    pub fn synchronize(&self) -> Result<()> {
        match self.target() {
            Target::Cuda(gpu) => {
                gpu.stream.context().synchronize().map_err(Error::driver("wait for the device"))
            }
            Target::Cpu(_) => Ok(()),
        }
    }

    /// How far the launches on this device have got, its clones' among them: on the CPU, where a
    /// launch can take hours. Another thread can ask while one goes on. Blocks of one kernel take
    /// about equally long, so the share that has run tells the time that is left.
    ///
    /// The counts only grow; what both were before a launch is to be subtracted. Of a launch that
    /// fails, all blocks count as run in the end. A GPU tells nothing: both stay zero.
    pub fn progress(&self) -> Progress {
        self.shared.counter.progress()
    }

    pub(crate) fn counter(&self) -> &Counter {
        &self.shared.counter
    }

    /// Runs `work`, waits for what it launched on the device's stream, and tells how long that
    /// took: on a GPU by its own clock, between two events.
    ///
    /// # Errors
    ///
    /// The error of `work`, or the device fails.
    pub fn timed<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<(R, Duration)> {
        self.timed_on(self.stream(), work)
    }

    /// The same on a stream; on the CPU there is none.
    pub(crate) fn timed_on<R>(
        &self,
        stream: Option<&Arc<CudaStream>>,
        work: impl FnOnce() -> Result<R>,
    ) -> Result<(R, Duration)> {
        let Some(stream) = stream else {
            let start = Instant::now();
            return Ok((work()?, start.elapsed()));
        };
        let driver = || Error::driver("time a kernel");
        let event = || stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
        let start = event().map_err(driver())?;
        let result = work()?;
        let end = event().map_err(driver())?;
        let milliseconds = crate::cuda::driver::elapsed(&start, &end)?;
        Ok((result, Duration::from_secs_f64(f64::from(milliseconds) / 1e3)))
    }

    /// The smallest λ below `end` whose row `root` gets wrong on this device.
    ///
    /// Found by computing the row of every one; on a GPU, what is known already is not computed
    /// again. A launch asks this by itself.
    ///
    /// # Errors
    ///
    /// The device fails.
    pub fn root_failure(&self, root: Root, end: u64) -> Result<Option<u64>> {
        match self.target() {
            Target::Cuda(gpu) => gpu.root_failure(root, end, self.cache.as_deref()),
            Target::Cpu(_) => Ok(root.first_failure(0, end)),
        }
    }

    /// The table of a map that has one, for a triangle of `rows` rows: made now or before.
    pub(crate) fn table(&self, map: &dyn Map, rows: u32) -> Result<Arc<Memory<u32>>> {
        let cache = || self.shared.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (map.name(), rows);
        if let Some(table) = cache().get(&key) {
            return Ok(table.clone());
        }
        let table = map.table(rows).map_err(|reason| match reason {
            NoTable::Memory { bytes } => Error::new(Cause::HostMemory { needed: bytes }),
            // A launch of so many rows has no grid, and a map without a table is not asked for one.
            _ => Error::new(Cause::UnknownMap { map: map.name() }),
        })?;
        let table = Arc::new(Memory::upload(self.target(), &table)?);
        Ok(cache().entry(key).or_insert(table).clone())
    }

    /// The code of a variant's text, one of its two, compiled now or before.
    pub(crate) fn loaded(
        &self,
        info: &'static KernelInfo,
        variant: &'static Variant,
        text: &'static str,
        wide: bool,
    ) -> Result<Arc<Loaded>> {
        // A panic elsewhere cannot leave a map of finished kernels half done.
        let cache = || self.shared.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = cache().get(&(text, wide)) {
            return Ok(loaded.clone());
        }
        let source = if wide { widened(info.name, text) } else { text.to_owned() };
        // Unlocked meanwhile: a compiler is slow, and compiling one kernel twice does no harm.
        let loaded = Arc::new(match self.target() {
            Target::Cuda(gpu) => {
                let function = gpu.load(info.name, info.entry, &source, self.cache.as_deref())?;
                let resident = gpu.resident(&function, variant.tiling.thread_count())?;
                Loaded::Cuda { function, resident, parameters: OnceLock::new() }
            }
            Target::Cpu(compiler) => Loaded::Cpu(compiler.compile(info.name, info.entry, &source)?),
        });
        Ok(cache().entry((text, wide)).or_insert(loaded).clone())
    }

    /// Where compiled kernels are kept, if that was asked for.
    pub(crate) fn cache_folder(&self) -> Option<&Path> {
        self.cache.as_deref().map(Cache::folder)
    }

    /// How many warps a multiprocessor has at a time; 1 on the CPU.
    pub(crate) fn warps_per_multiprocessor(&self) -> Result<u32> {
        match self.target() {
            Target::Cuda(gpu) => gpu.warps_per_multiprocessor(),
            Target::Cpu(_) => Ok(1),
        }
    }

    /// How many multiprocessors run blocks, or cores on the CPU.
    pub(crate) fn multiprocessors(&self) -> u32 {
        match self.target() {
            Target::Cuda(gpu) => gpu.multiprocessors,
            Target::Cpu(_) => {
                let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
                u32::try_from(cores).unwrap_or(1)
            }
        }
    }
}

/// The text with 64-bit λ, after the comment that it begins with. Messages still count its lines from 1.
fn widened(name: &str, source: &str) -> String {
    let title: usize =
        source.split_inclusive('\n').take_while(|line| line.starts_with("//")).map(str::len).sum();
    let (title, text) = source.split_at(title);
    let line = title.lines().count() + 1;
    format!("{title}#define TD_WIDE\n#line {line} \"{name}.cu\"\n{text}")
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Device").field(&self.shared.name).finish()
    }
}
