//! An allocator that refuses large allocations on request. The tests of `cluster` have it, too.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of large allocations that are granted before all others are refused.
static GRANTED: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The size of a large allocation, in bytes.
static LARGE: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The number of refused allocations.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

struct Limited;

impl Limited {
    fn grants(size: usize) -> bool {
        if size < LARGE.load(Ordering::Relaxed) {
            return true;
        }
        let take = |granted: usize| granted.checked_sub(1);
        let is_granted = GRANTED.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok();
        REFUSED.fetch_add(usize::from(!is_granted), Ordering::Relaxed);
        is_granted
    }
}

// SAFETY: the system's allocator, which may refuse.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        if Self::grants(layout.size()) { unsafe { System.alloc(layout) } } else { ptr::null_mut() }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match Self::grants(layout.size()) {
            // SAFETY: the caller's promise.
            true => unsafe { System.alloc_zeroed(layout) },
            false => ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match Self::grants(size) {
            // SAFETY: the caller's promise.
            true => unsafe { System.realloc(at, layout, size) },
            false => ptr::null_mut(),
        }
    }
}

#[global_allocator]
static ALLOCATOR: Limited = Limited;

/// Runs `work` with this many allocations of `large` bytes or more.
pub(crate) fn with_granted<R>(granted: usize, large: usize, work: impl FnOnce() -> R) -> R {
    REFUSED.store(0, Ordering::Relaxed);
    GRANTED.store(granted, Ordering::Relaxed);
    LARGE.store(large, Ordering::Relaxed);
    let result = work();
    LARGE.store(usize::MAX, Ordering::Relaxed);
    result
}

/// Runs `work` with 0, 1, 2, … granted allocations of `large` bytes or more, until it succeeds. Every earlier run must end with
/// the expected error.
pub(crate) fn fails_at_each<T, E: std::fmt::Display>(
    name: &str,
    large: usize,
    work: impl Fn() -> Result<T, E>,
    is_expected: impl Fn(&E) -> bool,
) {
    for granted in 0..1000 {
        let result = with_granted(granted, large, &work);
        match (result, REFUSED.load(Ordering::Relaxed)) {
            (Ok(_), 0) => {
                assert!(granted > 0, "{name} takes no memory");
                return;
            }
            (Ok(_), _) => panic!("{name}: no error with {granted} allocations"),
            (Err(error), _) => assert!(is_expected(&error), "{name}: {granted}: {error}"),
        }
    }
    panic!("{name} never has enough memory");
}
