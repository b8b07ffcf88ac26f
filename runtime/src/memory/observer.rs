//! Observes a device's launches in a test.

use std::panic::{RefUnwindSafe, UnwindSafe};

use crate::types::info::KernelInfo;

/// Chooses the sources of kernels that are loaded for a device, and observes their launches.
pub(crate) trait Observer: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The index of the source that a kernel uses.
    fn variant_index(&self, info: &KernelInfo) -> usize;

    /// The source that is compiled in place of this one.
    fn source(&self, text: String) -> String;

    /// Called when a kernel is launched, for some rows or for all pairs, with the addresses that it writes.
    fn launched(&self, info: &'static KernelInfo, is_rows: bool, written: Vec<u64>);
}
