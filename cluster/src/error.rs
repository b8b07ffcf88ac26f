//! Everything that can end a job.

use std::io;
use std::path::PathBuf;

/// The result of every fallible call of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong on a rank, in words that say what to do about it.
///
/// [`run`](crate::run) prints it with the rank's number and the name of its machine, and ends the job.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A kernel, a device or a launch.
    #[error(transparent)]
    Kernel(#[from] td_kernel::Error),

    /// This process has started MPI before.
    #[error("MPI can be started once in a process, and has been: keep the `Cluster`")]
    Started,

    /// MPI gave no thread to the caller.
    #[error(
        "this MPI cannot be called by a process with threads: build it with MPI_THREAD_FUNNELED"
    )]
    NoThreads,

    /// A call of MPI failed, and MPI did not end the job by itself.
    #[error(
        "{call} failed with the code {code}: the machines' network or the MPI library has more to tell"
    )]
    Mpi {
        /// The call.
        call: &'static str,
        /// What it returned.
        code: i32,
    },

    /// There is not enough memory for what ranks send.
    #[error("not enough memory on the host: {needed} bytes needed")]
    HostMemory {
        /// How many bytes these are.
        needed: usize,
    },

    /// The system does not do what is asked of a file.
    #[error("cannot {action} {}: {reason}", path.display())]
    File {
        /// What is asked.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's answer.
        reason: io::Error,
    },

    /// The system does not do what is asked of a file that is beside the output until that is whole.
    #[error("cannot write {}: cannot {action} {}: {reason}", output.display(), beside.display())]
    Beside {
        /// The output.
        output: PathBuf,
        /// What is asked.
        action: &'static str,
        /// The file, or the folder that it would be in.
        beside: PathBuf,
        /// The system's answer.
        reason: io::Error,
    },

    /// The ranks of a machine, all together, need more memory for their bands than is free.
    #[error(
        "not enough memory for bands: this rank needs {needed} bytes of {}, of which {free} are free{}: limit bands to {share} bytes for \
         each rank (by `memory` and `host_memory`), start fewer ranks on a machine, or take more machines",
        if *of_host { "its machine's memory" } else { "its GPU's memory" },
        taken(*before, *ranks_before)
    )]
    Memory {
        /// Whether it is the machine's memory, or a GPU's.
        of_host: bool,
        /// The bytes that this rank needs.
        needed: usize,
        /// The bytes that the ranks before it on the same machine need, and how many of them need some.
        before: usize,
        /// How many ranks these are.
        ranks_before: usize,
        /// The bytes that are free for all of them.
        free: usize,
        /// The limit with which all ranks of the machine would find what they need.
        share: usize,
    },

    /// The name of the output is taken.
    #[error("{} exists already: choose another name, or say that it is to be replaced", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },

    /// There is the journal of a job that was cut.
    #[error(
        "a job that writes {} was cut, and {} has what is done: go on with it by resuming, or say that it is to be replaced",
        path.display(),
        journal.display()
    )]
    Unfinished {
        /// The output.
        path: PathBuf,
        /// The journal.
        journal: PathBuf,
    },

    /// There is a file of the name that the unfinished output would have, and no journal of it.
    #[error(
        "there is {} and no journal of it, so nothing tells what it is: remove it, choose another name for the output, or say that it \
         is to be replaced",
        part.display()
    )]
    NoJournal {
        /// The file.
        part: PathBuf,
    },

    /// What a rank finds under the output's name is not what rank 0 has made.
    #[error(
        "{} is not the one that rank 0 has made, or is not there: the folder is not the same one on this machine; write to one that all \
         machines share, under the same name",
        path.display()
    )]
    OtherFolder {
        /// The file that the rank looks for.
        path: PathBuf,
    },

    /// Another job writes to the same file now.
    #[error("another process is writing {}: wait for its end, or end it", path.display())]
    Busy {
        /// The unfinished file.
        path: PathBuf,
    },

    /// The journal is that of another job.
    #[error(
        "{} is the journal of other work: {difference}. Give what that work was begun with, remove it and {} to begin anew, or write to \
         another file",
        journal.display(),
        part.display()
    )]
    OtherJob {
        /// The journal.
        journal: PathBuf,
        /// The unfinished file that it is of.
        part: PathBuf,
        /// What differs, in words.
        difference: String,
    },

    /// The journal, or the file that it is about, is not what a job leaves behind.
    #[error("cannot go on from {}: {why}; say that the output is to be replaced, and all is computed anew", journal.display())]
    Damaged {
        /// The journal.
        journal: PathBuf,
        /// What is wrong.
        why: String,
    },

    /// The ranks do not work on the same job.
    #[error("rank 0 works on another job: {difference}; give all ranks the same")]
    RanksDiffer {
        /// What differs, in words about the job of rank 0.
        difference: String,
    },

    /// The ranks have devices that would cut the pairs at different places.
    #[error(
        "rank {rank}, on {machine}, has {found}, and rank 0, on {first}, has {expected}: they would cut the pairs at different places, so that \
         some are counted twice or not at all; give ranks that share launches equal devices, and on CPUs as many cores \
         (`--bind-to none` lets them have all of their machine)"
    )]
    DevicesDiffer {
        /// The first rank whose devices are others than those of rank 0.
        rank: usize,
        /// Its machine.
        machine: String,
        /// What it has.
        found: String,
        /// The machine of rank 0.
        first: String,
        /// What rank 0 has.
        expected: String,
    },

    /// A kernel has outputs beside the values, of which a file has nothing.
    #[error(
        "kernel `{kernel}` has outputs beside the values, and what a job that was cut has added to them is lost: leave out `resume(true)`, or \
         compute them by a kernel of their own"
    )]
    Gathers {
        /// The kernel.
        kernel: &'static str,
    },

    /// The bands are not those of the job.
    #[error("the job is {expected}, and the bands are of something else: {found}")]
    WrongBands {
        /// The job's shape.
        expected: String,
        /// What the band has.
        found: String,
    },

    /// More bytes than a file can have.
    #[error("the values of {shape} are more bytes than a file can have")]
    TooLarge {
        /// What is to be computed.
        shape: String,
    },
}

/// Of memory, what ranks before this one take.
fn taken(bytes: usize, ranks: usize) -> String {
    match ranks {
        0 => String::new(),
        1 => format!(", and another rank of this machine takes {bytes}"),
        _ => format!(", and {ranks} other ranks of this machine take {bytes}"),
    }
}

impl Error {
    /// What is wrong with a file beside this output is told with the name that people know.
    pub(crate) fn of_output(self, output: &std::path::Path) -> Error {
        match self {
            Error::File { action, path: beside, reason } if beside != output => {
                Error::Beside { output: output.to_owned(), action, beside, reason }
            }
            other => other,
        }
    }

    pub(crate) fn file(
        action: &'static str,
        path: &std::path::Path,
    ) -> impl FnOnce(io::Error) -> Error {
        move |reason| Error::File { action, path: path.to_owned(), reason }
    }

    /// For a closure that the runtime calls.
    pub(crate) fn within(self) -> td_kernel::Error {
        match self {
            Error::Kernel(error) => error,
            other => td_kernel::Error::other(other),
        }
    }

    /// What [`within`](Error::within) was given, or an error of the runtime's.
    pub(crate) fn out_of(error: td_kernel::Error) -> Error {
        match error.into_inner() {
            Err(own) => Error::Kernel(own),
            Ok(other) => match other.downcast::<Error>() {
                Ok(own) => *own,
                Err(other) => Error::Kernel(td_kernel::Error::other(other)),
            },
        }
    }
}
