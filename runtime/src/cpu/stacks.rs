//! Stacks for fibers, kept for reuse: mapping one costs far more than a thread's work.

use std::io;
use std::sync::{Mutex, PoisonError};

use corosensei::stack::DefaultStack;

/// The stacks of one operating system thread during one launch. They come from a pool of the
/// process and go back to it at the end.
pub(super) struct Stacks {
    free: Vec<DefaultStack>,
}

/// How many stacks may be in use at once in one launch. Linux gives a process 65,530
/// mappings, and a stack takes two: its guard page and itself.
pub(super) const MOST_IN_USE: usize = 24 * 1024;

/// A stack's usable size. Below it lies a guard page, so a thread that needs more faults and
/// never writes into another's stack. Memory is only spent on the pages that were touched.
const STACK_SIZE: usize = 128 * 1024;

/// How many stacks are kept between launches; a touched one holds one or two pages.
const MOST_KEPT: usize = 4096;

/// How many stacks are taken from the pool at once, to lock it less often.
const BATCH: usize = 64;

static POOL: Mutex<Vec<DefaultStack>> = Mutex::new(Vec::new());

impl Stacks {
    pub(super) fn new() -> Stacks {
        Stacks { free: Vec::new() }
    }

    /// A stack, used before or new. The error is the system's when it has no memory for one.
    pub(super) fn take(&mut self) -> io::Result<DefaultStack> {
        if let Some(stack) = self.free.pop() {
            return Ok(stack);
        }
        {
            let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
            let rest = pool.len().saturating_sub(BATCH);
            self.free.extend(pool.drain(rest..));
        }
        match self.free.pop() {
            Some(stack) => Ok(stack),
            None => DefaultStack::new(STACK_SIZE),
        }
    }

    pub(super) fn give(&mut self, stack: DefaultStack) {
        self.free.push(stack);
    }
}

impl Drop for Stacks {
    fn drop(&mut self) {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MOST_KEPT.saturating_sub(pool.len()).min(self.free.len());
        pool.extend(self.free.drain(..room));
        // The lock opens before the stacks without room are unmapped with `self.free`.
    }
}
