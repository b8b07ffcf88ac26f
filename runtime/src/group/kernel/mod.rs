//! A compiled kernel, ready to be launched on the devices that it was loaded for.

pub(crate) mod generated;

mod parts;
mod report;
mod share;
mod tune;

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::CudaStream;

use crate::backend::view::Home;
use crate::kernel::extent::Extent;
use crate::kernel::plan::no_rows;
use crate::kernel::{choose, tuned};
use crate::types::info::{KernelInfo, Loops, Variant};
use crate::{Error, Result, Target};

pub use report::Report;
pub(crate) use share::Plans;
pub use tune::Tuned;

/// A compiled kernel, without the types of its parameters: generated types hold one.
#[derive(Clone)]
pub struct Kernel {
    pub(crate) info: &'static KernelInfo,
    pub(crate) device: Target,
    /// The stream that it is launched on, on a GPU.
    pub(crate) stream: Option<Arc<CudaStream>>,
    /// The rows of the pairs that a launch visits; `None` for all.
    pub(crate) rows: Option<Range<usize>>,
    /// The index of the variant of every launch; `None` where each launch chooses by n.
    pinned: Option<usize>,
    /// Whether each launch forgets the nearest neighbours that are known: a search among known ones takes less time.
    pub(crate) forgets: bool,
    shared: Arc<Shared>,
}

/// What the clones of a kernel have in common.
#[derive(Default)]
struct Shared {
    /// The latest plan: most programs launch a kernel for one n again and again.
    plan: Mutex<Option<Arc<Plans>>>,
    /// What tuning found for launches of all pairs.
    tuned: Mutex<tuned::Fastest>,
    /// What tuning found for launches of some rows, by the number of elements whose triangle has about as many pairs.
    tuned_rows: Mutex<tuned::Fastest>,
    /// How often tuning has found something: a plan that was begun before is not kept.
    tuning_generation: AtomicU64,
}

impl Shared {
    /// What tuning found, for launches of some rows or of all pairs.
    fn tuned(&self, is_rows: bool) -> MutexGuard<'_, tuned::Fastest> {
        let tuned = if is_rows { &self.tuned_rows } else { &self.tuned };
        tuned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kernel {
    /// Compiles the kernel's plain loops or its first variant for `target`, or finds it compiled already. Another
    /// variant is compiled when a launch first needs it.
    ///
    /// # Safety
    ///
    /// `info` is what the macro makes of a kernel: its texts are compiled and run in this process, and launches trust
    /// its maps, sweeps, tiles and threads.
    #[doc(hidden)]
    pub unsafe fn load(target: &Target, info: &'static KernelInfo) -> Result<Kernel> {
        let stream = target.backend().stream().cloned();
        #[cfg(feature = "testing")]
        let pinned = target.observer.as_ref().map(|observer| observer.variant_index(info));
        #[cfg(not(feature = "testing"))]
        let pinned = None;
        let (device, shared) = (target.clone(), Arc::default());
        let kernel = Kernel { info, device, stream, rows: None, pinned, forgets: false, shared };
        kernel.expect_shares()?;
        // Also of a body that does not compile: what is a double by accident may be why.
        kernel.device.tell_warnings(info);
        kernel.compile_first()?;
        let count = info.variants.len();
        // What this machine's earlier processes have tuned is not what all processes have that share the launches.
        let may_differ = kernel.device.is_part();
        if let Some(folder) = kernel.device.cache_folder().filter(|_| count > 1 && !may_differ) {
            *kernel.shared.tuned(false) = tuned::read(folder, &kernel.tuning_key(false), count);
            if info.variants.iter().any(|variant| variant.has_rows) {
                *kernel.shared.tuned(true) = tuned::read(folder, &kernel.tuning_key(true), count);
            }
        }
        Ok(kernel)
    }

    /// The plain loops that launches run instead of a variant's text, on all devices.
    pub(crate) fn loops(&self) -> Option<&'static Loops> {
        self.loops_on(&self.device)
    }

    /// The same kernel, whose launches all take one variant, by its index. On devices that share their launches with those of
    /// other processes, its launches are an error.
    #[doc(hidden)]
    #[must_use]
    pub fn pin(&self, variant: usize) -> Kernel {
        Kernel { pinned: Some(variant), shared: Arc::default(), ..self.clone() }
    }

    /// The same kernel, launched on `stream` from now on.
    ///
    /// # Errors
    ///
    /// The stream belongs to another device than the kernel, or the device fails.
    pub fn with_stream(&self, stream: &Arc<CudaStream>) -> Result<Kernel> {
        if !self.device.backend().owns(&Home::Gpu(stream)) {
            return Err(Error::wrong_stream(self.info.name, self.device.name()));
        }
        self.device.backend().keep_order()?;
        Ok(Kernel { stream: Some(stream.clone()), ..self.clone() })
    }

    /// The same kernel, whose launches visit only the pairs (i, j) whose larger index i is one of `rows`; of two sets,
    /// those whose row i is one of `rows`. A list, a sum and slots get the results of these pairs. Packed slots are either
    /// those of the rows, made with [`Shape::of_rows`](crate::Shape::of_rows), or those of all pairs; then the slots of other rows
    /// stay as they are. So it is with a matrix.
    ///
    /// A launch fails where the range does not fit its n, and where the kernel cannot visit a part of its rows: because
    /// it writes a `Square`, has a map for whole triangles only, or `space = "thread"`.
    #[must_use]
    pub fn rows(&self, rows: Range<usize>) -> Kernel {
        Kernel { rows: Some(rows), ..self.clone() }
    }

    /// Checks that some variant can visit these pairs.
    pub(crate) fn expect_rows(&self, extent: &Extent) -> Result<()> {
        if self.info.variants.iter().any(|each| extent.has(each)) {
            Ok(())
        } else {
            Err(no_rows(self.info))
        }
    }

    /// The plan for these pairs, on all devices or on one of them only: the latest one, or one made now.
    pub(crate) fn plan(&self, extent: Extent, only: Option<usize>) -> Result<Arc<Plans>> {
        let extent = if self.visits_rows() { extent.with_rows() } else { extent };
        if let Some(plan) = self.latest().filter(|plan| plan.extent == extent && plan.only == only)
        {
            return Ok(plan);
        }
        let tuning_generation = self.shared.tuning_generation.load(Ordering::Acquire);
        let chosen = self.choose(&extent, only)?;
        let plan = Arc::new(self.share(extent, only, chosen)?);
        let mut latest = self.shared.plan.lock().unwrap_or_else(PoisonError::into_inner);
        if self.shared.tuning_generation.load(Ordering::Acquire) == tuning_generation {
            *latest = Some(plan.clone());
        }
        Ok(plan)
    }

    /// The latest plan.
    fn latest(&self) -> Option<Arc<Plans>> {
        // Ignores poisoning: a panic elsewhere cannot leave a plan half written.
        self.shared.plan.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The variant for these pairs: the pinned one, the one that tuning found, or the one of the rule in `choose`.
    fn choose(&self, extent: &Extent, only: Option<usize>) -> Result<&'static Variant> {
        if self.pinned.is_some() {
            self.expect_no_own_choice("pinned to a variant")?;
        }
        let variants = self.info.variants;
        let can = |at: &usize| variants.get(*at).is_some_and(|each| extent.has(each));
        // Of rows, that is another one where this one cannot visit them. An index past the last variant is refused below.
        let pinned = self.pinned.filter(|at| *at >= variants.len() || can(at));
        let at = pinned.or_else(|| {
            let sector = variants.first().map_or(1, |first| first.sector);
            let tuned = self.shared.tuned(extent.rows.is_some());
            tuned::nearest(&tuned, extent.alike(), sector).filter(can)
        });
        let can_filter = self.device.backend().multiplies_matrices();
        let by_rule = || choose::variant(variants, extent, self.multiprocessors(only), can_filter);
        let at = at.unwrap_or_else(by_rule);
        variants.get(at).ok_or_else(|| {
            Error::version(&format!("it has no variant {at}")).of_kernel(self.info.name)
        })
    }

    /// How many multiprocessors a variant is chosen for. That of nearest neighbours is the same on one device and on several:
    /// in the order of values the last bit counts, which `fmad = true` may change from tile to tile.
    fn multiprocessors(&self, only: Option<usize>) -> u32 {
        if let Some(device) = only.and_then(|only| self.devices().get(only)) {
            return device.backend().multiprocessors();
        }
        let devices = self.devices().iter().map(|device| device.backend().multiprocessors());
        match self.info.is_nearest {
            true => devices.max().unwrap_or(1),
            false => self.device.backend().multiprocessors(),
        }
    }

    /// Runs `work`, and measures how long its launches took on the kernel's stream.
    fn timed<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<(R, std::time::Duration)> {
        self.device.timed_on(self.stream.as_ref(), work)
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.info.name)
            .field("device", &self.device.name())
            .finish_non_exhaustive()
    }
}
