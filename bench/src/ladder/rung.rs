//! The rungs of the ladder, and what the paper says of them.

use serde::{Deserialize, Serialize};

/// One way to the sums of squared differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Rung {
    /// C++ on one thread.
    Sequential,
    /// On all threads.
    OpenMp,
    /// On all threads, with vectors.
    OpenMpSimd,
    /// A thread of the GPU's for each sum, with the GPU's memory alone.
    Naive,
    /// Through shared memory, whose banks are read by several threads at once.
    Tiled,
    /// Without these conflicts.
    ConflictFree,
    /// 8 x 8 sums a thread.
    Registers,
    Generated,
}

impl Rung {
    pub(super) const ALL: [Rung; 8] = [
        Rung::Sequential,
        Rung::OpenMp,
        Rung::OpenMpSimd,
        Rung::Naive,
        Rung::Tiled,
        Rung::ConflictFree,
        Rung::Registers,
        Rung::Generated,
    ];

    /// Those that need no GPU.
    pub(super) const HOST: [Rung; 3] = [Rung::Sequential, Rung::OpenMp, Rung::OpenMpSimd];

    /// Those of kernels by hand, in the order in which a subject has them; the last are the register tiles.
    pub(super) const BY_HAND: [Rung; 4] =
        [Rung::Naive, Rung::Tiled, Rung::ConflictFree, Rung::Registers];

    /// As tables and plots have it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Rung::Sequential => "sequential C",
            Rung::OpenMp => "OpenMP",
            Rung::OpenMpSimd => "OpenMP with vectors",
            Rung::Naive => "naive",
            Rung::Tiled => "tiled",
            Rung::ConflictFree => "conflict-free",
            Rung::Registers => "register tiles by hand",
            Rung::Generated => "generated",
        }
    }

    /// The paper's milliseconds for n x n x n, where it has this rung.
    pub(super) fn paper(self, n: usize) -> Option<f64> {
        let rungs = [Rung::Sequential, Rung::OpenMp, Rung::Naive, Rung::Tiled, Rung::ConflictFree];
        let column = rungs.iter().position(|rung| *rung == self)?;
        let (_, times) = PAPER.iter().find(|(size, _)| *size == n)?;
        Some(times[column])
    }
}

/// The paper's table of times: two Xeon E5530 with eight cores together, and a Tesla C1060.
const PAPER: [(usize, [f64; 5]); 6] = [
    (128, [7.6339, 4.7381, 2.5, 0.25, 0.12]),
    (256, [48.594, 12.1866, 29.47, 1.27, 0.51]),
    (512, [324.39, 54.868, 350.0, 9.15, 4.3]),
    (1024, [2551.6, 372.86, 1245.0, 70.0, 27.0]),
    (2048, [21_096.0, 2819.0, 6950.0, 563.0, 206.0]),
    (4096, [168_920.0, 20_580.0, 53_557.0, 4505.0, 1647.0]),
];

/// The paper's n.
pub(super) fn sizes() -> [usize; 6] {
    PAPER.map(|(n, _)| n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_factors_are_those_it_names() {
        let factor = |rung: Rung, n| {
            Some(Rung::Sequential.paper(n)? / rung.paper(n)?).map(|factor| factor.round())
        };
        assert_eq!(factor(Rung::Naive, 4096), Some(3.0));
        assert_eq!(factor(Rung::Tiled, 128), Some(31.0));
        assert_eq!(factor(Rung::ConflictFree, 4096), Some(103.0));
        assert_eq!(factor(Rung::OpenMp, 4096), Some(8.0));
        assert_eq!((factor(Rung::Generated, 4096), factor(Rung::Naive, 100)), (None, None));
    }

    #[test]
    fn every_rung_is_there_once() {
        let all: Vec<Rung> =
            Rung::HOST.into_iter().chain(Rung::BY_HAND).chain([Rung::Generated]).collect();
        assert_eq!(all, Rung::ALL);
    }
}
