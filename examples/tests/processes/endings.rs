//! How a process ends by a signal: it leaves nothing behind.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use crate::process::{Process, errors, names, start, wait_until};

/// More work than the CPU can do while a test waits.
const LONG: [&str; 4] = ["--random", "3000000", "--output", "pairs.csv"];

/// A compiler that answers `--version`, and otherwise never ends.
fn endless_compiler(process: &Process) -> String {
    let script = "#!/bin/sh\ncase $* in *--version*) echo endless 1.0;; *) exec sleep 60;; esac\n";
    let path = process.temporary.path().join("endless");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn signals_leave_no_files_behind() {
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1), ("XCPU", 24)] {
        let process = Process::of("collision");
        let mut child = start(&mut process.command(&LONG), Stdio::null());
        // The unfinished file exists from the start.
        wait_until("the unfinished file", || process.left().len() == 1);
        sleep(Duration::from_millis(300));
        child.signal(name);
        // A shell would report 128 plus this number.
        assert_eq!(child.wait().signal(), Some(number), "{name}");
        assert!(process.left().is_empty(), "{name}: {:?}", process.left());
        assert_eq!(names(process.temporary.path()).count(), 0, "{name}");
    }
}

/// A run that a later one is to go on with may be killed: it leaves only what that one needs.
#[test]
fn a_kill_leaves_no_unfinished_file_beside_the_part() {
    let process = Process::of("edm");
    let work = ["--random", "6000", "--memory", "1e6", "--resume"];
    let arguments = [&work[..], &["--output", "a.npy", "--save-input", "b.npy"]].concat();
    let mut child = start(&mut process.command(&arguments), Stdio::null());
    wait_until("a band", || {
        let journal = fs::read_to_string(process.path("a.npy.part.journal"));
        journal.is_ok_and(|text| text.contains("rows before "))
    });
    child.signal("KILL");
    assert_eq!(child.wait().signal(), Some(9));
    assert_eq!(process.left(), ["a.npy.part", "a.npy.part.journal"]);
}

/// The trajectory is written step by step, and is there only once it is complete.
#[test]
fn a_signal_leaves_no_part_of_a_trajectory_behind() {
    let process = Process::of("forces");
    let arguments = ["--random", "100", "--steps", "4000000000", "--output", "t.xyz"];
    let mut child = start(&mut process.command(&arguments), Stdio::null());
    let size = || {
        let paths = process.left().into_iter().map(|name| process.path(&name));
        paths.filter_map(|path| fs::metadata(path).ok()).map(|found| found.len()).sum::<u64>()
    };
    wait_until("a part of the trajectory", || size() > 10_000);
    assert!(!process.path("t.xyz").exists());
    child.signal("INT");
    assert_eq!(child.wait().signal(), Some(2));
    assert!(process.left().is_empty(), "{:?}", process.left());
}

#[test]
fn a_signal_while_the_compiler_is_at_work_leaves_no_folder_behind() {
    let process = Process::of("edm");
    let mut command = process.command(&["--output", "a.npy"]);
    let mut child = start(command.env("CXX", endless_compiler(&process)), Stdio::null());
    // The compiler, and the folder of its build.
    wait_until("the compiler's folder", || names(process.temporary.path()).count() == 2);
    sleep(Duration::from_millis(200));
    child.signal("TERM");
    assert_eq!(child.wait().signal(), Some(15));
    assert_eq!(names(process.temporary.path()).collect::<Vec<_>>(), ["endless"]);
    assert!(process.left().is_empty(), "{:?}", process.left());
}

#[test]
fn a_signal_stops_the_compiler() {
    let process = Process::of("edm");
    // A compiler that shows whether it is still running, for a minute at most.
    let script = "#!/bin/sh\ncase $* in *--version*) echo slow 1.0; exit;; esac\n\
        for beat in $(seq 600); do echo >> \"$0.beats\"; sleep 0.1; done\n";
    let folder = tempfile::tempdir().unwrap();
    let compiler = folder.path().join("slow");
    fs::write(&compiler, script).unwrap();
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
    let beats = || fs::metadata(folder.path().join("slow.beats")).map_or(0, |file| file.len());
    let mut child = start(process.command(&[]).env("CXX", &compiler), Stdio::null());
    wait_until("the compiler", || beats() > 1);
    child.signal("INT");
    assert_eq!(child.wait().signal(), Some(2));
    sleep(Duration::from_millis(500));
    let then = beats();
    sleep(Duration::from_secs(2));
    assert_eq!(beats(), then, "it is at work still");
}

#[test]
fn a_signal_that_was_to_be_ignored_is_ignored() {
    // Ignored from the start, as `nohup` does.
    let process = Process::of("collision");
    let mut child = start(&mut process.by_shell("trap '' HUP; exec \"$@\"", &LONG), Stdio::null());
    wait_until("the unfinished file", || process.left().len() == 1);
    sleep(Duration::from_millis(300));
    child.signal("HUP");
    sleep(Duration::from_millis(500));
    assert!(!child.is_done());
    child.signal("TERM");
    assert_eq!(child.wait().signal(), Some(15));
}

#[test]
fn a_file_past_the_size_limit_is_an_error() {
    let process = Process::of("edm");
    // In units of 512 bytes: the compiled kernel fits, the distances do not.
    let script = "ulimit -f 4000; \"$@\"; echo code $?";
    let arguments = ["--random", "3000", "--output", "a.npy"];
    let output = process.by_shell(script, &arguments).output().unwrap();
    let text = errors(&output);
    assert!(text.contains("cannot write a.npy: ") && text.contains("File too large"), "{text}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("code 1\n"), "{output:?}");
    assert!(process.left().is_empty(), "{:?}", process.left());
}
