//! How much memory chunks take, from the free memory and the caller's limits.

use std::collections::VecDeque;
use std::ops::Range;

use super::{Chunks, Limits};
use crate::host::MemoryBudget;
use crate::{DeviceType, Error, Result, Target};

/// With this many rows, a chunk is computed about as fast as in one launch of all rows: it has several rows of tiles.
const TALL: usize = 256;

/// The least and most bytes of a chunk without a limit. Copying fewer bytes is dominated by the start of the copy; page-locking
/// more takes longer than it saves.
const USUAL: [usize; 2] = [64 << 20, 512 << 20];

/// The bytes of a chunk on one of several devices, if the result is small.
const SMALL: usize = 1 << 20;

/// The number of host memory: see [`Need::memory`].
const HOST: u64 = 0;

/// Memory that chunks will take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// The number of the memory, the same in all processes of a machine: 0 for the host's, another one for each GPU's.
    pub memory: u64,
    /// The number of bytes.
    pub bytes: usize,
    /// The free bytes of this memory, if known.
    pub free: Option<usize>,
}

impl<T: DeviceType> Chunks<'_, T> {
    /// The memory of each device, numbered as in [`Need::memory`].
    pub fn device_memories(&self) -> Vec<u64> {
        self.of.device.devices().iter().map(memory_of).collect()
    }

    /// Shares the free memory with other processes: `host` processes, including this one, use host memory for chunks at the same
    /// time, and `devices` that of each device.
    #[must_use]
    pub fn shared_by(mut self, host: usize, devices: &[usize]) -> Self {
        (self.limits.host_sharers, self.limits.sharers) = (host, devices.to_vec());
        self
    }

    /// The memory that these chunks will take.
    ///
    /// # Errors
    ///
    /// A single row is larger than a chunk may be, or the chunks cannot be started for another reason that is known without a
    /// device.
    pub fn needs(&self) -> Result<Vec<Need>> {
        let cut = self.chunking(self.pieces()?)?;
        let devices = self.of.device.devices();
        let [used, slots] = cut.pipelines(devices.len(), self.limits.in_flight);
        let length = cut.most_values().saturating_mul(size_of::<T>());
        let mut needs = Vec::new();
        for device in devices.iter().take(used) {
            let (backend, memory) = (device.backend(), memory_of(device));
            let is_copied = backend.has_relay();
            let bytes = length.saturating_mul(if is_copied { slots } else { 1 });
            needs.push(Need { memory, bytes, free: backend.free_memory() });
            if is_copied {
                let free = MemoryBudget::now().map(|budget| budget.unswapped);
                needs.push(Need { memory: HOST, bytes, free });
            }
        }
        Ok(needs)
    }

    /// The most values of a chunk of these rows, which are in order.
    pub(super) fn chunk_values(&self, pieces: &VecDeque<Range<usize>>) -> Result<usize> {
        let rows = pieces.back().cloned().unwrap_or_default();
        let size = size_of::<T>().max(1);
        let longest = self.of.shape.last_row_values(&rows).saturating_mul(size);
        let Limits { memory, host_memory, in_flight, host_sharers, ref sharers, .. } = self.limits;
        let is_set = memory.or(host_memory).is_some();
        let devices = self.of.device.devices();
        // If nothing is copied there is one chunk, in host memory.
        let flights =
            devices.iter().map(|one| if one.backend().has_relay() { in_flight } else { 1 });
        let (flight, flight_of_all) = (flights.clone().max().unwrap_or(1), flights.sum::<usize>());
        let free = || free_memory(devices, sharers).map_or(usize::MAX, |free| free / 2);
        let free_host = || {
            let unswapped = MemoryBudget::now().map_or(usize::MAX, |budget| budget.unswapped);
            unswapped / 4 / host_sharers.max(1)
        };
        let there = memory.unwrap_or_else(free) / flight;
        let bytes = there.min(host_memory.unwrap_or_else(free_host) / flight_of_all.max(1));
        // With few chunks, some devices would have one more than others.
        let share = match devices.len() {
            1 => usize::MAX,
            count => {
                let values: usize = pieces.iter().map(|rows| self.of.shape.values(rows)).sum();
                (values.saturating_mul(size) / (4 * count)).max(SMALL)
            }
        };
        if is_set && longest > bytes {
            let needed = |flight| longest.saturating_mul(flight);
            let (memory, host) = (needed(flight), needed(flight_of_all));
            let row = rows.end.saturating_sub(1);
            return Err(Error::arguments(format!(
                "row {row} has {longest} bytes, but a chunk can hold only {bytes}: set `memory` to at least {memory} bytes and \
                 `host_memory` to at least {host} bytes, or leave them out"
            )));
        }
        // A limit is an upper bound, not the size of chunks on several devices. A row is never divided: without a limit, the
        // allocation fails if there is no room for it.
        let [least, most] = USUAL;
        let usual = if is_set { bytes } else { longest.saturating_mul(TALL).clamp(least, most) };
        Ok(bytes.min(usual).min(share).max(longest) / size)
    }
}

/// The least free memory of the devices, each divided by the number of its uses in all processes.
fn free_memory(devices: &[Target], sharers: &[usize]) -> Option<usize> {
    let of = |(at, one): (usize, &Target)| {
        let same = devices.iter().filter(|other| other.is_same(one)).count().max(1);
        let sharers = sharers.get(at).map_or(1, |count| (*count).max(1));
        one.backend().free_memory().map(|free| free / same / sharers)
    };
    devices.iter().enumerate().filter_map(of).min()
}

/// The number of a device's memory. A GPU that cannot be identified gets one of this process alone.
fn memory_of(device: &Target) -> u64 {
    match device.is_cpu() {
        true => HOST,
        false => device.backend().identity().unwrap_or_else(|| u64::from(std::process::id())),
    }
}

#[cfg(all(test, feature = "cpu"))]
mod tests {
    use super::*;
    use crate::Device;

    /// Chunks without computation.
    fn chunks(device: &Device) -> Chunks<'_, f32> {
        device.chunks(1 << 19, |_, _| Ok(()))
    }

    #[test]
    fn needs_match_allocations() {
        let (cpu, emulator) = (Device::cpu().unwrap(), Device::emulator().unwrap());
        assert_eq!(chunks(&cpu).device_memories(), [HOST]);
        let bytes = |chunks: Chunks<'_, f32>| {
            let needs = chunks.needs().unwrap();
            assert!(needs.iter().all(|need| need.memory == HOST && need.free > Some(0)));
            needs.iter().map(|need| need.bytes).collect::<Vec<_>>()
        };
        assert_eq!(bytes(chunks(&cpu).memory(8_000_000)), [8_000_000]);
        // One is computed while another one is copied to the host.
        assert_eq!(bytes(chunks(&emulator).memory(8_000_000)), [8_000_000; 2]);
        let few = chunks(&emulator).memory(8_000_000).in_flight(4).rows(1000..1002);
        assert_eq!(bytes(few), [2001 * 4; 2]);
        assert_eq!(bytes(chunks(&cpu).rows(5..5)), [0]);
    }

    #[test]
    fn processes_share_free_memory() {
        let device = Device::cpu().unwrap();
        let bytes = |sharers: usize| {
            let chunks = chunks(&device).shared_by(sharers, &[sharers]);
            chunks.needs().unwrap()[0].bytes
        };
        // As if thousands of processes shared it: a row has to fit.
        let free = MemoryBudget::now().unwrap().unswapped;
        let share = bytes(1 << 12);
        assert!(share <= (free >> 14).max(4 << 19) && share < bytes(1));
    }
}
