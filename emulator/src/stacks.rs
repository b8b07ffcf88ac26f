//! Stacks for fibers, kept for reuse: mapping one costs far more than a thread's work.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::stack::FiberStack;

/// The stacks of one operating system thread during one launch. They come from a pool of the process and return to it at the
/// end.
pub(crate) struct Stacks {
    size: usize,
    /// The number of stacks taken from the pool at once, to lock it less often; at most the threads of a block, so that other
    /// operating system threads find some.
    batch: usize,
    free: Vec<FiberStack>,
}

/// The maximum number of stacks in use at once in the process. Linux allows a process 65,530 mappings, and a stack takes two:
/// its guard page and itself.
const MAX_IN_USE: usize = 24 * 1024;

/// A stack's default size. Below it is a guard page, so a thread that needs more faults and never writes into another's stack.
/// Only touched pages use memory.
pub const USUAL_SIZE: usize = 128 * 1024;

/// The number of stacks of the default size kept between launches. A touched one holds one or two pages.
const MAX_KEPT: usize = 4096;

/// The number of stacks of each larger size kept: those of the CPU's loops, one for each operating system thread. All of their
/// pages may have been touched.
const MAX_LARGE_KEPT: usize = 64;

/// The maximum number of stacks taken from the pool at once.
const BATCH: usize = 64;

/// The number of stacks made so far.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// The unused stacks, by their sizes.
static POOL: Mutex<BTreeMap<usize, Vec<FiberStack>>> = Mutex::new(BTreeMap::new());

impl Stacks {
    /// Stacks of at least `size` bytes, for blocks of this many threads.
    pub(crate) fn new(size: usize, threads: usize) -> Stacks {
        // Few different sizes, so that kernels can share stacks.
        let size =
            size.max(USUAL_SIZE).checked_next_power_of_two().unwrap_or(1 << (usize::BITS - 1));
        Stacks { size, batch: threads.min(BATCH), free: Vec::new() }
    }

    /// A stack, reused or new. Returns the system's error if it has no memory for one.
    pub(crate) fn take(&mut self) -> io::Result<FiberStack> {
        if let Some(stack) = self.free.pop() {
            return Ok(stack);
        }
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = pool.get_mut(&self.size) {
            let rest = kept.len().saturating_sub(self.batch);
            self.free.extend(kept.drain(rest..));
        }
        drop(pool);
        match self.free.pop() {
            Some(stack) => Ok(stack),
            None => FiberStack::new(self.size, MADE.fetch_add(1, Ordering::Relaxed)),
        }
    }

    pub(crate) fn give(&mut self, stack: FiberStack) {
        self.free.push(stack);
    }
}

impl Drop for Stacks {
    fn drop(&mut self) {
        let most = if self.size == USUAL_SIZE { MAX_KEPT } else { MAX_LARGE_KEPT };
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = pool.entry(self.size).or_default();
        let room = most.saturating_sub(kept.len()).min(self.free.len());
        kept.extend(self.free.drain(..room));
        // The lock is released before the stacks that do not fit are unmapped with `self.free`.
    }
}

/// The right to as many stacks as a block has threads. Only a worker that is running blocks holds one, so every worker that
/// waits for one gets it in the end.
pub(crate) struct Share(usize);

/// The stacks that no share holds.
static REST: Mutex<usize> = Mutex::new(MAX_IN_USE);
static GIVEN_BACK: Condvar = Condvar::new();

impl Share {
    /// The maximum number of shares at a time for blocks of this many threads: at least one.
    pub(crate) fn most(threads: usize) -> usize {
        (MAX_IN_USE / Share::size(threads)).max(1)
    }

    /// A share, if one is left.
    pub(crate) fn now(threads: usize) -> Option<Share> {
        let mut rest = REST.lock().unwrap_or_else(PoisonError::into_inner);
        Share::of(&mut rest, threads)
    }

    /// A share, once one is left.
    pub(crate) fn wait(threads: usize) -> Share {
        let mut rest = REST.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match Share::of(&mut rest, threads) {
                Some(share) => return share,
                None => rest = GIVEN_BACK.wait(rest).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn of(rest: &mut usize, threads: usize) -> Option<Share> {
        let size = Share::size(threads);
        *rest = rest.checked_sub(size)?;
        Some(Share(size))
    }

    /// The stacks of a worker: one for each thread, and those of a batch that it does not use yet.
    fn size(threads: usize) -> usize {
        threads + BATCH
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        *REST.lock().unwrap_or_else(PoisonError::into_inner) += self.0;
        GIVEN_BACK.notify_all();
    }
}

#[cfg(test)]
mod tests;
