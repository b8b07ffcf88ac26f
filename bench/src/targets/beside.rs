//! A kernel's times beside others, in the same rounds.

use super::issue::Issue;
use super::target::{Measured, Outcome};
use crate::Failure;
use crate::measure::mix::Mix;
use crate::measure::times::Times;
use crate::subject::{Contest, Launch, Subject, fill};

/// Kernels beside a fill of the same bytes; the first is ours.
pub(super) fn beside_fill<S: Subject>(
    subject: &S,
    bytes: usize,
    kernels: Vec<(String, Launch<S>)>,
) -> Result<Outcome, Failure> {
    let contest = Contest::new(subject, kernels)?;
    let mut times = contest.time(vec![fill(subject.gpu(), "float4 fill", bytes)?], 4)?;
    let (reference, ours) = (times.remove(0), times.remove(0));
    Ok(Outcome::Measured(Measured { ours, reference, others: times }))
}

/// Kernels against the time to issue the instructions of so many pairs; the first is ours.
pub(super) fn beside_issue<S: Subject>(
    subject: &S,
    mix: Mix,
    pairs: usize,
    kernels: Vec<(String, Launch<S>)>,
    repeats: u32,
) -> Result<Outcome, Failure> {
    beside_issue_of(subject, (mix, "pair", pairs), kernels, repeats)
}

/// The same, with the instructions of so many features of pairs.
pub(super) fn beside_terms<S: Subject>(
    subject: &S,
    mix: Mix,
    terms: usize,
    kernels: Vec<(String, Launch<S>)>,
    repeats: u32,
) -> Result<Outcome, Failure> {
    beside_issue_of(subject, (mix, "term", terms), kernels, repeats)
}

fn beside_issue_of<S: Subject>(
    subject: &S,
    (mix, unit, count): (Mix, &'static str, usize),
    kernels: Vec<(String, Launch<S>)>,
    repeats: u32,
) -> Result<Outcome, Failure> {
    let issue = Issue::new(subject.gpu(), mix, unit, count)?;
    let times = Contest::new(subject, kernels)?.time(issue.ways(), repeats)?;
    issue.outcome(times)
}

/// The first is ours, and is compared with the fastest of the others.
pub(super) fn fastest_of(mut times: Vec<Times>) -> Result<Outcome, Failure> {
    let ours = times.remove(0);
    let reference = Times::take_fastest(&mut times).ok_or("nothing else was timed")?;
    Ok(Outcome::Measured(Measured { ours, reference, others: times }))
}
