//! Every error that can end a job.

/// The result of every fallible call of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error on a rank. Its message says what to do about it.
///
/// [`run`](crate::run) prints it with the rank's number and the name of its machine, and ends the job.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of a kernel, a device or a launch.
    #[error(transparent)]
    Kernel(#[from] td_kernel::Error),

    /// This process has already started MPI.
    #[error(
        "this process has already started MPI, which can be started only once: keep the `Cluster`"
    )]
    Started,

    /// MPI has not granted the caller's thread support.
    #[error("this MPI does not support processes with threads: build it with MPI_THREAD_FUNNELED")]
    NoThreads,

    /// A call of MPI failed, and MPI did not end the job itself.
    #[error(
        "{call} failed with code {code}: check the network of the machines and the messages of the MPI library"
    )]
    Mpi {
        /// The call.
        call: &'static str,
        /// Its return value.
        code: i32,
    },

    /// There is not enough memory for the elements that ranks send.
    #[error("not enough memory on the host: {needed} bytes needed")]
    HostMemory {
        /// The bytes needed.
        needed: usize,
    },

    /// The ranks of a machine together need more memory for their chunks than is free.
    #[error(transparent)]
    Memory(MissingMemory),

    /// The ranks do not work on the same job.
    #[error("rank 0 works on another job: {difference}; start all ranks with the same job")]
    RanksDiffer {
        /// The difference, described for the job of rank 0.
        difference: String,
    },

    /// The ranks have different devices.
    #[error(
        "rank {rank}, on {machine}, has {found}, but rank 0, on {first}, has {expected}: they would divide the pairs differently, so some pairs \
         would be counted twice or not at all; ranks that share launches need equal devices, and on CPUs equally many cores \
         (`--bind-to none` gives each rank all cores of its machine)"
    )]
    DevicesDiffer {
        /// The first rank whose devices differ from those of rank 0.
        rank: usize,
        /// Its machine.
        machine: String,
        /// Its devices.
        found: String,
        /// The machine of rank 0.
        first: String,
        /// The devices of rank 0.
        expected: String,
    },
}

/// The host's memory, as a [`Need`](td_kernel::npy::Need) identifies it.
pub(crate) const HOST: u64 = 0;

/// Memory that a rank of a machine lacks for its chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not enough memory for chunks: this rank needs {needed} bytes of {}, of which {free} are free{}: limit chunks to {share} bytes for \
     each rank (with `memory` and `host_memory`), start fewer ranks on a machine, or use more machines",
    if *memory == HOST { "its machine's memory" } else { "its GPU's memory" },
    taken(*before, *ranks_before)
)]
pub struct MissingMemory {
    /// Which memory, as in [`Need::memory`](td_kernel::npy::Need::memory).
    pub memory: u64,
    /// The bytes that this rank needs.
    pub needed: usize,
    /// The bytes that the ranks before it on the same machine need.
    pub before: usize,
    /// The number of these ranks.
    pub ranks_before: usize,
    /// The bytes that are free for all ranks of the machine.
    pub free: usize,
    /// The limit with which all ranks of the machine would have enough.
    pub share: usize,
}

/// The memory that the ranks before this one need.
fn taken(bytes: usize, ranks: usize) -> String {
    match ranks {
        0 => String::new(),
        1 => format!(", and another rank of this machine takes {bytes}"),
        _ => format!(", and {ranks} other ranks of this machine take {bytes}"),
    }
}
