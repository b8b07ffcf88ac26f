//! Keeps precompiled headers from one device to the next, and removes their folders when the process ends: a program of many tests
//! opens and closes a device in each.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::folder;
use super::headers::Headers;

/// The headers of this process's compilers.
static KEPT: Mutex<Kept> = Mutex::new(Kept { process: 0, headers: Vec::new() });

struct Kept {
    /// The process that `remove` was registered in: one that was forked from it has the list, but the folders are not its own.
    process: u32,
    headers: Vec<Arc<Headers>>,
}

/// Keeps them until the process ends. Where that cannot be noticed, they are not kept.
pub(super) fn keep(headers: &Arc<Headers>) {
    let Ok(mut kept) = KEPT.lock() else { return };
    let process = std::process::id();
    if kept.process == process {
        kept.headers.push(headers.clone());
        return;
    }
    // SAFETY: `remove` is a function of this library, and neither panics nor needs anything of a thread's own.
    if unsafe { libc::atexit(remove) } == 0 {
        kept.process = process;
        // What is in the list is of the process that this one was forked from, and to drop it would remove the folders.
        std::mem::forget(std::mem::replace(&mut kept.headers, vec![headers.clone()]));
    }
}

/// Removes the folders. It waits for no lock: the thread that ends the process may itself hold one. Whoever holds that of the folders
/// removes all of them ([`super::remove_build_folders`]).
extern "C" fn remove() {
    let Ok(kept) = KEPT.try_lock() else { return };
    if kept.process != std::process::id() {
        return;
    }
    let paths: Vec<PathBuf> = kept.headers.iter().flat_map(|headers| headers.folders()).collect();
    folder::remove_at_exit(&paths);
}
