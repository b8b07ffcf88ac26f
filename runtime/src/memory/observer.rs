//! Follows a device's launches in a test.

use std::panic::{RefUnwindSafe, UnwindSafe};

use crate::types::info::KernelInfo;

/// Chooses the texts of kernels that are loaded for a device, and is told what they launch.
pub(crate) trait Observer: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The index of the text that a kernel is to use.
    fn variant_index(&self, info: &KernelInfo) -> usize;

    /// A kernel is launched, for some rows or for all pairs, with these addresses to write to.
    fn launched(&self, info: &'static KernelInfo, is_rows: bool, written: Vec<u64>);
}
