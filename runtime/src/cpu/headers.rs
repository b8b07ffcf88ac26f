//! The shim as the compiler has read it, for the many kernels of a process: reading it takes more than half of what g++ takes for a
//! short kernel. After some kernels with the same options the compiler is asked for a precompiled header, which lies in a folder of its own
//! until the process ends, or on systems other than Unix until its last device is closed. With a cache, it is kept there too, for
//! the first kernels of the next process. It changes times and nothing else: where it
//! cannot be made or used, or where the compiler has something to say, a kernel is compiled as if there were none.

use std::ffi::OsString;
#[cfg(unix)]
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::folder::Folder;

/// How many kernels are compiled without one: to make it takes about as long as what it saves for four of them.
const WITHOUT: u32 = 5;

/// The precompiled headers of a compiler, one for each list of options.
#[derive(Debug, Default)]
pub(super) struct Headers(Mutex<Vec<(Vec<OsString>, State)>>);

#[derive(Debug)]
enum State {
    /// How many kernels have been compiled without one, and whether a cache was asked for it.
    Without { kernels: u32, has_looked: bool },
    /// A thread is looking for it or making it; or it was of no use.
    None,
    /// There is one, made by this process or kept by a cache.
    Ready { folder: Arc<Folder>, is_kept: bool },
}

impl Headers {
    /// The folder of the header for these options, if there is one. The first thread that has a cache looks there for a `kept` one,
    /// and the one that asks once too often makes it; until then other threads go on without.
    pub(super) fn of(
        &self,
        options: &[OsString],
        kept: Option<impl FnOnce() -> Option<Folder>>,
        make: impl FnOnce() -> Option<Folder>,
    ) -> Option<Arc<Folder>> {
        let mut all = self.lock();
        let own = state(&mut all, options);
        let without = match own {
            State::Without { kernels, has_looked } => {
                let looks = !*has_looked && kept.is_some();
                if !looks && *kernels < WITHOUT {
                    *kernels += 1;
                    return None;
                }
                let next = State::Without { kernels: *kernels + 1, has_looked: true };
                looks.then_some(next)
            }
            State::None => return None,
            State::Ready { folder, .. } => return Some(folder.clone()),
        };
        *own = State::None;
        drop(all);
        let is_kept = without.is_some();
        let found = if is_kept { kept.and_then(|kept| kept()) } else { make() }.map(Arc::new);
        let ready = found.clone().map(|folder| State::Ready { folder, is_kept });
        *state(&mut self.lock(), options) = ready.or(without).unwrap_or(State::None);
        found
    }

    /// Takes back a header that the compiler cannot use. Where a cache had it, another one is made after some kernels, and kept in its
    /// place.
    pub(super) fn give_up(&self, options: &[OsString]) {
        let mut all = self.lock();
        let own = state(&mut all, options);
        *own = match own {
            State::Ready { is_kept: true, .. } => State::Without { kernels: 1, has_looked: true },
            _ => State::None,
        };
    }

    /// The folders of all that there are, or none while another thread looks at them.
    #[cfg(unix)]
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let Ok(all) = self.0.try_lock() else { return Vec::new() };
        let ready = all.iter().filter_map(|(_, state)| match state {
            State::Ready { folder, .. } => Some(folder.path().to_owned()),
            _ => None,
        });
        ready.collect()
    }

    /// A header that there is, for tests.
    #[cfg(test)]
    pub(super) fn any(&self) -> Option<Arc<Folder>> {
        self.lock().iter().find_map(|(_, state)| match state {
            State::Ready { folder, .. } => Some(folder.clone()),
            _ => None,
        })
    }

    /// Ignores poisoning: no panic leaves the list half changed.
    fn lock(&self) -> MutexGuard<'_, Vec<(Vec<OsString>, State)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is known of these options.
fn state<'a>(all: &'a mut Vec<(Vec<OsString>, State)>, options: &[OsString]) -> &'a mut State {
    let known = all.iter().position(|(known, _)| known == options);
    let at = known.unwrap_or_else(|| {
        all.push((options.to_vec(), State::Without { kernels: 0, has_looked: false }));
        all.len() - 1
    });
    &mut all[at].1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::folder;

    type Make = fn() -> Option<Folder>;

    const UNWANTED: Make = || panic!("nothing is to be made");
    const MAKE: Make = || Folder::new(&folder::parent()).ok();
    const FAIL: Make = || None;

    #[test]
    fn a_header_is_made_once_for_its_options_and_only_after_some_kernels() {
        let headers = Headers::default();
        let options = ["-O1".into()];
        for _ in 0..WITHOUT {
            assert!(headers.of(&options, None::<Make>, UNWANTED).is_none());
        }
        let made = headers.of(&options, None::<Make>, MAKE).unwrap();
        let again = headers.of(&options, Some(UNWANTED), UNWANTED).unwrap();
        assert!(Arc::ptr_eq(&again, &made));
        assert!(headers.of(&["-O3".into()], None::<Make>, UNWANTED).is_none());
        headers.give_up(&options);
        assert!(headers.of(&options, Some(UNWANTED), UNWANTED).is_none());
        let path = made.path().to_owned();
        drop((made, again));
        assert!(!path.exists());
    }

    #[test]
    fn what_cannot_be_made_is_not_tried_again() {
        let headers = Headers::default();
        let mut tried = 0;
        for _ in 0..2 * WITHOUT {
            let make = || {
                tried += 1;
                None
            };
            assert!(headers.of(&[], None::<Make>, make).is_none());
        }
        assert_eq!(tried, 1);
    }

    #[test]
    fn a_cache_is_asked_once_by_the_first_that_has_one() {
        let headers = Headers::default();
        assert!(headers.of(&[], None::<Make>, UNWANTED).is_none());
        let kept = headers.of(&[], Some(MAKE), UNWANTED).unwrap();
        assert!(Arc::ptr_eq(&headers.of(&[], Some(UNWANTED), UNWANTED).unwrap(), &kept));

        // Where it has none, or one that is of no use, one is made in its turn.
        headers.give_up(&[]);
        let empty = Headers::default();
        assert!(empty.of(&[], Some(FAIL), UNWANTED).is_none());
        for each in [headers, empty] {
            for _ in 1..WITHOUT {
                assert!(each.of(&[], Some(UNWANTED), UNWANTED).is_none());
            }
            assert!(each.of(&[], Some(UNWANTED), MAKE).is_some());
        }
    }
}
