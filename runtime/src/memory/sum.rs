//! A total over all pairs.

use td_kernel_geometry::SLOTS;

use crate::host::methods::{clear, debug};
use crate::memory::Memory;
use crate::memory::addend::Cell;
use crate::memory::addend::private::Total as _;
use crate::memory::exact::Exact;
use crate::memory::partial_result::{Parted, PartialResult, sealed};
use crate::{Result, SumElement, Target};

/// A total on a device, from [`Target::sum`](crate::Target::sum). It starts at zero. Each launch adds what its body adds with
/// `+=` and subtracts with `-=`.
///
/// A `Sum` of a vector or an array, of the types of [`SumElement`], has a total for each of its numbers. A body adds to all of them,
/// `force += make_float3(x, y, z)` or `virial += {x * fx, y * fy, z * fz, x * fy, y * fz, z * fx}`, or to one: `force.x += x` of 2 to
/// 4 numbers, `virial[3] += x * fy` of more, with an index that the compiler knows. Numbers that braces lack are 0, and C++ does not
/// convert in braces: write `(float)i`. A thread keeps a part of each number in registers, so of many numbers few warps fit on a
/// multiprocessor.
///
/// 32-bit integers are summed in 64 bits; a total that does not fit 32 bits is an error when it is downloaded. Totals of 64-bit
/// integers wrap around: use an `i64` if more may be subtracted than added.
///
/// # How exact a sum of floats is
///
/// The total of an `f32` is off by at most 10⁻⁶ times the sum of the terms' absolute values, for any number of terms. A thread
/// adds at most eight terms as floats and these partial sums to a compensated sum; sums of threads and blocks are added as
/// doubles. If all terms have one sign, six digits of the total are right.
///
/// An `f64` is summed as it is. Its total is off by at most (p + b / 32 + 100) × 2⁻⁵³ times the sum of the terms' absolute
/// values, where p is the largest number of terms in a thread, and b the number of blocks.
///
/// A total is right while the sum of the terms' absolute values is in the range of their type: at most `f32::MAX`, about
/// 3.4 × 10³⁸, or `f64::MAX`, about 1.8 × 10³⁰⁸. Threads keep partial sums in that type. Beyond this range a partial sum can be
/// infinite although the total is not, and two of opposite signs make the total NaN. Devices then differ: for the same terms,
/// the CPU may give infinity and the emulator NaN. For larger terms of an `f32`, write a `Sum<f64>` and add `(double)term`.
/// Subnormal terms are summed like others. An infinite term makes the total infinite. Infinities of both signs make it NaN, and
/// so does a NaN.
///
/// Floats are added in an order that changes from launch to launch, so the last digits may change, too; sums of integers do not
/// change. With `#[td_kernel(deterministic = true)]` the sums of warps are added exactly, or with a lower bound over boxes those of
/// pairs, and a total of floats has the same bits in every run, as [`Sums`](crate::Sums) have.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &[f32], limit: f32, count: &mut Sum<u64>) {
///     r#" if (fabsf(x.i - x.j) < limit) count += 1; "#
/// }
///
/// let device = Device::cpu()?;
/// let kernel = close::load(&device)?;
/// let x = device.upload(&[1.0, 2.0, 4.0])?;
/// let mut count = device.sum()?;
/// kernel.launch(&x, 1.5, &mut count)?;
/// assert_eq!(count.download()?, 1);
/// kernel.launch(&x, 2.5, &mut count)?; // adds the two pairs that are so close
/// assert_eq!(count.download()?, 3);
/// count.clear()?;
/// # assert_eq!(count.download()?, 0);
///
/// /// The moments of all distances.
/// #[td_kernel]
/// unsafe fn moments(#[each] x: &[f32], moments: &mut Sum<[f64; 5]>) {
///     r#" double d = x.i - x.j; moments += {1, d, d * d, d * d * d, d * d * d * d}; "#
/// }
///
/// let mut all = device.sum()?;
/// moments::load(&device)?.launch(&x, &mut all)?;
/// assert_eq!(all.download()?, [3.0, 6.0, 14.0, 36.0, 98.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Sum<T: SumElement> {
    /// The slots that blocks add to, number after number. The total of a number is their sum.
    pub(crate) memory: Memory<Cell<T>>,
    /// The exact sums of kernels with `deterministic = true`, after the first launch of one.
    pub(crate) exact: Option<Exact>,
}

impl Target {
    /// A total, starting at zero.
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn sum<T: SumElement>(&self) -> Result<Sum<T>> {
        Ok(Sum { memory: Memory::zeroed(self.backend(), Sum::<T>::PARTS.cells)?, exact: None })
    }
}

impl<T: SumElement> Sum<T> {
    /// Downloads the total, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// The total does not fit the type; or the device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<T> {
        self.finish(&self.to_bits()?)
    }

    clear!(self, "Sets the total back to zero.", {
        Exact::clear(&mut self.exact)?;
        self.memory.clear()
    });

    /// The layout of its words.
    const PARTS: Parted = Parted {
        cells: SLOTS as usize * T::COMPONENTS,
        sums: SLOTS as usize,
        digits: Some(<T::Scalar>::EXACT),
    };

    /// The exact sums, allocated by the first call.
    pub(crate) fn exact(&mut self, device: &Target) -> Result<&mut Exact> {
        let shape = [SLOTS as usize, T::COMPONENTS];
        Exact::of(&mut self.exact, device.backend(), shape, <T::Scalar>::EXACT)
    }
}

impl<T: SumElement> sealed::Output for Sum<T> {}

impl<T: SumElement> PartialResult for Sum<T> {
    type Output = T;

    fn to_bits(&self) -> Result<Vec<u64>> {
        // Adding slot by slot rounds at most once for each slot and device.
        let slots = self.memory.download_joined(<T::Scalar>::joined)?;
        Self::PARTS.words(slots, self.exact.as_ref())
    }

    fn join(&self, words: &mut Vec<u64>, others: &[u64]) -> Result<()> {
        Self::PARTS.join(words, others, <T::Scalar>::joined)
    }

    fn finish(&self, words: &[u64]) -> Result<T> {
        let (slots, exact) = Self::PARTS.cells::<Cell<T>>(words)?;
        let exact = exact.map(|exact| Self::PARTS.totals(exact)).transpose()?;
        let totals = slots.chunks(SLOTS as usize).enumerate().filter_map(|(number, slots)| {
            let total = slots.iter().copied().reduce(<T::Scalar>::joined)?;
            let exact = exact.as_ref().and_then(|exact| exact.get(number));
            Some(exact.map_or(total, |exact| <T::Scalar>::plus(total, *exact)))
        });
        T::of(&totals.collect::<Vec<_>>())
    }
}

debug!([T: SumElement] Sum<T>: );
