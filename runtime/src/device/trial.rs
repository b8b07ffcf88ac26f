//! A device on which kernels are tried text by text.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Device;
use crate::spec::{Spec, Variant};

/// Makes each kernel that is loaded for its device take one of its texts.
pub(crate) struct Trial {
    /// The place of the text; the last one, for a kernel that has fewer.
    variant: usize,
    /// The kernel that was loaded last.
    loaded: Mutex<Option<&'static Spec>>,
}

impl Trial {
    pub(crate) fn of(variant: usize) -> Arc<Trial> {
        Arc::new(Trial { variant, loaded: Mutex::default() })
    }

    /// The kernel that was loaded last, and the text that it takes.
    pub(crate) fn loaded(&self) -> Option<(&'static Spec, &'static Variant)> {
        let spec = (*self.loaded.lock().unwrap_or_else(PoisonError::into_inner))?;
        Some((spec, spec.variants.get(self.place(spec))?))
    }

    /// The text that this kernel takes, whose loading is noted.
    pub(crate) fn load(&self, spec: &'static Spec) -> usize {
        *self.loaded.lock().unwrap_or_else(PoisonError::into_inner) = Some(spec);
        self.place(spec)
    }

    fn place(&self, spec: &Spec) -> usize {
        self.variant.min(spec.variants.len().saturating_sub(1))
    }
}

impl Device {
    /// The same device, for a trial.
    pub(crate) fn on_trial(&self, trial: &Arc<Trial>) -> Device {
        Device { trial: Some(trial.clone()), ..self.clone() }
    }
}
