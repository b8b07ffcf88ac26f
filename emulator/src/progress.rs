//! The progress of the launches on a device.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of blocks that have begun and that have finished.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The blocks of all launches that have begun.
    pub blocks: u64,
    /// The blocks among them that have finished.
    pub finished: u64,
}

/// Counts the blocks of launches while they run.
#[derive(Debug, Default)]
pub struct Counter {
    blocks: AtomicU64,
    finished: AtomicU64,
}

/// The blocks of one launch that have not finished yet.
pub(crate) struct Counted<'a> {
    counter: &'a Counter,
    blocks: u64,
    finished: AtomicU64,
}

impl Counter {
    /// The progress of the counted launches.
    pub fn progress(&self) -> Progress {
        // `finished` is read first: every block in it is then also in `blocks`.
        let finished = self.finished.load(Ordering::Acquire);
        Progress { blocks: self.blocks.load(Ordering::Relaxed), finished }
    }

    /// Counts the blocks of a launch that begins.
    pub(crate) fn begin(&self, blocks: u64) -> Counted<'_> {
        self.blocks.fetch_add(blocks, Ordering::Relaxed);
        Counted { counter: self, blocks, finished: AtomicU64::new(0) }
    }
}

impl Counted<'_> {
    /// Counts `blocks` more as finished.
    pub(crate) fn finished(&self, blocks: u64) {
        self.finished.fetch_add(blocks, Ordering::Relaxed);
        self.counter.finished.fetch_add(blocks, Ordering::Release);
    }
}

impl Drop for Counted<'_> {
    /// After a failed launch, its remaining blocks count as finished: they will never run.
    fn drop(&mut self) {
        let rest = self.blocks.saturating_sub(*self.finished.get_mut());
        self.counter.finished.fetch_add(rest, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_launch_counts_as_finished() {
        let counter = Counter::default();
        let (one, other) = (counter.begin(10), counter.begin(5));
        one.finished(3);
        other.finished(5);
        assert_eq!(counter.progress(), Progress { blocks: 15, finished: 8 });
        drop((one, other));
        assert_eq!(counter.progress(), Progress { blocks: 15, finished: 15 });
    }
}
