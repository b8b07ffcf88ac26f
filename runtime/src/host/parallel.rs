//! Work shared by threads.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// About this many cores use all of a socket's memory bandwidth.
const MAX_THREADS: usize = 16;

/// The number of threads that share large work: one for each core that this process may use, up to a limit.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS)
}

/// Calls `work` for each of `items` on up to `threads` threads, including the caller's. If the system starts no other thread,
/// the caller's does everything.
pub(crate) fn each<I>(threads: usize, items: I, work: impl Fn(I::Item) + Sync)
where
    I: Iterator + Send,
{
    let items = Mutex::new(items);
    let run = || {
        loop {
            let item = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(item) = item else { return };
            work(item);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
}

/// Calls `work` for all of `items` at the same time, each on its own thread, and returns the results in order. If the system
/// starts fewer threads, these do the rest.
pub(crate) fn map_concurrently<T: Send, R: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let done: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    each(items.len(), items.into_iter().zip(&done), |(item, place)| {
        let result = work(item);
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    let results = done.into_iter().map(|place| place.into_inner());
    results.filter_map(|place| place.unwrap_or_else(PoisonError::into_inner)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn each_item_is_done_once() {
        for threads in [0, 1, 2, 7] {
            for items in [0, 1, 5, 1000] {
                let done: Vec<AtomicUsize> = (0..items).map(|_| AtomicUsize::new(0)).collect();
                each(threads, done.iter(), |count| {
                    count.fetch_add(1, Ordering::Relaxed);
                });
                assert!(done.iter().all(|count| count.load(Ordering::Relaxed) == 1));
            }
        }
    }

    #[test]
    fn parallel_results_keep_order() {
        // Each waits for all others, so each needs its own thread.
        let all = std::sync::Barrier::new(5);
        let doubled = map_concurrently(vec![3, 1, 4, 1, 5], |number| {
            all.wait();
            2 * number
        });
        assert_eq!(doubled, [6, 2, 8, 2, 10]);
        assert!(map_concurrently(Vec::<u8>::new(), |number| number).is_empty());
    }
}
