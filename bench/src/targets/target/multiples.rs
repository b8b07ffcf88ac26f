//! Works by all that do them, as plots: results per element, and sums over many features.

use super::{Bound, Measured, Outcome, Row};
use crate::measure::times::Spread;
use crate::plot::{BLUE, Bar, GREY, Group};
use crate::words::{thousands, three_digits};

/// The works that a plot shows: those of this name, and those that go on after a comma.
type Works = &'static [(&'static str, Option<u32>, &'static str)];

/// The plots.
pub(super) const PLOTS: [(&str, Works); 2] = [
    ("elements", &[("forces", None, "Forces"), ("row minima", Some(3), "Row minima, 3 features")]),
    (
        "folds",
        &[
            ("fold distances", Some(512), "Distances of one set, 512 features"),
            ("fold distances", Some(4096), "Distances of one set, 4096 features"),
            ("fold distances of two sets", Some(4096), "Distances of two sets, 4096 features"),
            ("fold products", Some(512), "Products of one set, 512 features"),
            ("fold products of two sets", Some(512), "Products of two sets, 512 features"),
        ],
    ),
];

/// One for each work at each n, where its floor was measured.
pub(super) fn groups_of(rows: &[Row], works: Works) -> Vec<Group> {
    let mut groups = Vec::new();
    for &(work, features, title) in works {
        let floors = rows.iter().filter(|row| row.work == work && row.features == features);
        groups.extend(floors.filter_map(|floor| group(rows, floor, title)));
    }
    groups
}

fn group(rows: &[Row], floor: &Row, title: &str) -> Option<Group> {
    let least = measured(floor)?.reference.ms.median;
    let same = rows.iter().filter(|row| (row.n, row.features) == (floor.n, floor.features));
    let mut bars = Vec::new();
    for row in same {
        let (rest, Some(measured)) = (row.work.strip_prefix(&*floor.work), measured(row)) else {
            continue;
        };
        let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with(", ")) else {
            continue;
        };
        let mut bar = |name: String, ms: Spread, colour| {
            let value = ms.median / least;
            let text = format!("{} x, {} ms", three_digits(value), three_digits(ms.median));
            bars.push(Bar { name, value, text, colour });
        };
        if matches!(row.target, Bound::AtMost(_) | Bound::Cost) {
            bar(format!("generated{rest}"), measured.ours.ms, BLUE);
            let by_hand = measured.others.iter().filter(|other| other.name.starts_with("by hand"));
            let fastest = by_hand.min_by(|a, b| a.ms.median.total_cmp(&b.ms.median));
            if let Some(fastest) = fastest {
                bar(format!("by hand{rest}"), fastest.ms, GREY);
            }
        } else {
            bar(rest.trim_start_matches(", ").into(), measured.reference.ms, GREY);
        }
    }
    Some(Group {
        title: format!("{title}, n = {}", thousands(floor.n as u64)),
        unit: "times as long as the issue of a pair's instructions, on a scale that multiplies",
        bars,
        mark: None,
        multiplies: true,
    })
}

fn measured(row: &Row) -> Option<&Measured> {
    match &row.outcome {
        Outcome::Measured(measured) => Some(measured),
        Outcome::NotMeasured { .. } | Outcome::Wrong { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::times::Times;

    fn row(work: &str, target: Bound, ours: f64, reference: f64) -> Row {
        let times = |name: &str, ms| Times {
            name: name.into(),
            ms: Spread { median: ms, low: ms, high: ms },
        };
        let others = vec![times("by hand, 8 rows", 3.0), times("by hand, 4 rows", 2.5)];
        let (ours, reference) = (times("generated", ours), times("other", reference));
        let outcome = Outcome::Measured(Measured { ours, reference, others });
        Row { work: work.into(), features: Some(3), n: 1024, target, outcome }
    }

    #[test]
    fn bars_are_multiples_of_the_floor() {
        let none = Outcome::NotMeasured { not_measured: "no KeOps".into() };
        let rows = [
            row("row minima", Bound::AtMost(1.45), 2.0, 1.0),
            row("row minima, torch.cdist", Bound::Gain, 2.0, 20.0),
            Row { outcome: none, ..row("row minima, KeOps", Bound::Gain, 1.0, 1.0) },
            Row { n: 2048, ..row("row minima, torch.cdist", Bound::Gain, 2.0, 20.0) },
            row("packed EDM", Bound::AtMost(1.06), 1.0, 1.0),
        ];
        let works = PLOTS[0].1;
        let groups = groups_of(&rows, works);
        assert_eq!(groups.len(), 1);
        let bars: Vec<_> = groups[0].bars.iter().map(|bar| (&*bar.name, bar.value)).collect();
        assert_eq!(bars, [("generated", 2.0), ("by hand", 2.5), ("torch.cdist", 20.0)]);
        assert!(groups_of(&rows[1..], works).is_empty());
        // A work of another name is another work, however it goes on.
        let folds = ["fold products", "fold products of two sets"]
            .map(|work| Row { features: Some(512), ..row(work, Bound::AtMost(1.45), 2.0, 1.0) });
        let groups = groups_of(&folds, PLOTS[1].1);
        assert_eq!(groups.iter().map(|group| group.bars.len()).collect::<Vec<_>>(), [2, 2]);
    }
}
