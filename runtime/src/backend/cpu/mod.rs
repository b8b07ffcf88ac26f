//! The CPU backend: kernel source compiled by the system's C++ compiler. The CPU runs plain loops on threads; the emulator runs
//! GPU source on threads and fibers.
//!
//! Plain loops are a separate source, `codegen/kernels/loops.cpp`, or `feature_loops.cpp` over features. A call visits a part of the
//! rows as one block of one thread, so everything below applies to it. It is compiled for this processor with `-O3`, which
//! vectorises the inner loops. A variant requested by index runs as on a GPU, and so does a kernel without plain loops.
//!
//! The emulator, `Device::emulator`, runs the same source as a GPU. The headers in `shim/` define what CUDA provides without an
//! `#include`. The compiled library exports each function of the source in a form that runs the threads of one block one after
//! another. Below that:
//!
//! ```text
//! compiler   finds the system's C++ compiler
//! build      kernel source + shim -> shared library, messages with the user's lines
//! process    runs the compiler, and stops it at its time limit
//! folder     the build folder and its removal
//! kept       libraries in the cache of compiled kernels
//! program    the loaded library, and its checks before a launch
//! memory     the memory of kernels' arguments
//! relay      copies of chunks, as on a GPU
//! ```
//!
//! The crate `td-kernel-emulator` runs the library: the grid's blocks, their threads, barriers and stacks.
//!
//! Differences from a GPU that no error can report:
//!
//! - A thread that spins until another thread *of its block* has done something spins forever, unless it waits at a barrier or
//!   a warp function. It may wait for earlier blocks.
//! - What C++ leaves undefined stays undefined, even if a GPU defines it: an integer divided by zero ends the process; a float
//!   too large for an integer gives an arbitrary value.
//! - A failing `assert`, a wild pointer, a misaligned vector, and an array of unknown size or a recursion that exceeds the
//!   stack end the process. A stack has the size that the compiler reports for the kernel's functions plus 64 KiB, at least 128
//!   KiB. A stack larger than a GPU's local memory, 512 KiB, is an error.
//! - `__CUDA_ARCH__` is not defined. Kernels can test this.
//!
//! Not supported, so a compiler error: shared memory sized at launch (`extern __shared__`), half precision, cooperative groups,
//! textures, inline PTX.

mod build;
mod cache;
mod compiler;
mod folder;
#[cfg(all(feature = "__guarded", target_os = "linux"))]
mod guarded;
mod mailbox;
mod memory;
mod process;
mod program;
mod relay;
#[cfg(test)]
mod tests;

use std::alloc::Layout;
use std::ffi::c_void;
use std::num::NonZero;
use std::ptr;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use cudarc::driver::{CudaStream, result};
use td_kernel_emulator::Counter;

use self::compiler::Compiler;
pub use self::folder::{BuildLock, remove_build_folders};
use self::memory::Memory;
use self::program::Program;
use crate::backend::nvrtc::Cache;
use crate::backend::view::{Byte, MemorySpace};
use crate::backend::{
    self, Allocation, Backend, Clock, HostBytes, KernelSource, Loaded, Progress, Stopwatch,
};
use crate::host::MemoryBudget;
use crate::{Error, Result};

/// The CPU, with the compiler for its kernels.
pub(crate) struct Cpu {
    name: String,
    compiler: Compiler,
    /// Whether it runs GPU source even for a kernel with plain loops.
    emulates: bool,
    /// Counts the blocks of launches.
    counter: Arc<Counter>,
}

/// The number of multiprocessors that an emulator reports, on every machine. It is small so that few elements fill all of them.
const EMULATED: u32 = 2;

impl Cpu {
    pub(crate) fn open() -> Result<Cpu> {
        let compiler = Compiler::find()?;
        let name = format!("CPU ({})", compiler.describe());
        Ok(Cpu { name, compiler, emulates: false, counter: Arc::default() })
    }

    /// The CPU as a stand-in for a GPU.
    pub(crate) fn emulator() -> Result<Cpu> {
        let compiler = Compiler::find()?;
        let name = format!("CPU, as an emulator ({})", compiler.describe());
        Ok(Cpu { name, compiler, emulates: true, counter: Arc::default() })
    }
}

impl Backend for Cpu {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_cpu(&self) -> bool {
        true
    }

    fn runs_loops(&self) -> bool {
        !self.emulates
    }

    /// A worker that waits for another thread, which waits for the workers, might wait forever.
    fn needs_this_thread(&self) -> bool {
        rayon::current_thread_index().is_some()
    }

    fn multiprocessors(&self) -> u32 {
        if self.emulates {
            return EMULATED;
        }
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        u32::try_from(cores).unwrap_or(1)
    }

    fn owns(&self, space: &MemorySpace<'_>) -> bool {
        matches!(space, MemorySpace::Nowhere | MemorySpace::Host)
    }

    /// A launch has ended when its call returns.
    fn synchronize(&self) -> Result<()> {
        Ok(())
    }

    fn stopwatch(&self, _: Option<&Arc<CudaStream>>) -> Result<Box<dyn Stopwatch>> {
        // A launch has ended when its call returns.
        Ok(Box::new(Clock(Instant::now())))
    }

    fn allocate(&self, layout: Layout, contents: Option<&[Byte]>) -> Result<Box<dyn Allocation>> {
        let mut memory = Memory::zeroed(layout)?;
        if let Some(contents) = contents {
            memory.copy_from(0, contents)?;
        }
        Ok(Box::new(memory))
    }

    unsafe fn copy_from_device(
        &self,
        to: u64,
        source: &dyn Backend,
        from: u64,
        bytes: usize,
    ) -> Result<()> {
        let to = ptr::with_exposed_provenance_mut::<u8>(to as usize);
        let Some(stream) = source.stream() else {
            let from = ptr::with_exposed_provenance::<u8>(from as usize);
            // SAFETY: the caller's promise; the memory of a device without a stream is the host's.
            unsafe { ptr::copy(from, to, bytes) };
            return Ok(());
        };
        let failed = || Error::driver("copy from another device");
        stream.context().bind_to_thread().map_err(failed())?;
        // SAFETY: the caller's promise. The bytes have had values since they were allocated.
        let host = unsafe { std::slice::from_raw_parts_mut(to, bytes) };
        // SAFETY: the caller's promise, and the stream's context is bound. The copy has ended when the stream has.
        unsafe { result::memcpy_dtoh_async(host, from, stream.cu_stream()) }.map_err(failed())?;
        stream.synchronize().map_err(failed())
    }

    fn pinned(&self, layout: Layout) -> Result<Box<dyn HostBytes>> {
        // The caller asks for host memory here, not for device memory.
        let memory = Memory::zeroed(layout).map_err(|error| match error.needed() {
            Some(needed) => Error::out_of_host_memory(needed),
            None => error,
        })?;
        Ok(Box::new(memory))
    }

    fn free_memory(&self) -> Option<usize> {
        MemoryBudget::now().map(|budget| budget.free)
    }

    /// The emulator's memory is host memory too, but stands for a GPU's.
    fn has_relay(&self) -> bool {
        self.emulates
    }

    fn relay(&self, _: usize) -> Result<Option<Box<dyn backend::Relay>>> {
        Ok(self.emulates.then(|| Box::new(relay::Relay) as Box<dyn backend::Relay>))
    }

    /// An emulator starts its next round of neighbours early, as a GPU does.
    fn mailbox(&self) -> Result<Option<Box<dyn backend::Mailbox>>> {
        let mailbox = || Box::new(mailbox::Mailbox::default()) as Box<dyn backend::Mailbox>;
        Ok(self.emulates.then(mailbox))
    }

    fn compile(&self, text: &KernelSource<'_>, cache: Option<&Cache>) -> Result<Box<dyn Loaded>> {
        let program = build::program(&self.compiler, text, cache)?;
        // Each block runs on one core from start to end. With eight blocks per core, differences between blocks even out.
        let resident = self.multiprocessors().saturating_mul(8);
        Ok(Box::new(CpuKernel { program, resident, counter: self.counter.clone() }))
    }

    fn progress(&self) -> Progress {
        let td_kernel_emulator::Progress { blocks, finished } = self.counter.progress();
        Progress { blocks, finished }
    }
}

/// A kernel's program, and the counter of its blocks.
struct CpuKernel {
    program: Program,
    resident: u32,
    counter: Arc<Counter>,
}

impl Loaded for CpuKernel {
    fn parameters(&self, _: usize) -> Option<&[usize]> {
        Some(self.program.parameters())
    }

    fn resident(&self) -> u32 {
        self.resident
    }

    fn other(&self, entry: &str, _: u32) -> Result<Box<dyn Loaded>> {
        let (resident, counter) = (self.resident, self.counter.clone());
        Ok(Box::new(CpuKernel { program: self.program.other(entry)?, resident, counter }))
    }

    unsafe fn launch(
        &self,
        _: Option<&Arc<CudaStream>>,
        [x, y]: [u32; 2],
        [width, height]: [u32; 2],
        parameters: &mut [*mut c_void],
    ) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.program.launch([x, y, 1], [width, height, 1], parameters, &self.counter) }
    }
}
