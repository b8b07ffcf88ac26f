//! Kernels written by hand that add up over many features of a pair: what they add up, and their settings.

use super::by_hand::Source;

/// What is added up over the features of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// The squares of their differences.
    Squares,
    /// The same, of which the root is taken.
    Distance,
    /// Their products.
    Products,
}

/// The features of a chunk of the kernel `fold_tile`, in shared memory at a time.
pub(crate) const CHUNKS: &[u32] = &[8, 16];

/// What the numbers of features are multiples of: then every chunk is whole.
pub(crate) const FEATURES: usize = 16;

/// The pairs per side of a block of `fold_tile`, and its threads.
pub(crate) const SIDE: usize = 128;
pub(crate) const THREADS: u32 = 256;

impl Fold {
    fn settings(self, packed: bool) -> [(&'static str, u32); 3] {
        let is = |fold| u32::from(self == fold);
        [("DOT", is(Fold::Products)), ("ROOT", is(Fold::Distance)), ("PACKED", packed.into())]
    }

    /// The register tiles.
    pub(crate) fn tile(self, packed: bool, chunk: u32) -> Source {
        let [dot, root, packed] = self.settings(packed);
        Source::new("fold_tile", &[dot, root, packed, ("CHUNK", chunk)])
    }

    /// The comparison with sums in double precision.
    pub(crate) fn check(self, packed: bool) -> Source {
        Source::new("fold_check", &self.settings(packed))
    }
}

/// How far off a sum of so many terms may be, as a share of it: none is negative. The roundings of a sum in any order go
/// both ways, and add up to less than the root of their number; this is over ten times as much as they are on average,
/// and far less than what a term has that is missing.
pub(crate) fn rounding(features: usize) -> f64 {
    4.0 * (1.0 + (features as f64).sqrt()) * f64::from(f32::EPSILON) / 2.0
}

#[cfg(test)]
mod tests;
