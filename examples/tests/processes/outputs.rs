//! Output files: which names are refused, and when, and that no other file is lost.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::process::{Process, errors};

/// Expects that the program refuses the arguments with this message, before it reads anything.
fn refused(process: &Process, arguments: &[&str], message: &str) {
    let before = process.left();
    let output = process.run(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    let text = errors(&output);
    assert!(text.contains(message), "{arguments:?}: {text}");
    assert_eq!(process.left(), before, "{arguments:?}");
}

#[test]
fn a_link_to_what_is_no_file_is_refused_even_by_force() {
    let process = Process::of("edm");
    fs::create_dir(process.path("folder")).unwrap();
    for (name, leads_to) in
        [("null.npy", "/dev/null"), ("folder.npy", "folder"), ("nothing.npy", "gone.npy")]
    {
        symlink(leads_to, process.path(name)).unwrap();
        for option in ["--output", "--save-input"] {
            refused(&process, &[option, name, "--force"], name);
        }
        assert_eq!(fs::read_link(process.path(name)).unwrap(), Path::new(leads_to));
    }
    refused(&process, &["--output", "null.npy", "--force"], "not a file");
    refused(&process, &["--output", "nothing.npy", "--force"], "a link to nothing");
}

#[test]
fn by_force_a_link_stays_and_its_file_is_replaced() {
    let process = Process::of("edm");
    fs::create_dir(process.path("elsewhere")).unwrap();
    let kept = process.write("elsewhere/kept.npy", b"old");
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("elsewhere/kept.npy", process.path("link.npy")).unwrap();
    refused(&process, &["--output", "link.npy"], "exists already");
    let output = process.run(&["--output", "link.npy", "--force"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(fs::symlink_metadata(process.path("link.npy")).unwrap().is_symlink());
    assert!(fs::read(&kept).unwrap().starts_with(b"\x93NUMPY"));
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn the_input_is_never_replaced() {
    let name = "in.csv";
    for (example, other, text) in [
        ("edm", "--save-input", "1,2\n3,4\n"),
        ("collision", "--save-input", "1,2,3,4\n5,6,7,8\n"),
        ("forces", "--energies", "1,2,3,4,5\n6,7,8,9,10\n"),
        ("similarity", "--save-input", "1,2\n3,4\n"),
    ] {
        let process = Process::of(example);
        let input = process.write(name, text.as_bytes());
        symlink(name, process.path("symbolic.csv")).unwrap();
        fs::hard_link(&input, process.path("hard.csv")).unwrap();
        let detour = "../".to_owned()
            + process.files.path().file_name().unwrap().to_str().unwrap()
            + "/in.csv";
        for option in ["--output", other] {
            for (read, written) in [
                (name, name),
                (name, &detour),
                (name, "symbolic.csv"),
                ("symbolic.csv", name),
                ("hard.csv", name),
                ("symbolic.csv", "hard.csv"),
            ] {
                let arguments = ["--input", read, option, written, "--force"];
                refused(&process, &arguments, "is the input");
                assert_eq!(fs::read_to_string(&input).unwrap(), text);
            }
        }
    }
}

#[test]
fn neither_of_two_inputs_is_replaced() {
    let process = Process::of("cross");
    for name in ["a.csv", "b.csv"] {
        process.write(name, b"1,2\n3,4\n");
    }
    symlink("b.csv", process.path("symbolic.csv")).unwrap();
    for written in ["a.csv", "b.csv", "symbolic.csv"] {
        for option in ["--output", "--matrix", "--pairs"] {
            let arguments = ["a.csv", "b.csv", "--within", "1", "--force", option, written];
            refused(&process, &arguments, "is the input");
        }
        let arguments = ["a.csv", "b.csv", "--force", "--save-input", "c.npy", written];
        refused(&process, &arguments, "is the input");
    }
}

#[test]
fn one_file_by_two_names_is_not_two_outputs() {
    let process = Process::of("edm");
    let one = process.write("one.npy", b"old");
    symlink("one.npy", process.path("symbolic.npy")).unwrap();
    fs::hard_link(&one, process.path("hard.npy")).unwrap();
    symlink(".", process.path("here")).unwrap();
    for (one, other) in [
        ("one.npy", "one.npy"),
        ("one.npy", "symbolic.npy"),
        ("hard.npy", "one.npy"),
        ("new.npy", "here/new.npy"),
    ] {
        let arguments = ["--output", one, "--save-input", other, "--force"];
        refused(&process, &arguments, "two different outputs");
    }
}

#[test]
fn a_folder_that_takes_no_file_is_told_before_the_work() {
    // Not even the superuser can write there. The missing input would be reported only later.
    let process = Process::of("edm");
    let arguments = ["--input", "nowhere.csv", "--output", "/proc/a.npy"];
    refused(&process, &arguments, "cannot write /proc/a.npy: ");
    let folder = process.path("closed");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.join("probe"), "").is_err() {
        let arguments = ["--input", "nowhere.csv", "--output", "closed/a.npy"];
        refused(&process, &arguments, "cannot write closed/a.npy: ");
    }
}

#[test]
fn standard_output_is_not_replaced_as_a_file() {
    let process = Process::of("edm");
    let script = "\"$@\" > report.txt";
    // A link to the same target as /dev/stdout. The test does not use /dev/stdout itself, because a mistake would
    // replace it.
    symlink("/proc/self/fd/1", process.path("out.npy")).unwrap();
    let arguments = ["--output", "out.npy", "--force"];
    let output = process.by_shell(script, &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("standard output"), "{}", errors(&output));
    assert_eq!(process.left(), ["out.npy", "report.txt"]);
}

#[test]
fn a_picture_is_an_output_like_the_others() {
    let process = Process::of("similarity");
    for (name, message) in [
        ("nowhere/a.png", "there is no folder nowhere"),
        ("a.jpg", "the name has to end in .png or .svg"),
        ("/dev/null", "the name has to end in .png or .svg"),
    ] {
        // The missing input would be reported only later.
        refused(&process, &["--input", "missing.csv", "--plot", name, "--force"], message);
    }
    process.write("taken.svg", b"old");
    refused(&process, &["--input", "missing.csv", "--plot", "taken.svg"], "exists already");
    // A picture that cannot be drawn leaves nothing behind.
    process.write("one.csv", b"1,2\n");
    refused(&process, &["--input", "one.csv", "--plot", "a.png", "--order", "label"], "--label");
    let output = process.run(&["--input", "one.csv", "--plot", "a.png"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(fs::read(process.path("a.png")).unwrap().starts_with(b"\x89PNG"));
}
