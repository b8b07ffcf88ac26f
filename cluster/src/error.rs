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

    /// There is not enough memory for what another rank sends.
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
    #[error("another job is writing {}: wait for its end, or end it", path.display())]
    Busy {
        /// The unfinished file.
        path: PathBuf,
    },

    /// The journal is that of another job.
    #[error(
        "{} is the journal of another job, with another {what}: {found} there, and {expected} here; give that job's arguments, \
         or another name for the output",
        journal.display()
    )]
    OtherJob {
        /// The journal.
        journal: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the journal says.
        found: String,
        /// What it would say of this job.
        expected: String,
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
    #[error(
        "rank 0 works on another job, with another {what}: {found} there, and {expected} here; give all ranks the same"
    )]
    RanksDiffer {
        /// What differs.
        what: &'static str,
        /// What rank 0 has.
        found: String,
        /// What this rank has.
        expected: String,
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

impl Error {
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
