//! What is measured, in which order: the small n of every work first, so that a run that is cut short has
//! told something of each.

use super::subject::{WORKS, Work};

/// One work at one n.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) work: &'static Work,
    pub(super) n: usize,
    pub(super) rounds: usize,
}

/// Past the papers' end: one element more than 32-bit products, row numbers and slots go.
const BEYOND: [usize; 3] = [46_342, 65_537, 131_072];

/// A few of the papers' n.
const FEW: [usize; 8] = [1024, 2048, 4096, 8192, 12_288, 16_384, 24_576, 30_720];

/// The steps of a run over these works, or all where none is named.
pub(super) fn steps(quick: bool, only: &[String]) -> impl Iterator<Item = Step> {
    let mut sizes = Vec::new();
    if quick {
        sizes.extend(FEW);
        sizes.extend(&BEYOND[1..2]);
    } else {
        sizes.extend((1..=30).map(|step| 1024 * step));
        sizes.extend(BEYOND);
    }
    let rounds = if quick { 7 } else { 15 };
    let works: Vec<&'static Work> = WORKS
        .iter()
        .filter(|work| only.is_empty() || only.iter().any(|name| name == work.name))
        .collect();
    sizes
        .into_iter()
        .flat_map(move |n| works.clone().into_iter().map(move |work| Step { work, n, rounds }))
}

impl Step {
    /// About how long the step takes, in parts: so much for all n alike, and so much a pair.
    pub(super) fn weight(&self) -> u64 {
        let millions = (self.n as u64 * self.n as u64) >> 20;
        (1000 + millions) * self.rounds as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_through_every_work() {
        let all: Vec<Step> = steps(false, &[]).collect();
        assert_eq!(all.len(), 33 * WORKS.len());
        assert_eq!(all[0].n, 1024);
        assert_eq!(all[all.len() - 1].n, 131_072);
        assert_eq!(steps(true, &["dummy".into()]).count(), 9);
    }
}
