//! Several devices as one. Uploads go to each of them, and waiting waits for all.
//!
//! A kernel is compiled and launched on each device separately, with some of the rows (`group/kernel/share.rs`,
//! `group/launch/`). Results stay on the device that computed them until they are downloaded; the host then adds, appends or
//! compares them. Nearest neighbours are merged on the devices at the end of a launch (`group/launch/exchange.rs`).

mod memory;

use std::alloc::Layout;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cudarc::driver::CudaStream;
use td_kernel_geometry::{Root, Tiling};

use self::memory::Copies;
use crate::backend::nvrtc::Cache;
use crate::backend::view::{Byte, MemorySpace};
use crate::backend::{Allocation, Backend, HostBytes, KernelSource, Loaded, Progress, Stopwatch};
use crate::{Error, Result, host};

/// Several devices, at least one. A device may occur more than once.
pub(crate) struct Several {
    name: String,
    devices: Vec<Arc<dyn Backend>>,
    /// The number of devices of other processes before these, and of all devices that share each launch.
    first: usize,
    of: usize,
}

impl Several {
    /// These devices as numbers `first` and up of all `of` that share each launch.
    pub(crate) fn new(devices: Vec<Arc<dyn Backend>>, first: usize, of: usize) -> Several {
        Several { name: name(&devices), devices, first, of }
    }

    /// Calls `ask` for each device. An error stops it and names the device.
    fn each<R>(&self, ask: impl Fn(&dyn Backend) -> Result<R>) -> Result<Vec<R>> {
        let answers =
            self.devices.iter().enumerate().map(|(at, device)| {
                ask(&**device).map_err(|error| error.on_device(at, device.name()))
            });
        answers.collect()
    }

    /// The devices without repetitions.
    fn different(&self) -> impl Iterator<Item = &Arc<dyn Backend>> {
        let is_first = |at: usize, device: &Arc<dyn Backend>| {
            !self.devices.iter().take(at).any(|before| Arc::ptr_eq(before, device))
        };
        let all = self.devices.iter().enumerate();
        all.filter(move |(at, device)| is_first(*at, device)).map(|(_, device)| device)
    }
}

/// The names of the devices. Equal neighbours are named once, with their number.
fn name(devices: &[Arc<dyn Backend>]) -> String {
    let groups = devices.chunk_by(|one, other| one.name() == other.name());
    let groups = groups.filter_map(|group| {
        group.first().map(|first| format!("{} x {}", group.len(), first.name()))
    });
    groups.collect::<Vec<_>>().join(", ")
}

impl Backend for Several {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_cpu(&self) -> bool {
        self.devices.iter().all(|device| device.is_cpu())
    }

    fn is_several(&self) -> bool {
        true
    }

    fn runs_loops(&self) -> bool {
        self.devices.iter().all(|device| device.runs_loops())
    }

    fn place(&self) -> [usize; 2] {
        [self.first, self.of]
    }

    /// The sum over all devices, because a variant is chosen by the work per multiprocessor. Devices of other processes count
    /// as equal to these.
    fn multiprocessors(&self) -> u32 {
        let own =
            self.devices.iter().map(|device| u64::from(device.multiprocessors())).sum::<u64>();
        let all = own.saturating_mul(self.of as u64) / self.devices.len().max(1) as u64;
        u32::try_from(all).unwrap_or(u32::MAX)
    }

    fn supports(&self, tiling: &Tiling) -> bool {
        self.devices.iter().all(|device| device.supports(tiling))
    }

    /// False for all memory: a launch asks each device about its own copy.
    fn owns(&self, space: &MemorySpace<'_>) -> bool {
        matches!(space, MemorySpace::Nowhere)
    }

    fn synchronize(&self) -> Result<()> {
        self.each(|device| device.synchronize()).map(drop)
    }

    /// Measures with the host clock, from when all devices are idle until they are idle again.
    fn stopwatch(&self, _: Option<&Arc<CudaStream>>) -> Result<Box<dyn Stopwatch>> {
        self.synchronize()?;
        let several = Several::new(self.devices.clone(), self.first, self.of);
        Ok(Box::new(Together { several, start: Instant::now() }))
    }

    fn allocate(&self, layout: Layout, contents: Option<&[Byte]>) -> Result<Box<dyn Allocation>> {
        let allocate = |at: usize| {
            let device = &self.devices[at];
            let memory = device.allocate(layout, contents);
            memory.map_err(|error| error.on_device(at, device.name()))
        };
        let all = 0..self.devices.len();
        let copies: Result<Vec<_>> = match contents {
            Some(contents) if contents.len() >= host::LARGE => {
                host::map_concurrently(all.collect(), allocate).into_iter().collect()
            }
            _ => all.map(allocate).collect(),
        };
        let names = self.devices.iter().map(|device| device.name().to_owned());
        Ok(Box::new(Copies::new(copies?.into_iter().zip(names))))
    }

    /// Never called: each device copies to its own memory.
    unsafe fn copy_from_device(&self, _: u64, _: &dyn Backend, _: u64, _: usize) -> Result<()> {
        Err(Error::other(format!("{} have separate memory", self.name)))
    }

    /// Host memory that the first device copies fastest.
    fn pinned(&self, layout: Layout) -> Result<Box<dyn HostBytes>> {
        let first = self.devices.first().ok_or(Error::out_of_host_memory(layout.size()));
        first?.pinned(layout)
    }

    /// Never called: each device compiles for itself.
    fn compile(&self, text: &KernelSource<'_>, _: Option<&Cache>) -> Result<Box<dyn Loaded>> {
        let reason = format!("it must be compiled separately for each of {}", self.name);
        Err(Error::refused(text.kernel, reason))
    }

    fn root_failure(&self, root: Root, end: u64, cache: Option<&Cache>) -> Result<Option<u64>> {
        let failures = self.each(|device| device.root_failure(root, end, cache))?;
        Ok(failures.into_iter().flatten().min())
    }

    fn progress(&self) -> Progress {
        let all = self.different().map(|device| device.progress());
        all.fold(Progress::default(), |sum, each| Progress {
            blocks: sum.blocks + each.blocks,
            finished: sum.finished + each.finished,
        })
    }
}

/// A host clock that stops when all devices are idle.
struct Together {
    several: Several,
    start: Instant,
}

impl Stopwatch for Together {
    fn stop(self: Box<Self>) -> Result<Duration> {
        self.several.synchronize()?;
        Ok(self.start.elapsed())
    }
}
