//! What signals do: those that end the process take what is unfinished along.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::unfinished;

/// Those that end a process: Ctrl-C and its like, a terminal that is closed, a limit of time.
const ENDINGS: [i32; 5] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU];

/// Has compilers stopped, and unfinished files and the folders of builds removed, before a signal ends the process, as it
/// does without: who started it sees which signal that was. One that was ignored from the start, as
/// by `nohup`, still is.
///
/// # Errors
///
/// The system takes no handlers, or gives no thread for them.
pub(crate) fn clean_up() -> io::Result<()> {
    // Caught and not ignored, which the C++ compiler would inherit: writing past the largest size
    // of a file is an error then, and not the end.
    signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let mut signals = Signals::new(ENDINGS.into_iter().filter(|signal| !is_ignored(*signal)))?;
    thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            // Held to the end, so that nothing new is made.
            let _held = (unfinished::remove_all(), td_kernel::remove_build_folders());
            // It fails only for signals that it does not know.
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// Whether the process was started with this signal ignored.
fn is_ignored(signal: i32) -> bool {
    // SAFETY: all zero is a value of this structure of numbers, a set of bits, and addresses that
    // may be null.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: nothing is changed where the second argument is null, and the third leads to a
    // structure for the answer.
    let answer = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut action) };
    answer == 0 && action.sa_sigaction == libc::SIG_IGN
}
