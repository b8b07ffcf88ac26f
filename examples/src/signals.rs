//! Handles signals: those that end the process first remove what is unfinished.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::unfinished;

/// Signals that end a process: Ctrl-C and its like, a closed terminal, a time limit.
const ENDINGS: [i32; 5] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];

/// Before a signal ends the process, stops compilers, and removes unfinished files and the folders of builds. The
/// process then ends by the signal itself, so that its parent sees which one it was. A signal that was ignored from the
/// start, as by `nohup`, stays ignored.
///
/// # Errors
///
/// The system accepts no handlers, or starts no thread for them.
pub(crate) fn clean_up() -> io::Result<()> {
    // Caught rather than ignored, because the C++ compiler would inherit the latter. Writing past the limit of file
    // sizes is then an error and does not end the process.
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let mut signals = Signals::new(ENDINGS.into_iter().filter(|signal| !is_ignored(*signal)))?;
    thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            // Held until the end, so that nothing new is created.
            let _held = (unfinished::remove_all(), td_kernel::remove_build_folders());
            // It fails only for an unknown signal.
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// Whether the process was started with this signal ignored.
fn is_ignored(signal: i32) -> bool {
    // SAFETY: all zero is a valid value of this structure of numbers, a set of bits, and addresses that may be null.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: a null second argument changes nothing, and the third points to a structure for the answer.
    let answer = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut action) };
    answer == 0 && action.sa_sigaction == libc::SIG_IGN
}
