//! The progress of all ranks.

use mpi::point_to_point::{Destination, Source};
use mpi::topology::Communicator;

use crate::Cluster;
use crate::message::PROGRESS;

/// Reports on rank 0 how much all ranks have written.
pub(crate) struct Progress<'a, F> {
    cluster: &'a Cluster,
    /// Called with the number of written values, and of all values to write.
    report: F,
    /// On rank 0: the values written by all ranks.
    written: usize,
    of: usize,
    /// The number of other ranks that have finished.
    ended: usize,
}

impl<'a, F: FnMut(usize, usize)> Progress<'a, F> {
    /// The progress of a job that writes `of` values.
    pub(crate) fn new(cluster: &'a Cluster, report: F, of: usize) -> Self {
        Progress { cluster, report, written: 0, of, ended: 0 }
    }

    /// Adds the values that this rank has written.
    pub(crate) fn add(&mut self, values: usize) {
        if !self.cluster.is_first() {
            return self.tell([values as u64, 0]);
        }
        self.written += values;
        while self.cluster.world.any_process().immediate_probe_with_tag(PROGRESS).is_some() {
            self.hear();
        }
        (self.report)(self.written, self.of);
    }

    /// Marks this rank as finished; rank 0 waits for the others.
    pub(crate) fn finish(&mut self) {
        if !self.cluster.is_first() {
            return self.tell([0, 1]);
        }
        while self.ended + 1 < self.cluster.size() {
            self.hear();
            (self.report)(self.written, self.of);
        }
    }

    fn tell(&self, message: [u64; 2]) {
        self.cluster.world.process_at_rank(0).send_with_tag(&message[..], PROGRESS);
    }

    /// Waits for a message of another rank.
    fn hear(&mut self) {
        let mut message = [0_u64; 2];
        let other = self.cluster.world.any_process();
        other.receive_into_with_tag(&mut message[..], PROGRESS);
        self.written += message[0] as usize;
        self.ended += message[1] as usize;
    }
}
