//! How the values of all pairs are laid out in an output file.

use clap::ValueEnum;
use td_kernel::PackedMatrix;

use crate::{NewFile, Result};

/// The option `--layout`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// The rows of the lower triangle, one after another: (1, 0), (2, 0), (2, 1), (3, 0), …
    #[default]
    Packed,
    /// The rows of the upper triangle, as SciPy's pdist has them: (0, 1), (0, 2), … (1, 2), …
    Condensed,
    /// The whole matrix, n x n, with both triangles and the diagonal
    Square,
}

impl Layout {
    /// How many values an output of this layout has in memory beside the packed ones of `n` elements.
    pub fn further(self, n: usize) -> usize {
        match self {
            Layout::Packed => 0,
            Layout::Condensed => n * n.saturating_sub(1) / 2,
            Layout::Square => n.saturating_mul(n),
        }
    }

    /// Writes the values of pairs to a file in NumPy's format. A square has `own`'s value of each element on its
    /// diagonal.
    ///
    /// # Errors
    ///
    /// The errors of [`NewFile::write`], or there is not enough memory.
    pub fn write(
        self,
        file: &NewFile,
        values: &PackedMatrix<f32>,
        own: impl Fn(usize) -> f32,
    ) -> Result<()> {
        let (n, slots) = (values.elements(), values.as_slice());
        match self {
            Layout::Packed => file.write_npy(&[slots.len()], slots),
            Layout::Condensed => file.write_npy(&[slots.len()], &values.to_condensed()?),
            Layout::Square => {
                let mut square = values.to_square()?.into_vec();
                for (element, value) in square.iter_mut().step_by(n + 1).enumerate() {
                    *value = own(element);
                }
                file.write_npy(&[n, n], &square)
            }
        }
    }
}
