//! The error of a task, and what the reader can do about it.

use std::fmt;
use std::io;
use std::path::Path;

use crate::output::complain;

/// A task's result.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// An error. Every error has a remedy: the reader of a task's output may be new to the repository.
#[derive(Debug)]
pub(crate) struct Failure {
    what: String,
    remedy: String,
}

impl Failure {
    pub(crate) fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: remedy.into() }
    }

    /// This failure with a more specific remedy.
    pub(crate) fn with_remedy(self, remedy: impl Into<String>) -> Self {
        Self::new(self.what, remedy)
    }

    /// The file system refused something.
    pub(crate) fn file(verb: &str, path: &Path, error: &io::Error) -> Self {
        Self::new(
            format!("could not {verb} {}: {error}", path.display()),
            "check the permissions and the free space there, then run the task again",
        )
    }

    /// Prints the failure to standard error.
    pub(crate) fn report(&self) {
        complain(&format!("\nerror: {self}"));
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\n to do: {}", self.what, self.remedy)
    }
}
