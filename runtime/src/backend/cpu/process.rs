//! Runs the compiler, and stops it at its time limit.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// The variable for the compiler's time limit in seconds.
const VARIABLE: &str = "TD_KERNEL_CXX_SECONDS";

/// The default limit. The slowest kernels take some seconds, on a busy machine a minute.
const USUAL_SECONDS: u64 = 300;

/// The interval of checks whether a process that has closed its pipes has ended. Most have at once.
const PAUSE: Duration = Duration::from_millis(1);

/// The ids of the running processes. Each leads a process group of its own, which Ctrl-C does not reach.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Ignores poisoning: no panic leaves the list half changed.
fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stops the running processes. None starts until the returned guard is dropped.
pub(super) fn stop_all() -> MutexGuard<'static, Vec<u32>> {
    let running = running();
    running.iter().copied().for_each(stop_group);
    running
}

/// The process ignores SIGCHLD. The system then forgets a child when it ends, so its exit status is lost, and no compiler can
/// be used.
#[derive(Debug, thiserror::Error)]
#[error(
    "this process ignores SIGCHLD, so it cannot get a compiler's exit status: restore the default action of SIGCHLD, `signal(SIGCHLD, SIG_DFL)`"
)]
struct Deaf;

/// Whether an error of [`run`] is that the process ignores SIGCHLD.
pub(super) fn is_deaf(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|error| error.is::<Deaf>())
}

/// Runs a command to its end, and returns its output.
pub(super) fn run(command: &mut Command) -> io::Result<Output> {
    let limit = limit();
    let deadline = Instant::now() + limit;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A process group of its own, which is stopped as a whole: the compiler starts further processes.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = {
        // Locked before the process is started, so that the holder of the lock sees every process.
        let mut running = running();
        let child = command.spawn()?;
        running.push(child.id());
        child
    };
    let ended = collect(&mut child, deadline);
    if ended.is_err() {
        running().retain(|id| *id != child.id());
        stop(&mut child);
    }
    match ended {
        Err(error) if error.kind() == io::ErrorKind::TimedOut => {
            let seconds = limit.as_secs();
            let s = if seconds == 1 { "" } else { "s" };
            let problem = format!(
                "it did not end within {seconds} second{s} and was stopped: set ${VARIABLE} to another number of seconds"
            );
            Err(io::Error::new(io::ErrorKind::TimedOut, problem))
        }
        other => other,
    }
}

/// Reads both pipes to their end, and waits for the process.
fn collect(child: &mut Child, deadline: Instant) -> io::Result<Output> {
    let (sender, receiver) = mpsc::channel();
    // These threads are not joined: a process that has left the group could keep a pipe open forever.
    if let Some(out) = child.stdout.take() {
        let sender = sender.clone();
        thread::Builder::new().spawn(move || sender.send((true, read(out))))?;
    }
    if let Some(err) = child.stderr.take() {
        thread::Builder::new().spawn(move || sender.send((false, read(err))))?;
    }
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match receiver.recv_timeout(left) {
            Ok((true, bytes)) => stdout = bytes?,
            Ok((false, bytes)) => stderr = bytes?,
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => return Err(io::ErrorKind::TimedOut.into()),
        }
    }
    loop {
        match ended(child) {
            Ok(Some(status)) => return Ok(Output { status, stdout, stderr }),
            Ok(None) if Instant::now() >= deadline => return Err(io::ErrorKind::TimedOut.into()),
            Ok(None) => thread::sleep(PAUSE),
            Err(error) if has_no_child(&error) => return Err(io::Error::other(Deaf)),
            Err(error) => return Err(error),
        }
    }
}

/// A process's exit status, if it has ended. It is then no longer listed: the system may give its id to another process.
fn ended(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    let mut running = running();
    let status = child.try_wait()?;
    if status.is_some() {
        running.retain(|id| *id != child.id());
    }
    Ok(status)
}

fn read(mut from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Ends the process and the processes that it has started.
fn stop(child: &mut Child) {
    stop_group(child.id());
    // Both fail only if the process has ended; a killed one ends soon.
    let _ = child.kill();
    let _ = child.wait();
}

/// Ends the processes of a group, where the system has groups.
#[cfg(unix)]
fn stop_group(id: u32) {
    if let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        // Fails only if the group has no process left.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn stop_group(_: u32) {}

#[cfg(unix)]
fn has_no_child(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::CHILD.raw_os_error())
}

#[cfg(not(unix))]
fn has_no_child(_: &io::Error) -> bool {
    false
}

/// The compiler's time limit.
fn limit() -> Duration {
    let usual = Duration::from_secs(USUAL_SECONDS);
    let Some(given) = std::env::var_os(VARIABLE).filter(|given| !given.is_empty()) else {
        return usual;
    };
    match given.to_str().and_then(|given| given.parse().ok()) {
        // More than a year is effectively no limit, and would overflow the clocks of some systems.
        Some(seconds @ 1..) => Duration::from_secs(u64::min(seconds, 1 << 25)),
        _ => {
            tracing::warn!(
                "${VARIABLE} is {}, but must be a whole number of seconds, at least 1: the compiler's time limit is {USUAL_SECONDS} seconds",
                given.display()
            );
            usual
        }
    }
}
