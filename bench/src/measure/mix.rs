//! What a kernel that computes cannot do without: the instructions of a pair.

use std::fmt;

/// The instructions of a pair, as the kernel `issue` has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    /// Additions, multiplications and multiply-adds of floats.
    pub(crate) fmas: u32,
    /// Reciprocal square roots.
    pub(crate) roots: u32,
    /// Minima of two floats.
    pub(crate) minima: u32,
}

/// What it takes to compare the distance of two spheres with their radii.
pub(crate) const COLLISION: Mix = Mix { fmas: 8, roots: 0, minima: 0 };

/// Softened gravity, added to both bodies: 3 differences, 4 for the softened square of the distance, 2 for the cube of its
/// reciprocal root, 2 products with the masses, and 6 sums.
pub(crate) const FORCES: Mix = Mix { fmas: 17, roots: 1, minima: 0 };

/// The square of a difference, added to a sum: what a distance takes for each feature.
pub(crate) const SQUARE: Mix = Mix { fmas: 2, roots: 0, minima: 0 };

/// A product, added to a sum: what a dot product takes for each feature.
pub(crate) const PRODUCT: Mix = Mix { fmas: 1, roots: 0, minima: 0 };

impl Mix {
    /// The least square of a distance. A partner adds nothing: it changes with a new minimum alone, which is rare.
    pub(crate) const fn minimum(features: u32) -> Mix {
        Mix { fmas: 2 * features, roots: 0, minima: 1 }
    }

    pub(crate) const fn instructions(self) -> u32 {
        self.fmas + self.roots + self.minima
    }

    /// How often a pair may be written out in the loop, of 128 instructions or more; which is best depends on the GPU.
    pub(crate) fn unrolled(self) -> [u32; 3] {
        [128, 256, 512].map(|instructions| instructions / self.instructions())
    }
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} FP32", self.fmas)?;
        if self.roots > 0 {
            write!(f, ", {} MUFU", self.roots)?;
        }
        if self.minima > 0 {
            write!(f, ", {} minimum", self.minima)?;
        }
        Ok(())
    }
}
