//! Several devices as one: what is uploaded is copied to each of them, and each is waited for.
//!
//! A kernel is compiled and launched on each device by itself, with some of the rows (`group/kernel/share.rs`, `group/launch/`). The
//! results stay where they were gathered until they are downloaded: then the host adds, appends or compares them. (Nearest
//! neighbours are merged by the devices, in the end of a launch: `group/launch/exchange.rs`.)

mod memory;

use std::alloc::Layout;
use std::sync::Arc;
use std::time::Duration;

use cudarc::driver::CudaStream;
use td_kernel_maps::Root;

use self::memory::Copies;
use crate::backend::nvrtc::Cache;
use crate::backend::view::{Byte, Home};
use crate::backend::{Allocation, Backend, Clock, HostBytes, Loaded, Progress, Stopwatch, Text};
use crate::{Error, Result, host};

/// Several devices, at least one; the same one may be there more than once.
pub(crate) struct Several {
    name: String,
    devices: Vec<Arc<dyn Backend>>,
    /// How many devices of other processes come before these, and how many share each launch in all.
    first: usize,
    of: usize,
}

impl Several {
    /// These devices, as those from number `first` on of all `of` that share each launch.
    pub(crate) fn new(devices: Vec<Arc<dyn Backend>>, first: usize, of: usize) -> Several {
        Several { name: name(&devices), devices, first, of }
    }

    /// What `ask` answers of each device, until one fails, which is then named.
    fn each<R>(&self, ask: impl Fn(&dyn Backend) -> Result<R>) -> Result<Vec<R>> {
        let answers =
            self.devices.iter().enumerate().map(|(at, device)| {
                ask(&**device).map_err(|error| error.on_device(at, device.name()))
            });
        answers.collect()
    }

    /// The devices, each once.
    fn different(&self) -> impl Iterator<Item = &Arc<dyn Backend>> {
        let is_first = |at: usize, device: &Arc<dyn Backend>| {
            !self.devices.iter().take(at).any(|before| Arc::ptr_eq(before, device))
        };
        let all = self.devices.iter().enumerate();
        all.filter(move |(at, device)| is_first(*at, device)).map(|(_, device)| device)
    }
}

/// The names of the devices: of equal neighbours once, with their number.
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

    /// Those of all devices: a variant is chosen by the work that each multiprocessor has. Devices of other processes are taken
    /// to be like these.
    fn multiprocessors(&self) -> u32 {
        let own =
            self.devices.iter().map(|device| u64::from(device.multiprocessors())).sum::<u64>();
        let all = own.saturating_mul(self.of as u64) / self.devices.len().max(1) as u64;
        u32::try_from(all).unwrap_or(u32::MAX)
    }

    fn multiplies_matrices(&self) -> bool {
        self.devices.iter().all(|device| device.multiplies_matrices())
    }

    /// A launch asks each device about its own copy.
    fn owns(&self, home: &Home<'_>) -> bool {
        matches!(home, Home::Nowhere)
    }

    fn synchronize(&self) -> Result<()> {
        self.each(|device| device.synchronize()).map(drop)
    }

    /// Measures by the host's clock, from when all devices have nothing to do until they have nothing to do again.
    fn stopwatch(&self, _: Option<&Arc<CudaStream>>) -> Result<Box<dyn Stopwatch>> {
        self.synchronize()?;
        let several = Several::new(self.devices.clone(), self.first, self.of);
        Ok(Box::new(Together { several, clock: Clock::new() }))
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
                host::together(all.collect(), allocate).into_iter().collect()
            }
            _ => all.map(allocate).collect(),
        };
        let names = self.devices.iter().map(|device| device.name().to_owned());
        Ok(Box::new(Copies::new(copies?.into_iter().zip(names))))
    }

    /// Each device copies to its own memory, and so nothing calls this.
    unsafe fn copy_from_device(&self, _: u64, _: &dyn Backend, _: u64, _: usize) -> Result<()> {
        Err(Error::other(format!("each of {} has memory of its own", self.name)))
    }

    /// Memory of the host that the first device copies from fastest.
    fn pinned(&self, layout: Layout) -> Result<Box<dyn HostBytes>> {
        let first = self.devices.first().ok_or(Error::out_of_host_memory(layout.size()));
        first?.pinned(layout)
    }

    /// Each device compiles for itself, and so nothing calls this.
    fn compile(&self, text: &Text<'_>, _: Option<&Cache>) -> Result<Box<dyn Loaded>> {
        let reason = format!("it is compiled for each of {} by itself", self.name);
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

/// The host's clock, whose laps wait for all devices.
struct Together {
    several: Several,
    clock: Clock,
}

impl Stopwatch for Together {
    fn lap(&mut self) -> Result<()> {
        self.several.synchronize()?;
        self.clock.lap()
    }

    fn laps(self: Box<Self>) -> Result<Vec<Duration>> {
        Box::new(self.clock).laps()
    }
}
