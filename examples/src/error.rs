//! Everything that can stop an example.

use std::io;
use std::path::PathBuf;

use crate::{Place, Problem};

/// The result of whatever can stop an example.
pub type Result<T> = std::result::Result<T, Error>;

/// What stopped an example, in words for the person who started it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input file cannot be opened or read.
    #[error("cannot read {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        reason: io::Error,
    },

    /// An input file's name does not tell what is in it.
    #[error("cannot tell what {} is: the name has to end in {expected}", path.display())]
    UnknownKind {
        /// The file.
        path: PathBuf,
        /// The endings that are known.
        expected: &'static str,
    },

    /// An input is not what it should be.
    #[error("{place}: {problem}")]
    Input {
        /// Where.
        place: Box<Place>,
        /// What is wrong there.
        problem: Problem,
    },

    /// An output file's folder is not there.
    #[error("cannot write {}: there is no folder {}", path.display(), folder.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },

    /// An output file is there already.
    #[error("{} exists already: remove it, or replace it with --force", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },

    /// An output file's name belongs to a folder, a device or the like.
    #[error("cannot write {}: there is something of that name that is not a file", path.display())]
    NotAFile {
        /// The name.
        path: PathBuf,
    },

    /// Two options name one output file.
    #[error("{} is named as two different outputs", path.display())]
    SameOutput {
        /// The file.
        path: PathBuf,
    },

    /// An output file cannot be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: Box<dyn std::error::Error + Send + Sync>,
    },

    /// The device failed, or there is none.
    #[error(transparent)]
    Device(#[from] td_kernel::Error),

    /// Two kernels that should find the same pairs do not: a bug.
    #[error(
        "the kernels disagree: one counted {counted} pairs, the other listed {listed} different \
         ones"
    )]
    KernelsDisagree {
        /// What the first counted.
        counted: u64,
        /// How many different pairs the second listed.
        listed: u64,
    },

    /// Standard output cannot be written.
    #[error("cannot write to standard output: {reason}")]
    Print {
        /// The system's answer.
        reason: io::Error,
    },
}
