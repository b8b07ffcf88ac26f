//! Everything that can end a job.

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

    /// The ranks of a machine, all together, need more memory for their bands than is free.
    #[error(transparent)]
    Memory(MissingMemory),

    /// The ranks do not work on the same job.
    #[error("rank 0 works on another job: {difference}; give all ranks the same")]
    RanksDiffer {
        /// What differs, in words about the job of rank 0.
        difference: String,
    },

    /// The ranks have different devices.
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
}

/// The host's memory, as a [`Need`](td_kernel::npy::Need) calls it.
pub(crate) const HOST: u64 = 0;

/// Memory that a rank of a machine does not find for its bands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "not enough memory for bands: this rank needs {needed} bytes of {}, of which {free} are free{}: limit bands to {share} bytes for \
     each rank (by `memory` and `host_memory`), start fewer ranks on a machine, or take more machines",
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
    /// How many ranks these are.
    pub ranks_before: usize,
    /// The bytes that are free for all of them.
    pub free: usize,
    /// The limit with which all ranks of the machine would find what they need.
    pub share: usize,
}

/// What ranks before this one take.
fn taken(bytes: usize, ranks: usize) -> String {
    match ranks {
        0 => String::new(),
        1 => format!(", and another rank of this machine takes {bytes}"),
        _ => format!(", and {ranks} other ranks of this machine take {bytes}"),
    }
}
