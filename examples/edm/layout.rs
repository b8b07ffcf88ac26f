//! How distances are laid out in an output file.

use clap::ValueEnum;
use td_kernel::PackedMatrix;
use td_kernel_examples::{NewFile, Result};

/// The option `--layout`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layout {
    /// The rows of the lower triangle, one after another: (1, 0), (2, 0), (2, 1), (3, 0), …
    #[default]
    Packed,
    /// The rows of the upper triangle, as SciPy's pdist has them: (0, 1), (0, 2), … (1, 2), …
    Condensed,
    /// The whole matrix, n x n, with both triangles and a diagonal of zeros
    Square,
}

impl Layout {
    /// Writes the distances to a file in NumPy's format.
    pub(crate) fn write(self, file: &NewFile, distances: &PackedMatrix<f32>) -> Result<()> {
        let (n, slots) = (distances.elements(), distances.as_slice());
        match self {
            Layout::Packed => file.write_npy(&[slots.len()], slots),
            Layout::Condensed => file.write_npy(&[slots.len()], &distances.to_condensed()?),
            Layout::Square => file.write_npy(&[n, n], distances.to_square()?.as_slice()),
        }
    }
}
