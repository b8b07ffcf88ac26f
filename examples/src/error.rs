//! Everything that can stop an example.

use std::io;
use std::path::PathBuf;

use crate::text::{escaped, shown};
use crate::{Place, Problem};

/// The result of whatever can stop an example.
pub type Result<T> = std::result::Result<T, Error>;

/// An error of a function that fills a file: any, and an [`Error`] as it is.
pub type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// What stopped an example, in words for the user who started it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input file cannot be opened or read.
    #[error("cannot read {}: {reason}", shown(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        reason: io::Error,
    },

    /// An input file's name does not tell what is in it.
    #[error("cannot tell what {} is: the name has to end in {expected}", shown(path))]
    UnknownKind {
        /// The file.
        path: PathBuf,
        /// The endings that are known.
        expected: &'static str,
    },

    /// Neither an input's name nor an option tells what is in it.
    #[error(
        "cannot tell what {} is: let the name end in .csv, .tsv, .pdb, .ent or .cif, each also with .gz \
         behind it, or say --format csv, pdb or cif",
        escaped(name)
    )]
    UnknownFormat {
        /// What the input is called.
        name: String,
    },

    /// An option about tables for an input that is none.
    #[error(
        "{option} is for tables, and {} is read as atoms: leave it out, or say --format csv",
        escaped(name)
    )]
    NoTable {
        /// The option.
        option: &'static str,
        /// What the input is called.
        name: String,
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
    #[error("cannot write {}: there is no folder {}: make it first", shown(path), shown(folder))]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },

    /// An output file is there already.
    #[error("{} exists already: remove it, or replace it with --force", shown(path))]
    Exists {
        /// The file.
        path: PathBuf,
    },

    /// An output file's name belongs to a folder, a device or the like.
    #[error(
        "cannot write {}: what is there or what it links to is not a file: name another",
        shown(path)
    )]
    NotAFile {
        /// The name.
        path: PathBuf,
    },

    /// An output file's name is a link to what is not there.
    #[error("cannot write {}: it is a link to nothing: remove it, or name another", shown(path))]
    LinkToNothing {
        /// The link.
        path: PathBuf,
    },

    /// An output file is where the report or the messages go.
    #[error(
        "cannot write {}: it is standard output or standard error of this program: name another \
         file",
        shown(path)
    )]
    StandardStream {
        /// The file.
        path: PathBuf,
    },

    /// An output file for an array is called otherwise.
    #[error(
        "cannot write {}: it is an array in NumPy's format: let the name end in .npy",
        shown(path)
    )]
    NotNpy {
        /// The file.
        path: PathBuf,
    },

    /// The end of an output's name stands for nothing that is written.
    #[error("cannot tell what to write to {}: {fit}", shown(path))]
    UnfitName {
        /// The name.
        path: PathBuf,
        /// What names there are.
        fit: &'static str,
    },

    /// An output file is the input.
    #[error(
        "cannot write {}: it is the input {}, which is never replaced: name another file",
        shown(path),
        shown(input)
    )]
    IsInput {
        /// The output file.
        path: PathBuf,
        /// What the input is called.
        input: PathBuf,
    },

    /// Two options name one output file.
    #[error(
        "{} and {} are one file, named as two different outputs: name two files",
        shown(path),
        shown(other)
    )]
    SameOutput {
        /// The file.
        path: PathBuf,
        /// Its other name.
        other: PathBuf,
    },

    /// An output file cannot be written.
    #[error("cannot write {}: {reason}", shown(path))]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: Box<dyn std::error::Error + Send + Sync>,
    },

    /// There is not enough memory for the input or a result.
    #[error("not enough memory on the host: {needed} bytes needed")]
    HostMemory {
        /// The bytes that were asked for.
        needed: usize,
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

    /// An option of a law of forces that is not the chosen one.
    #[error("{option} belongs to --law {law}: leave it out, or choose that law")]
    UnfitOption {
        /// The option.
        option: &'static str,
        /// Its law.
        law: &'static str,
    },

    /// An option of a metric that is not the chosen one.
    #[error("{option} belongs to --metric {metric}: leave it out, or choose that metric")]
    UnfitMetric {
        /// The option.
        option: &'static str,
        /// Its metric.
        metric: &'static str,
    },

    /// An option about columns for a file that has no names or text.
    #[error("{option} is for .csv files: leave it out, or write {} as one", shown(path))]
    OnlyTables {
        /// The option.
        option: &'static str,
        /// The input.
        path: PathBuf,
    },

    /// Rows without labels are to be in their order.
    #[error("--order label needs labels: name their column of a .csv file with --label")]
    NoLabels,

    /// Values that are only computed in bands go to nothing but a file in their order.
    #[error(
        "the values take {bytes} bytes, for which there is no memory: in bands they go to a file, but not {}",
        what
    )]
    InBands {
        /// How many bytes they are.
        bytes: usize,
        /// What cannot be made of bands.
        what: &'static str,
    },

    /// A picture of nothing.
    #[error("there are no {what}, of which there is no picture: leave out --plot")]
    NothingToPlot {
        /// What there could be.
        what: &'static str,
    },

    /// Forces that are infinite or no numbers.
    #[error(
        "the forces after step {step} are not finite: bodies are too near each other, too heavy or \
         too far apart for single precision; give other units, or shorten --time-step"
    )]
    NotFinite {
        /// The step, counted from 0, the start.
        step: u32,
    },

    /// Standard output cannot be written.
    #[error("cannot write to standard output: {reason}; this is what it would have been:")]
    Print {
        /// The system's answer.
        reason: io::Error,
        /// What could not be written.
        report: String,
    },
}

impl Problem {
    /// The error that has this problem at `place`.
    pub fn at(self, place: Place) -> Error {
        Error::Input { place: Box::new(place), problem: self }
    }
}
