//! The extreme of all pairs, compared with a closure that gives the value of each pair.

use std::cmp::Ordering;
use std::fmt::Debug;

use super::Failure;
use super::results::Runs;
use super::run::{address, of_every_text};
use crate::{Device, ExtremeValue, Max, Min, Result, Shape};

/// The extreme that a kernel found, for each of its variants: from [`max`] and [`min`].
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn diameter(#[each] x: &[i32], far: &mut Max<i32>) {
///     r#" far.offer(abs(x.i - x.j)); "#
/// }
///
/// let x: Vec<i32> = (0..50).map(|k| k * k % 37).collect();
/// testing::max(x.len(), |device, far| diameter::load(device)?.launch(&device.upload(&x)?, far))?
///     .equals(|i, j| Some((x[i] - x[j]).abs()))?;
/// # Ok::<(), testing::Failure>(())
/// ```
#[must_use = "nothing is compared yet: call `.equals(…)` and return its result"]
pub struct ExtremeOfPairs<T> {
    runs: Runs<Option<(T, u32, u32)>>,
    shape: Shape,
    better: Ordering,
}

impl<T: Copy + Debug + PartialOrd> ExtremeOfPairs<T> {
    /// Checks that the extreme is that of `value(i, j)` over all pairs, with the smallest of its pairs. A pair with `None` or NaN
    /// offers nothing.
    ///
    /// # Errors
    ///
    /// The value or the pair differs.
    pub fn equals(&self, value: impl Fn(usize, usize) -> Option<T>) -> Result<(), Failure> {
        let mut expected: Option<(T, u32, u32)> = None;
        // Pairs are in order, so of equal values the first one counts.
        for [i, j] in self.runs.pairs(self.shape) {
            // Not equal to itself: NaN.
            let Some(value) = value(i, j).filter(|value| value.partial_cmp(value).is_some()) else {
                continue;
            };
            if expected.is_none_or(|(best, ..)| value.partial_cmp(&best) == Some(self.better)) {
                expected = Some((value, i as u32, j as u32));
            }
        }
        match self.runs.results.iter().find(|(_, found)| *found != expected) {
            None => Ok(()),
            Some((variant, found)) => Err(Failure::WrongExtreme {
                kernel: self.runs.kernel,
                variant: variant.as_str().into(),
                found: format!("{found:?}").into(),
                expected: format!("{expected:?}").into(),
            }),
        }
    }
}

/// Runs a kernel that finds the greatest value of all pairs: of n elements, or of two sets, `(rows, columns)`.
///
/// `run` gets a device and a maximum in its memory; it loads the kernel for that device and launches it.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn max<T: ExtremeValue>(
    pairs: impl Into<Shape>,
    run: impl Fn(&Device, &mut Max<T>) -> Result<()>,
) -> Result<ExtremeOfPairs<T>, Failure> {
    let runs = of_every_text(|device| {
        let mut far = device.max()?;
        run(device, &mut far)?;
        Ok((address(far.cells.view()), far.download()?))
    })?;
    Ok(ExtremeOfPairs { runs, shape: pairs.into(), better: Ordering::Greater })
}

/// Runs a kernel that finds the least value of all pairs: of n elements, or of two sets, `(rows, columns)`.
///
/// `run` gets a device and a minimum in its memory; it loads the kernel for that device and launches it.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn min<T: ExtremeValue>(
    pairs: impl Into<Shape>,
    run: impl Fn(&Device, &mut Min<T>) -> Result<()>,
) -> Result<ExtremeOfPairs<T>, Failure> {
    let runs = of_every_text(|device| {
        let mut near = device.min()?;
        run(device, &mut near)?;
        Ok((address(near.cells.view()), near.download()?))
    })?;
    Ok(ExtremeOfPairs { runs, shape: pairs.into(), better: Ordering::Less })
}
