//! The orders of elements that launches keep.

use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;

use super::Memory;
use crate::types::info::KernelInfo;

/// The orders that launches have kept of some elements.
pub struct Orders {
    /// A unique number, which changes when the elements may be written.
    contents: u64,
    kept: Mutex<Vec<(OrderKey, Arc<Memory<u32>>)>>,
}

pub(crate) struct OrderKey {
    pub(crate) kernel: &'static KernelInfo,
    /// The index of the kernel's set, and of the device.
    pub(crate) set: usize,
    pub(crate) device: usize,
    /// Whether the CPU's loops sort.
    pub(crate) is_loops: bool,
    /// The contents of all arguments for the elements of this set.
    pub(crate) contents: SmallVec<[u64; 2]>,
}

impl OrderKey {
    /// Whether one of these orders replaces the other one.
    fn is_in_place_of(&self, other: &OrderKey) -> bool {
        let key = |of: &OrderKey| (of.set, of.device, of.is_loops);
        ptr::eq(self.kernel, other.kernel) && key(self) == key(other)
    }
}

impl Orders {
    pub(crate) fn new() -> Orders {
        static LATEST: AtomicU64 = AtomicU64::new(0);
        let contents = LATEST.fetch_add(1, Ordering::Relaxed);
        Orders { contents, kept: Mutex::default() }
    }

    /// A number that only these elements have, and only until they are written.
    pub(crate) fn contents(&self) -> u64 {
        self.contents
    }

    /// The memory of this order, if a launch has kept it.
    pub(crate) fn find(&self, key: &OrderKey) -> Option<Arc<Memory<u32>>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same =
            |other: &OrderKey| other.is_in_place_of(key) && other.contents == key.contents;
        kept.iter().find(|(other, _)| is_same(other)).map(|(_, memory)| memory.clone())
    }

    pub(crate) fn keep(&self, key: OrderKey, memory: Memory<u32>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| !other.is_in_place_of(&key));
        kept.push((key, Arc::new(memory)));
    }

    /// The memory of all orders.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> Vec<Arc<Memory<u32>>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().map(|(_, memory)| memory.clone()).collect()
    }
}
