//! A device that runs kernels variant by variant.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Device;
use crate::memory::observer::Observer;
use crate::types::info::{KernelInfo, Variant};

/// Makes each kernel loaded for its device use the variant of one index, and records every launch.
pub(super) struct Trial {
    /// The index of the variant; a kernel with fewer uses its last.
    variant: usize,
    exchanges_joins: bool,
    launches: Mutex<Vec<RecordedLaunch>>,
}

struct RecordedLaunch {
    info: &'static KernelInfo,
    /// Whether only some rows were launched.
    is_rows: bool,
    /// The addresses that it writes to.
    written: Vec<u64>,
}

impl Trial {
    pub(super) fn of(variant: usize) -> Arc<Trial> {
        Arc::new(Trial { variant, exchanges_joins: false, launches: Mutex::default() })
    }

    /// A trial of the first variant that joins states in another order.
    pub(super) fn with_exchanged_joins() -> Arc<Trial> {
        Arc::new(Trial { variant: 0, exchanges_joins: true, launches: Mutex::default() })
    }

    /// The kernel that was last launched with this output address, and the variant that it used. The variant is `None` if it
    /// cannot visit ranges of rows and only ranges were launched: then the kernel used another one.
    pub(super) fn writer(
        &self,
        address: u64,
    ) -> Option<(&'static KernelInfo, Option<&'static Variant>)> {
        let launches = self.launches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut writers = launches.iter().rev().filter(|each| each.written.contains(&address));
        let RecordedLaunch { info, is_rows, .. } = writers.next()?;
        let mut others = writers.filter(|each| std::ptr::eq(each.info, *info));
        let only_rows = *is_rows && others.all(|each| each.is_rows);
        let variant = info.variants.get(self.variant_index(info))?;
        Some((info, Some(variant).filter(|variant| variant.has_rows || !only_rows)))
    }
}

impl Observer for Trial {
    fn variant_index(&self, info: &KernelInfo) -> usize {
        self.variant.min(info.variants.len().saturating_sub(1))
    }

    fn source(&self, text: String) -> String {
        match self.exchanges_joins {
            // The line of the helper `td_join`.
            true => text.replacen("return join(one, other);", "return join(other, one);", 1),
            false => text,
        }
    }

    fn launched(&self, info: &'static KernelInfo, is_rows: bool, written: Vec<u64>) {
        let mut launches = self.launches.lock().unwrap_or_else(PoisonError::into_inner);
        launches.push(RecordedLaunch { info, is_rows, written });
    }
}

pub(super) fn on_trial(device: &Device, trial: &Arc<Trial>) -> Device {
    let mut device = device.clone();
    device.target.observer = Some(trial.clone());
    device
}
