//! How far all ranks have got.

use mpi::point_to_point::{Destination, Source};
use mpi::topology::Communicator;

use crate::Cluster;
use crate::message::Tag;

/// How much all ranks have written, which rank 0 is told, and then reports.
pub(crate) struct Progress<'a, F> {
    cluster: &'a Cluster,
    /// Called with what is written, and with what there is to write.
    report: F,
    /// On rank 0, by all ranks.
    written: usize,
    of: usize,
    /// How many other ranks have come to their end.
    ended: usize,
}

impl<'a, F: FnMut(usize, usize)> Progress<'a, F> {
    /// Of a job that has to write so many values.
    pub(crate) fn new(cluster: &'a Cluster, report: F, of: usize) -> Self {
        Progress { cluster, report, written: 0, of, ended: 0 }
    }

    /// This rank has written so many values.
    pub(crate) fn add(&mut self, values: usize) {
        if !self.cluster.is_first() {
            return self.tell([values as u64, 0]);
        }
        self.written += values;
        let tag = Tag::Progress as i32;
        while self.cluster.world.any_process().immediate_probe_with_tag(tag).is_some() {
            self.hear();
        }
        (self.report)(self.written, self.of);
    }

    /// This rank has written all that it has to; rank 0 waits for the others.
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
        self.cluster.world.process_at_rank(0).send_with_tag(&message[..], Tag::Progress as i32);
    }

    /// Waits for a message of another rank.
    fn hear(&mut self) {
        let mut message = [0_u64; 2];
        let other = self.cluster.world.any_process();
        other.receive_into_with_tag(&mut message[..], Tag::Progress as i32);
        self.written += message[0] as usize;
        self.ended += message[1] as usize;
    }
}
