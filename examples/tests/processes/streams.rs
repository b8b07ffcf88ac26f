//! Standard output and standard error: full, closed, and with the progress of long work.

use std::fs;

use crate::process::{Process, errors, start, wait_until};

#[test]
fn a_full_standard_output_loses_no_result() {
    let process = Process::of("edm");
    let output = process.by_shell("\"$@\" > /dev/full", &["--output", "a.npy"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = errors(&output);
    assert!(text.contains("error: cannot write to standard output: No space left"), "{text}");
    // The report that could not be printed to standard output.
    assert!(text.contains("\npairs: 11175\n"), "{text}");
    assert_eq!(process.left(), ["a.npy"]);
}

#[test]
fn closed_streams_end_quietly() {
    for script in ["\"$@\" >&-", "\"$@\" | true", "\"$@\" | head -n 1 > /dev/null"] {
        let process = Process::of("edm");
        let output = process.by_shell(script, &["--output", "a.npy"]).output().unwrap();
        assert!(output.status.success(), "{script}");
        assert_eq!(errors(&output), "", "{script}");
        assert_eq!(process.left(), ["a.npy"], "{script}");
    }
}

#[test]
fn without_standard_error_the_work_is_done_all_the_same() {
    for script in ["\"$@\" 2> /dev/full", "\"$@\" 2>&-", "(\"$@\" 3>&1 1>&2 2>&3 | true) 2>&1"] {
        let process = Process::of("collision");
        let arguments = ["--random", "12000", "--output", "a.csv"];
        let output = process.by_shell(script, &arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("\ncollisions: "), "{script}: {text}");
        assert_eq!(process.left(), ["a.csv"], "{script}");
    }
}

#[test]
fn long_work_on_the_cpu_tells_how_long() {
    let process = Process::of("collision");
    let mut command = process.command(&["--random", "3000000"]);
    let path = process.path("errors.txt");
    let child = start(&mut command, fs::File::create(&path).unwrap());
    let said = || fs::read_to_string(&path).unwrap();
    wait_until("a word", || said().contains(" left"));
    wait_until("advice", || said().contains("a GPU"));
    drop(child);
    let text = said();
    let line = text.lines().next().unwrap();
    assert!(line.starts_with("counting on the CPU: "), "{text}");
    assert!(line.contains(" % of ") && line.contains(" pairs, about "), "{text}");
    assert!(!text.contains('\x1b'), "{text}");
}

#[test]
fn many_steps_tell_how_many_are_left() {
    let process = Process::of("forces");
    let mut command = process.command(&["--random", "100", "--steps", "4000000000"]);
    let path = process.path("errors.txt");
    let child = start(&mut command, fs::File::create(&path).unwrap());
    let said = || fs::read_to_string(&path).unwrap();
    wait_until("two lines", || said().lines().count() > 1);
    drop(child);
    for line in said().lines().take(2) {
        assert!(line.starts_with("moving bodies: step "), "{line}");
        assert!(line.contains(" of 4,000,000,000, about ") && line.contains(" left"), "{line}");
    }
}

#[test]
fn standard_input_is_read_where_it_is_named() {
    let process = Process::of("edm");
    process.write("t.csv", b"x;y\n0;0\n3;4\n");
    for script in ["\"$@\" < t.csv", "cat t.csv | \"$@\"", "gzip < t.csv | \"$@\""] {
        let output = process.by_shell(script, &["--input", "-"]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{script}: {}", errors(&output));
        assert!(text.contains("(columns x, y of standard input)\n"), "{script}: {text}");
        assert!(text.contains("\nnearest: 5 (i = 1, j = 0)\n"), "{script}: {text}");
    }
    for (text, message) in [
        ("", "error: standard input: the file is empty\n"),
        ("x,y\n1,?\n2,3\n", "error: standard input, line 2, column `y`: `?` is not a number, and"),
    ] {
        process.write("t.csv", text.as_bytes());
        let output = process.by_shell("\"$@\" < t.csv", &["--input", "-"]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(errors(&output).starts_with(message), "{}", errors(&output));
    }
    for (example, fact) in
        [("similarity", "closest: 5 (i = 1, j = 0)"), ("knn", "nearest of 0: 1 (5)")]
    {
        let process = Process::of(example);
        process.write("t.csv", b"x;y\n0;0\n3;4\n");
        let script = "gzip < t.csv | \"$@\"";
        let output = process.by_shell(script, &["--input", "-"]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("(columns x, y of standard input)\n"), "{}", errors(&output));
        assert!(text.contains(&format!("\n{fact}\n")), "{example}: {text}");
    }
    let process = Process::of("collision");
    process.write("t.tsv", b"0\t0\t0\t1\n0\t0\t1\t1\n");
    let arguments = ["--input", "-", "--format", "csv", "--delimiter", "tab"];
    let output = process.by_shell("\"$@\" < t.tsv", &arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("(rows of standard input, without a header, radii as they are)"),
        "{}",
        errors(&output)
    );
    assert!(text.contains("\ncollisions: 1\n"), "{text}");
}

#[test]
fn a_feature_that_looks_like_an_identifier_is_told() {
    for example in ["edm", "similarity"] {
        let process = Process::of(example);
        process.write("t.csv", b"id,x,y\n1,5,2\n2,7,2\n3,5,9\n");
        let output = process.run(&["--input", "t.csv"]);
        assert!(output.status.success(), "{example}");
        let text = errors(&output);
        assert_eq!(text.lines().count(), 1, "{example}: {text}");
        let message = "column `id` of t.csv counts the rows, and is taken as a feature: if it is none, \
                       choose --columns x,y";
        assert!(text.trim_end().ends_with(message), "{example}: {text}");
        // What is chosen is not doubted.
        for columns in ["x,y", "id,x"] {
            let output = process.run(&["--input", "t.csv", "--columns", columns]);
            assert_eq!((output.status.success(), errors(&output)), (true, String::new()));
        }
    }
}

#[test]
fn short_work_says_nothing() {
    for example in ["collision", "forces", "cross"] {
        let process = Process::of(example);
        let output = process.run(&[]);
        assert!(output.status.success(), "{example}");
        assert_eq!(errors(&output), "", "{example}");
    }
}

#[test]
fn no_escape_code_of_an_input_reaches_the_terminal() {
    let process = Process::of("edm");
    let evil = "a\x1b[31mb.csv";
    process.write(evil, b"x\x1b[2J,y\x07\n1,2\n3,4\n");
    process.write("bad\x1b[31m.csv", b"x\x1b[2J,y\n1,2\n3,\x1b[5mz\n");
    let all = |arguments: &[&str]| {
        let output = process.run(arguments);
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &errors(&output);
        assert!(!text.chars().any(|letter| letter.is_control() && letter != '\n'), "{text:?}");
        text
    };
    let text = all(&["--input", evil]);
    assert!(text.contains(r"columns x\u{1b}[2J, y\u{7} of a\u{1b}[31mb.csv"), "{text}");
    let text = all(&["--input", "bad\x1b[31m.csv"]);
    assert!(text.contains(r"`\u{1b}[5mz` is not a number"), "{text}");
    all(&["--input", "none\x1b[31m.csv"]);
    all(&["--input", evil, "--columns", "\x1b[31m"]);
    all(&["--input", evil, "--output", "none\x1b[31m/a.npy"]);
    all(&["--layout", "\x1b[31m"]);
    all(&["\x1b[31m"]);
    all(&["--\x1b[31m"]);

    let process = Process::of("collision");
    let iron =
        "HETATM    2 FE\x1b   HEM A  17      21.835  36.306  28.144  1.00 20.88          FE\n";
    process.write("m\x1b[31m.pdb", iron.as_bytes());
    for name in ["m\x1b[31m.pdb", "m\x1b[31m.xyz"] {
        let output = process.run(&["--input", name]);
        assert_eq!(output.status.code(), Some(1));
        assert!(!errors(&output).contains('\x1b'), "{}", errors(&output));
    }
}
