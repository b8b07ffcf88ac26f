//! The shim as the compiler has read it, for the many kernels of a process: reading it takes nearly half of what g++ takes for a short
//! kernel. After some kernels with the same options the compiler is asked for a precompiled header, which lies in a folder of its own
//! until the process ends, or on systems other than Unix until its last device is closed. With a cache, it is kept there too, and the
//! next process has it for its first kernel. It changes times and nothing else: where it
//! cannot be made or used, or where the compiler has something to say, a kernel is compiled as if there were none.

use std::ffi::OsString;
#[cfg(unix)]
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::folder::Folder;

/// How many kernels are compiled without one: to make it takes as long as what it saves for four of them.
const WITHOUT: u32 = 5;

/// The precompiled headers of a compiler, one for each list of options.
#[derive(Debug, Default)]
pub(super) struct Headers(Mutex<Vec<(Vec<OsString>, State)>>);

#[derive(Debug)]
enum State {
    /// How many kernels have been compiled without one.
    Without(u32),
    /// A thread is looking for it or making it; or it was of no use.
    None,
    Made(Arc<Folder>),
}

impl Headers {
    /// The folder of the header for these options, if there is one. The thread that asks first looks for one that is `kept`, and the
    /// one that asks once too often makes it; until then other threads go on without.
    pub(super) fn of(
        &self,
        options: &[OsString],
        kept: impl FnOnce() -> Option<Folder>,
        make: impl FnOnce() -> Option<Folder>,
    ) -> Option<Arc<Folder>> {
        let mut all = self.lock();
        let is_first = match state(&mut all, options) {
            State::Without(0) => true,
            State::Without(WITHOUT) => false,
            State::Without(count) => {
                *count += 1;
                return None;
            }
            State::None => return None,
            State::Made(folder) => return Some(folder.clone()),
        };
        *state(&mut all, options) = State::None;
        drop(all);
        let found = if is_first { kept() } else { make() }.map(Arc::new);
        let next = match &found {
            Some(folder) => State::Made(folder.clone()),
            None if is_first => State::Without(1),
            None => State::None,
        };
        *state(&mut self.lock(), options) = next;
        found
    }

    /// Takes back a header that the compiler cannot use.
    pub(super) fn give_up(&self, options: &[OsString]) {
        *state(&mut self.lock(), options) = State::None;
    }

    /// The folders of all that have been made, or none while another thread looks at them.
    #[cfg(unix)]
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let Ok(all) = self.0.try_lock() else { return Vec::new() };
        let made = all.iter().filter_map(|(_, state)| match state {
            State::Made(folder) => Some(folder.path().to_owned()),
            _ => None,
        });
        made.collect()
    }

    /// A header that has been made, for tests.
    #[cfg(test)]
    pub(super) fn any(&self) -> Option<Arc<Folder>> {
        self.lock().iter().find_map(|(_, state)| match state {
            State::Made(folder) => Some(folder.clone()),
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
        all.push((options.to_vec(), State::Without(0)));
        all.len() - 1
    });
    &mut all[at].1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::folder;

    #[test]
    fn a_header_is_made_once_for_its_options_and_only_after_some_kernels() {
        let headers = Headers::default();
        let options = ["-O1".into()];
        let nothing = || -> Option<Folder> { panic!("nothing is to be made") };
        assert!(headers.of(&options, || None, nothing).is_none());
        for _ in 1..WITHOUT {
            assert!(headers.of(&options, nothing, nothing).is_none());
        }
        let make = || Folder::new(&folder::parent()).ok();
        let made = headers.of(&options, nothing, make).unwrap();
        assert!(Arc::ptr_eq(&headers.of(&options, nothing, nothing).unwrap(), &made));
        assert!(headers.of(&["-O3".into()], || None, nothing).is_none());
        headers.give_up(&options);
        assert!(headers.of(&options, nothing, nothing).is_none());
        let path = made.path().to_owned();
        drop(made);
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
            assert!(headers.of(&[], || None, make).is_none());
        }
        assert_eq!(tried, 1);
    }

    #[test]
    fn one_that_is_kept_is_there_for_the_first_kernel() {
        let headers = Headers::default();
        let nothing = || -> Option<Folder> { panic!("nothing is to be made") };
        let kept = headers.of(&[], || Folder::new(&folder::parent()).ok(), nothing).unwrap();
        assert!(Arc::ptr_eq(&headers.of(&[], nothing, nothing).unwrap(), &kept));
    }
}
