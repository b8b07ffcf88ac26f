//! One launch: runs the blocks of a grid on all cores.

use std::error::Error as _;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::block::{BlockRunner, Outcome};
use crate::grid::Grid;
use crate::progress::{Counted, Counter};
use crate::stacks::Share;

/// The first block of the grid that did not finish, and why.
#[derive(Debug)]
pub struct Failure {
    /// Its index in the grid.
    pub block: [u32; 3],
    /// Why it did not finish.
    pub cause: Cause,
}

/// Why a block did not finish.
#[derive(Debug)]
pub enum Cause {
    /// Threads of the block wait for something that cannot happen.
    Deadlock {
        /// The number of waiting threads.
        waiting: usize,
    },
    /// A size is zero, a block has more than 1024 threads, or the grid has more blocks than CUDA allows.
    Size,
    /// The process was forked from the process that has the workers.
    Forked,
    /// The system has no memory for a stack.
    NoStack(io::Error),
}

impl Grid<'_> {
    /// Runs all blocks, and counts them. After a failure no block above the failed one starts.
    ///
    /// # Errors
    ///
    /// The grid's size is invalid, a block did not finish, or the system has no memory for a thread's stack.
    ///
    /// # Safety
    ///
    /// `run` must be the entry of a library that stays loaded, and that was compiled, without exceptions, from CUDA device code
    /// and the header that declares these structures. With that header a thread waits in a fiber of its own, with its block's
    /// context and a request on its stack. A thread that waits forever is dropped with its stack, so no object on it may need
    /// its destructor.
    ///
    /// `arguments` must hold one pointer for each parameter of the kernel, to a value of that parameter's type, which need not
    /// be aligned. With these values and this grid, the kernel must stay within the memory it is given and within stacks of
    /// this size, and must not have a data race.
    pub unsafe fn run(&self, counter: &Counter) -> Result<(), Failure> {
        if !self.fits_a_gpu() {
            return Err(Failure { block: [0; 3], cause: Cause::Size });
        }
        if is_forked() {
            return Err(Failure { block: [0; 3], cause: Cause::Forked });
        }
        let blocks = self.size.iter().map(|&size| u64::from(size)).product();
        let workers = workers(blocks, self.threads());
        let queue = Queue {
            next: AtomicU64::new(0),
            end: AtomicU64::new(blocks),
            // A block of one thread is a part of the rows in the CPU's loops, which may take a second.
            share: match self.threads() {
                1 => 1,
                _ => (blocks / (workers as u64 * 32)).clamp(1, 64),
            },
            failure: Mutex::new(None),
            counted: counter.begin(blocks),
            at_work: AtomicUsize::new(0),
        };
        if workers == 1 {
            self.work(&queue);
        } else {
            // This thread is a worker too: it begins at once, while the others wake up.
            rayon::in_place_scope(|scope| {
                for _ in 1..workers {
                    scope.spawn(|_| self.work(&queue));
                }
                self.work(&queue);
            });
        }
        let failure = queue.failure.into_inner();
        match failure.unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some((_, failure)) => Err(failure),
        }
    }

    /// Runs blocks of the queue until it is empty or stopped.
    ///
    /// Each block runs from beginning to end here, so rayon cannot run another job, and so another block, in between.
    /// `fiber.rs` relies on that.
    ///
    /// All launches share the stacks of the process. A worker that gets none leaves its blocks to workers that have some; it
    /// waits only if there is no such worker. It waits only here, where it holds neither blocks nor stacks.
    fn work(&self, queue: &Queue<'_>) {
        let threads = self.threads() as usize;
        let _share = match Share::now(threads) {
            Some(share) => share,
            None if queue.at_work.load(Ordering::Acquire) > 0 => return,
            None => Share::wait(threads),
        };
        queue.at_work.fetch_add(1, Ordering::AcqRel);
        self.run_blocks(queue);
        // The queue is empty now, so a worker that sees no other at work finds no block either.
        queue.at_work.fetch_sub(1, Ordering::AcqRel);
    }

    fn run_blocks(&self, queue: &Queue<'_>) {
        let mut runner = BlockRunner::new(self);
        loop {
            let blocks = queue.take();
            if blocks.is_empty() {
                return;
            }
            let share = blocks.end - blocks.start;
            for block in blocks {
                if block >= queue.end() {
                    return;
                }
                let index = self.index(block);
                let cause = match runner.run(index) {
                    Ok(Outcome::Finished) => continue,
                    Ok(Outcome::Deadlock { waiting }) => Cause::Deadlock { waiting },
                    Err(source) => Cause::NoStack(source),
                };
                queue.stop(block, Failure { block: index, cause });
                return;
            }
            queue.counted.finished(share);
        }
    }

    /// The block's index in the grid, x first.
    fn index(&self, block: u64) -> [u32; 3] {
        let [x, y] = [u64::from(self.size[0]), u64::from(self.size[1])];
        [(block % x) as u32, (block / x % y) as u32, (block / x / y) as u32]
    }
}

/// The blocks that no worker has taken. They are handed out in ascending order, as a GPU starts them: a kernel whose blocks
/// wait for earlier blocks makes progress.
struct Queue<'a> {
    next: AtomicU64,
    /// The end of the queue: after the last block, or before the lowest failed one.
    end: AtomicU64,
    /// The number of blocks that a worker takes at once.
    share: u64,
    failure: Mutex<Option<(u64, Failure)>>,
    /// The blocks that have run.
    counted: Counted<'a>,
    /// The number of workers that take blocks.
    at_work: AtomicUsize,
}

impl Queue<'_> {
    fn take(&self) -> Range<u64> {
        // CUDA's limits keep the number of blocks below 2^63, so the sum cannot overflow.
        let first = self.next.fetch_add(self.share, Ordering::Relaxed);
        first..self.end().min(first + self.share)
    }

    fn end(&self) -> u64 {
        self.end.load(Ordering::Relaxed)
    }

    /// Ends the queue before a failed block. The blocks below it have all been taken and still run, so every run reports the
    /// same failure: the lowest one.
    fn stop(&self, block: u64, failure: Failure) {
        self.end.fetch_min(block, Ordering::Relaxed);
        let mut kept = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|(earlier, _)| block < *earlier) {
            *kept = Some((block, failure));
        }
    }
}

/// The number of workers that share the blocks: one for each thread of the caller's rayon pool, or else of the global one.
fn workers(blocks: u64, threads: u32) -> usize {
    if blocks == 1 || !has_pool() {
        return 1;
    }
    let most = Share::most(threads as usize);
    rayon::current_num_threads().min(most).min(usize::try_from(blocks).unwrap_or(usize::MAX)).max(1)
}

/// Whether this process was forked from one that had launched something. The workers exist only in the parent
/// (<https://github.com/rayon-rs/rayon/issues/708>), and a lock that one of them held stays locked here forever, so nothing of
/// theirs may be used.
fn is_forked() -> bool {
    static FIRST: OnceLock<u32> = OnceLock::new();
    let this = std::process::id();
    *FIRST.get_or_init(|| this) != this
}

/// Whether rayon has threads. Its global pool panics on first use if the system refuses to start them
/// (<https://github.com/rayon-rs/rayon/issues/694>). Starting the pool here returns an error instead, and the launch runs
/// without it.
fn has_pool() -> bool {
    static GLOBAL_POOL: OnceLock<bool> = OnceLock::new();
    rayon::current_thread_index().is_some()
        || *GLOBAL_POOL.get_or_init(|| match rayon::ThreadPoolBuilder::new().build_global() {
            Ok(()) => true,
            // An error without a source means that the pool was already started.
            Err(error) => error.source().is_none(),
        })
}
