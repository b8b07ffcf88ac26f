//! Tuning: measures which variant is fastest for an n, on the caller's data.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use td_kernel_geometry::Sweep;

use super::Kernel;
use crate::plan::extent::Extent;
use crate::plan::{no_rows, tuned};
use crate::types::info::{KernelInfo, Variant};
use crate::{Error, Result};

/// How often each variant is timed. One round before these is not counted, because it loads code.
const ROUNDS: usize = 7;

/// The result of tuning for one number of elements or some of their rows, returned by `tune` of a generated kernel.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
///     r#" distance = fabsf(x.i - x.j); "#
/// }
///
/// let device = Device::emulator()?;
/// let x = device.upload(&[0.5; 100])?;
/// let tuned = distance::load(&device)?.tune(&x, &mut device.packed(100)?)?;
/// assert_eq!((tuned.elements, tuned.times.len()), (100, distance::SOURCES.len()));
/// println!("the fastest: {}", tuned.times[0].0);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TuneReport {
    /// The number of elements; for a rectangle, of its rows.
    pub elements: usize,
    /// The number of a rectangle's columns.
    pub columns: Option<usize>,
    /// The rows of the pairs, if the kernel was restricted to some.
    pub rows: Option<Range<usize>>,
    /// Each variant with the median of its times, fastest first. If the CPU runs the kernel in plain loops, there is no choice,
    /// and only their time is here.
    pub times: Vec<(String, Duration)>,
}

impl fmt::Display for TuneReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::report::write_counts(f, self.elements, self.columns)?;
        if let Some(rows) = &self.rows {
            write!(f, ", rows {rows:?}")?;
        }
        for (variant, time) in &self.times {
            write!(f, "\n{:>10.1} us  {variant}", time.as_secs_f64() * 1e6)?;
        }
        Ok(())
    }
}

/// The median of some times, if there are any.
fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

impl Kernel {
    /// Times every variant; `launch` launches the given kernel. It is a `dyn` reference so that this is compiled once, not in
    /// the user's crate for each kernel.
    #[doc(hidden)]
    pub fn tune(&self, launch: &mut dyn FnMut(&Kernel) -> Result<()>) -> Result<TuneReport> {
        self.expect_no_own_choice("be tuned")?;
        self.expect("be tuned", self.refused().tuning)?;
        if self.loops().is_some() {
            return self.tune_loops(launch);
        }
        let supports = |each: &Variant| self.device.backend().supports(&each.tiling);
        let is_product = |each: &Variant| each.tiling.sweep == Sweep::Product && supports(each);
        let is_near_of_all =
            |each: &Variant| each.tiling.sweep == Sweep::Near && self.rows.is_none();
        // Other variants round products differently.
        let are_products = self.info.variants.iter().any(is_product);
        let usable = self.info.variants.iter().enumerate().filter(|(_, each)| {
            supports(each)
                && self.can_share(each)
                && (!are_products || is_product(each))
                && (!self.visits_rows() || each.has_rows || is_near_of_all(each))
        });
        let pinned: Vec<(usize, Kernel)> =
            usable.map(|(at, _)| (at, Kernel { forgets: true, ..self.pin(at) })).collect();
        if self.visits_rows() && pinned.is_empty() {
            return Err(no_rows(self.info));
        }
        let (extent, mut ranked) = self.time_each(&pinned, launch)?;
        ranked.sort_by_key(|(_, time)| *time);
        if let Some(&(fastest, _)) = ranked.first() {
            self.remember(&extent, fastest);
        }
        let name = |(at, time): (usize, Duration)| (self.info.variants[at].to_string(), time);
        Ok(self.tune_report(&extent, ranked.into_iter().map(name).collect()))
    }

    /// Times the plain loops: the CPU runs the kernel in no other way.
    fn tune_loops(&self, launch: &mut dyn FnMut(&Kernel) -> Result<()>) -> Result<TuneReport> {
        // A separate kernel, so that the plan is that of these launches.
        let kernel = Kernel { shared: Arc::default(), forgets: true, ..self.clone() };
        let (extent, times) = self.time_each(&[((), kernel)], launch)?;
        let name = |((), time)| ("plain loops on the CPU".to_owned(), time);
        Ok(self.tune_report(&extent, times.into_iter().map(name).collect()))
    }

    /// The pairs of the launches, and the median of each kernel's times, with what came with the kernel.
    fn time_each<A: Copy>(
        &self,
        kernels: &[(A, Kernel)],
        launch: &mut dyn FnMut(&Kernel) -> Result<()>,
    ) -> Result<(Extent, Vec<(A, Duration)>)> {
        let mut times = vec![Vec::with_capacity(ROUNDS); kernels.len()];
        for round in 0..=ROUNDS {
            for ((_, kernel), times) in kernels.iter().zip(&mut times) {
                let ((), time) = kernel.timed(|| launch(kernel))?;
                if round > 0 {
                    times.push(time);
                }
            }
        }
        // The launches have left their plan, which has n. Without a plan there was nothing to do.
        let plan = kernels.first().and_then(|(_, kernel)| kernel.latest());
        let medians = kernels.iter().zip(times).map(|((at, _), times)| Some((*at, median(times)?)));
        let medians = medians.collect::<Option<_>>();
        plan.map(|plan| plan.extent.clone()).zip(medians).ok_or_else(|| {
            let problem =
                "it cannot be tuned without pairs: pass the data for which it should be fast";
            Error::arguments(problem).of_kernel(self.info.name)
        })
    }

    fn tune_report(&self, extent: &Extent, times: Vec<(String, Duration)>) -> TuneReport {
        let (elements, columns) = self.info.own_counts(extent.n, extent.columns);
        let rows = self.rows.as_ref().map(|_| extent.rows());
        TuneReport { elements, columns, rows, times }
    }

    /// From now on, launches of about as many elements, or of rows with about as many pairs, take this variant.
    fn remember(&self, extent: &Extent, fastest: usize) {
        let of = (extent.rows.is_some(), extent.equivalent_n());
        let mut tuned = self.shared.tuned();
        tuned.insert(of, fastest);
        if let Some(folder) = self.device.cache_folder() {
            // Other processes may have tuned the same kernel since.
            let key = self.tuning_key();
            let mut all = tuned::read(folder, &key, self.info.variants.len());
            all.insert(of, fastest);
            tuned::write(folder, &key, &all);
        }
        drop(tuned);
        // The latest plan may have another variant, and so may a plan in progress.
        let mut latest = self.shared.plan.lock().unwrap_or_else(PoisonError::into_inner);
        self.shared.tuning_generation.fetch_add(1, Ordering::AcqRel);
        *latest = None;
    }

    /// The key of tuning results: the kernel's sources and the device. Each load hashes it, so parts that sources share are in it
    /// only once.
    pub(super) fn tuning_key(&self) -> String {
        let (version, device) = (env!("CARGO_PKG_VERSION"), self.device.name());
        let KernelInfo { options, variants, .. } = self.info;
        let parts = variants.first().map_or(&[][..], |first| first.source.parts);
        let orders: Vec<_> = variants.iter().map(|variant| variant.source.order).collect();
        format!("{version}\n{device}\n{options:?}\n{orders:?}\n{}", parts.concat())
    }
}
