//! What others do, in tables and as a plot.

use super::{Answer, PAST, Peers, Work};
use crate::Failure;
use crate::experiment::Section;
use crate::plot::{BLUE, Bar, GREY, Group, groups};
use crate::words::{first_line, spread, table, thousands, three_digits};

pub(super) fn sections(peers: &Peers) -> Vec<Section> {
    let timed = |work| times(peers, work);
    let versions = peers.versions.iter().map(|(name, version)| format!("{name} {version}"));
    let versions = format!("{}.\n", versions.collect::<Vec<_>>().join(", "));
    vec![
        Section::new("versions", "The peers' versions", versions),
        Section::new("peers-edm", "Distances by others, 4 features", timed(Work::Edm)),
        Section::new("peers-collision", "Collisions by others", timed(Work::Collision)),
        Section::new("peers-past", "What happens past 32 bits", past(peers)),
    ]
}

/// SciPy and the CPU device.
pub(super) fn cpu(peers: &Peers) -> String {
    let note = "The CPU device runs the GPU's kernel thread by thread, so that it can be tried and tested \
                without a GPU; it is not there to be fast.";
    format!("{}\n{note}\n", times(peers, Work::Edm))
}

/// All times of a work, n by n.
fn times(peers: &Peers, work: Work) -> String {
    let answers = || peers.answers.iter().filter(|answer| answer.work == work);
    let mut sizes: Vec<usize> =
        answers().filter(|answer| !PAST.contains(&answer.n)).map(|answer| answer.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut rows = Vec::new();
    for n in sizes {
        let at: Vec<&Answer> = answers().filter(|answer| answer.n == n).collect();
        // The first is ours, where it was measured.
        let ours = at.first().and_then(|answer| answer.ms);
        for answer in at {
            let variant = answer.variant.as_ref().map(|name| format!(" ({name})"));
            let ratio = ours.zip(answer.ms).map(|(ours, ms)| three_digits(ms.median / ours.median));
            rows.push(vec![
                format!("{}{}", answer.peer, variant.unwrap_or_default()),
                thousands(n as u64),
                answer.ms.map(spread).unwrap_or_default(),
                ratio.unwrap_or_default(),
                ended(answer),
            ]);
        }
    }
    table(&["what", "n", "ms", "times as long as the first", "results"], &rows)
}

/// What happens to each, past 32-bit products and numbers of pairs.
fn past(peers: &Peers) -> String {
    let mut headings = vec!["what".to_owned()];
    headings.extend(PAST.map(|n| format!("n = {}", thousands(n as u64))));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for work in [Work::Edm, Work::Collision] {
        let mut names: Vec<&str> = Vec::new();
        for answer in &peers.answers {
            let is_past = answer.work == work && PAST.contains(&answer.n);
            if is_past && !names.contains(&answer.peer.as_str()) {
                names.push(&answer.peer);
            }
        }
        for name in names {
            let cells = PAST.map(|n| {
                let is = |answer: &&Answer| {
                    (answer.work, answer.n, answer.peer.as_str()) == (work, n, name)
                };
                peers.answers.iter().find(is).map(ended).unwrap_or_default()
            });
            let work = match work {
                Work::Edm => "distances",
                Work::Collision => "collisions",
            };
            rows.push(std::iter::once(format!("{name}, {work}")).chain(cells).collect());
        }
    }
    table(&headings, &rows)
}

/// How it ended, in words.
fn ended(answer: &Answer) -> String {
    match first_line(&answer.detail) {
        "" => answer.outcome.word().to_owned(),
        detail => format!("{}: {detail}", answer.outcome.word()),
    }
}

/// The times of all that do the same, as multiples of ours.
pub(super) fn plot(peers: &Peers) -> Result<String, Failure> {
    let mut all = Vec::new();
    for (work, name, unit) in [
        (
            Work::Edm,
            "Distances, 4 features",
            "times as long as the generated kernel, on a scale that multiplies; torch.cdist and torch.compile write the whole square",
        ),
        (
            Work::Collision,
            "Collisions in space",
            "times as long as the generated kernel, on a scale that multiplies",
        ),
    ] {
        let timed = |answer: &&Answer| answer.work == work && answer.ms.is_some();
        let largest = peers.answers.iter().filter(timed).map(|answer| answer.n).max();
        let answers: Vec<&Answer> =
            peers.answers.iter().filter(timed).filter(|answer| Some(answer.n) == largest).collect();
        let ours = answers.iter().find(|answer| answer.peer == "generated");
        let Some((ours, n)) = ours.and_then(|ours| ours.ms).zip(largest) else { continue };
        let bar = |answer: &&Answer| {
            let times = answer.ms?.median / ours.median;
            let text = format!("{} x, {} ms", three_digits(times), three_digits(answer.ms?.median));
            let colour = if answer.peer == "generated" { BLUE } else { GREY };
            Some(Bar { name: answer.peer.clone(), value: times, text, colour })
        };
        all.push(Group {
            title: format!("{name}, n = {}", thousands(n as u64)),
            unit,
            bars: answers.iter().filter_map(bar).collect(),
            mark: None,
            multiplies: true,
        });
    }
    groups(&all)
}
