//! The chunks of one device: memory for some of them, and their copies to the host.

use std::ops::Range;

use super::{Chunk, ChunkSlots, Launch};
use crate::backend::Relay;
use crate::backend::view::View;
use crate::{DeviceType, Error, Pinned, Result, Shape, Target};

/// One of the devices that compute chunks. Its k-th chunk is computed in slot k modulo the number of slots, and copied to the
/// host memory of the same index.
pub(super) struct CopyPipeline<T> {
    target: Target,
    /// The index of the device.
    at: usize,
    /// Copies chunks to the host; `None` if they are computed there.
    relay: Option<Box<dyn Relay>>,
    slots: Vec<ChunkSlots<T>>,
    host: Vec<Pinned<T>>,
    launched: usize,
    copied: usize,
    /// How many chunks are known to have been copied.
    finished: usize,
    /// How many chunks the caller is done with.
    returned: usize,
}

impl<T: DeviceType> CopyPipeline<T> {
    /// Memory for `flight` chunks at a time. The largest has `length` values.
    pub(super) fn new(
        target: &Target,
        at: usize,
        shape: Shape,
        length: usize,
        flight: usize,
    ) -> Result<Self> {
        let named = |error| target.named(at, error);
        let device = &target.devices()[at];
        // The relay comes first: it keeps the order of streams from before the first use of the memory.
        let relay = device.backend().relay(flight).map_err(named)?;
        let count = if relay.is_some() { flight } else { 1 };
        let slots = (0..count).map(|_| ChunkSlots::new(target, at, shape, length));
        let slots = slots.collect::<Result<Vec<_>>>().map_err(named)?;
        let host = match relay {
            Some(_) => (0..count).map(|_| device.pinned(length)).collect::<Result<_>>(),
            None => Ok(Vec::new()),
        };
        let (host, target) = (host.map_err(named)?, target.clone());
        let (launched, copied, finished, returned) = (0, 0, 0, 0);
        Ok(CopyPipeline { target, at, relay, slots, host, launched, copied, finished, returned })
    }

    /// Launches no rows, which checks the arguments.
    pub(super) fn launch_nothing(&mut self, launch: &mut Launch<'_, T>, row: usize) -> Result<()> {
        let Some(slot) = self.slots.first_mut() else { return Ok(()) };
        slot.turn_to(row..row);
        launch(row..row, slot)
    }

    /// Whether the next chunk can be launched. A slot on the device is free once its copy has started, since the launch waits
    /// for it. If nothing is copied, it is free once the caller is done with it.
    pub(super) fn has_room(&self) -> bool {
        match self.relay {
            Some(_) => self.launched < self.copied + self.slots.len(),
            None => self.launched == self.returned,
        }
    }

    /// How busy the device is: the number of its chunks that are still computed or copied, and of all its chunks.
    pub(super) fn load(&mut self) -> Result<[usize; 2]> {
        if self.relay.is_none() {
            // Its launches have ended when they return.
            self.finished = self.launched;
        }
        while self.finished < self.copied {
            let at = self.finished % self.slots.len();
            if self.relayed(|relay| relay.is_done(at))? == Some(false) {
                break;
            }
            self.finished += 1;
        }
        Ok([self.launched - self.finished, self.launched - self.returned])
    }

    pub(super) fn launch_next(
        &mut self,
        launch: &mut Launch<'_, T>,
        rows: Range<usize>,
    ) -> Result<()> {
        let at = self.launched % self.slots.len();
        self.relayed(|relay| relay.before_launch(at))?;
        // Counted also if it fails: some of its steps may have been launched.
        self.launched += 1;
        self.slots[at].turn_to(rows.clone());
        // A launch on several devices names the one that fails.
        launch(rows, &mut self.slots[at])?;
        self.relayed(|relay| relay.after_launch(at))?;
        Ok(())
    }

    /// Calls the relay, if there is one. Its error names the device.
    fn relayed<R>(&mut self, call: impl FnOnce(&mut dyn Relay) -> Result<R>) -> Result<Option<R>> {
        let outcome = self.relay.as_mut().map(|relay| call(&mut **relay)).transpose();
        outcome.map_err(|error| self.target.named(self.at, error))
    }

    /// Starts to copy the next chunk, if there is one and the host has room for it. Returns whether it did.
    pub(super) fn copy_next(&mut self) -> Result<bool> {
        let count = self.slots.len();
        if self.copied >= self.launched || self.copied >= self.returned + count {
            return Ok(false);
        }
        let at = self.copied % count;
        let (Some(relay), Some(host)) = (&mut self.relay, self.host.get_mut(at)) else {
            return Ok(false);
        };
        let slot = &self.slots[at];
        // SAFETY: the host memory has as many elements as the slot's, which are at least `length`. The caller is done with it,
        // and nothing reads or writes it before `wait`, or `finish`, which dropping the chunks calls first. Both memories are
        // fields of this value, so they live as long as the copy.
        let copy =
            unsafe { slot.memory.copy_beside(&mut **relay, at, slot.length, host.address()) };
        copy.map_err(|error| self.target.named(self.at, error))?;
        self.copied += 1;
        Ok(true)
    }

    /// Waits for the first chunk that the caller has not received.
    pub(super) fn wait(&mut self) -> Result<()> {
        let at = self.returned % self.slots.len();
        self.relayed(|relay| relay.wait(at))?;
        self.finished = self.finished.max(self.returned + 1);
        Ok(())
    }

    /// That chunk, which has these rows. `wait` has returned for it.
    pub(super) fn chunk(&self, shape: Shape, rows: Range<usize>) -> Result<Chunk<'_, T>> {
        let at = self.returned % self.slots.len();
        let values = match (self.host.get(at), self.slots.get(at)) {
            // The slot may already be for later rows.
            (Some(host), Some(slot)) => host.get(..shape.values(&rows).min(slot.memory.len())),
            (None, Some(slot)) => match slot.memory.view_range(0..slot.length) {
                View::Cpu(values) => Some(values),
                View::Empty => Some(&[][..]),
                _ => None,
            },
            _ => None,
        };
        let values = values.ok_or_else(|| Error::other("the memory of a chunk is missing"))?;
        Ok(Chunk { start: shape.start(rows.start), rows, values, shape })
    }

    /// The caller is done with that chunk.
    pub(super) fn take_back(&mut self) {
        self.returned += 1;
    }
}

impl<T> CopyPipeline<T> {
    /// Waits until nothing uses the memory, also after the device has failed.
    pub(super) fn finish(&mut self) {
        if self.launched == self.returned {
            return;
        }
        let copies = self.relay.as_mut().map_or(Ok(()), |relay| relay.finish());
        let device = &self.target.devices()[self.at];
        for error in [copies, device.synchronize()].into_iter().filter_map(Result::err) {
            let device = device.name();
            tracing::debug!("{device} failed while its chunks were still in use: {error}");
        }
    }
}
