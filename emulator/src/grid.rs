//! What a launch runs, and with what.

use std::ffi::c_void;

use crate::interface::Run;

/// A grid of blocks. The sizes are those that CUDA allows, none of them zero.
pub struct Grid<'a> {
    /// What runs a block's threads.
    pub run: Run,
    /// How many blocks it has, along x, y and z.
    pub size: [u32; 3],
    /// How many threads a block has, along x, y and z: at most 1024 in all.
    pub block: [u32; 3],
    /// One pointer for each parameter of the kernel, to its value.
    pub arguments: &'a [*mut c_void],
    /// The size of a thread's stack, in bytes. It is [`USUAL_SIZE`](crate::USUAL_SIZE) at least.
    pub stack: usize,
}

// SAFETY: the pointers of `arguments` lead to values that the kernel reads, and the caller of
// `Grid::run` answers for what the kernel does with pointers among those values.
unsafe impl Sync for Grid<'_> {}

impl Grid<'_> {
    /// How many threads a block has; at most 1024.
    pub(crate) fn threads(&self) -> u32 {
        self.block.iter().product()
    }
}
