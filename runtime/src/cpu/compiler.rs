//! Finds the system's C++ compiler.

use std::path::Path;
use std::process::{Command, Stdio};

use super::build;
use super::program::Program;
use crate::{Error, Result};

/// The system's C++ compiler, which must understand the options of g++.
#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    program: String,
    arguments: Vec<String>,
    description: String,
}

/// The names that are looked for on `PATH` when `$CXX` says nothing.
const USUAL_NAMES: [&str; 3] = ["c++", "g++", "clang++"];

impl Compiler {
    /// The compiler that `$CXX` names, with arguments if it has some (`ccache g++`). If it is
    /// not set or empty: the first of `c++`, `g++` and `clang++` that is on `PATH`.
    pub(crate) fn find() -> Result<Compiler> {
        match std::env::var("CXX") {
            Ok(command) if !command.trim().is_empty() => {
                Compiler::first_of([(format!("$CXX = {command}"), command)])
            }
            _ => Compiler::first_of(USUAL_NAMES.map(|name| (name.to_owned(), name.to_owned()))),
        }
    }

    /// The first candidate that answers. Each comes with what to call it in the message that
    /// says what was tried.
    pub(super) fn first_of(
        candidates: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Compiler> {
        let mut tried = Vec::new();
        for (name, command) in candidates {
            match Compiler::ask(&command) {
                Ok(compiler) => return Ok(compiler),
                Err(Absent::NotFound) => tried.push(name),
                Err(Absent::Fails(reason)) => tried.push(format!("{name} ({reason})")),
            }
        }
        Err(Error::NoCompiler { tried })
    }

    /// The compiler's name and version, as it says them itself.
    pub(crate) fn describe(&self) -> &str {
        &self.description
    }

    /// Compiles and loads a kernel. `kernel` is its name in messages, `entry` the name of its
    /// `extern "C" __global__` function in `source`.
    pub(crate) fn compile(&self, kernel: &str, entry: &str, source: &str) -> Result<Program> {
        let library = build::build(self, kernel, entry, source)?;
        Program::load(kernel, &library.path())
        // The file goes away here. What is loaded stays, except where a system locks it: there
        // the file stays behind too.
    }

    /// The compiler with the arguments that `$CXX` gave it.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::null());
        command
    }

    /// The compiler's program, for messages.
    pub(super) fn program(&self) -> &Path {
        Path::new(&self.program)
    }

    /// Runs the command with `--version`, to see that it is there and what it is.
    fn ask(command: &str) -> Result<Compiler, Absent> {
        let (program, arguments) = split(command).ok_or(Absent::NotFound)?;
        let mut compiler = Compiler { program, arguments, description: String::new() };
        let output = match compiler.command().arg("--version").output() {
            Ok(output) => output,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Absent::NotFound);
            }
            Err(error) => return Err(Absent::Fails(error.to_string())),
        };
        if !output.status.success() {
            return Err(Absent::Fails(output.status.to_string()));
        }
        let version = String::from_utf8_lossy(&output.stdout);
        let first_line = version.lines().next().unwrap_or_default().trim();
        compiler.description =
            if first_line.is_empty() { command.to_owned() } else { first_line.to_owned() };
        Ok(compiler)
    }
}

/// Why a candidate is none.
enum Absent {
    NotFound,
    Fails(String),
}

/// A command's program and arguments. A path with spaces is one program if it is a file.
fn split(command: &str) -> Option<(String, Vec<String>)> {
    if Path::new(command).is_file() {
        return Some((command.to_owned(), Vec::new()));
    }
    let mut words = command.split_whitespace().map(str::to_owned);
    Some((words.next()?, words.collect()))
}
