//! What a launch runs, and with what.

use std::ffi::c_void;

use super::interface::Run;

/// A grid of blocks. The sizes are those that CUDA allows, none of them zero.
pub(super) struct Grid<'a> {
    pub(super) run: Run,
    pub(super) size: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) arguments: &'a [*mut c_void],
    /// The size of a thread's stack.
    pub(super) stack: usize,
}

// SAFETY: the pointers of `arguments` lead to values that the kernel reads, and the caller of
// `Program::launch` answers for what the kernel does with pointers among those values.
unsafe impl Sync for Grid<'_> {}

impl Grid<'_> {
    /// How many threads a block has; at most 1024.
    pub(super) fn threads(&self) -> u32 {
        self.block.iter().product()
    }
}
