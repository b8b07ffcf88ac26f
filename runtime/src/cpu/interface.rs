//! What the compiled kernel and the scheduler tell each other. `shim/execution.h` has the
//! same declarations; every kernel is compiled with an assertion that the sizes agree.

use std::ffi::c_void;

/// Runs threads of the block, one after another, from `next` up to `limit`.
pub(super) type Run = unsafe extern "C" fn(*mut Context);

/// Suspends the running thread until its request is answered.
pub(super) type Wait = unsafe extern "C" fn(*mut Context, *mut Request);

/// The name under which a kernel's library exports its [`Run`].
pub(super) const RUN_SYMBOL: &str = "td_cpu_run";

/// The size of the kernel's parameter at an index; 0 past the last parameter.
pub(super) type ParameterSize = unsafe extern "C" fn(u32) -> u32;

/// The name under which a kernel's library exports its [`ParameterSize`].
pub(super) const PARAMETER_SIZE_SYMBOL: &str = "td_cpu_parameter_size";

/// The block that one operating system thread runs.
#[repr(C)]
pub(super) struct Context {
    /// The next thread to start, counted as CUDA does: x first, then y, then z.
    pub(super) next: u32,
    /// The first thread not to start yet.
    pub(super) limit: u32,
    /// `next` as (x, y, z), which only the shim moves on.
    pub(super) next_index: [u32; 3],
    pub(super) block_index: [u32; 3],
    pub(super) block_size: [u32; 3],
    pub(super) grid_size: [u32; 3],
    /// One pointer for each parameter of the kernel, to its value.
    pub(super) arguments: *const *mut c_void,
    pub(super) wait: Wait,
    /// The yielder of the fiber that runs: `fiber.rs` writes and reads it.
    pub(super) fiber: *const c_void,
}

/// What a thread waits at.
pub(super) mod function {
    /// `__syncthreads` and its relatives.
    pub(in crate::cpu) const BLOCK_BARRIER: u32 = 0;
    /// `__activemask`. All numbers above it are functions that the lanes of a mask call together.
    pub(in crate::cpu) const ACTIVE_MASK: u32 = 1;
}

/// A waiting thread's question, on its own stack, and the answer to it.
#[repr(C)]
pub(super) struct Request {
    /// Asked: what this lane shows to the others. Answered: what the lane `source` showed.
    pub(super) value: u64,
    /// What it waits at.
    pub(super) called: u32,
    /// The lanes that call it together; at `__activemask`, the call site.
    pub(super) mask: u32,
    /// The lane whose value is asked for.
    pub(super) source: u32,
    /// 0 or 1.
    pub(super) predicate: u32,
    /// Answered: the lanes with the predicate. At a block barrier: how many threads have it.
    pub(super) ballot: u32,
    /// Answered: the lanes that took part. At a block barrier: how many threads did.
    pub(super) arrived: u32,
}
