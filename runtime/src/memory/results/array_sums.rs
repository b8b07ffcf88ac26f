//! A sum of arrays for each element. The width of the arrays is known at run time.

use super::{Cells, Sums};
use crate::host::methods::{clear, debug, length};
use crate::memory::addend::Cell;
use crate::memory::arrays::{expect_width, padded};
use crate::memory::partial_result::{PartialResult, sealed};
use crate::{HostMatrix, Result, SumElement, SumScalar, Target, host};

/// A sum of arrays for each element, on a device, from [`Target::array_sums`]: the argument for
/// `#[each] x: &mut ArraySums<f32>`, and for `#[row]` or `#[column]` with two sets. It is as [`Sums<[f32; W]>`](Sums) for a W that
/// is known at run time, and of any size: a kernel matrix times W columns, which is never stored.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// Columns, weighted by a Gaussian of the distance.
/// #[td_kernel]
/// unsafe fn smooth(
///     #[row] x: &[f32],
///     #[column] y: &[f32],
///     #[column] v: &Arrays<f32>,
///     #[row] out: &mut ArraySums<f32>,
/// ) {
///     r#" out += expf(-(x - y) * (x - y)) * v; "#
/// }
///
/// let device = Device::cpu()?;
/// let width = 100; // perhaps read from a file
/// let (x, y) = (device.upload(&[0.0])?, device.upload(&[0.0, 1.0])?);
/// let v = device.arrays(&[vec![1.0; width], vec![2.0; width]].concat(), width)?;
/// let mut out = device.array_sums(1, width)?;
/// smooth::load(&device)?.launch(&x, &y, &v, &mut out)?;
/// let expected = 1.0 + 2.0 * (-1.0_f32).exp();
/// assert!(out.download()?.as_slice().iter().all(|each| (each - expected).abs() < 1e-6));
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// Bodies add whole arrays: `x += weight * v`, `x -= …` and `x += v`, or `x.i` and `x.j` with `#[each]`. A launch visits the pairs
/// once for each 16 numbers of the arrays, and so evaluates each weight W / 16 times. The last numbers are padded to 4, 8 or 16,
/// and the first launch compiles the kernel for them. So no [other outputs](crate#parameters) go with it. If a kernel needs the
/// sum of the weights too, as attention does, add a column of ones.
///
/// Errors, `diagonal` and `deterministic` are as for [`Sums`].
pub struct ArraySums<T: SumScalar + SumElement> {
    /// The sums of all numbers, with padding.
    pub(crate) sums: Sums<T>,
    width: usize,
}

impl Target {
    /// A sum of arrays of this width for each of `n` elements, starting at zero.
    ///
    /// # Errors
    ///
    /// The width is 0 or more than 2³¹ - 1; or there is not enough memory, or the device fails.
    pub fn array_sums<T: SumScalar + SumElement>(
        &self,
        n: usize,
        width: usize,
    ) -> Result<ArraySums<T>> {
        expect_width(width)?;
        let cells = Cells::new(self.backend(), n, padded(width))?;
        Ok(ArraySums { sums: Sums { cells, exact: None }, width })
    }
}

impl<T: SumScalar + SumElement> ArraySums<T> {
    length!(self, "elements", self.sums.len());

    /// The number of values of each element.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Downloads the sums, after the kernels launched so far: a matrix with a row for each element.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<HostMatrix<T>> {
        self.matrix(&self.sums.download_cells()?)
    }

    clear!(self, "Resets all sums to zero.", self.sums.clear());

    /// The sums in these cells, which are ordered by number, then by element.
    fn matrix(&self, cells: &[Cell<T>]) -> Result<HostMatrix<T>> {
        let (elements, width) = (self.len(), self.width);
        let mut values = host::with_room(elements * width)?;
        for element in 0..elements {
            for cell in cells.iter().skip(element).step_by(elements).take(width) {
                values.push(T::of(std::slice::from_ref(cell))?);
            }
        }
        HostMatrix::from_vec((elements, width), values)
    }
}

impl<T: SumScalar + SumElement> sealed::Output for ArraySums<T> {}

impl<T: SumScalar + SumElement> PartialResult for ArraySums<T> {
    type Output = HostMatrix<T>;

    fn to_bits(&self) -> Result<Vec<u64>> {
        self.sums.to_bits()
    }

    fn join(&self, words: &mut Vec<u64>, others: &[u64]) -> Result<()> {
        self.sums.join(words, others)
    }

    fn finish(&self, words: &[u64]) -> Result<HostMatrix<T>> {
        self.matrix(&self.sums.cells_of(words)?)
    }
}

debug!([T: SumScalar + SumElement] ArraySums<T>: len, width);
