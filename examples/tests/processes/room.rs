//! Results that are larger than memory, and parts of files that earlier runs have left.

use crate::process::{Process, errors};

#[test]
fn distances_without_memory_come_in_bands() {
    let process = Process::of("edm");
    let points = ["--random", "12000", "--output", "a.npy"];
    // In KiB. The distances take 288 MB, and twice as much where they are copied to the host.
    for (limit, layout) in [("650000", "packed"), ("900000", "square")] {
        let script = format!("ulimit -v {limit}; \"$@\"");
        let arguments = [&points[..], &["--layout", layout, "--force"]].concat();
        let output = process.by_shell(&script, &arguments).output().unwrap();
        let text = errors(&output);
        assert!(output.status.success(), "{text}");
        assert!(
            text.contains("for which there is no memory: they are computed in bands of rows"),
            "{text}"
        );
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(report.contains("\nin bands: "), "{report}");
    }
    let arguments = [&points[..], &["--plot", "a.svg", "--force"]].concat();
    let output = process.by_shell("ulimit -v 650000; \"$@\"", &arguments).output().unwrap();
    assert!(
        errors(&output).contains("but not into a picture: leave out --plot"),
        "{}",
        errors(&output)
    );
}

/// The message is there after the time that a start takes, before anything is computed.
#[test]
fn a_result_without_memory_is_refused_before_the_work() {
    for (example, arguments) in [
        ("similarity", &["--random", "12000", "--features", "2"][..]),
        ("cross", &["--random", "12000", "8000", "--matrix", "a.npy"]),
    ] {
        let process = Process::of(example);
        let output = process.by_shell("ulimit -v 650000; \"$@\"", arguments).output().unwrap();
        let text = errors(&output);
        assert_eq!(output.status.code(), Some(1), "{example}: {text}");
        assert!(text.starts_with("error: not enough memory on the device: "), "{example}: {text}");
        assert!(process.left().is_empty());
    }
}

#[test]
fn a_part_that_could_be_gone_on_with_is_told() {
    let process = Process::of("edm");
    let arguments = ["--random", "100", "--output", "a.npy"];
    process.write("a.npy.part", b"begun");
    process.write("a.npy.part.journal", b"of others");
    let output = process.run(&arguments);
    assert!(output.status.success());
    let text = errors(&output);
    assert!(
        text.contains("a.npy.part is what a run with --resume has left that was cut"),
        "{text}"
    );
    assert_eq!(process.left(), ["a.npy", "a.npy.part", "a.npy.part.journal"]);
    let output = process.run(&["--random", "100", "--output", "b.npy"]);
    assert!(errors(&output).is_empty(), "{}", errors(&output));
}
