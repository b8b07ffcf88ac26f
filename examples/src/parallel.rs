//! Work that is shared by threads.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many threads share work: one for each core that this process may use.
pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Does `work` on each of `items`, shared by threads. The caller's thread is one of them; where the system starts no
/// other, it does everything.
pub fn each<I>(items: I, work: impl Fn(I::Item) + Sync)
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
        for _ in 1..threads() {
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
}

/// Runs `beside` on a thread of its own, and `work` on the caller's at the same time. Where the system starts no
/// thread, they run one after the other.
pub fn both<A: Send, B>(beside: impl Fn() -> A + Sync, work: impl FnOnce() -> B) -> (A, B) {
    let mut found = None;
    let done = thread::scope(|scope| {
        let run = || found = Some(beside());
        // If `beside` panics, so does the scope.
        let _ = thread::Builder::new().spawn_scoped(scope, run);
        work()
    });
    (found.unwrap_or_else(beside), done)
}

#[cfg(test)]
mod tests {
    use std::panic::{self, AssertUnwindSafe};
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn both_are_done_at_the_same_time() {
        let (to_work, from_beside) = mpsc::channel();
        let (to_beside, from_work) = mpsc::channel();
        let from_work = Mutex::new(from_work);
        let patience = Duration::from_secs(60);
        // Each waits for the other.
        let beside = || {
            to_work.send(1).unwrap();
            from_work.lock().unwrap().recv_timeout(patience)
        };
        let work = || {
            to_beside.send(2).unwrap();
            from_beside.recv_timeout(patience)
        };
        assert_eq!(both(beside, work), (Ok(2), Ok(1)));
    }

    #[test]
    fn a_panic_of_either_goes_on() {
        for (beside_fails, work_fails) in [(true, false), (false, true), (false, false)] {
            let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
                both(|| assert!(!beside_fails), || assert!(!work_fails))
            }));
            assert_eq!(outcome.is_err(), beside_fails || work_fails);
        }
    }
}
