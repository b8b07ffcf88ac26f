//! The stack of a fiber.

use std::io;

#[cfg(windows)]
use corosensei::stack::StackTebFields;
use corosensei::stack::{DefaultStack, Stack, StackPointer};

/// A stack whose first byte is in use some places below its end.
///
/// The threads of a warp run the same code one after another, so their frames lie equally deep. If all stacks ended at the same
/// place of a page, a level of the processor's cache, which finds lines by these bits of their addresses, would have room for a few
/// of them only.
pub(crate) struct FiberStack {
    stack: DefaultStack,
    /// How many bytes at its end are not used.
    offset: usize,
}

/// A thread that waits has touched about as many bytes of its stack. A multiple of a cache's line, and of what aligns a stack.
const STEP: usize = 256;

/// So many stacks end at different places of a page.
const PLACES: usize = 16;

impl FiberStack {
    /// A stack with room for as many bytes. The place of its end follows from `number`, which is to be another one for stacks that
    /// are used together.
    pub(crate) fn new(size: usize, number: usize) -> io::Result<FiberStack> {
        let stack = DefaultStack::new(size.saturating_add(STEP * PLACES))?;
        Ok(FiberStack { stack, offset: number % PLACES * STEP })
    }
}

// SAFETY: the memory is that of the inner stack, which is larger by more than the offset. Its base is aligned, and the offset is a
// multiple of the alignment. All else is the inner stack's.
unsafe impl Stack for FiberStack {
    fn base(&self) -> StackPointer {
        let base = self.stack.base();
        // It is above the limit, and so not zero.
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
