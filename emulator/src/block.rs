//! The scheduler of one block: starts its threads, opens its barriers, and detects deadlocks.

use std::io;

use crate::fiber::{self, Fiber, Step};
use crate::grid::Grid;
use crate::interface::{Context, Request, function};
use crate::stacks::Stacks;
use crate::warp::{self, WARP_SIZE};

/// Runs blocks, one after another, on one operating system thread.
///
/// Threads run in order, all on one fiber, as in a plain loop. Only when a thread waits does the next one start on a fiber of
/// its own. The lanes of a warp run as far as they can before the next warp starts, so that usually only the stacks of one warp
/// are in use and in the cache.
pub(crate) struct BlockRunner<'a> {
    grid: &'a Grid<'a>,
    threads: u32,
    /// By thread: the fiber on which it waits.
    fibers: Vec<Option<Fiber>>,
    /// By thread: its request. Valid if `fibers` has a fiber.
    requests: Vec<*mut Request>,
    /// By thread: a copy of its request. The requests are on different stacks, and reading each stack would evict another one
    /// from the cache.
    asked: Vec<Request>,
    /// By warp: the waiting lanes.
    waiting_lanes: Vec<u32>,
    /// The number of waiting threads.
    waiting: usize,
    /// The number of threads that wait at the block barrier.
    at_barrier: usize,
    /// The number of threads at the block barrier whose predicate is true.
    with_predicate: u32,
    stacks: Stacks,
}

/// How a block ended.
pub(crate) enum Outcome {
    /// Every thread has returned.
    Finished,
    /// `waiting` threads wait for something that cannot happen any more.
    Deadlock { waiting: usize },
}

impl<'a> BlockRunner<'a> {
    pub(crate) fn new(grid: &'a Grid<'a>) -> BlockRunner<'a> {
        let threads = grid.threads() as usize;
        BlockRunner {
            grid,
            threads: grid.threads(),
            fibers: std::iter::repeat_with(|| None).take(threads).collect(),
            requests: vec![std::ptr::null_mut(); threads],
            asked: vec![Request::default(); threads],
            waiting_lanes: vec![0; threads.div_ceil(WARP_SIZE)],
            waiting: 0,
            at_barrier: 0,
            with_predicate: 0,
            stacks: Stacks::new(grid.stack, grid.threads() as usize),
        }
    }

    /// Runs one block to its end. Returns the system's error if it has no memory for a stack.
    pub(crate) fn run(&mut self, block_index: [u32; 3]) -> io::Result<Outcome> {
        let mut context = Context {
            next: 0,
            limit: self.threads,
            next_index: [0; 3],
            block_index,
            block_size: self.grid.block,
            grid_size: self.grid.size,
            arguments: self.grid.arguments.as_ptr(),
            wait: fiber::wait,
            fiber: std::ptr::null(),
        };
        // From here on the context is only used through this pointer, which the fibers share.
        let result = self.run_in(&raw mut context);
        // On an error or a deadlock, no fiber may outlive its context.
        self.abandon();
        result
    }

    fn run_in(&mut self, context: *mut Context) -> io::Result<Outcome> {
        self.start(context)?;
        while self.waiting > 0 {
            if self.at_barrier < self.waiting {
                return Ok(Outcome::Deadlock { waiting: self.waiting });
            }
            self.open_barrier();
        }
        Ok(Outcome::Finished)
    }

    /// Starts every thread, and runs it until it returns or waits for another warp.
    fn start(&mut self, context: *mut Context) -> io::Result<()> {
        loop {
            let stack = self.stacks.take()?;
            // SAFETY: the caller of `Grid::run` keeps the library loaded, and `run` keeps the
            // context, until `abandon`; the context is only used through this raw pointer.
            let mut fiber = unsafe { Fiber::new(stack, self.grid.run, context) };
            let step = fiber.resume();
            // SAFETY: the fiber is suspended or finished, so nothing else uses the context.
            let next = unsafe { (*context).next };
            let thread = next.saturating_sub(1) as usize;
            match step {
                Step::Finished => self.stacks.give(fiber.into_stack()),
                Step::Waits(request) => {
                    self.fibers[thread] = Some(fiber);
                    self.waiting_lanes[thread / WARP_SIZE] |= 1 << (thread % WARP_SIZE);
                    self.waiting += 1;
                    self.record(thread, request);
                }
            }

            // A finished fiber stopped at the limit, which is the end of a warp. While a thread waits, the other lanes of its
            // warp start, but no further warp.
            let end_of_warp = next.next_multiple_of(WARP_SIZE as u32).min(self.threads);
            // SAFETY: as above.
            unsafe { (*context).limit = end_of_warp };
            if next == end_of_warp {
                self.run_warp(thread / WARP_SIZE);
                if next == self.threads {
                    return Ok(());
                }
                // SAFETY: as above.
                unsafe { (*context).limit = self.threads };
            }
        }
    }

    /// Resumes every thread of the block: all of them wait at its barrier.
    fn open_barrier(&mut self) {
        let arrived = self.waiting as u32;
        let with_predicate = self.with_predicate;
        self.at_barrier = 0;
        self.with_predicate = 0;
        for warp in 0..self.waiting_lanes.len() {
            for lane in warp::lanes(self.waiting_lanes[warp]) {
                let thread = warp * WARP_SIZE + lane;
                // SAFETY: the thread waits, so its request is valid, and its fiber is suspended.
                let request = unsafe { &mut *self.requests[thread] };
                request.ballot = with_predicate;
                request.arrived = arrived;
                self.resume(thread);
            }
            self.run_warp(warp);
        }
    }

    /// Resumes the lanes of a warp until all of them have returned or wait for another warp.
    fn run_warp(&mut self, warp: usize) {
        loop {
            let first = warp * WARP_SIZE;
            let Some(answer) = warp::answer(self.waiting_lanes[warp], &self.asked[first..]) else {
                return;
            };
            for lane in warp::lanes(answer.group) {
                // SAFETY: the thread waits, so its request is valid, and its fiber is suspended.
                answer.give_to(unsafe { &mut *self.requests[first + lane] });
                self.resume(first + lane);
            }
        }
    }

    /// Resumes a waiting thread, until it returns or waits again.
    ///
    /// Its fiber starts no other thread: lanes are resumed only when all lanes of their warp have started, and `limit` is then
    /// the end of the warp.
    fn resume(&mut self, thread: usize) {
        let Some(fiber) = &mut self.fibers[thread] else {
            return;
        };
        match fiber.resume() {
            Step::Waits(request) => self.record(thread, request),
            Step::Finished => {
                self.waiting_lanes[thread / WARP_SIZE] &= !(1 << (thread % WARP_SIZE));
                self.waiting -= 1;
                if let Some(fiber) = self.fibers[thread].take() {
                    self.stacks.give(fiber.into_stack());
                }
            }
        }
    }

    fn record(&mut self, thread: usize, request: *mut Request) {
        self.requests[thread] = request;
        // SAFETY: the thread has just passed its request, which lives on its suspended stack.
        let request = unsafe { &*request };
        self.asked[thread] = *request;
        if request.called == function::BLOCK_BARRIER {
            self.at_barrier += 1;
            self.with_predicate += request.predicate;
        }
    }

    /// Ends the threads that still wait. A finished block has none.
    fn abandon(&mut self) {
        if self.waiting > 0 {
            for fiber in &mut self.fibers {
                if let Some(fiber) = fiber.take() {
                    self.stacks.give(fiber.into_stack());
                }
            }
            self.waiting_lanes.fill(0);
            self.waiting = 0;
        }
        self.at_barrier = 0;
        self.with_predicate = 0;
    }
}
