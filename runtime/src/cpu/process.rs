//! Runs the compiler, which ends in time or is stopped.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// The variable that says how many seconds the compiler has.
const VARIABLE: &str = "TD_KERNEL_CXX_SECONDS";

/// What it has without one. The slowest kernels take some seconds, on a busy machine a minute.
const USUAL_SECONDS: u64 = 300;

/// How often it is asked whether a process has ended that has closed its pipes: most have at once.
const PAUSE: Duration = Duration::from_millis(1);

/// Those that run, by their ids. Each is the first of a group of its own, which Ctrl-C does not reach.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// No panic leaves the list half changed.
fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stops those that run, and lets none start until what is returned is dropped.
pub(super) fn stop_all() -> MutexGuard<'static, Vec<u32>> {
    let running = running();
    running.iter().copied().for_each(stop_group);
    running
}

/// Why nobody learns how a child has ended: the system forgets it as soon as it ends. No compiler works then.
#[derive(Debug, thiserror::Error)]
#[error(
    "this process ignores SIGCHLD, so that the system does not say how a compiler has ended: give SIGCHLD its default action, `signal(SIGCHLD, SIG_DFL)`"
)]
struct Deaf;

/// Whether an error of [`run`] is that the process ignores SIGCHLD.
pub(super) fn is_deaf(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|error| error.is::<Deaf>())
}

/// Runs a command to its end, and gives what it wrote.
pub(super) fn run(command: &mut Command) -> io::Result<Output> {
    let limit = limit();
    let deadline = Instant::now() + limit;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own, which is stopped as a whole: the compiler starts others.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = {
        // Locked before it is there, so that whoever has the lock knows all of them.
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
            Err(io::Error::new(
                io::ErrorKind::TimedOut,
                format!(
                    "it has not ended within {seconds} second{s}, and was stopped: ${VARIABLE} gives it another time"
                ),
            ))
        }
        other => other,
    }
}

/// Reads both pipes to their end, and waits for the process.
fn collect(child: &mut Child, deadline: Instant) -> io::Result<Output> {
    let (sender, receiver) = mpsc::channel();
    // Threads that nobody joins: a process that has left the group could keep a pipe open for ever.
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

/// How a process has ended, if it has. The system may give its id to another one then, so that it is no longer listed.
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

/// Ends the process and those that it has started.
fn stop(child: &mut Child) {
    stop_group(child.id());
    // They fail only where it is gone; and what was killed ends soon.
    let _ = child.kill();
    let _ = child.wait();
}

/// Ends the processes of a group, where the system has groups.
#[cfg(unix)]
fn stop_group(id: u32) {
    if let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        // It fails only where none of them is left.
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

/// How long the compiler may take.
fn limit() -> Duration {
    let usual = Duration::from_secs(USUAL_SECONDS);
    let Some(given) = std::env::var_os(VARIABLE).filter(|given| !given.is_empty()) else {
        return usual;
    };
    match given.to_str().and_then(|given| given.parse().ok()) {
        // More than a year is as good as none, and is no instant of some systems' clocks.
        Some(seconds @ 1..) => Duration::from_secs(u64::min(seconds, 1 << 25)),
        _ => {
            tracing::warn!(
                "${VARIABLE} is {}, which is no number of seconds: the compiler has {USUAL_SECONDS}",
                given.display()
            );
            usual
        }
    }
}
