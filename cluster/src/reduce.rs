//! Joins the results of all ranks.

use td_kernel::{Device, DeviceType, Devices, HostPairs, Pairs, PartialResult};

use crate::parts::concatenated;
use crate::{Cluster, Error, Result};

impl Cluster {
    /// [`device`](Self::device) as one of all ranks' devices, for kernels that accumulate results. The ranks share each launch:
    /// here it visits the pairs of this rank, and [`joined`](Self::joined) returns what a download would return on one device.
    /// All ranks have to call it.
    ///
    /// ```
    /// use td_kernel::td_kernel;
    /// use td_kernel_cluster::{Cluster, Result};
    ///
    /// #[td_kernel]
    /// unsafe fn close(#[each] x: &[f32], count: &mut Sum<u64>) {
    ///     r#" if (fabsf(x.i - x.j) < 1.5f) count += 1; "#
    /// }
    ///
    /// fn work(cluster: &Cluster) -> Result<()> {
    ///     let x = if cluster.is_first() { vec![1.0, 2.0, 3.0, 9.0] } else { Vec::new() };
    ///     let x = cluster.broadcast(x)?;
    ///     let devices = cluster.devices()?;
    ///     let mut count = devices.sum()?;
    ///     close::load(&devices)?.launch(&devices.upload(&x)?, &mut count)?;
    ///     if let Some(count) = cluster.joined(&count)? {
    ///         assert_eq!(count, 2); // on rank 0
    ///     }
    ///     Ok(())
    /// }
    ///
    /// fn main() -> std::process::ExitCode {
    ///     td_kernel_cluster::run(work)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`device`](Self::device) and [`sharing`](Self::sharing).
    pub fn devices(&self) -> Result<Devices> {
        self.sharing(self.device()?)
    }

    /// Like [`devices`](Self::devices), with a device of the caller's choice. It may be several devices, but the same number on
    /// each rank. All ranks have to call it.
    ///
    /// Each rank partitions the pairs independently, so all need equal devices, which this checks, and the same variant of a
    /// kernel. So on these devices earlier tuning is not read, and `tune` is an error: the keys `map` and `tile` choose for all
    /// ranks.
    ///
    /// # Errors
    ///
    /// The devices of a rank differ from those of rank 0 in their kind, their number, the names of GPUs, or the number of
    /// multiprocessors or cores. There are more devices than an address space has bytes. Or MPI fails.
    pub fn sharing(&self, device: Device) -> Result<Devices> {
        self.expect_equal(&device)?;
        let own = Devices::new([device])?;
        let count = own.len();
        Ok(own.part_of(count.saturating_mul(self.rank()), count.saturating_mul(self.size()))?)
    }

    /// An error on rank 0 if another rank's devices would partition the pairs differently. The others wait until it has
    /// checked.
    fn expect_equal(&self, device: &Device) -> Result<()> {
        let facts = self.gather_texts(&device.partition_key())?;
        let machines = self.gather_texts(self.machine())?;
        let mut ranks = machines.into_iter().zip(facts).enumerate();
        if let Some((_, (first, expected))) = ranks.next()
            && let Some((rank, (machine, found))) = ranks.find(|(_, (_, found))| *found != expected)
        {
            return Err(Error::DevicesDiffer { rank, machine, found, first, expected });
        }
        self.wait_for_all();
        Ok(())
    }

    /// The joined results of all ranks in an output, on rank 0; nothing on the others.
    /// All ranks have to call it, after the same launches.
    ///
    /// Ranks join in a tree, so no rank holds the results of all others at the same time. The guarantees of the runtime for any
    /// number of [`Devices`] hold for any number of ranks: integers, minima and maxima, neighbours and deterministic sums are
    /// the same; other sums of floats are within their bound.
    ///
    /// # Errors
    ///
    /// A device has failed; a sum does not fit its type; or MPI fails.
    pub fn joined<O: PartialResult>(&self, output: &O) -> Result<Option<O::Output>> {
        let words = self.joined_words(output)?;
        Ok(words.map(|words| output.finish(&words)).transpose()?)
    }

    /// Like [`joined`](Self::joined), on all ranks.
    ///
    /// # Errors
    ///
    /// The same as for [`joined`](Self::joined).
    pub fn joined_on_all<O: PartialResult>(&self, output: &O) -> Result<O::Output> {
        let words = self.joined_words(output)?.unwrap_or_default();
        Ok(output.finish(&self.broadcast(words)?)?)
    }

    /// Joins the words of all ranks on rank 0, in a tree.
    fn joined_words<O: PartialResult>(&self, output: &O) -> Result<Option<Vec<u64>>> {
        let (rank, size) = (self.rank(), self.size());
        let mut words = output.to_bits()?;
        let mut step = 1;
        while step < size {
            if !rank.is_multiple_of(2 * step) {
                self.send_vector(rank - step, &words)?;
                return Ok(None);
            }
            if rank + step < size {
                output.join(&mut words, &self.receive_vector::<u64>(rank + step)?)?;
            }
            step *= 2;
        }
        Ok(Some(words))
    }

    /// The pairs that all ranks have listed, by i and then by j, on rank 0; nothing on the others. All ranks have to call it.
    ///
    /// A rank's list needs room for its own pairs. If rank 0 has too little memory for all, each rank can download its own.
    ///
    /// # Errors
    ///
    /// A rank has pushed more pairs than its list has room for; rank 0 does not have enough memory; or MPI or a device fails.
    pub fn joined_pairs(&self, list: &Pairs) -> Result<Option<HostPairs>> {
        let all = HostPairs::from(concatenated(&self.gather(list.download()?.pairs())?)?);
        Ok(self.is_first().then(|| all.sorted()).transpose()?)
    }

    /// Like [`joined_pairs`](Self::joined_pairs), for pairs with values.
    ///
    /// # Errors
    ///
    /// The same as for [`joined_pairs`](Self::joined_pairs).
    pub fn joined_list<T: DeviceType>(&self, list: &Pairs<T>) -> Result<Option<HostPairs<T>>> {
        let list = list.download()?;
        let (pairs, values) = (self.gather(list.pairs())?, self.gather(list.values())?);
        let all = HostPairs::from_vecs(concatenated(&pairs)?, concatenated(&values)?)?;
        Ok(self.is_first().then(|| all.sorted()).transpose()?)
    }
}
