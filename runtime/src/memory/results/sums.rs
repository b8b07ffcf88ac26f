//! A sum for each element.

use super::{Cells, Results};
use crate::host::methods::{clear, debug, length};
use crate::memory::addend::Cell;
use crate::memory::addend::private::Total as _;
use crate::memory::exact::Exact;
use crate::memory::partial_result::{Parted, PartialResult, sealed};
use crate::{Result, SumElement, Target};

/// A sum for each element, on a device, from [`Target::sums`](crate::Target::sums): the argument for `#[each] x: &mut Sums<T>`,
/// and for `#[row]` or `#[column]` with two sets. The sums start at zero, and each launch adds to them.
///
/// # The pair of an element with itself
///
/// With `diagonal = true`, a pair (i, i) adds to its element once: additions to `x.i` count, and additions to `x.j` are
/// dropped. So a body that adds to both ends is right for a symmetric matrix, too:
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// The product of a matrix of ones and `v`.
/// #[td_kernel(diagonal = true)]
/// unsafe fn product(#[each] v: &[f32], #[each] product: &mut Sums<f32>) {
///     r#" product.i += v.j; product.j += v.i; "#
/// }
///
/// let device = Device::cpu()?;
/// let v = device.upload(&[1.0, 1.0, 1.0])?;
/// let mut out = device.sums(3)?;
/// product::load(&device)?.launch(&v, &mut out)?;
/// assert_eq!(out.download()?, [3.0, 3.0, 3.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// # A kernel matrix times many columns
///
/// With an array of 5 to 64 `f32`, or to 32 `f64`, a launch multiplies a matrix by that many columns, and the matrix is never
/// stored: a body evaluates each weight once, and adds it times the array of the other element. `x += weight * v` multiplies and
/// adds with one rounding. `x -= …` and `x += v` work too, and `x[k] += …` if k is a constant for the compiler.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// Ten columns, weighted by a Gaussian of the distance.
/// #[td_kernel]
/// unsafe fn smooth(
///     #[row] x: &[f32],
///     #[column] y: &[f32],
///     #[column] v: &[[f32; 10]],
///     #[row] out: &mut Sums<[f32; 10]>,
/// ) {
///     r#" out += expf(-(x - y) * (x - y)) * v; "#
/// }
///
/// let device = Device::cpu()?;
/// let (x, y) = (device.upload(&[0.0])?, device.upload(&[0.0, 1.0])?);
/// let v = device.upload(&[[1.0; 10], [2.0; 10]])?;
/// let mut out = device.sums(1)?;
/// smooth::load(&device)?.launch(&x, &y, &v, &mut out)?;
/// let expected = 1.0 + 2.0 * (-1.0_f32).exp();
/// assert!(out.download()?[0].iter().all(|each| (each - expected).abs() < 1e-6));
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// A thread keeps the sums of its rows in registers. Arrays whose length is a multiple of 4 are read with the fewest instructions.
/// For each number, 16 or 32 floats are fastest, and 64 take 1.8 times as long (9.73 ms, against 1.37 for 16 and 2.74 for 32;
/// 30,720 elements on an H100). [`ArraySums`](crate::ArraySums) have any number, also one that is known at run time. For the
/// columns of one set, `#[each]` evaluates a weight once for both elements, and moves the sums of the other element from thread to
/// thread; from 32 floats on, a kernel of two sets that gets the same slices twice is faster, and has the pairs (i, i). Over given
/// pairs, within [`Sets`](crate::Sets), and for the pairs that a lower bound over features leaves, each pair adds every number of
/// its arrays by an atomic.
///
/// # How exact sums of floats are
///
/// A thread adds the terms of an element in one tile, at most 256 pairs, as floats. The sums of tiles are added as doubles. So
/// if each pair adds one `f32` term, a sum is off by at most 2 × 10⁻⁵ times the sum of the terms' absolute values, for any
/// number of pairs; usually by far less, since rounding errors partly cancel. If a pair adds several terms to an element, the
/// bound is as many times larger. An `f64` is summed as it is. Atomics add in an order that changes from launch to launch, so
/// the last digits may change, too.
///
/// A sum is right while the sum of its terms' absolute values is in the range of their type: at most `f32::MAX`, about
/// 3.4 × 10³⁸, or `f64::MAX`, about 1.8 × 10³⁰⁸. Beyond this range the sum of a tile can be infinite although the whole sum is
/// not, and tiles with infinities of opposite signs make the sum NaN. Devices differ here, since their tiles do.
///
/// Integers are summed in 64 bits; a sum that does not fit its type is an error when it is downloaded. Sums of 64-bit integers
/// wrap around.
///
/// # The same bits in every run
///
/// With `#[td_kernel(deterministic = true)]`, the sums of tiles are added exactly, as integers of many digits. A download
/// rounds them once. So they have the same bits in every run of the same program on the same kind
/// of GPU, in any order of blocks, on every map except `walk`. Each element then takes 80 bytes for an `f32`, and 536 for an
/// `f64`. On an H200 forces took 1.07 times as long for 30,720 bodies, and 1.13 times for 131,072 (`td-bench targets`). Chunks
/// of rows cut tiles, so launches over chunks give other last bits than one launch over all rows. With a lower bound [over
/// boxes](crate#only-near-pairs), and within [`Sets`](crate::Sets) that are not visited in tiles, each pair is added exactly
/// instead.
///
/// Exact sums have all digits of their type, including those of subnormal numbers. An infinite term makes its sum infinite.
/// Infinities of both signs make it NaN, and so does a NaN. Only the addition of tiles is exact; the sum of a tile has the type
/// of the terms, so the bound above holds for deterministic sums, too. A sum beyond the range of its type is infinite when it
/// is downloaded.
///
/// Such a kernel has only one tile size, so tuning has nothing to choose. In a kernel with slots or over `Sets`, where each pair
/// adds to its elements separately, a term takes two atomics, or three for an `f64`.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// Gravity between bodies of mass `w`: the force on each of them.
/// #[td_kernel]
/// unsafe fn forces(#[each] p: &[[f32; 4]], #[each] force: &mut Sums<[f32; 3]>) {
///     r#"
///     float x = p.j.x - p.i.x, y = p.j.y - p.i.y, z = p.j.z - p.i.z;
///     float s = p.i.w * p.j.w * powf(x * x + y * y + z * z, -1.5f);
///     float3 f = make_float3(s * x, s * y, s * z);
///     force.i += f;
///     force.j -= f;
///     "#
/// }
///
/// let device = Device::cpu()?;
/// let points = device.upload(&[[0.0, 0.0, 0.0, 1.0], [2.0, 0.0, 0.0, 8.0], [0.0, 1.0, 0.0, 3.0]])?;
/// let mut force = device.sums::<[f32; 3]>(3)?;
/// forces::load(&device)?.launch(&points, &mut force)?;
/// let force = force.download()?;
/// assert!((force[0][0] - 2.0).abs() < 1e-5 && (force[0][1] - 3.0).abs() < 1e-5);
/// // The forces cancel.
/// assert!((0..3).all(|k| force.iter().map(|each| each[k]).sum::<f32>().abs() < 1e-5));
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Sums<T: SumElement> {
    pub(crate) cells: Cells<Cell<T>>,
    /// The exact sums of kernels with `deterministic = true`, after the first launch of one.
    pub(crate) exact: Option<Exact>,
}

impl Target {
    /// A sum for each of `n` elements, starting at zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn sums<T: SumElement>(&self, n: usize) -> Result<Sums<T>> {
        Ok(Sums { cells: Cells::new(self.backend(), n, T::COMPONENTS)?, exact: None })
    }
}

impl<T: SumElement> Sums<T> {
    length!(self, "elements", self.cells.elements);

    /// Downloads the sum of each element, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// A sum does not fit the type; or the device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<Vec<T>> {
        self.cells.made_of(&self.download_cells()?, T::of)
    }

    clear!(self, "Resets all sums to zero.", {
        Exact::clear(&mut self.exact)?;
        self.cells.memory.clear()
    });

    /// The exact sums, allocated by the first call; `None` for integers, whose sums are always exact.
    pub(crate) fn exact(&mut self, device: &Target) -> Result<Option<&mut Exact>> {
        let Some(digits) = <T::Scalar>::DIGITS else { return Ok(None) };
        let shape = [self.len(), self.cells.components];
        Exact::of(&mut self.exact, device.backend(), shape, digits).map(Some)
    }

    /// The cells of all devices, with their exact sums.
    pub(super) fn download_cells(&self) -> Result<Vec<Cell<T>>> {
        let (exact, cells) = (self.exact.as_ref(), &self.cells.memory);
        Exact::download_summed(exact, cells, <T::Scalar>::joined, <T::Scalar>::plus)
    }

    /// The cells in these words, with their exact sums.
    pub(super) fn cells_of(&self, words: &[u64]) -> Result<Vec<Cell<T>>> {
        self.parts().summed(words, <T::Scalar>::plus)
    }

    /// The layout of its words.
    fn parts(&self) -> Parted {
        let cells = self.len().saturating_mul(self.cells.components);
        Parted { cells, sums: self.len(), digits: <T::Scalar>::DIGITS }
    }
}

impl<T: SumElement> sealed::Output for Sums<T> {}

impl<T: SumElement> PartialResult for Sums<T> {
    type Output = Vec<T>;

    fn to_bits(&self) -> Result<Vec<u64>> {
        let cells = self.cells.memory.download_joined(<T::Scalar>::joined)?;
        self.parts().words(cells, self.exact.as_ref())
    }

    fn join(&self, words: &mut Vec<u64>, others: &[u64]) -> Result<()> {
        self.parts().join(words, others, <T::Scalar>::joined)
    }

    fn finish(&self, words: &[u64]) -> Result<Vec<T>> {
        self.cells.made_of(&self.cells_of(words)?, T::of)
    }
}

impl<T: SumElement> Results for Sums<T> {
    type Cell = Cell<T>;

    const MADE_BY: &'static str = "sums(n)";

    fn cells(&mut self) -> &mut Cells<Cell<T>> {
        &mut self.cells
    }
}

debug!([T: SumElement] Sums<T>: len);
