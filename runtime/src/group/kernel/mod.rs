//! A compiled kernel, ready to be launched on the devices that it was loaded for.

pub(crate) mod generated;

mod kept;
mod near;
mod parts;
mod report;
mod sets;
mod share;
mod tune;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use cudarc::driver::CudaStream;

use crate::backend::stream::{Stream, sealed};
use crate::backend::view::MemorySpace;
use crate::host::methods::debug;
use crate::plan::extent::Extent;
use crate::plan::{choose, no_rows, tuned};
use crate::types::info::{KernelInfo, Loops, Variant};
use crate::{Error, GivenPairs, Result, Target};

pub(crate) use kept::{Kept, KeptList};
pub use near::NearTiles;
pub use report::Report;
pub(crate) use sets::SetPart;
use share::Chosen;
pub(crate) use share::Plans;
pub use tune::TuneReport;

/// A compiled kernel, without the types of its parameters. Generated types hold one.
#[derive(Clone)]
pub struct Kernel {
    pub(crate) info: &'static KernelInfo,
    pub(crate) device: Target,
    /// The stream of its launches, on a GPU.
    pub(crate) stream: Option<Arc<CudaStream>>,
    /// The rows of the pairs that a launch visits; `None` for all.
    pub(crate) rows: Option<Range<usize>>,
    /// The pairs that a launch visits instead of all.
    pub(crate) given: Option<GivenPairs>,
    /// The list that launches keep and visit.
    pub(crate) kept: Option<Arc<Kept>>,
    /// The index of the variant of every launch, in `variants`; `None` if each launch chooses by n.
    pinned: Option<usize>,
    /// Whether each launch forgets the nearest neighbours of earlier ones: a search that starts with known neighbours is
    /// faster.
    pub(crate) forgets: bool,
    /// When launches visit near tiles.
    near: NearTiles,
    shared: Arc<Shared>,
}

/// State that the clones of a kernel share.
#[derive(Default)]
struct Shared {
    /// The latest plan: most programs launch a kernel many times for the same n.
    plan: Mutex<Option<Arc<Plans>>>,
    /// Results of tuning.
    tuned: Mutex<tuned::Fastest>,
    /// The number of tuning results so far. A plan that was begun before the latest is not kept.
    tuning_generation: AtomicU64,
}

impl Shared {
    /// Results of tuning.
    fn tuned(&self) -> MutexGuard<'_, tuned::Fastest> {
        self.tuned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kernel {
    /// Compiles the kernel's plain loops or its first variant for `target`, or takes it from the cache. Another variant is
    /// compiled when a launch first needs it.
    ///
    /// # Safety
    ///
    /// `info` is the macro's description of a kernel: its sources are compiled and run in this process, and launches trust its
    /// maps, sweeps, tiles and threads.
    #[doc(hidden)]
    pub unsafe fn load(target: &Target, info: &'static KernelInfo) -> Result<Kernel> {
        let stream = target.backend().stream().cloned();
        #[cfg(feature = "testing")]
        let pinned = target.observer.as_ref().map(|observer| observer.variant_index(info));
        #[cfg(not(feature = "testing"))]
        let pinned = None;
        let (device, shared) = (target.clone(), Arc::default());
        let kernel = Kernel {
            info,
            device,
            stream,
            rows: None,
            given: None,
            kept: None,
            pinned,
            forgets: false,
            near: NearTiles::default(),
            shared,
        };
        kernel.expect_shares()?;
        // Also for a body that does not compile: an accidental double may be the reason.
        kernel.device.log_warnings(info);
        kernel.compile_first()?;
        let count = info.variants.len();
        // Processes that share launches must choose the same variant, and this machine's tuning results are not the others'.
        let may_differ = kernel.device.is_part();
        if let Some(folder) = kernel.device.cache_folder().filter(|_| count > 1 && !may_differ) {
            *kernel.shared.tuned() = tuned::read(folder, &kernel.tuning_key(), count);
        }
        Ok(kernel)
    }

    /// The plain loops that launches run instead of a variant's source, on all devices.
    pub(crate) fn loops(&self) -> Option<&'static Loops> {
        self.loops_on(&self.device)
    }

    /// Its description.
    #[doc(hidden)]
    pub fn info(&self) -> &'static KernelInfo {
        self.info
    }

    /// Its variants for all pairs, followed by those that visit a list by element.
    #[doc(hidden)]
    pub fn variants(&self) -> impl Iterator<Item = &'static Variant> + use<> {
        let partners = self.info.entries.as_ref().map_or(&[][..], |entries| entries.partners);
        self.info.variants.iter().chain(partners)
    }

    /// The variant for lists by element that every launch takes.
    pub(crate) fn pinned_partners(&self) -> Option<&'static Variant> {
        let variants = self.info.variants.len();
        self.pinned.filter(|at| *at >= variants).and_then(|at| self.variants().nth(at))
    }

    /// The same kernel, whose launches all take the variant of this index. On devices that share launches with other processes,
    /// its launches are an error.
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
    pub fn with_stream(&self, stream: &impl Stream) -> Result<Kernel> {
        let stream = sealed::Stream::stream(stream);
        if !self.device.backend().owns(&MemorySpace::Gpu(stream)) {
            return Err(Error::wrong_stream(self.info.name, self.device.name()));
        }
        self.device.backend().keep_order()?;
        Ok(Kernel { stream: Some(stream.clone()), ..self.clone() })
    }

    /// The same kernel, whose launches visit only the pairs (i, j) with the larger index i in `rows`; for two sets, those with
    /// row i in `rows`. A list, a sum and slots get the results of these pairs. Packed slots and matrices are either for these
    /// rows, made with [`Shape::of_rows`](crate::Shape::of_rows), or for all pairs; then the slots of other rows keep their
    /// values.
    ///
    /// A launch fails if the range does not fit its n, or if the kernel's outputs, map or space do not support ranges of rows.
    #[must_use]
    pub fn rows(&self, rows: Range<usize>) -> Kernel {
        Kernel { rows: Some(rows), ..self.clone() }
    }

    /// The same kernel, whose launches visit only these pairs.
    #[must_use]
    pub fn pairs(&self, pairs: &GivenPairs) -> Kernel {
        Kernel { given: Some(pairs.clone()), kept: None, ..self.clone() }
    }

    /// Checks that the kernel can visit these pairs.
    pub(crate) fn expect_rows(&self, extent: &Extent) -> Result<()> {
        match (&extent.rows, self.info.refused.rows) {
            (Some(_), Some(_)) => Err(no_rows(self.info)),
            _ => Ok(()),
        }
    }

    /// The plan for these pairs, on all devices or on only one: the latest one, or a new one.
    pub(crate) fn plan(&self, extent: Extent, only: Option<usize>) -> Result<Arc<Plans>> {
        let extent = if self.visits_rows() { extent.with_rows() } else { extent };
        if let Some(plan) = self.latest().filter(|plan| plan.extent == extent && plan.only == only)
        {
            return Ok(plan);
        }
        let tuning_generation = self.shared.tuning_generation.load(Ordering::Acquire);
        let is_by_rule = self.fixed(&extent)?.is_none();
        let chosen = Chosen { variant: self.choose(&extent, only)?, are_all: false };
        let mut plan = self.share(extent, only, chosen)?;
        plan.all_pairs = self.tests_pairs(&chosen, is_by_rule).then(OnceLock::new);
        let plan = Arc::new(plan);
        let mut latest = self.shared.plan.lock().unwrap_or_else(PoisonError::into_inner);
        if self.shared.tuning_generation.load(Ordering::Acquire) == tuning_generation {
            *latest = Some(plan.clone());
        }
        Ok(plan)
    }

    fn latest(&self) -> Option<Arc<Plans>> {
        // Ignores poisoning: a panic elsewhere cannot leave a plan half written.
        self.shared.plan.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The variant for these pairs: the pinned one, the one from tuning, or the one from the rule in `choose`.
    fn choose(&self, extent: &Extent, only: Option<usize>) -> Result<&'static Variant> {
        match self.fixed(extent)? {
            Some(at) => self.variant(at),
            None => self.by_rule(extent, only, &|_| true),
        }
    }

    /// The index of the pinned variant for these pairs, or of the one from tuning.
    fn fixed(&self, extent: &Extent) -> Result<Option<usize>> {
        if self.pinned.is_some() {
            self.expect_no_own_choice("be pinned to a variant")?;
        }
        let variants = self.info.variants;
        let can = |at: &usize| {
            variants.get(*at).is_some_and(|each| extent.has(each) && self.can_share(each))
        };
        // For rows that the pinned variant cannot visit, another one is chosen. An index past the last variant is rejected
        // below.
        let pinned = self.pinned.filter(|at| *at >= variants.len() || can(at));
        Ok(pinned.or_else(|| {
            let sector = variants.first().map_or(1, |first| first.sector);
            let (is_rows, n) = (extent.rows.is_some(), extent.equivalent_n());
            tuned::nearest(&self.shared.tuned(), is_rows, n, sector).filter(can)
        }))
    }

    /// The variant from the rule, one of those that `may` be taken.
    fn by_rule(
        &self,
        extent: &Extent,
        only: Option<usize>,
        may: &dyn Fn(&Variant) -> bool,
    ) -> Result<&'static Variant> {
        let supports = |each: &Variant| {
            may(each) && self.can_share(each) && self.device.backend().supports(&each.tiling)
        };
        let near = self.forced_near(|each| supports(each) && extent.has(each));
        let by_size =
            || choose::variant(self.info.variants, extent, self.multiprocessors(only), &supports);
        self.variant(near.unwrap_or_else(by_size))
    }

    /// The variant of this index.
    fn variant(&self, at: usize) -> Result<&'static Variant> {
        self.info.variants.get(at).ok_or_else(|| {
            Error::version(&format!("its variant {at} does not exist")).of_kernel(self.info.name)
        })
    }

    /// The number of multiprocessors that a variant is chosen for. For nearest neighbours it is the same on one device and on
    /// several: their order depends on the last bit of values, which `fmad = true` may change from tile to tile.
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

    /// Runs `work` and measures the time of its launches on the kernel's stream.
    fn timed<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<(R, std::time::Duration)> {
        self.device.timed_on(self.stream.as_ref(), work)
    }
}

debug!([] Kernel, self: name = self.info.name, device = self.device.name());
