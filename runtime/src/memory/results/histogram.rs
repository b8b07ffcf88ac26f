//! Counts or weights of all pairs by bin.

use std::fmt;

use crate::host::histogram::HostHistogram;
use crate::memory::Memory;
use crate::memory::partial_result::{Parted, PartialResult, sealed};
use crate::memory::sum::{Total, from_slots, joined};
use crate::{Error, Result, SumScalar, Target, host};

/// Counts or weights of all pairs by bin, on a device, from [`Target::histogram`](crate::Target::histogram): the argument for
/// `h: &mut Histogram<T>`. It starts at zero, and each launch adds to it.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// Counts the distances of all pairs, in bins of width 2.
/// #[td_kernel]
/// unsafe fn distances(#[each] x: &[f32], h: &mut Histogram<u64>) {
///     r#" h.add(fabsf(x.i - x.j) / 2); "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[0.0, 1.0, 2.5, 8.0])?;
/// let mut h = device.histogram(3)?;
/// distances::load(&device)?.launch(&x, &mut h)?;
/// let counts = h.download()?;
/// assert_eq!(counts.as_slice(), [2, 1, 1]);
/// // The pairs in no bin: 7 and 8 are beyond 6.
/// assert_eq!(counts.outside(), 2);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// # In a body
///
/// | | |
/// | --- | --- |
/// | `h.add(bin)` | adds 1 to a bin. A float is rounded down; a negative number, NaN, and a number from `h.bins` on are outside |
/// | `h.add(bin, weight)` | adds a weight of the histogram's type |
/// | `h.linear(x, from, to)` | the bin of x among bins of equal widths |
/// | `h.logarithmic(x, from, to)` | the same for bins whose ends have equal ratios; `from` must be positive |
/// | `h.between(x, edges, edges_length)` | the same for a slice of ascending edges, one more than there are bins |
/// | `h.bins` | the number of bins |
///
/// A pair may add to several bins, or to none. A bin has its first value and not its end, so x = `to` is outside. Every other x
/// from `from` to `to` is in a bin; near an edge between two bins, rounding decides. Integers are compared as 32-bit floats.
///
/// # How exact it is
///
/// `u64` counts exactly, and weights of 64-bit integers wrap around. `f32` and `f64` weights are added up as doubles, in an
/// order that changes from launch to launch: a bin with p terms is off by at most p × 2⁻⁵³ times the sum of their absolute
/// values. For an `f32` that is less than 10⁻⁶ up to 9 × 10⁹ terms. `deterministic = true` does not support them: round weights
/// to integers instead.
///
/// # How fast it is
///
/// A block counts in shared memory, and adds to the totals once at its end; so blocks are persistent, with the map `walk`. This
/// is for up to 8,191 bins of `u64` or 4,095 of floats in kernels without other outputs of pairs or elements and without
/// features, and for a quarter of that in others. Several histograms of a kernel share the room. With more bins, and in kernels
/// with `#[dot]`, each pair adds to global memory, which is 20 times slower if the pairs are in thousands of bins and more if
/// they are in few. Weights take longer than counts, floats the longest.
pub struct Histogram<T: HistogramValue> {
    /// The bins, and after them the pairs outside of all bins.
    pub(crate) totals: Memory<Total<T>>,
}

/// What a [`Histogram`] adds up: `u64`, `f32` or `f64`.
///
/// ```
/// use td_kernel::{Histogram, HistogramValue, Result};
///
/// fn outside<T: HistogramValue>(parts: &[Histogram<T>]) -> Result<Vec<T>> {
///     parts.iter().map(|part| Ok(part.download()?.outside())).collect()
/// }
/// # let histogram = td_kernel::Device::cpu()?.histogram::<f32>(2)?;
/// # assert_eq!(outside(&[histogram])?, [0.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a `Histogram` cannot hold `{Self}`",
    label = "neither a 64-bit count nor a float",
    note = "write `u64`, `f32` or `f64`"
)]
pub trait HistogramValue: SumScalar + private::Weight {}

impl<T: SumScalar + private::Weight> HistogramValue for T {}

mod private {
    /// A weight. It is private, since the kernels are generated for these types.
    pub trait Weight {}

    impl Weight for u64 {}
    impl Weight for f32 {}
    impl Weight for f64 {}
}

/// The most bins: their number is converted to floats, which are converted to indices of 32 bits.
const MOST_BINS: usize = 1 << 31;

impl Target {
    /// A histogram of this many bins, starting at zero.
    ///
    /// # Errors
    ///
    /// The bins are more than 2³¹, or do not fit the memory; or the device fails.
    pub fn histogram<T: HistogramValue>(&self, bins: usize) -> Result<Histogram<T>> {
        if bins <= MOST_BINS {
            return Ok(Histogram { totals: Memory::zeroed(self.backend(), bins + 1)? });
        }
        Err(Error::arguments(format!(
            "a histogram of {bins} bins is too large: write at most 2,147,483,648"
        )))
    }
}

impl<T: HistogramValue> Histogram<T> {
    /// The number of bins.
    pub fn len(&self) -> usize {
        self.totals.len() - 1
    }

    /// Whether it has no bins.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Downloads the bins, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// Not enough host memory; or the device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<HostHistogram<T>> {
        on_host(&self.totals.download_joined(joined::<T>)?)
    }

    /// Sets all bins back to zero.
    ///
    /// # Errors
    ///
    /// The device failed.
    pub fn clear(&mut self) -> Result<()> {
        self.totals.clear()
    }

    /// The layout of its words.
    fn parts(&self) -> Parted {
        Parted::of_cells(self.totals.len())
    }
}

/// Converts totals, of which the last is for the pairs outside of all bins.
fn on_host<T: HistogramValue>(totals: &[Total<T>]) -> Result<HostHistogram<T>> {
    let (outside, bins) = match totals {
        [bins @ .., outside] => (from_slots::<T>(&[*outside])?, bins),
        [] => (from_slots::<T>(&[])?, totals),
    };
    let mut values = host::with_room(bins.len())?;
    for total in bins {
        values.push(from_slots::<T>(&[*total])?);
    }
    Ok(HostHistogram::new(values, outside))
}

impl<T: HistogramValue> sealed::Output for Histogram<T> {}

impl<T: HistogramValue> PartialResult for Histogram<T> {
    type Output = HostHistogram<T>;

    fn to_bits(&self) -> Result<Vec<u64>> {
        self.parts().words(self.totals.download_joined(joined::<T>)?, None)
    }

    fn join(&self, words: &mut Vec<u64>, others: &[u64]) -> Result<()> {
        self.parts().join(words, others, joined::<T>)
    }

    fn finish(&self, words: &[u64]) -> Result<HostHistogram<T>> {
        on_host(&self.parts().cells::<Total<T>>(words)?.0)
    }
}

impl<T: HistogramValue> fmt::Debug for Histogram<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Histogram").field("len", &self.len()).finish_non_exhaustive()
    }
}
