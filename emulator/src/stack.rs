//! The stack of a fiber.

use std::io;

#[cfg(windows)]
use corosensei::stack::StackTebFields;
use corosensei::stack::{DefaultStack, Stack, StackPointer};

/// A stack that starts a few places below the end of its memory.
///
/// The threads of a warp run the same code one after another, so their frames are equally deep. If all stacks ended at the same
/// offset in a page, their frames would compete for the same few lines of a cache that is indexed by these address bits.
pub(crate) struct FiberStack {
    stack: DefaultStack,
    /// The unused bytes at its end.
    offset: usize,
}

/// About the bytes of its stack that a waiting thread has touched. A multiple of the cache line and of the stack's alignment.
const STEP: usize = 256;

/// The number of different offsets in a page.
const PLACES: usize = 16;

impl FiberStack {
    /// A stack of at least this size. Its offset follows from `number`, which should differ for stacks that are used together.
    pub(crate) fn new(size: usize, number: usize) -> io::Result<FiberStack> {
        let stack = DefaultStack::new(size.saturating_add(STEP * PLACES))?;
        Ok(FiberStack { stack, offset: number % PLACES * STEP })
    }
}

// SAFETY: the memory is that of the inner stack, which is larger by more than the offset. Its base is aligned, and the offset
// is a multiple of the alignment. All else is the inner stack's.
unsafe impl Stack for FiberStack {
    fn base(&self) -> StackPointer {
        let base = self.stack.base();
        // It is above the limit, so it is not zero.
        StackPointer::new(base.get() - self.offset).unwrap_or(base)
    }

    fn limit(&self) -> StackPointer {
        self.stack.limit()
    }

    #[cfg(windows)]
    fn teb_fields(&self) -> StackTebFields {
        self.stack.teb_fields()
    }

    #[cfg(windows)]
    fn update_teb_fields(&mut self, stack_limit: usize, guaranteed_stack_bytes: usize) {
        self.stack.update_teb_fields(stack_limit, guaranteed_stack_bytes);
    }
}
