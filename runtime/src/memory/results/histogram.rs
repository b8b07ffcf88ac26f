//! Counts or weights of all pairs by bin.

use crate::host::histogram::HostHistogram;
use crate::host::methods::{clear, debug, length};
use crate::memory::Memory;
use crate::memory::addend::Total;
use crate::memory::exact::Exact;
use crate::memory::partial_result::{Parted, PartialResult, sealed};
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
/// values. For an `f32` that is less than 10⁻⁶ up to 9 × 10⁹ terms.
///
/// With `#[td_kernel(deterministic = true)]` each weight is added exactly, as an integer of many digits, and a download rounds a bin
/// once. So bins have the same bits in every run, in every sweep and on every map, on any number of devices and in chunks. Infinite
/// weights make their bin infinite; those of both signs and NaN make it NaN. A bin takes 88 bytes of memory for `f32` and 544 for
/// `f64`. Each pair adds to global memory, so these kernels are much slower, most of all with few bins.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// The products of all pairs, by whether one of them is negative.
/// #[td_kernel(deterministic = true)]
/// unsafe fn products(#[each] x: &[f32], h: &mut Histogram<f32>) {
///     r#" h.add(x.i < 0 || x.j < 0, x.i * x.j); "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[1e20, 1.0, -1e20, 1e-20])?;
/// let mut h = device.histogram(2)?;
/// products::load(&device)?.launch(&x, &mut h)?;
/// // 1e20 + 1e-20 + 1, and -1e40, which is beyond the range, -1e20 and -1.
/// assert_eq!(h.download()?.as_slice(), [1e20, f32::NEG_INFINITY]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
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
    /// The exact sums of kernels with `deterministic = true`, after the first launch of one.
    pub(crate) exact: Option<Exact>,
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
    use crate::memory::exact::Digits;

    /// A weight. It is private, since the kernels are generated for these types.
    pub trait Weight {
        /// The digits of an exact sum; `None` for integers.
        const DIGITS: Option<Digits>;
    }

    impl Weight for u64 {
        const DIGITS: Option<Digits> = None;
    }
    impl Weight for f32 {
        const DIGITS: Option<Digits> = Some(Digits::OF_F32);
    }
    impl Weight for f64 {
        const DIGITS: Option<Digits> = Some(Digits::OF_F64);
    }
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
        let totals = Memory::zeroed(self.backend(), counters(bins)?)?;
        Ok(Histogram { totals, exact: None })
    }
}

/// The counters of a histogram of this many bins: the last one is for what is outside of them.
fn counters(bins: usize) -> Result<usize> {
    match bins <= MOST_BINS {
        true => Ok(bins + 1),
        false => Err(Error::arguments(format!(
            "a histogram of {bins} bins is too large: write at most 2,147,483,648"
        ))),
    }
}

impl<T: HistogramValue> Histogram<T> {
    length!(self, "bins", self.totals.len() - 1);

    /// Downloads the bins, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// Not enough host memory; or the device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<HostHistogram<T>> {
        let exact = self.exact.as_ref();
        on_host(&Exact::download_summed(exact, &self.totals, T::joined, T::plus)?)
    }

    clear!(self, "Sets all bins back to zero.", {
        Exact::clear(&mut self.exact)?;
        self.totals.clear()
    });

    /// The layout of its words.
    fn parts(&self) -> Parted {
        let cells = self.totals.len();
        Parted { cells, sums: cells, digits: <T as private::Weight>::DIGITS }
    }

    /// The exact sums, allocated by the first call; `None` for integers.
    pub(crate) fn exact(&mut self, device: &Target) -> Result<Option<&mut Exact>> {
        let Some(digits) = <T as private::Weight>::DIGITS else { return Ok(None) };
        Exact::of(&mut self.exact, device.backend(), [self.totals.len(), 1], digits).map(Some)
    }
}

/// Converts totals, of which the last is for the pairs outside of all bins.
fn on_host<T: HistogramValue>(totals: &[Total<T>]) -> Result<HostHistogram<T>> {
    let (outside, bins) = match totals {
        [bins @ .., outside] => (T::from_slots(&[*outside])?, bins),
        [] => (T::from_slots(&[])?, totals),
    };
    let mut values = host::with_room(bins.len())?;
    for total in bins {
        values.push(T::from_slots(&[*total])?);
    }
    Ok(HostHistogram::new(values, outside))
}

impl<T: HistogramValue> sealed::Output for Histogram<T> {}

impl<T: HistogramValue> PartialResult for Histogram<T> {
    type Output = HostHistogram<T>;

    fn to_bits(&self) -> Result<Vec<u64>> {
        let totals = self.totals.download_joined(T::joined)?;
        self.parts().words(totals, self.exact.as_ref())
    }

    fn join(&self, words: &mut Vec<u64>, others: &[u64]) -> Result<()> {
        self.parts().join(words, others, T::joined)
    }

    fn finish(&self, words: &[u64]) -> Result<HostHistogram<T>> {
        on_host(&self.parts().summed(words, T::plus)?)
    }
}

debug!([T: HistogramValue] Histogram<T>: len);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_at_most_two_to_the_31() -> Result<()> {
        assert_eq!(counters(1 << 31)?, (1 << 31) + 1);
        let error = Target::from(crate::Device::cpu()?).histogram::<u64>((1 << 31) + 1);
        let error = error.map(drop).unwrap_err().to_string();
        let expected = "a histogram of 2147483649 bins is too large: write at most 2,147,483,648";
        assert!(error.contains(expected), "{error}");
        Ok(())
    }
}
