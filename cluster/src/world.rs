//! The ranks of a job. This process is one of them.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::marker::PhantomData;
use std::ops::Range;
use std::process::ExitCode;

use mpi::Threading;
use mpi::environment::{Universe, initialize_with_threading, processor_name};
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::CommunicatorCollectives;
use td_kernel::{Device, DeviceType, ErrorKind};

use crate::parts::{PART, concatenated, zeros};
use crate::{Error, Result, Shape};

/// All processes that `mpirun` has started, the *ranks*. This process is one of them; without `mpirun`, it is the only one.
///
/// Only the thread that created it can use it. If this process panics, the job ends, with all other ranks.
pub struct Cluster {
    pub(crate) world: SimpleCommunicator,
    /// The ranks of this machine, including this process.
    pub(crate) local: SimpleCommunicator,
    machine: String,
    /// The maximum bytes of a message.
    pub(crate) part: usize,
    /// MPI ends when this is dropped. It belongs to one thread.
    _universe: Universe,
    _one_thread: PhantomData<*const ()>,
}

/// Starts MPI and runs `work`. Its result is what `main` returns.
///
/// An error of `work`, or a panic, is printed with the number of the rank and the name of its machine, and ends all ranks. The
/// end of a rank by a signal, which `mpirun` reports, also ends all ranks.
///
/// ```
/// use std::process::ExitCode;
///
/// use td_kernel_cluster::{Cluster, Result};
///
/// fn work(cluster: &Cluster) -> Result<()> {
///     println!("rank {} of {} has {}", cluster.rank(), cluster.size(), cluster.device()?.name());
///     Ok(())
/// }
///
/// fn main() -> ExitCode {
///     td_kernel_cluster::run(work)
/// }
/// ```
pub fn run<E: Display>(work: impl FnOnce(&Cluster) -> Result<(), E>) -> ExitCode {
    match Cluster::start() {
        Ok(cluster) => {
            work(&cluster).unwrap_or_else(|error| cluster.fail(&error));
            ExitCode::SUCCESS
        }
        Err(error) => {
            // If even this cannot be written, there is nothing left to do.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

impl Cluster {
    /// Starts MPI.
    ///
    /// # Errors
    ///
    /// This process has already started it.
    pub fn start() -> Result<Cluster> {
        let (universe, threading) =
            initialize_with_threading(Threading::Funneled).ok_or(Error::Started)?;
        if threading < Threading::Funneled {
            return Err(Error::NoThreads);
        }
        let world = universe.world();
        let local = world.split_shared(world.rank());
        let machine = processor_name().unwrap_or_else(|_| "an unnamed machine".into());
        Ok(Cluster {
            world,
            local,
            machine,
            part: PART,
            _universe: universe,
            _one_thread: PhantomData,
        })
    }

    /// Limits messages to this many bytes: so tests of several messages need no 2^31 elements.
    #[doc(hidden)]
    #[must_use]
    pub fn with_parts_of(mut self, bytes: usize) -> Cluster {
        self.part = bytes;
        self
    }

    /// The number of this process among all ranks, from 0.
    pub fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    /// The number of ranks.
    pub fn size(&self) -> usize {
        self.world.size() as usize
    }

    /// Whether this is rank 0, which reads shared input and prints shared output.
    pub fn is_first(&self) -> bool {
        self.rank() == 0
    }

    /// The number of this process among the ranks of its machine, from 0.
    pub fn local_rank(&self) -> usize {
        self.local.rank() as usize
    }

    /// The name of the machine.
    pub fn machine(&self) -> &str {
        &self.machine
    }

    /// The device of this rank: among the GPUs that this process sees, the one whose number is the local rank modulo their
    /// number. Without a GPU it is the CPU, with a warning through `tracing`.
    ///
    /// # Errors
    ///
    /// The GPU is too old or fails; or there is no GPU, and no C++ compiler for the CPU.
    pub fn device(&self) -> Result<Device> {
        match self.gpu() {
            Err(Error::Kernel(reason)) if reason.kind() == ErrorKind::NoGpu => {
                // Once for each machine.
                if self.local_rank() == 0 {
                    let reason = reason.without_advice();
                    tracing::warn!("kernels run on the CPU, which is slow: {reason}");
                }
                Ok(Device::cpu()?)
            }
            other => other,
        }
    }

    /// Like [`device`](Self::device), but an error without a GPU.
    ///
    /// # Errors
    ///
    /// There is no GPU, it is too old, or it fails.
    pub fn gpu(&self) -> Result<Device> {
        // If the driver counts no GPUs, opening the first one returns the reason.
        let count = Device::count_gpus()?.max(1);
        Ok(Device::cuda(self.local_rank() % count)?)
    }

    /// Rank 0's elements, on each rank. Elements that others pass are dropped. All ranks have to call it.
    ///
    /// # Errors
    ///
    /// There is not enough memory, or MPI fails.
    pub fn broadcast<T: DeviceType>(&self, elements: Vec<T>) -> Result<Vec<T>> {
        let mut count = [elements.len() as u64];
        self.broadcast_into(&mut count)?;
        let mut elements = match self.is_first() {
            true => elements,
            false => zeros(count[0])?,
        };
        self.broadcast_into(&mut elements)?;
        Ok(elements)
    }

    /// A string of rank 0, on each rank. All ranks have to call it.
    ///
    /// # Errors
    ///
    /// The same as for [`broadcast`](Self::broadcast).
    pub fn broadcast_text(&self, text: &str) -> Result<String> {
        let bytes = self.broadcast(text.as_bytes().to_vec())?;
        // Rank 0 had a string, so nothing is replaced.
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The elements that each rank passes, by rank, on rank 0; nothing on the others. All ranks have to call it.
    ///
    /// # Errors
    ///
    /// There is not enough memory, or MPI fails.
    pub fn gather<T: DeviceType>(&self, elements: &[T]) -> Result<Vec<Vec<T>>> {
        if !self.is_first() {
            self.send_vector(0, elements)?;
            return Ok(Vec::new());
        }
        let mut all = vec![concatenated(&[elements])?];
        for rank in 1..self.size() {
            all.push(self.receive_vector(rank)?);
        }
        Ok(all)
    }

    /// A string of each rank, by rank, on rank 0; nothing on the others. All ranks have to call it.
    ///
    /// # Errors
    ///
    /// The same as for [`gather`](Self::gather).
    pub fn gather_texts(&self, text: &str) -> Result<Vec<String>> {
        let texts = self.gather(text.as_bytes())?;
        // They were strings, so nothing is replaced.
        Ok(texts.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect())
    }

    /// The rows of this rank, for `kernel.rows(…)`: all ranks have about the same number of values.
    pub fn rows(&self, shape: &Shape) -> Range<usize> {
        shape.parts(self.size()).get(self.rank()).cloned().unwrap_or_default()
    }

    /// Waits until all ranks have called it.
    pub fn wait_for_all(&self) {
        self.world.barrier();
    }

    /// Prints the error with the number of this rank and the name of its machine, and ends the job.
    pub fn fail(&self, error: &dyn Display) -> ! {
        let (rank, size, machine) = (self.rank(), self.size(), &self.machine);
        // In one write, so that the lines of several ranks do not mix.
        let line = format!("error: rank {rank} of {size}, on {machine}: {error}\n");
        let mut stderr = io::stderr().lock();
        let _ = stderr.write_all(line.as_bytes()).and_then(|()| stderr.flush());
        self.world.abort(1)
    }
}

impl Drop for Cluster {
    /// After a panic, other ranks may wait for this one, and the end of MPI would wait too.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.fail(&"it panicked: see the message above");
        }
    }
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster")
            .field("rank", &self.rank())
            .field("size", &self.size())
            .field("machine", &self.machine)
            .finish_non_exhaustive()
    }
}
