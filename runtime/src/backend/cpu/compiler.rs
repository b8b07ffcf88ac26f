//! Finds the system's C++ compiler.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use super::process;
use crate::{Error, Result};

/// The system's C++ compiler, which must understand the options of g++.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    program: OsString,
    arguments: Vec<OsString>,
    description: String,
    /// The optional options that the compiler supports, once they have been tried.
    pub(super) known: Arc<Known>,
}

/// The optional options that a compiler supports.
pub(super) type Known = Mutex<Option<Vec<&'static str>>>;

/// The [`Known`] of each compiler that this process has found, by command and version. Devices with the same compiler share the
/// results of trying options.
static KNOWN: Mutex<BTreeMap<Vec<OsString>, Arc<Known>>> = Mutex::new(BTreeMap::new());

/// The names to look for on `PATH` if `$CXX` is unset or empty.
const USUAL_NAMES: [&str; 3] = ["c++", "g++", "clang++"];

impl Compiler {
    /// The compiler that `$CXX` names, with its arguments (`ccache g++`). If it is unset or empty: the first of `c++`, `g++`
    /// and `clang++` on `PATH`.
    pub(super) fn find() -> Result<Compiler> {
        match std::env::var_os("CXX") {
            Some(command) if !command.as_encoded_bytes().trim_ascii().is_empty() => {
                Compiler::first_of([(format!("$CXX = {}", command.display()), command)])
            }
            _ => Compiler::first_of(USUAL_NAMES.map(|name| (name.to_owned(), name.into()))),
        }
    }

    /// The first candidate that works. Each comes with its name for the message that lists what was tried.
    pub(super) fn first_of(
        candidates: impl IntoIterator<Item = (String, OsString)>,
    ) -> Result<Compiler> {
        let mut tried = Vec::new();
        for (name, command) in candidates {
            match Compiler::ask(&command) {
                Ok(compiler) => return Ok(compiler),
                Err(Absent::NotFound) => tried.push(name),
                Err(Absent::Fails(reason)) => tried.push(format!("{name} ({reason})")),
                // Every other candidate would fail in the same way.
                Err(Absent::Deaf(reason)) => return Err(Error::io("run", command, reason)),
            }
        }
        Err(Error::no_compiler(format!(
            "the CPU device needs a C++ compiler that accepts the options of g++\n  tried: {}\n  install one (Debian and Ubuntu: `apt install g++`; Fedora: `dnf install gcc-c++`; macOS: `xcode-select --install`; Windows, untested: g++ of MinGW-w64, since cl of Visual Studio does not accept them), or set $CXX to one",
            tried.join(", ")
        )))
    }

    /// The compiler's name and version, as it reports them.
    pub(super) fn describe(&self) -> &str {
        &self.description
    }

    /// The compiler with the arguments from `$CXX`.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command
    }

    /// The compiler's program, for messages.
    pub(super) fn program(&self) -> &Path {
        Path::new(&self.program)
    }

    /// Shares [`Known`] with compilers of the same command and version.
    fn share(&mut self) {
        let description = OsString::from(&self.description);
        let words = [&self.program, &description].into_iter().chain(&self.arguments);
        let words: Vec<_> = words.cloned().collect();
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        self.known = known.entry(words).or_default().clone();
    }

    /// Runs the command with `--version`, to check that it exists and to identify it.
    fn ask(command: &OsStr) -> Result<Compiler, Absent> {
        let (program, arguments) = split(command).ok_or(Absent::NotFound)?;
        let mut compiler =
            Compiler { program, arguments, description: String::new(), known: Arc::default() };
        let output = match process::run(compiler.command().arg("--version")) {
            Ok(output) => output,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Absent::NotFound);
            }
            Err(error) if process::is_deaf(&error) => return Err(Absent::Deaf(error)),
            Err(error) => return Err(Absent::Fails(error.to_string())),
        };
        if !output.status.success() {
            return Err(Absent::Fails(output.status.to_string()));
        }
        let version = String::from_utf8_lossy(&output.stdout);
        let first_line = version.lines().next().unwrap_or_default().trim();
        compiler.description = if first_line.is_empty() {
            command.display().to_string()
        } else {
            first_line.to_owned()
        };
        compiler.share();
        Ok(compiler)
    }
}

/// Why a candidate cannot be used.
enum Absent {
    NotFound,
    Fails(String),
    /// The process ignores SIGCHLD, so it cannot learn how this or any other command ends.
    Deaf(std::io::Error),
}

/// A command's program and arguments. A path with spaces is one program if it is a file.
fn split(command: &OsStr) -> Option<(OsString, Vec<OsString>)> {
    let Some(text) = command.to_str().filter(|_| !Path::new(command).is_file()) else {
        // Only UTF-8 is split into words.
        return Some((command.to_owned(), Vec::new()));
    };
    let mut words = text.split_whitespace().map(OsString::from);
    Some((words.next()?, words.collect()))
}
