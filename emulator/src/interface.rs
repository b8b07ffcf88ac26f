//! The interface between the compiled kernel and the scheduler. The header that kernels are compiled with, `shim/execution.h`
//! in the runtime, has the same declarations. Every kernel is compiled with an assertion that the sizes agree.

use std::ffi::c_void;

/// Runs threads of the block, one after another, from the next one up to the context's limit.
pub type Run = unsafe extern "C" fn(*mut Context);

/// Suspends the running thread until its request is answered.
pub(crate) type Wait = unsafe extern "C" fn(*mut Context, *mut Request);

/// The block that one operating system thread runs. The library reads its fields; this crate mainly needs its size.
#[repr(C)]
pub struct Context {
    /// The next thread to start, counted as CUDA does: x first, then y, then z.
    pub(crate) next: u32,
    /// The first thread not to start yet.
    pub(crate) limit: u32,
    /// `next` as (x, y, z), which only the shim advances.
    pub(crate) next_index: [u32; 3],
    pub(crate) block_index: [u32; 3],
    pub(crate) block_size: [u32; 3],
    pub(crate) grid_size: [u32; 3],
    /// One pointer for each parameter of the kernel, to its value.
    pub(crate) arguments: *const *mut c_void,
    pub(crate) wait: Wait,
    /// The yielder of the running fiber: `fiber.rs` writes and reads it.
    pub(crate) fiber: *const c_void,
}

/// The functions at which a thread waits.
pub(crate) mod function {
    /// `__syncthreads` and its variants.
    pub(crate) const BLOCK_BARRIER: u32 = 0;
    /// `__activemask`. All numbers above it are functions that the lanes of a mask call together.
    pub(crate) const ACTIVE_MASK: u32 = 1;
}

/// A waiting thread's request, on its own stack, and the answer to it. The library reads its fields; this crate mainly needs
/// its size.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Request {
    /// Request: the value that this lane passes to the others. Answer: the value of the lane `source`.
    pub(crate) value: u64,
    /// The function at which it waits.
    pub(crate) called: u32,
    /// The lanes that call it together; for `__activemask`, the call site.
    pub(crate) mask: u32,
    /// The lane whose value is requested.
    pub(crate) source: u32,
    /// 0 or 1.
    pub(crate) predicate: u32,
    /// Answer: the lanes with the predicate. At a block barrier: the number of threads with it.
    pub(crate) ballot: u32,
    /// Answer: the lanes that took part. At a block barrier: the number of threads that did.
    pub(crate) arrived: u32,
}
