//! Runs the examples as users do, in a folder of their own: on the CPU, or with more elements on the device in the variable
//! `EXAMPLES_DEVICE`. `cargo xtask bundle` takes these tests to machines with a GPU.

#![allow(clippy::panic, clippy::unwrap_used)]

pub(crate) mod cases;

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use tempfile::TempDir;

const DEVICE: &str = "EXAMPLES_DEVICE";

/// The number of elements: `few`, or `many` if the variable names a device.
pub(crate) fn size(few: usize, many: usize) -> usize {
    if env::var_os(DEVICE).is_some() { many } else { few }
}

/// All pairs i > j, in packed order.
pub(crate) fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(|i| (0..i).map(move |j| (i, j)))
}

/// The program of an example, which Cargo builds beside the folder of the tests.
fn built(example: &str) -> PathBuf {
    env::current_exe().unwrap().with_file_name("../examples").join(example)
}

/// Whether an example succeeded, and its two outputs.
type Finished = (bool, String, String);

/// A folder in which examples run.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// Writes an input.
    pub(crate) fn with(self, name: &str, text: &str) -> Folder {
        fs::write(self.0.path().join(name), text).unwrap();
        self
    }

    /// The standard output of an example.
    pub(crate) fn run(&self, example: &str, arguments: &str) -> String {
        let (success, out, error) = self.start(example, arguments);
        assert!(success, "{example} {arguments}: {error}");
        out
    }

    fn start(&self, example: &str, arguments: &str) -> Finished {
        self.finished(Command::new(built(example)), arguments)
    }

    /// Runs an example under a limit of the shell's `ulimit`, such as `-f 32768`.
    #[cfg(unix)]
    pub(crate) fn limited(&self, limit: &str, example: &str, arguments: &str) -> Finished {
        let mut command = Command::new("sh");
        // Without the signal, writes of large files fail.
        command.args(["-c", &format!("trap '' XFSZ; ulimit {limit}; exec \"$0\" \"$@\"")]);
        command.arg(built(example));
        self.finished(command, arguments)
    }

    fn finished(&self, mut command: Command, arguments: &str) -> Finished {
        let device = env::var(DEVICE).unwrap_or("cpu".into());
        command.current_dir(self.0.path()).args(["--device", &device]);
        let output = command.args(arguments.split_whitespace()).output();
        let output = output.unwrap_or_else(|error| panic!("cargo build --examples: {error}"));
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.success(), text(output.stdout), text(output.stderr))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The names of all files.
    pub(crate) fn names(&self) -> Vec<String> {
        let files = fs::read_dir(self.0.path()).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// The text of a file.
    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The 32-bit floats of an array.
    pub(crate) fn array(&self, name: &str) -> Vec<f32> {
        let bytes = fs::read(self.path(name)).unwrap();
        let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let (values, rest) = bytes[10 + header..].as_chunks::<4>();
        assert!(rest.is_empty());
        values.iter().map(|value| f32::from_le_bytes(*value)).collect()
    }

    /// The cells of a table, below its header.
    pub(crate) fn table(&self, name: &str) -> Vec<Vec<String>> {
        let cells = |row: &str| row.split(',').map(str::to_owned).collect();
        self.text(name).lines().skip(1).map(cells).collect()
    }

    /// The numbers of such a table.
    pub(crate) fn numbers(&self, name: &str) -> Vec<Vec<f64>> {
        let rows = self.table(name).into_iter();
        rows.map(|row| row.iter().map(|cell| cell.parse().unwrap()).collect()).collect()
    }
}

/// The value printed after this name.
pub(crate) fn fact<'a>(text: &'a str, name: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("there is no {name} in {text}"))
}

/// The distance of two rows.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Checks a value with the tolerance of rounding to single precision.
#[track_caller]
pub(crate) fn assert_near(found: f32, expected: f64) {
    let error = (f64::from(found) - expected).abs();
    assert!(error <= 2e-6 * expected.abs() + 1e-30, "{found:e}, expected {expected:e}");
}
