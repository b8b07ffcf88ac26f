//! What the examples' tests share: they run the whole program, short of its process.
#![allow(clippy::unwrap_used, clippy::panic, reason = "only tests call this")]

use std::fmt::Display;
use std::fs;
use std::path::Path;

use clap::Parser;
use tempfile::TempDir;

use crate::Result;

/// What the program called `name` prints with these arguments on the CPU: its report, or its error.
///
/// # Errors
///
/// The arguments are wrong, or the program fails.
pub fn report<A: Parser, R: Display>(
    name: &str,
    arguments: &[&str],
    run: impl FnOnce(&A) -> Result<R>,
) -> std::result::Result<String, String> {
    let start = [name, "--device", "cpu"];
    let arguments =
        A::try_parse_from(start.iter().chain(arguments)).map_err(|error| error.to_string())?;
    run(&arguments).map(|report| report.to_string()).map_err(|error| error.to_string())
}

/// A line of a report, without its name.
///
/// # Panics
///
/// There is no such line.
pub fn fact<'a>(report: &'a str, name: &str) -> &'a str {
    let mut lines = report.lines();
    lines.find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name}: {report}"))
}

/// A folder for one test's files, which goes away with this value.
pub struct Files(TempDir);

impl Files {
    /// A new folder.
    ///
    /// # Panics
    ///
    /// It cannot be made.
    pub fn empty() -> Files {
        Files(tempfile::tempdir().unwrap())
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it.
    ///
    /// # Panics
    ///
    /// The folder's path is no UTF-8.
    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().into()
    }

    /// A new folder with one file, and the file's path.
    ///
    /// # Panics
    ///
    /// It cannot be written.
    pub fn with(name: &str, text: &str) -> (Files, String) {
        let files = Files::empty();
        let path = files.path(name);
        fs::write(&path, text).unwrap();
        (files, path)
    }
}

/// A file in a folder of its own, which exists as long as the returned `TempDir`.
///
/// # Panics
///
/// It cannot be written.
pub fn file(name: &str, text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

/// The texts of a picture in an SVG file.
///
/// # Panics
///
/// The file cannot be read.
pub fn texts(path: &str) -> Vec<String> {
    let svg = fs::read_to_string(path).unwrap();
    let ends = svg.split("</text>").map(|text| text.rsplit_once('>').map_or("", |(_, text)| text));
    let mut texts: Vec<String> = ends.map(str::to_owned).collect();
    // Behind the last one, the file ends.
    texts.pop();
    texts
}
