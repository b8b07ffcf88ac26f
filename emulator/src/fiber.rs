//! A fiber: a stack on which the threads of a block run, one after another, until one waits.

use std::mem::ManuallyDrop;

use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::interface::{Context, Request, Run};
use crate::stack::FiberStack;

/// Runs [`Run`] on a stack of its own. A waiting thread leaves the fiber suspended.
///
/// A fiber stays on the operating system thread that made it, because [`Coroutine`] is not `Send`. The compiled kernel relies
/// on that: its compiler may keep the address of a thread-local variable, `threadIdx` or shared memory, across a barrier.
pub(crate) struct Fiber {
    // Taken out only in `into_stack` and in `drop`, which do not use it afterwards.
    coroutine: ManuallyDrop<Coroutine<(), *mut Request, (), FiberStack>>,
}

/// Why a fiber returned control.
pub(crate) enum Step {
    /// Its current thread waits for the answer to this request.
    Waits(*mut Request),
    /// It has no thread left to run.
    Finished,
}

impl Fiber {
    /// A fiber that will run threads of the block in `context`.
    ///
    /// # Safety
    ///
    /// `run` must be the entry of a library that stays loaded, and `context` a valid context for it, until the fiber is dropped
    /// or returns its stack. Until then the context may only be accessed through raw pointers.
    pub(crate) unsafe fn new(stack: FiberStack, run: Run, context: *mut Context) -> Fiber {
        let coroutine = Coroutine::with_stack(stack, move |yielder, ()| {
            // SAFETY: `context` is valid, by the contract of `new`; the yielder lives on this
            // fiber's stack as long as `run` does.
            unsafe {
                (*context).fiber = std::ptr::from_ref::<FiberYielder>(yielder).cast();
                run(context);
            }
        });
        Fiber { coroutine: ManuallyDrop::new(coroutine) }
    }

    /// Runs the fiber until one of its threads waits, or none is left. After [`Step::Finished`] it must not be resumed again.
    pub(crate) fn resume(&mut self) -> Step {
        match self.coroutine.resume(()) {
            CoroutineResult::Yield(request) => Step::Waits(request),
            CoroutineResult::Return(()) => Step::Finished,
        }
    }

    /// Ends the fiber, in any state, and returns its stack.
    pub(crate) fn into_stack(self) -> FiberStack {
        let mut fiber = ManuallyDrop::new(self);
        // SAFETY: the fiber is not used, and its `drop` does not run, after this.
        let mut coroutine = unsafe { ManuallyDrop::take(&mut fiber.coroutine) };
        // SAFETY: `abandon` has the argument.
        unsafe { abandon(&mut coroutine) };
        coroutine.into_stack()
    }
}

impl Drop for Fiber {
    fn drop(&mut self) {
        // SAFETY: `abandon` has the argument.
        unsafe { abandon(&mut self.coroutine) };
        // SAFETY: nothing uses the coroutine after this.
        unsafe { ManuallyDrop::drop(&mut self.coroutine) };
    }
}

type FiberYielder = Yielder<(), *mut Request>;

/// Discards the frames on a fiber's stack. A finished fiber has none.
///
/// This must come before a suspended coroutine is dropped: the coroutine would otherwise unwind its stack, by a panic through
/// frames of C++, which is not sound.
///
/// # Safety
///
/// The coroutine must be one of a [`Fiber`].
///
/// Then the rule of `force_reset` holds: no object on the stack needs its destructor. The stack has Rust frames below and above
/// the kernel: the closure of [`Fiber::new`], which holds two pointers, and [`wait`], which holds one more; corosensei's own
/// frames allow this. Between these are the frames of the kernel, which is CUDA device code. Its objects are plain data,
/// because the same source compiles for a GPU without any host library. If its author gives a type a destructor all the same,
/// that destructor does not run, as in a thread that blocks forever. Two kinds of pointers can still point into the stack: the
/// request, which the scheduler drops together with the fiber, and pointers that the kernel itself has stored, which are as
/// invalid after a launch as on a GPU. No exception is in flight, since kernels are compiled without exceptions.
unsafe fn abandon(coroutine: &mut Coroutine<(), *mut Request, (), FiberStack>) {
    // SAFETY: the argument above.
    unsafe { coroutine.force_reset() };
}

/// Suspends the running fiber. The shim calls it wherever a thread waits for others.
///
/// # Safety
///
/// `context` must be the context of the block whose fiber is running, and `request` must stay valid until this returns.
pub(crate) unsafe extern "C" fn wait(context: *mut Context, request: *mut Request) {
    // SAFETY: the context is valid by the contract. `fiber` is the yielder of the running fiber, and lives below this frame on
    // the same stack: the fiber wrote it when it started, and writes it again here whenever it is resumed.
    //
    // No panic leaves this function: `suspend` panics only in a coroutine that is being unwound, and `abandon` rules that out.
    unsafe {
        let fiber = (*context).fiber;
        (*fiber.cast::<FiberYielder>()).suspend(request);
        (*context).fiber = fiber;
    }
}
