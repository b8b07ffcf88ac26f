//! Work that is shared by threads.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::LARGE;

/// A socket's memory is kept busy by about so many cores.
const MAX_THREADS: usize = 16;

/// The bytes of a large copy that a thread takes at a time.
const PIECE: usize = 4 << 20;

/// How many threads share a large piece of work: one for each core that this process may use, up to a limit.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS)
}

/// Does `work` on each of `items`, shared by up to `threads` threads. The caller's own is one of them; where the
/// system starts no other, it does everything.
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

/// Copies as many elements as both slices have, by several threads where these are large.
pub(crate) fn copy<T: Copy + Send + Sync>(from: &[T], to: &mut [T]) {
    let length = from.len().min(to.len());
    let (from, to) = (&from[..length], &mut to[..length]);
    if size_of_val(from) < LARGE {
        return to.copy_from_slice(from);
    }
    let piece = (PIECE / size_of::<T>().max(1)).max(1);
    let pieces = to.chunks_mut(piece).zip(from.chunks(piece));
    each(threads(), pieces, |(to, from)| to.copy_from_slice(from));
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

    #[test]
    fn copies_are_whole_at_every_size() {
        for length in [0, 1, LARGE / 4 - 1, LARGE / 4, LARGE / 4 + 1, 3 * PIECE / 2 + 5] {
            let from: Vec<u32> = (0..length as u32).collect();
            let mut to = vec![u32::MAX; length];
            copy(&from, &mut to);
            assert!(from == to, "{length}");
        }
    }
}
