//! How many offsets a round of nearest neighbours has.

use std::ops::Range;

use td_kernel_maps::MAX_GRID_Y;

/// The offsets of the next round. Rounds double, as what an element has seen does. A round in which a queue was full is
/// visited again in halves, and the width grows only after some rounds have gone well: where each pair is nearer than
/// those before it, every wider round would be for nothing.
#[derive(Clone)]
pub(super) struct Pace {
    first: u32,
    begin: u32,
    end: u32,
    width: u32,
    /// How many rounds have to go well before the width doubles, and how many have.
    patience: u32,
    gone_well: u32,
}

/// The most rounds that have to go well: in bad data this share of all rounds is visited for nothing.
const MOST_PATIENCE: u32 = 8;

impl Pace {
    /// Through these offsets.
    pub(super) fn new(offsets: Range<u32>) -> Pace {
        let Range { start: first, end } = offsets;
        Pace { first, begin: first, end: end.max(first), width: 1, patience: 1, gone_well: 0 }
    }

    /// The offsets of the next round; `None` after the last one.
    pub(super) fn round(&self) -> Option<Range<u32>> {
        let width = self.width.min(self.end - self.begin);
        (width > 0).then(|| self.begin..self.begin + width)
    }

    /// On, after a round in which every pair found room.
    pub(super) fn go_on(&mut self) {
        self.begin += self.width.min(self.end - self.begin);
        self.gone_well += 1;
        if self.gone_well >= self.patience {
            self.gone_well = 0;
            let seen = self.begin - self.first;
            let most = seen.min(MAX_GRID_Y as u32).max(1);
            self.width = self.width.saturating_mul(2).min(most);
        }
    }

    /// Whether it has never been slowed down.
    pub(super) fn is_undisturbed(&self) -> bool {
        self.patience == 1
    }

    /// Slower, after a round in which a queue was full. Whether that is possible: a single offset fills no queue.
    pub(super) fn slow_down(&mut self) -> bool {
        let width = self.width.min(self.end - self.begin);
        self.width = (width / 2).max(1);
        self.patience = (2 * self.patience).min(MOST_PATIENCE);
        self.gone_well = 0;
        width > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rounds through these offsets, where those that are wider than `most` fill a queue, and how many were for
    /// nothing.
    fn rounds(offsets: Range<u32>, most: u32) -> (Vec<Range<u32>>, usize) {
        let (mut pace, mut rounds, mut failed) = (Pace::new(offsets), Vec::new(), 0);
        while let Some(round) = pace.round() {
            if round.len() as u32 > most {
                assert!(pace.slow_down());
                failed += 1;
            } else {
                rounds.push(round);
                pace.go_on();
            }
        }
        (rounds, failed)
    }

    #[test]
    fn rounds_double_where_all_goes_well() {
        assert_eq!(rounds(0..20, 99), (vec![0..1, 1..2, 2..4, 4..8, 8..16, 16..20], 0));
        assert_eq!(rounds(50..60, 99), (vec![50..51, 51..52, 52..54, 54..58, 58..60], 0));
        assert_eq!((rounds(0..0, 1), rounds(7..7, 1)), ((vec![], 0), (vec![], 0)));
        let (many, _) = rounds(0..1 << 20, u32::MAX);
        assert!(many.iter().all(|round| round.len() as u64 <= MAX_GRID_Y));
    }

    #[test]
    fn every_offset_is_visited_once_and_few_rounds_are_for_nothing() {
        for (first, end) in [(0, 1), (0, 2), (0, 3), (0, 100), (0, 1000), (3, 4), (100, 1000)] {
            for most in [1, 2, 3, 7, 64] {
                let (rounds, failed) = rounds(first..end, most);
                let visited = rounds.iter().cloned().flatten();
                assert!(visited.eq(first..end), "{first} {end} {most}: {rounds:?}");
                // Besides those until the width is found, one in eight.
                let needed = (end - first).div_ceil(most) as usize;
                assert!(rounds.len() <= 2 * needed + 20, "{end} {most}: {}", rounds.len());
                assert!(
                    failed <= rounds.len() / 8 + 5,
                    "{end} {most}: {failed} of {}",
                    rounds.len()
                );
            }
        }
    }

    #[test]
    fn a_single_offset_is_the_least() {
        let mut pace = Pace::new(0..9);
        assert!(!pace.slow_down());
        assert_eq!(pace.round(), Some(0..1));
    }
}
