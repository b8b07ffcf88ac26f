//! Starts jobs of several ranks, and waits for them with a time limit.
#![allow(dead_code)]

use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// No job of a test takes nearly this long: one that does hangs.
const HANGS: Duration = Duration::from_secs(300);

/// A program on this many ranks of this machine.
pub(crate) fn mpirun(ranks: usize, program: &str) -> Command {
    let mut command = Command::new("mpirun");
    // There may be more ranks than cores, and in a container the user is often root.
    command.args(["--oversubscribe", "--bind-to", "none", "-n", &ranks.to_string(), program]);
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts a job.
pub(crate) fn start(command: &mut Command) -> Child {
    command.spawn().expect("mpirun starts: on Debian it is in the package openmpi-bin")
}

/// Waits for a job's end. It prints little, so that its pipes are never full.
pub(crate) fn ended(mut job: Child) -> Output {
    let start = Instant::now();
    while job.try_wait().unwrap().is_none() {
        if start.elapsed() > HANGS {
            kill(&ranks_of(job.id()), "KILL");
            kill(&[job.id()], "KILL");
            panic!("the job hangs: {:?}", job.wait_with_output());
        }
        thread::sleep(Duration::from_millis(5));
    }
    job.wait_with_output().unwrap()
}

/// The output of a job, which must succeed.
pub(crate) fn succeeds(command: &mut Command) -> String {
    let output = ended(start(command));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}\n{text}{}", output.status, errors(&output));
    text
}

/// The error output of a job, which must fail with all these words.
pub(crate) fn fails(command: &mut Command, words: &[&str]) -> String {
    let output = ended(start(command));
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let error = errors(&output);
    assert!(words.iter().all(|words| error.contains(words)), "{words:?}: {error}");
    error
}

pub(crate) fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The child processes of another process.
pub(crate) fn ranks_of(process: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{process}/task"));
    let children = tasks.into_iter().flatten().flatten().map(|task| task.path().join("children"));
    let children = children.filter_map(|path| fs::read_to_string(path).ok());
    children
        .flat_map(|text| {
            text.split_whitespace().map(|id| id.parse().unwrap()).collect::<Vec<u32>>()
        })
        .collect()
}

/// Sends a signal to processes. Some may have ended.
pub(crate) fn kill(processes: &[u32], signal: &str) {
    for process in processes {
        let _ = Command::new("kill")
            .args(["-s", signal, &process.to_string()])
            .stderr(Stdio::null())
            .status();
    }
}

/// Whether a process exists and has not ended.
pub(crate) fn lives(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}
