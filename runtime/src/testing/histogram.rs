//! Histograms, compared with a closure that gives the bin of each pair.

use std::fmt::Debug;

use super::Failure;
use super::near::is_near;
use super::results::Runs;
use super::run::{address_of_sums, of_every_text};
use crate::{Device, Histogram, HistogramValue, HostHistogram, Result, Shape};

/// The histogram that a kernel computed, for each of its variants: from [`histogram`].
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn remainders(#[each] x: &[u32], h: &mut Histogram<u64>) {
///     r#" h.add((x.i + x.j) % 8); "#
/// }
///
/// let x: Vec<u32> = (0..50).map(|k| k * k).collect();
/// testing::histogram(x.len(), 7, |device, h| {
///     remainders::load(device)?.launch(&device.upload(&x)?, h)
/// })?
/// .equals(|i, j| ((x[i] + x[j]) % 8) as usize)?;
/// # Ok::<(), testing::Failure>(())
/// ```
#[must_use = "nothing is compared yet: call `.equals(…)` or `.within(…)` and return its result"]
pub struct Binned<T> {
    runs: Runs<HostHistogram<T>>,
    shape: Shape,
    bins: usize,
}

impl<T: Copy + Debug> Binned<T> {
    /// Checks that each bin has the pairs for which `bin(i, j)` is its index. Larger indices are outside of all bins. For a body
    /// that adds 1 for each pair.
    ///
    /// # Errors
    ///
    /// Some bins differ: the error has the first one, and their number.
    pub fn equals(&self, bin: impl Fn(usize, usize) -> usize) -> Result<(), Failure>
    where
        T: Into<u64>,
    {
        self.compare(|i, j| (bin(i, j), 1_u64), |found, expected| found.into() == expected)
    }

    /// Checks that each bin differs from the weights `(bin, weight)` of its pairs by at most `tolerance` times their sum, or by
    /// `tolerance` if that is less than 1. Larger indices are outside of all bins.
    ///
    /// # Errors
    ///
    /// Some bins differ: the error has the first one, and their number.
    pub fn within(
        &self,
        tolerance: f64,
        weight: impl Fn(usize, usize) -> (usize, f64),
    ) -> Result<(), Failure>
    where
        T: Into<f64>,
    {
        self.compare(weight, |found, expected| is_near(found.into(), expected, tolerance))
    }

    fn compare<W: Copy + Debug + Default + std::ops::AddAssign>(
        &self,
        weight: impl Fn(usize, usize) -> (usize, W),
        is_right: impl Fn(T, W) -> bool,
    ) -> Result<(), Failure> {
        let mut expected = vec![W::default(); self.bins + 1];
        for [i, j] in self.runs.pairs(self.shape) {
            let (bin, weight) = weight(i, j);
            expected[bin.min(self.bins)] += weight;
        }
        for (variant, found) in &self.runs.results {
            let found = found.as_slice().iter().copied().chain([found.outside()]);
            let all = found.zip(&expected).enumerate();
            let mut wrong = all.filter(|(_, (found, expected))| !is_right(*found, **expected));
            if let Some((bin, (found, expected))) = wrong.next() {
                return Err(Failure::WrongBin {
                    kernel: self.runs.kernel,
                    variant: variant.as_str().into(),
                    bin: Some(bin).filter(|bin| *bin < self.bins),
                    found: format!("{found:?}").into(),
                    expected: format!("{expected:?}").into(),
                    wrong: 1 + wrong.count(),
                    all: self.bins + 1,
                });
            }
        }
        Ok(())
    }
}

/// Runs a kernel that counts pairs by bin, or adds up their weights: of n elements, or of two sets, `(rows, columns)`.
///
/// `run` gets a device and a histogram of this many bins in its memory; it loads the kernel for that device and launches it.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn histogram<T: HistogramValue>(
    pairs: impl Into<Shape>,
    bins: usize,
    run: impl Fn(&Device, &mut Histogram<T>) -> Result<()>,
) -> Result<Binned<T>, Failure> {
    let runs = of_every_text(|device| {
        let mut histogram = device.histogram(bins)?;
        run(device, &mut histogram)?;
        let address = address_of_sums(histogram.exact.as_ref(), &histogram.totals);
        Ok((address, histogram.download()?))
    })?;
    Ok(Binned { runs, shape: pairs.into(), bins })
}
