//! The causes of errors of bands.

use std::io;
use std::path::PathBuf;

/// What is wrong with bands of rows.
#[derive(thiserror::Error, Debug)]
pub(crate) enum BandsCause {
    #[error(
        "row {row} has {longest} bytes, and a band has room for {bytes}: give `memory` {memory} bytes and `host_memory` {host} bytes or more, or leave them out"
    )]
    LongRow { row: usize, longest: usize, bytes: usize, memory: usize, host: usize },

    #[error(
        "it has outputs beside the values of bands, and what an earlier process has added to them is lost: begin anew (`write_npy`, or leave out `resume(true)`), or compute them by a kernel of their own"
    )]
    Gathers { kernel: &'static str },
    #[error(
        "{} is the journal of other work: {difference}. Give what that work was begun with, remove it and {} to begin anew, or write to another file",
        .journal.display(), .part.display()
    )]
    OtherWork { part: PathBuf, journal: PathBuf, difference: String },
    #[error(
        "only all rows of a triangle without its diagonal have a condensed form: leave out `condensed()`, or give all rows"
    )]
    NoForm {},
    #[error("another process is writing {}: wait for its end, or end it", .part.display())]
    AtWork { part: PathBuf },
    /// `reason` is in the message, and so no `source` of the error.
    #[error("cannot write {}: cannot {action} {}: {reason}", .path.display(), .beside.display())]
    Beside { path: PathBuf, action: &'static str, beside: PathBuf, reason: io::Error },
    #[error(
        "{} exists already: choose another name, or say that it is to be replaced",
        .path.display()
    )]
    Exists { path: PathBuf },
    #[error(
        "an interrupted job has left a part of {}, and {} has what is done: resume it, or say that it is to be replaced",
        .path.display(), .journal.display()
    )]
    Unfinished { path: PathBuf, journal: PathBuf },
    #[error(
        "there is {} and no journal of it, so nothing tells what it is: remove it, or write to another file",
        .part.display()
    )]
    NoJournal { part: PathBuf },
    #[error(
        "{} is not the one that the first process has made, or is not there: the folder is not the same one on this machine; write to one that all machines share, under the same name",
        .path.display()
    )]
    OtherFolder { path: PathBuf },
    #[error("the file is for {expected}, and this band has {found}: write it to its own file")]
    OtherBand { expected: String, found: String },
    #[error(
        "there is {} and no {}, and {} is not the file that it describes: remove the journal to begin anew and replace that file, or write to another file",
        .journal.display(), .part.display(), .path.display()
    )]
    NotFinished { path: PathBuf, part: PathBuf, journal: PathBuf },
    #[error(
        "bands are of all rows, and these are {count} of {of} devices that share each launch, with those of other processes: write `kernel.bands(…)` on one device that is not `part_of` others, with `.rows(a..b)` for the rows that this process is to have"
    )]
    Shared { count: usize, of: usize },
    #[error("there are no more bands after an error: {failure}")]
    Failed { failure: String },
}
