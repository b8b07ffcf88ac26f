//! Interrupts jobs at random points and resumes them: the file has the same bits.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(all(target_os = "linux", feature = "programs"))]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use common::{ended, errors, fails, kill, lives, mpirun, ranks_of, start, succeeds};
use fastrand::Rng;

/// The minimum number of interruptions.
const CUTS: usize = if cfg!(feature = "every") { 20 } else { 5 };

const PROGRAM: &str = env!("CARGO_BIN_EXE_edm-cluster");

/// 404,550 distances in some hundred chunks.
const POINTS: [&str; 6] = ["--random", "900", "--memory", "4000", "--device", "cpu"];

fn job(ranks: usize, output: &Path, more: &[&str]) -> Command {
    let mut command = mpirun(ranks, PROGRAM);
    command.args(POINTS).arg("--output").arg(output).args(more);
    command
}

/// The output of one process.
fn uninterrupted(folder: &Path) -> Vec<u8> {
    let path = folder.join("whole.npy");
    let output = Command::new(PROGRAM).args(POINTS).arg("--output").arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    fs::read(path).unwrap()
}

/// The number of chunks in a journal.
fn records(journal: &Path) -> usize {
    let bytes = fs::read(journal).unwrap_or_default();
    bytes.windows(6).filter(|word| word == b"chunk ").count()
}

/// Waits until a job has written this many chunks.
fn wait_for_records(journal: &Path, count: usize) {
    let begin = Instant::now();
    while records(journal) < count {
        assert!(begin.elapsed() < Duration::from_secs(120), "the job writes nothing");
        thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn interrupted_job_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let whole = uninterrupted(folder.path());
    let mut random = Rng::new();
    let seed = random.get_seed();
    println!("seed {seed}");
    let (mut round, mut cuts, mut resumed) = (0, 0, 0);
    // The output of a job that finishes while it is interrupted is lost. At least one must report that it resumed.
    while cuts < CUTS || resumed == 0 {
        let output = folder.path().join(format!("cut-{round}.npy"));
        let text = loop {
            match cut_at_random(&output, &mut random) {
                Ok(text) => break text,
                Err(how) => {
                    cuts += 1;
                    println!("round {round}: {how}");
                }
            }
            assert!(cuts < 1000, "seed {seed}: no job ends, or none goes on with another");
            // It may have finished at the same moment.
            if output.exists() {
                break String::new();
            }
        };
        println!("round {round}: ended after {cuts} cuts; {text}");
        resumed += usize::from(text.contains("\nwritten before: "));
        assert!(fs::read(&output).unwrap() == whole, "seed {seed}: the file differs");
        for ending in ["part", "part.journal"] {
            let left = folder.path().join(format!("cut-{round}.npy.{ending}"));
            // A process killed after it has renamed the file may leave it.
            assert!(text.is_empty() || !left.exists(), "seed {seed}: {} is left", left.display());
        }
        round += 1;
    }
}

/// Resumes a job and interrupts it after some chunks. Returns how it was interrupted, or its output if it has finished.
fn cut_at_random(output: &Path, random: &mut Rng) -> Result<String, String> {
    let seed = random.get_seed();
    let journal = output.with_extension("npy.part.journal");
    let ranks = [1, 2, 3, 7][random.usize(..4)];
    let mut job = start(&mut job(ranks, output, &["--resume"]));
    let more = 1 + random.usize(..150);
    let begin = Instant::now();
    let mut before = usize::MAX;
    while job.try_wait().unwrap().is_none() && begin.elapsed() < Duration::from_secs(120) {
        // The journal is rewritten first, with fewer records; those of new chunks follow.
        let now = records(&journal);
        before = before.min(now);
        if journal.exists() && now >= before + more && ranks_of(job.id()).len() == ranks {
            break;
        }
        thread::sleep(Duration::from_micros(200));
    }
    let processes = ranks_of(job.id());
    let way = random.usize(..4);
    match way {
        // The whole job, like a power failure.
        0 => kill(&[&[job.id()], &processes[..]].concat(), "KILL"),
        // One rank: mpirun ends the others, and names the killed one.
        1 => {
            let rank = processes.get(random.usize(..ranks)).copied();
            kill(rank.as_slice(), "KILL");
        }
        // The launcher of the ranks. They notice it.
        2 => kill(&[job.id()], "KILL"),
        // Like a queue that ends a job gracefully.
        _ => kill(&[job.id()], "TERM"),
    }
    let output = ended(job);
    let begin = Instant::now();
    while processes.iter().any(|process| lives(*process)) {
        let is_soon = begin.elapsed() < Duration::from_secs(60);
        assert!(is_soon, "state {seed}: ranks are left after way {way}");
        thread::sleep(Duration::from_millis(10));
    }
    let error = errors(&output);
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    assert!(!error.contains("error: "), "state {seed}: {error}");
    if way == 1 {
        assert!(error.contains("mpirun noticed that process rank "), "state {seed}: {error}");
        assert!(error.contains("exited on signal 9 (Killed)"), "state {seed}: {error}");
    }
    let how =
        ["all processes killed", "a rank killed", "mpirun killed", "mpirun asked to end"][way];
    Err(format!("{ranks} ranks, {how}, {} records in the journal", records(&journal)))
}

/// Waits until a job has written some chunks, and interrupts it.
fn cut(mut command: Command, journal: &Path) {
    let job = start(&mut command);
    wait_for_records(journal, 5);
    kill(&[&[job.id()], &ranks_of(job.id())[..]].concat(), "KILL");
    assert!(!ended(job).status.success(), "the job was faster than its test");
}

#[test]
fn other_job_does_not_resume() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("a.npy");
    let [part, journal] = ["a.npy.part", "a.npy.part.journal"].map(|name| folder.path().join(name));
    cut(job(2, &output, &[]), &journal);
    let words = ["error: rank 0 of 2, on ", "an interrupted job left"];
    fails(&mut job(2, &output, &[]), &words);
    let other = |arguments: &[&str], words: &[&str]| {
        let mut command = mpirun(2, PROGRAM);
        command.args(arguments).args(["--device", "cpu", "--resume", "--output"]).arg(&output);
        fails(&mut command, words)
    };
    let others = folder.path().join("others.csv");
    fs::write(&others, (0..900).map(|row| format!("{row}\n")).collect::<String>()).unwrap();
    let words = [
        "is the journal of other work: its elements, or what else it was given as `work` (the last argument of `resume_npy` and `npy_file`), differ from those here",
        "a.npy.part. Or write to another file (--force without --resume replaces the existing files; --resume continues an interrupted job)",
    ];
    other(&["--input", others.to_str().unwrap()], &words);
    let words =
        "of a triangle of 900 elements, but here it is rows 0..901 of a triangle of 901 elements";
    other(&["--random", "901"], &[words]);
    // The unfinished file under the name of the finished one.
    fs::rename(&part, &output).unwrap();
    fails(&mut job(1, &output, &["--resume"]), &["a.npy is not the file that "]);
    fs::rename(&output, &part).unwrap();
    let text = succeeds(&mut job(3, &output, &["--resume"]));
    assert!(text.contains("\nwritten before: "), "{text}");
    let whole = uninterrupted(folder.path());
    assert!(fs::read(&output).unwrap() == whole);
    // A finished file is neither computed again nor replaced.
    fails(&mut job(2, &output, &["--resume"]), &["a.npy exists already"]);
    fs::write(&output, "precious").unwrap();
    succeeds(&mut job(2, &output, &["--force"]));
    assert!(fs::read(&output).unwrap() == whole);
}

/// A folder that is not shared, as on machines with local disks: the second rank finds files of another job there.
#[test]
fn separate_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [shared, own, empty] = ["shared", "own", "empty"].map(|name| {
        let path = folder.path().join(name);
        fs::create_dir(&path).unwrap();
        path
    });
    // The same job, which differs only in its start.
    cut(job(2, &own.join("a.npy"), &[]), &own.join("a.npy.part.journal"));
    let left = fs::read(own.join("a.npy.part.journal")).unwrap();
    for other in [&own, &empty] {
        let mut command = job(1, &shared.join("a.npy"), &["--force"]);
        command.args([":", "-n", "1", PROGRAM]).args(POINTS);
        command.arg("--output").arg(other.join("a.npy")).arg("--force");
        let words = "a.npy.part.journal is missing, or is not the file that process 0 made";
        fails(&mut command, &["error: rank 1 of 2, on ", words]);
        assert!(!shared.join("a.npy").exists());
    }
    assert!(fs::read(own.join("a.npy.part.journal")).unwrap() == left);
}

#[test]
fn second_job_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("a.npy");
    let journal = folder.path().join("a.npy.part.journal");
    let first = start(&mut job(2, &output, &[]));
    wait_for_records(&journal, 2);
    // Stops them where they are.
    let ranks = ranks_of(first.id());
    kill(&ranks, "STOP");
    let error = fails(&mut job(1, &output, &["--force"]), &[]);
    kill(&ranks, "CONT");
    assert!(error.contains("another process is writing "), "{error}");
    assert!(ended(first).status.success());
    assert!(fs::read(&output).unwrap() == uninterrupted(folder.path()));
}
