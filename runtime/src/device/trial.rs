//! A device on which kernels are tried text by text.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Device;
use crate::spec::{Spec, Variant};

/// Makes each kernel that is loaded for its device take one of its texts, and notes what is launched.
pub(crate) struct Trial {
    /// The place of the text; the last one, for a kernel that has fewer.
    variant: usize,
    /// The launches: each kernel, with the addresses of what it was given to write.
    launches: Mutex<Vec<(&'static Spec, Vec<u64>)>>,
}

impl Trial {
    pub(crate) fn of(variant: usize) -> Arc<Trial> {
        Arc::new(Trial { variant, launches: Mutex::default() })
    }

    /// The text that this kernel takes.
    pub(crate) fn place(&self, spec: &Spec) -> usize {
        self.variant.min(spec.variants.len().saturating_sub(1))
    }

    /// Notes a launch.
    pub(crate) fn launched(&self, spec: &'static Spec, written: Vec<u64>) {
        let mut launches = self.launches.lock().unwrap_or_else(PoisonError::into_inner);
        launches.push((spec, written));
    }

    /// The kernel that was given this memory to write, the last one of several, and the text that it took.
    pub(crate) fn writer(&self, address: u64) -> Option<(&'static Spec, &'static Variant)> {
        let launches = self.launches.lock().unwrap_or_else(PoisonError::into_inner);
        let (spec, _) = launches.iter().rev().find(|(_, written)| written.contains(&address))?;
        Some((spec, spec.variants.get(self.place(spec))?))
    }
}

impl Device {
    /// The same device, for a trial.
    pub(crate) fn on_trial(&self, trial: &Arc<Trial>) -> Device {
        Device { trial: Some(trial.clone()), ..self.clone() }
    }
}
