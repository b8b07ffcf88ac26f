//! Runs the blocks of a GPU's grid on a CPU: threads as fibers, with barriers and warp functions.
//!
//! A kernel is a library that a C++ compiler has built from CUDA device code. It exports one function, a [`Run`], which runs
//! threads of one block one after another, and calls back wherever a thread waits for others. The rest is in this crate, from
//! the highest layer to the lowest:
//!
//! ```text
//! launch     the grid's blocks, over the cores
//! grid       the function that a launch runs, with its sizes and arguments
//! progress   the number of blocks that have run
//! block      the threads of one block: starts them, opens its barriers, detects deadlocks
//! warp       which lanes of a warp may continue, and the values that they exchange
//! fiber      a stack on which threads run, and on which they can be suspended
//! stack      the memory of a fiber
//! stacks     stacks, kept for reuse, and shared by all launches of the process
//! interface  the structures that the library and this crate share
//! ```
//!
//! The design rests on two rules. A block runs on one operating system thread from beginning to end, so that thread's
//! `thread_local` variables are the block's shared memory. Only one thread of a block runs at a time, and yields only inside a
//! barrier or a warp function, so nothing is concurrent within a block.
//!
//! Use the crate td-kernel: the interface of this crate is not stable. It is a separate crate so that a debug build can
//! optimise it, with two lines in the manifest of a workspace:
//!
//! ```toml
//! [profile.dev.package]
//! td-kernel-emulator = { opt-level = 3 }
//! corosensei = { opt-level = 3 } # what its threads run on
//! ```

mod block;
mod fiber;
mod grid;
mod interface;
mod launch;
mod progress;
mod stack;
mod stacks;
mod warp;

pub use grid::Grid;
pub use interface::{Context, Request, Run};
pub use launch::{Cause, Failure};
pub use progress::{Counter, Progress};
pub use stacks::USUAL_SIZE;
