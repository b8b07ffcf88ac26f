//! The number of offsets in a round of nearest neighbours.

use std::ops::Range;

use td_kernel_geometry::MAX_GRID_Y;

/// The offsets of the next round. What an element has seen doubles or triples with each round. A round with a full queue is
/// repeated in halves, and the width then grows only after several good rounds: if each pair is nearer than those before it,
/// every wider round would fail.
#[derive(Clone)]
pub(super) struct RoundSizer {
    first: u32,
    begin: u32,
    end: u32,
    width: u32,
    growth: u32,
    /// The number of good rounds before the width grows, and the number so far.
    backoff: u32,
    good_rounds: u32,
}

/// The maximum of `backoff`. In bad data, one in this many rounds is wasted.
const MAX_BACKOFF: u32 = 8;

/// The factor by which a round increases what an element has seen, for `elements` elements that keep `neighbours` each. With 2,
/// a round queues about as many new neighbours as are kept; with 3, twice as many. With 3 there are fewer rounds, each of which
/// ends with some multiprocessors idle. Over features, fewer rounds save more than longer queues cost if there are few
/// elements. Pairs that a filter has queued are evaluated from their features, so with many features the limit on elements is
/// lower.
pub(super) fn growth(elements: u64, neighbours: u64, features: Option<u64>) -> u32 {
    let Some(features) = features else { return 2 };
    let queued = elements.saturating_mul(neighbours).saturating_mul(features.max(128));
    if queued <= 250_000 * 128 { 3 } else { 2 }
}

impl RoundSizer {
    /// Rounds through these offsets, where what an element has seen grows by this factor.
    pub(super) fn new(offsets: Range<u32>, growth: u32) -> RoundSizer {
        let Range { start: first, end } = offsets;
        let end = end.max(first);
        RoundSizer { first, begin: first, end, width: 1, growth, backoff: 1, good_rounds: 0 }
    }

    /// The offsets of the next round; `None` after the last one.
    pub(super) fn round(&self) -> Option<Range<u32>> {
        let width = self.width.min(self.end - self.begin);
        (width > 0).then(|| self.begin..self.begin + width)
    }

    /// Advances after a round in which every pair found room.
    pub(super) fn go_on(&mut self) {
        self.begin += self.width.min(self.end - self.begin);
        self.good_rounds += 1;
        if self.good_rounds >= self.backoff {
            self.good_rounds = 0;
            let seen = self.begin - self.first;
            let most = seen.saturating_mul(self.growth - 1).min(MAX_GRID_Y as u32).max(1);
            self.width = self.width.saturating_mul(self.growth).min(most);
        }
    }

    /// Whether it has never been slowed down.
    pub(super) fn is_undisturbed(&self) -> bool {
        self.backoff == 1
    }

    /// Narrows the round after a queue was full. Returns false if that is impossible: a single offset fills no queue.
    pub(super) fn slow_down(&mut self) -> bool {
        let width = self.width.min(self.end - self.begin);
        self.width = (width / 2).max(1);
        self.growth = 2;
        self.backoff = (2 * self.backoff).min(MAX_BACKOFF);
        self.good_rounds = 0;
        width > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rounds through these offsets if those wider than `most` fill a queue, and how many were wasted.
    fn rounds(offsets: Range<u32>, growth: u32, most: u32) -> (Vec<Range<u32>>, usize) {
        let (mut sizer, mut rounds, mut failed) = (RoundSizer::new(offsets, growth), Vec::new(), 0);
        while let Some(round) = sizer.round() {
            if round.len() as u32 > most {
                assert!(sizer.slow_down());
                failed += 1;
            } else {
                rounds.push(round);
                sizer.go_on();
            }
        }
        (rounds, failed)
    }

    #[test]
    fn rounds_grow_without_failures() {
        assert_eq!(rounds(0..20, 2, 99), (vec![0..1, 1..2, 2..4, 4..8, 8..16, 16..20], 0));
        assert_eq!(rounds(50..60, 2, 99), (vec![50..51, 51..52, 52..54, 54..58, 58..60], 0));
        assert_eq!(rounds(0..30, 3, 99), (vec![0..1, 1..3, 3..9, 9..27, 27..30], 0));
        for growth in [2, 3] {
            assert_eq!(rounds(0..0, growth, 1), (vec![], 0));
            assert_eq!(rounds(7..7, growth, 1), (vec![], 0));
            let (many, _) = rounds(0..1 << 20, growth, u32::MAX);
            assert!(many.iter().all(|round| round.len() as u64 <= MAX_GRID_Y));
        }
    }

    #[test]
    fn each_offset_is_visited_once() {
        for (first, end) in [(0, 1), (0, 2), (0, 3), (0, 100), (0, 1000), (3, 4), (100, 1000)] {
            for (most, growth) in
                [1, 2, 3, 7, 64].into_iter().flat_map(|most| [(most, 2), (most, 3)])
            {
                let (rounds, failed) = rounds(first..end, growth, most);
                let visited = rounds.iter().cloned().flatten();
                assert!(visited.eq(first..end), "{first} {end} {most} {growth}: {rounds:?}");
                // Besides the rounds until the width is found, one in eight.
                let needed = (end - first).div_ceil(most) as usize;
                let count = rounds.len();
                assert!(count <= 2 * needed + 20, "{end} {most} {growth}: {count}");
                assert!(failed <= count / 8 + 5, "{end} {most} {growth}: {failed} of {count}");
            }
        }
    }

    #[test]
    fn few_elements_have_fewer_rounds() {
        let all = [
            (10_240, 10, Some(128)),
            (25_000, 10, Some(64)),
            (25_001, 10, Some(64)),
            (10_240, 100, Some(128)),
            (10_240, 10, Some(512)),
            (10_240, 10, None),
            (u64::MAX, 10, Some(1)),
        ];
        assert_eq!(all.map(|(n, k, features)| growth(n, k, features)), [3, 3, 2, 2, 2, 2, 2]);
    }

    #[test]
    fn smallest_round_is_one_offset() {
        let mut sizer = RoundSizer::new(0..9, 3);
        assert!(!sizer.slow_down());
        assert_eq!(sizer.round(), Some(0..1));
    }
}
