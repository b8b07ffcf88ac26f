//! The input of a launch.

use std::ffi::c_void;

use crate::interface::Run;

/// A grid of blocks. CUDA's limits apply to its sizes, and none may be zero.
pub struct Grid<'a> {
    /// The function that runs a block's threads.
    pub run: Run,
    /// The number of blocks along x, y and z.
    pub size: [u32; 3],
    /// The number of threads of a block along x, y and z: at most 1024 in all.
    pub block: [u32; 3],
    /// One pointer for each parameter of the kernel, to its value.
    pub arguments: &'a [*mut c_void],
    /// The size of a thread's stack, in bytes; at least [`USUAL_SIZE`](crate::USUAL_SIZE) is used.
    pub stack: usize,
}

// SAFETY: safe code can only read the pointers of `arguments`. Only `Grid::run` follows them, which is unsafe and states the
// requirements.
unsafe impl Sync for Grid<'_> {}

/// CUDA's limits.
const MAX_THREADS: u64 = 1024;
const LARGEST_GRID: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];

impl Grid<'_> {
    /// Whether a GPU could run a grid of this size.
    pub(crate) fn fits_a_gpu(&self) -> bool {
        let fits = |(size, largest): (&u32, u32)| (1..=largest).contains(size);
        let threads: u128 = self.block.iter().map(|&size| u128::from(size)).product();
        self.size.iter().zip(LARGEST_GRID).all(fits)
            && (1..=u128::from(MAX_THREADS)).contains(&threads)
    }

    /// The number of threads of a block; at most 1024.
    pub(crate) fn threads(&self) -> u32 {
        self.block.iter().product()
    }
}
