//! The CPU device: the generated CUDA, compiled by the system's C++ compiler and run by
//! threads and fibers.
//!
//! The kernel's text is the very text that a GPU gets. What CUDA gives it without an
//! `#include` comes from the headers in `shim/`. The compiled library exports one function,
//! which runs threads of one block one after another. From there, downwards:
//!
//! ```text
//! compiler   finds the system's C++ compiler
//! build      kernel text + shim -> shared library, messages with the user's lines
//! process    runs the compiler, and stops it in time
//! folder     where that happens, and how it goes away
//! program    the loaded library, and what it checks before a launch
//! launch     the grid's blocks, over the cores
//! progress   how many of them have run
//! block      the threads of one block: starts them, opens its barriers, sees deadlocks
//! warp       which lanes of a warp may go on, and the values they exchange
//! fiber      a stack on which threads run, and which they may leave in the middle
//! stacks     stacks, kept for reuse, and shared by all launches of the process
//! interface  the structures that the library and this crate share
//! ```
//!
//! Two facts carry the rest. A block runs on one operating system thread from beginning to
//! end, so that thread's `thread_local` variables are the block's shared memory. And only one
//! thread of a block runs at a time, and gives way only inside a barrier or a warp function,
//! so within a block nothing is ever concurrent.
//!
//! What differs from a GPU, and cannot be told to a kernel's author by an error:
//!
//! - A thread that spins until another thread *of its block* has done something spins for
//!   ever, unless it waits at a barrier or a warp function. Earlier blocks may be waited for.
//! - What C++ leaves undefined and a GPU defines is undefined: an integer divided by zero
//!   ends the process, a float too large for an integer gives anything.
//! - A failing `assert`, a wild pointer, an array of unknown size or a recursion that is larger than the stack ends
//!   the process. A stack has what the compiler says that the kernel's functions need, and 64 KiB more; at least 128
//!   KiB. One that is larger than a GPU's local memory, 512 KiB, is an error.
//! - `__CUDA_ARCH__` is not defined, which is how a kernel can tell.
//!
//! Not there, and so an error of the compiler: shared memory sized at launch
//! (`extern __shared__`), half precision, cooperative groups, textures, inline PTX.

mod block;
mod build;
mod compiler;
mod fiber;
mod folder;
mod interface;
mod launch;
mod process;
mod program;
mod progress;
mod stacks;
#[cfg(test)]
mod tests;
mod warp;

pub(crate) use compiler::Compiler;
pub use folder::{NoBuilds, remove_build_folders};
pub(crate) use program::Program;
pub(crate) use progress::Counter;
pub use progress::Progress;
