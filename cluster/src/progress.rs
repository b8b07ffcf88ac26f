//! How far all ranks have got.

use mpi::point_to_point::{Destination, Source};
use mpi::topology::Communicator;

use crate::Cluster;
use crate::message::Tag;

/// Is told how many values this job has written so far, and how many it has to write.
pub(crate) type Report<'a> = Box<dyn FnMut(usize, usize) + 'a>;

/// How much all ranks have written, which rank 0 is told.
pub(crate) struct Progress<'a> {
    cluster: &'a Cluster,
    report: Option<Report<'a>>,
    /// On rank 0, by all ranks.
    written: usize,
    of: usize,
    /// How many other ranks have come to their end.
    ended: usize,
}

impl<'a> Progress<'a> {
    /// Of a job that has to write so many values.
    pub(crate) fn new(cluster: &'a Cluster, report: Option<Report<'a>>, of: usize) -> Progress<'a> {
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
        self.show();
    }

    /// This rank has written all that it has to; rank 0 waits for the others.
    pub(crate) fn finish(&mut self) {
        if !self.cluster.is_first() {
            return self.tell([0, 1]);
        }
        while self.ended + 1 < self.cluster.size() {
            self.hear();
            self.show();
        }
    }

    fn tell(&self, message: [u64; 2]) {
        self.cluster.world.process_at_rank(0).send_with_tag(&message[..], Tag::Progress as i32);
    }

    /// Waits for a message of another rank.
    fn hear(&mut self) {
        let mut message = [0_u64; 2];
        self.cluster
            .world
            .any_process()
            .receive_into_with_tag(&mut message[..], Tag::Progress as i32);
        self.written += message[0] as usize;
        self.ended += message[1] as usize;
    }

    fn show(&mut self) {
        if let Some(report) = &mut self.report {
            report(self.written, self.of);
        }
    }
}
