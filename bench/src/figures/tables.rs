//! The papers' tests in tables.

use std::collections::{BTreeMap, BTreeSet};

use super::{Figures, Measured, Outcome, Point};
use crate::experiment::Section;
use crate::words::{choice, first_line, spread, table, thousands, three_digits, work};

/// The papers' largest n.
const LARGEST: usize = 30_720;

pub(super) fn sections(figures: &Figures) -> Vec<Section> {
    let mut sizes: Vec<usize> = figures.points.iter().map(|point| point.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let main = sizes.iter().copied().filter(|n| *n <= LARGEST).max();
    let mut sections = Vec::new();
    if let Some(n) = main {
        let name = thousands(n as u64);
        sections.push(Section::new(
            "best",
            format!("The fastest choices at n = {name}"),
            best(figures, n),
        ));
        sections.push(Section::new(
            "factors",
            format!("I = t(bb) / t(map) at n = {name}"),
            factors(figures, n),
        ));
    }
    let beyond: Vec<String> = sizes
        .iter()
        .filter(|n| **n > LARGEST)
        .map(|&n| format!("n = {}:\n\n{}", thousands(n as u64), factors(figures, n)))
        .collect();
    if !beyond.is_empty() {
        sections.push(Section::new("beyond", "Beyond the papers' n", beyond.join("\n")));
    }
    sections.push(Section::new("blocks", "Spare blocks, one thread a pair", blocks(figures)));
    sections.push(Section::new("refused", "What was refused, skipped, or wrong", refused(figures)));
    sections
}

/// The tests of a run in their order.
fn points(figures: &Figures, n: usize) -> Vec<&Point> {
    figures.points.iter().filter(|point| point.n == n).collect()
}

/// Choices that are compared with each other: what they are called, and which they are.
type Kind = (&'static str, fn(&str) -> bool);

/// Of each test: the fastest with one thread a pair in block space, in thread space, and with tiles.
fn best(figures: &Figures, n: usize) -> String {
    let kinds: [Kind; 3] = [
        ("one thread a pair, blocks", |name| !name.contains("tiles") && !name.contains("thread")),
        ("one thread a pair, threads", |name| name.contains("thread")),
        ("tiles", |name| name.contains("tiles")),
    ];
    let mut headings = vec!["test".to_owned(), "bb, ms".to_owned()];
    headings.extend(kinds.iter().map(|(kind, _)| format!("{kind}: fastest, ms, I")));
    let rows: Vec<Vec<String>> = points(figures, n)
        .into_iter()
        .map(|point| {
            let mut row = vec![work(&point.work).to_owned()];
            row.push(point.timed("bb").map(|[ms, _]| spread(ms)).unwrap_or_default());
            row.extend(kinds.iter().map(|(_, is_kind)| {
                let timed = point.choices.iter().filter(|measured| is_kind(&measured.name));
                let timed = timed.filter_map(|measured| match measured.outcome {
                    Outcome::Timed { ms, factor } => Some((&measured.name, ms, factor)),
                    _ => None,
                });
                let fastest = timed.min_by(|a, b| a.1.median.total_cmp(&b.1.median));
                fastest.map_or_else(String::new, |(name, ms, factor)| {
                    let (ms, factor) = (three_digits(ms.median), three_digits(factor.median));
                    format!("{}, {ms}, {factor}", choice(name))
                })
            }));
            row
        })
        .collect();
    table(&headings, &rows)
}

fn factors(figures: &Figures, n: usize) -> String {
    let points = points(figures, n);
    let mut names: Vec<&str> = Vec::new();
    for measured in points.iter().flat_map(|point| &point.choices) {
        if !names.contains(&measured.name.as_str()) {
            names.push(&measured.name);
        }
    }
    let mut headings = vec!["choice".to_owned()];
    headings.extend(points.iter().map(|point| work(&point.work).to_owned()));
    let cell = |point: &&Point, name: &str| {
        let measured = point.choices.iter().find(|measured| measured.name == name);
        match measured.map(|measured| &measured.outcome) {
            Some(Outcome::Timed { factor, .. }) => spread(*factor),
            Some(Outcome::Refused { .. }) => "refused".into(),
            Some(Outcome::Wrong { .. }) => "wrong".into(),
            None if point.skipped.is_some() => "skipped".into(),
            None => String::new(),
        }
    };
    let rows: Vec<Vec<String>> = names
        .iter()
        .map(|name| {
            let cells = points.iter().map(|point| cell(point, name));
            std::iter::once(choice(name)).chain(cells).collect()
        })
        .collect();
    let rounds = points.iter().map(|point| point.rounds).max().unwrap_or_default();
    let note = format!(
        "Medians of {rounds} rounds; half of the rounds lie between the numbers in brackets."
    );
    format!("{}\n{note}\n", table(&headings, &rows))
}

fn blocks(figures: &Figures) -> String {
    let mut all: Vec<_> = figures.blocks.iter().collect();
    all.sort_by_key(|blocks| blocks.n);
    // A few of many: the smallest, some between, and the largest.
    let shown: Vec<_> =
        all.iter().filter(|blocks| blocks.n.is_power_of_two() || blocks.n >= LARGEST).collect();
    let mut headings = vec!["choice".to_owned()];
    headings.extend(shown.iter().map(|blocks| format!("n = {}", thousands(blocks.n as u64))));
    let mut rows: Vec<Vec<String>> = Vec::new();
    let names = all.first().map(|blocks| blocks.launched_and_needed.keys()).into_iter().flatten();
    // Roots do not change what is launched.
    let is_root = |name: &str| ["sqrt", "newton"].iter().any(|root| name.ends_with(root));
    for name in names.filter(|name| !is_root(name)) {
        let spare = shown.iter().map(|blocks| {
            let counted = blocks.launched_and_needed.get(name);
            let spare = counted.map(|[launched, needed]| launched.saturating_sub(*needed));
            spare.map(thousands).unwrap_or_default()
        });
        rows.push(std::iter::once(choice(name)).chain(spare).collect());
    }
    table(&headings, &rows)
}

/// What did not run, once for all tests in which it was the same.
fn refused(figures: &Figures) -> String {
    let mut points: Vec<&Point> = figures.points.iter().collect();
    points.sort_by_key(|point| point.n);
    // The tests of each choice, n and text; and which choices were refused in which test.
    let mut all: BTreeMap<(String, usize, String), Vec<&str>> = BTreeMap::new();
    let mut refused = BTreeSet::new();
    for point in points {
        let skipped = point.skipped.iter().map(|reason| ("all", "skipped", reason));
        let choices = point.choices.iter().filter_map(|Measured { name, outcome }| match outcome {
            Outcome::Timed { .. } => None,
            Outcome::Refused { refused } => Some((name.as_str(), "refused", refused)),
            Outcome::Wrong { wrong } => Some((name.as_str(), "wrong", wrong)),
        });
        for (name, what, text) in skipped.chain(choices) {
            // A choice that is refused once is refused at every larger n too.
            if what == "refused" && !refused.insert((&point.work, name)) {
                continue;
            }
            let text = format!("{what}: {}", first_line(text));
            all.entry((choice(name), point.n, text)).or_default().push(work(&point.work));
        }
    }
    if all.is_empty() {
        return "Nothing.\n".into();
    }
    let of_all = figures.points.iter().map(|point| &point.work).collect::<BTreeSet<_>>().len();
    let rows = all.into_iter().map(|((choice, n, text), works)| {
        let works = if works.len() == of_all { "all".into() } else { works.join("; ") };
        vec![choice, thousands(n as u64), text, works]
    });
    table(&["choice", "from n on", "what was said", "tests"], &rows.collect::<Vec<_>>())
}
