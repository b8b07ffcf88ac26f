//! How much memory bands take: of what is free, and of what the caller allows.

use std::collections::VecDeque;
use std::ops::Range;

use super::{Bands, Limits};
use crate::host::Room;
use crate::{DeviceType, Error, Result, Target};

/// As many rows as this in a band are computed about as fast as all rows in one launch: several rows of tiles.
const TALL: usize = 256;

/// The bytes of a band, where nobody has said how many. Copying fewer takes not much longer than beginning to; page-locking
/// more takes longer than they save.
const USUAL: [usize; 2] = [64 << 20, 512 << 20];

/// Of a small result, the bytes of a band that goes to one of several devices.
const SMALL: usize = 1 << 20;

/// The number of the host's memory: see [`Need::memory`].
const HOST: u64 = 0;

/// Memory that bands are going to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// Which memory: 0 is the host's, and another number a GPU's, the same in all processes of a machine.
    pub memory: u64,
    /// How many bytes.
    pub bytes: usize,
    /// How many of its bytes are free, where that can be told.
    pub free: Option<usize>,
}

impl<T: DeviceType> Bands<'_, T> {
    /// Which memory each device computes in, as a [`Need`] calls it.
    pub fn memories(&self) -> Vec<u64> {
        self.of.device.devices().iter().map(memory_of).collect()
    }

    /// So many processes, this one among them, take memory of the host in the same way at the same time, and so many that of
    /// each device: bands then take a share of what is free.
    #[must_use]
    pub fn shared_by(mut self, host: usize, devices: &[usize]) -> Self {
        (self.limits.host_sharers, self.limits.sharers) = (host, devices.to_vec());
        self
    }

    /// The memory that these bands are going to take.
    ///
    /// # Errors
    ///
    /// A row alone is larger than a band may be, or the bands could not be started for another reason that is known without
    /// a device.
    pub fn needs(&self) -> Result<Vec<Need>> {
        let cut = self.chunking(self.pieces()?)?;
        let devices = self.of.device.devices();
        let [used, slots] = cut.lanes(devices.len(), self.limits.in_flight);
        let length = cut.most_values().saturating_mul(size_of::<T>());
        let mut needs = Vec::new();
        for device in devices.iter().take(used) {
            let (backend, memory) = (device.backend(), memory_of(device));
            let is_copied = backend.has_relay();
            let bytes = length.saturating_mul(if is_copied { slots } else { 1 });
            needs.push(Need { memory, bytes, free: backend.free_memory() });
            if is_copied {
                let free = Room::now().map(|room| room.unswapped);
                needs.push(Need { memory: HOST, bytes, free });
            }
        }
        Ok(needs)
    }

    /// The most values of a band of these rows, which are in order.
    pub(super) fn room(&self, pieces: &VecDeque<Range<usize>>) -> Result<usize> {
        let rows = pieces.back().cloned().unwrap_or_default();
        let size = size_of::<T>().max(1);
        let longest = self.of.shape.last_row_values(&rows).saturating_mul(size);
        let Limits { memory, host_memory, in_flight, host_sharers, ref sharers, .. } = self.limits;
        let is_set = memory.or(host_memory).is_some();
        let devices = self.of.device.devices();
        // Where nothing is copied there is one band, which is in the host's memory.
        let flights =
            devices.iter().map(|one| if one.backend().has_relay() { in_flight } else { 1 });
        let (flight, flight_of_all) = (flights.clone().max().unwrap_or(1), flights.sum::<usize>());
        let free = || free_memory(devices, sharers).map_or(usize::MAX, |free| free / 2);
        let free_host = || {
            let unswapped = Room::now().map_or(usize::MAX, |room| room.unswapped);
            unswapped / 4 / host_sharers.max(1)
        };
        let there = memory.unwrap_or_else(free) / flight;
        let bytes = there.min(host_memory.unwrap_or_else(free_host) / flight_of_all.max(1));
        // Of few bands, some devices would have one more than others.
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
                "row {row} has {longest} bytes, and a band has room for {bytes}: give `memory` {memory} bytes and `host_memory` \
                 {host} bytes or more, or leave them out"
            )));
        }
        // A limit is the most that may be taken, and no size that bands of several devices have to have. A row is never cut:
        // without a limit, the allocation says whether there is room for it.
        let [least, most] = USUAL;
        let usual = if is_set { bytes } else { longest.saturating_mul(TALL).clamp(least, most) };
        Ok(bytes.min(usual).min(share).max(longest) / size)
    }
}

/// The least memory that is free on one of the devices, for each time that it is among those of all processes.
fn free_memory(devices: &[Target], sharers: &[usize]) -> Option<usize> {
    let of = |(at, one): (usize, &Target)| {
        let same = devices.iter().filter(|other| other.is_same(one)).count().max(1);
        let sharers = sharers.get(at).map_or(1, |count| (*count).max(1));
        one.backend().free_memory().map(|free| free / same / sharers)
    };
    devices.iter().enumerate().filter_map(of).min()
}

/// The number of the memory that a device computes in: of a GPU that cannot be told from others, one that nobody else has.
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

    /// Bands of nothing that is computed.
    fn bands(device: &Device) -> Bands<'_, f32> {
        device.bands(1 << 19, |_, _| Ok(()))
    }

    #[test]
    fn what_is_needed_is_what_is_taken() {
        let (cpu, emulator) = (Device::cpu().unwrap(), Device::emulator().unwrap());
        assert_eq!(bands(&cpu).memories(), [HOST]);
        let bytes = |bands: Bands<'_, f32>| {
            let needs = bands.needs().unwrap();
            assert!(needs.iter().all(|need| need.memory == HOST && need.free > Some(0)));
            needs.iter().map(|need| need.bytes).collect::<Vec<_>>()
        };
        assert_eq!(bytes(bands(&cpu).memory(8_000_000)), [8_000_000]);
        // One is computed while another one is copied to the host.
        assert_eq!(bytes(bands(&emulator).memory(8_000_000)), [8_000_000; 2]);
        let few = bands(&emulator).memory(8_000_000).in_flight(4).rows(1000..1002);
        assert_eq!(bytes(few), [2001 * 4; 2]);
        assert_eq!(bytes(bands(&cpu).rows(5..5)), [0]);
    }

    #[test]
    fn processes_share_what_is_free() {
        let device = Device::cpu().unwrap();
        let bytes = |sharers: usize| {
            let bands = bands(&device).shared_by(sharers, &[sharers]);
            bands.needs().unwrap()[0].bytes
        };
        // As if some thousands took it: a row has to fit.
        let free = Room::now().unwrap().unswapped;
        let share = bytes(1 << 12);
        assert!(share <= (free >> 14).max(4 << 19) && share < bytes(1));
    }
}
