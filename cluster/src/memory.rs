//! Checks whether the ranks of a machine together have enough memory for their chunks.

use mpi::collective::CommunicatorCollectives as _;
use mpi::topology::Communicator;
use td_kernel::npy::Need;
use td_kernel::{Chunks, NpyValue};

use crate::error::MissingMemory;
use crate::{Cluster, Error, Result};

/// Stands for an unknown number.
const UNKNOWN: u64 = u64::MAX;

impl Cluster {
    /// Limits chunks to this rank's share of the free memory of its machine. All ranks have to call it.
    pub(crate) fn share_memory<'b, T: NpyValue>(&self, chunks: Chunks<'b, T>) -> Chunks<'b, T> {
        let own = chunks.device_memories();
        let all = self.on_this_machine(&own);
        let sharers = |memory: &u64| all.iter().filter(|of| of.contains(memory)).count();
        chunks.shared_by(all.len(), &own.iter().map(sharers).collect::<Vec<_>>())
    }

    /// An error on the first rank of a machine that lacks memory after the ranks before it have taken theirs. All ranks have to
    /// call it; the others wait until that error has ended the job.
    pub(crate) fn expect_memory(&self, needs: &[Need]) -> Result<()> {
        let told = |need: &Need| {
            [need.memory, need.bytes as u64, need.free.map_or(UNKNOWN, |free| free as u64)]
        };
        let need = |&[memory, bytes, free]: &[u64; 3]| {
            let free = (free != UNKNOWN).then_some(free as usize);
            Need { memory, bytes: bytes as usize, free }
        };
        let own: Vec<u64> = needs.iter().flat_map(told).collect();
        let all = self.on_this_machine(&own);
        let all = all.iter().map(|told| told.as_chunks().0.iter().map(need).collect());
        let all: Vec<Vec<Need>> = all.collect();
        match first_missing(&all) {
            Some((rank, missing)) if rank == self.local_rank() => Err(Error::Memory(missing)),
            _ => {
                self.wait_for_all();
                Ok(())
            }
        }
    }

    /// The numbers of each rank of this machine, by rank. All ranks have to call it.
    fn on_this_machine(&self, own: &[u64]) -> Vec<Vec<u64>> {
        let size = self.local.size() as usize;
        let mut lengths = vec![0_u64; size];
        self.local.all_gather_into(&(own.len() as u64), &mut lengths[..]);
        // The same count from each.
        let most = lengths.iter().copied().max().unwrap_or_default() as usize;
        if most == 0 {
            return vec![Vec::new(); size];
        }
        let mut padded = own.to_vec();
        padded.resize(most, 0);
        let mut all = vec![0_u64; most * size];
        self.local.all_gather_into(&padded[..], &mut all[..]);
        let from_rank = |(numbers, length): (&[u64], &u64)| numbers[..*length as usize].to_vec();
        all.chunks(most).zip(&lengths).map(from_rank).collect()
    }
}

/// The first rank of a machine that lacks memory, and which memory. Each rank has reported its needs and the free memory before
/// any of them allocated something.
fn first_missing(all: &[Vec<Need>]) -> Option<(usize, MissingMemory)> {
    (0..all.len()).find_map(|rank| Some((rank, missing(all, rank)?)))
}

fn missing(all: &[Vec<Need>], rank: usize) -> Option<MissingMemory> {
    all[rank].iter().find_map(|&Need { memory, .. }| {
        let needs = |rank: &Vec<Need>| -> Vec<Need> {
            rank.iter().filter(|need| need.memory == memory && need.bytes > 0).copied().collect()
        };
        let all: Vec<_> = all.iter().map(needs).collect();
        let bytes = |ranks: &[Vec<Need>]| {
            ranks.iter().flatten().map(|need| need.bytes).fold(0, usize::saturating_add)
        };
        let takers = |ranks: &[Vec<Need>]| ranks.iter().filter(|needs| !needs.is_empty()).count();
        let (before, own) = (&all[..rank], &all[rank..=rank]);
        // The last rank to measure sees the memory that all have taken for their elements.
        let free = all.iter().flatten().filter_map(|need| need.free).min()?;
        // Two limits of a rank may apply to the same memory: one for the device's results, one for their copies.
        let share = free / takers(&all).max(1) / own[0].len().max(1);
        let (needed, before, ranks_before) = (bytes(own), bytes(before), takers(before));
        let is_missing = before.saturating_add(needed) > free;
        is_missing.then_some(MissingMemory { memory, needed, before, ranks_before, free, share })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::HOST;

    fn need(memory: u64, bytes: usize, free: usize) -> Need {
        Need { memory, bytes, free: Some(free) }
    }

    #[test]
    fn ranks_share_machine_memory() {
        // Alone, each would have enough.
        let ranks = vec![vec![need(HOST, 40, 100)]; 3];
        assert_eq!(first_missing(&ranks[..2]), None);
        let last = MissingMemory {
            memory: HOST,
            needed: 40,
            before: 80,
            ranks_before: 2,
            free: 100,
            share: 33,
        };
        assert_eq!(first_missing(&ranks), Some((2, last)));
        // The last rank to measure sees the least.
        let ranks = [vec![need(HOST, 40, 100)], vec![need(HOST, 40, 79)]];
        let missing = MissingMemory { before: 40, ranks_before: 1, free: 79, share: 39, ..last };
        assert_eq!(first_missing(&ranks), Some((1, missing)));
        // A rank without values needs nothing.
        assert_eq!(
            first_missing(&[vec![need(HOST, 0, 9)], vec![need(HOST, 80, 80)], vec![]]),
            None
        );
        // If nothing is reported, nothing is known to be missing.
        assert_eq!(first_missing(&[vec![Need { memory: HOST, bytes: 80, free: None }]]), None);
    }

    #[test]
    fn gpus_have_own_memory() {
        let rank = |gpu| vec![need(gpu, 60, 100), need(HOST, 60, 250)];
        let found = |gpus: &[u64]| {
            let ranks: Vec<_> = gpus.iter().map(|gpu| rank(*gpu)).collect();
            first_missing(&ranks).map(|(rank, missing)| (rank, missing.memory, missing.share))
        };
        assert_eq!(found(&[7, 8, 9, 10]), None);
        assert_eq!(found(&[7, 8, 7, 10]), Some((2, 7, 50)));
        assert_eq!(found(&[7, 8, 9, 10, 11]), Some((4, HOST, 50)));
        // The emulator's memory is the host's, and so is the copy of it.
        let rank = || vec![need(HOST, 60, 250), need(HOST, 60, 250)];
        assert_eq!(first_missing(&[rank(), rank()]), None);
        assert_eq!(first_missing(&[rank(), rank(), rank()]).unwrap().1.share, 250 / 3 / 2);
    }
}
