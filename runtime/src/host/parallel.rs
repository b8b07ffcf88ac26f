//! Work that is shared by threads.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// About this many cores use all of a socket's memory bandwidth.
const MAX_THREADS: usize = 16;

/// How many threads share a large piece of work: one for each core that this process may use, up to a limit.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS)
}

/// Does `work` on each of `items` on up to `threads` threads. The caller's thread is one of them; where the system
/// starts no other, it does everything.
pub(crate) fn each<I>(threads: usize, items: I, work: impl Fn(I::Item) + Sync)
where
    I: Iterator + Send,
{
    let items = Mutex::new(items);
    let run = || {
        loop {
            let item = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            match item {
                Some(item) => work(item),
                None => return,
            }
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn each_item_is_done_once_whatever_the_threads() {
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
}
