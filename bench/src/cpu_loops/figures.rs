//! What the plain loops are to reach, and what was measured.

use serde::{Deserialize, Serialize};

use crate::experiment::{Experiment, Section, missed};
use crate::targets::target::Bound;
use crate::words::{table, thousands, three_digits};

/// How long the generated loops may take, as a multiple of the faster of two ways by hand.
const LIMIT: Bound = Bound::AtMost(1.3);

/// All that was measured.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CpuLoops {
    /// The processor, its threads and the compiler.
    pub(crate) host: String,
    /// In how many turns each was measured.
    pub(crate) turns: usize,
    pub(crate) rows: Vec<Row>,
}

/// A work: the least times of the generated loops, and of the two ways by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) work: String,
    pub(crate) n: usize,
    pub(crate) ours_ms: f64,
    pub(crate) by_hand_ms: f64,
    pub(crate) other_by_hand_ms: f64,
}

impl Row {
    fn name(&self) -> String {
        format!("{}, n = {}", self.work, thousands(self.n as u64))
    }

    /// Our time, over that of the faster way by hand.
    fn ratio(&self) -> f64 {
        self.ours_ms / self.by_hand_ms.min(self.other_by_hand_ms)
    }

    fn picoseconds_a_pair(&self) -> f64 {
        let pairs = (self.n * (self.n - 1) / 2) as f64;
        1e9 * self.ours_ms / pairs
    }

    /// By how much the limit is missed. What is no number is no time.
    fn missed(&self) -> Option<String> {
        match self.ratio() {
            ratio if ratio.is_finite() => LIMIT.missed(ratio),
            ratio => Some(format!("{ratio} is no ratio")),
        }
    }
}

impl Experiment for CpuLoops {
    fn sections(&self) -> Vec<Section> {
        let headings = [
            "loops over pairs on a CPU",
            "n",
            "ours, ms",
            "by hand, ms",
            "another way by hand, ms",
            "ours, ps a pair",
            "over the faster by hand",
            "limit",
        ];
        let cells = |row: &Row| {
            let numbers = [row.ours_ms, row.by_hand_ms, row.other_by_hand_ms];
            let mut cells = vec![row.work.clone(), thousands(row.n as u64)];
            cells.extend(numbers.map(three_digits));
            cells.push(three_digits(row.picoseconds_a_pair()));
            let is_missed = if row.missed().is_some() { ", missed" } else { "" };
            cells.push(format!("{:.3}{is_missed}", row.ratio()));
            cells.push(LIMIT.words(|limit| format!("{limit:.2}")));
            cells
        };
        let rows: Vec<_> = self.rows.iter().map(cells).collect();
        let CpuLoops { host, turns, .. } = self;
        let text = format!(
            "{}\n{host} Least times of many in {turns} turns.\n",
            table(&headings, &rows).trim_end().to_owned() + "\n"
        );
        vec![Section::new("cpu-loops", "Plain loops on a CPU, beside loops by hand", text)]
    }

    fn missed(&self) -> Vec<String> {
        missed(self.rows.iter().map(|row| (row.name(), row.missed())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(n: usize, times: [f64; 3]) -> Row {
        let [ours_ms, by_hand_ms, other_by_hand_ms] = times;
        Row { work: "forces".into(), n, ours_ms, by_hand_ms, other_by_hand_ms }
    }

    #[test]
    fn the_faster_way_by_hand_counts() {
        let figures = CpuLoops {
            host: "A processor.".into(),
            turns: 12,
            rows: vec![row(2000, [1.2, 1.0, 1.1]), row(4000, [1.4, 1.5, 1.0])],
        };
        let missed = figures.missed();
        assert_eq!(missed[0], "1 of 2 targets are missed");
        assert_eq!(missed[1..], ["  forces, n = 4,000: missed by 7.7 %"]);
        let text = &figures.sections()[0].text;
        assert!(text.contains(" 1.200 ") && text.contains(" 1.400, missed "), "{text}");
        assert!(text.contains(" at most 1.30 ") && text.ends_with("in 12 turns.\n"), "{text}");
        // 1.2 ms over 1,999,000 pairs.
        assert_eq!(three_digits(figures.rows[0].picoseconds_a_pair()), "600");
    }

    #[test]
    fn what_is_no_time_meets_nothing() {
        for times in [[f64::NAN, 1.0, 1.0], [1.0, 0.0, 2.0], [f64::INFINITY, 1.0, 1.0]] {
            assert!(row(9, times).missed().is_some(), "{times:?}");
        }
    }
}
