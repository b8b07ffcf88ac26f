//! Tuning: which variant is fastest for an n is measured, on the caller's own data.

use std::fmt;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::Kernel;
use crate::{Error, Result};

/// How often each variant is timed. The first time is not counted: code is loaded then.
const ROUNDS: usize = 7;

/// What tuning found for one number of elements.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tuned {
    /// The number of elements.
    pub elements: usize,
    /// Each variant, and the median of its times. The first one is the fastest.
    pub times: Vec<(String, Duration)>,
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n = {}", self.elements)?;
        for (variant, time) in &self.times {
            write!(f, "\n{:>10.1} us  {variant}", time.as_secs_f64() * 1e6)?;
        }
        Ok(())
    }
}

impl Kernel {
    /// Times every variant; `launch` launches the kernel that it is given.
    #[doc(hidden)]
    pub fn tune(&self, mut launch: impl FnMut(&Kernel) -> Result<()>) -> Result<Tuned> {
        let pinned: Vec<Kernel> = (0..self.spec.variants.len()).map(|at| self.pin(at)).collect();
        let mut times = vec![Vec::with_capacity(ROUNDS); pinned.len()];
        for round in 0..=ROUNDS {
            for (kernel, times) in pinned.iter().zip(&mut times) {
                let ((), time) = kernel.timed(|| launch(kernel))?;
                if round > 0 {
                    times.push(time);
                }
            }
        }
        // The launches have left their plan, which knows n; without one there was nothing to do.
        let plan = pinned.first().and_then(Kernel::latest);
        let elements =
            plan.map(|plan| plan.n).ok_or(Error::NothingToTune { kernel: self.spec.name })?;
        let mut ranked: Vec<(usize, Duration)> = times
            .into_iter()
            .map(|mut times| {
                times.sort_unstable();
                times[times.len() / 2]
            })
            .enumerate()
            .collect();
        ranked.sort_by_key(|(_, time)| *time);
        if let Some(&(fastest, _)) = ranked.first() {
            self.remember(elements, fastest);
        }
        let name = |(at, time): (usize, Duration)| (self.spec.variants[at].to_string(), time);
        Ok(Tuned { elements, times: ranked.into_iter().map(name).collect() })
    }

    /// From now on this variant is the one for about as many elements.
    fn remember(&self, elements: usize, fastest: usize) {
        let mut tuned = self.shared.tuned.lock().unwrap_or_else(PoisonError::into_inner);
        tuned.insert(elements, fastest);
        if let Some(folder) = self.device.cache_folder() {
            // Others may have tuned the same kernel meanwhile.
            let key = self.tuning_key();
            let mut all = super::tuned::read(folder, &key, self.spec.variants.len());
            all.insert(elements, fastest);
            super::tuned::write(folder, &key, &all);
        }
        drop(tuned);
        // The latest plan may be of another variant, and so may one that is being made.
        let mut latest = self.shared.plan.lock().unwrap_or_else(PoisonError::into_inner);
        self.shared.tunings.fetch_add(1, Ordering::AcqRel);
        *latest = None;
    }

    /// What a tuning is true for: these texts, on this kind of device.
    pub(super) fn tuning_key(&self) -> String {
        let mut key = format!("{}\n{}\n", env!("CARGO_PKG_VERSION"), self.device.name());
        for variant in self.spec.variants {
            key.push_str(variant.source);
            key.push('\n');
        }
        key
    }
}
