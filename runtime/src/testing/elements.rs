//! Results of elements, compared with a closure over the elements.

use std::fmt::Debug;

use super::Failure;
use super::near::Near;
use super::results::Runs;
use super::run::{address, address_of_sums, of_every_text};
use crate::{Device, Maxima, Minima, OrderedValue, Result, SumElement, Sums};

/// The result of each element, for each variant of a kernel: from [`sums`], [`minima`], [`maxima`] and
/// [`reduce`](super::reduce()).
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn potentials(#[each] x: &[f32], #[each] potential: &mut Sums<f32>) {
///     r#" float p = 1 / fabsf(x.i - x.j); potential.i += p; potential.j += p; "#
/// }
///
/// let x: Vec<f32> = (0..50).map(|k| (k * k) as f32 / 7.0).collect();
/// let of = |i: usize| {
///     let others = (0..x.len()).filter(|j| *j != i);
///     others.map(|j| 1.0 / f64::from((x[i] - x[j]).abs())).sum::<f64>() as f32
/// };
/// testing::sums(x.len(), |device, potential| {
///     potentials::load(device)?.launch(&device.upload(&x)?, potential)
/// })?
/// .within(1e-5, of)?;
/// # Ok::<(), testing::Failure>(())
/// ```
#[must_use = "nothing is compared yet: call `.equals(…)`, `.within(…)` or `.compare(…)` and return its result"]
pub struct ElementResults<T> {
    pub(super) runs: Runs<Vec<T>>,
}

impl<T: Clone + Debug> ElementResults<T> {
    /// Checks that the result of each element is `expected(element)`.
    ///
    /// # Errors
    ///
    /// Some results differ: the error has the first one, and their number.
    pub fn equals(&self, expected: impl Fn(usize) -> T) -> Result<(), Failure>
    where
        T: PartialEq,
    {
        self.compare(expected, |found, expected| found == expected)
    }

    /// Checks that the result of each element differs from `expected(element)` by at most `tolerance` times that, or by
    /// `tolerance` if that is less than 1; for a vector, each component. If a value comes with an element's index, the index
    /// must be equal.
    ///
    /// # Errors
    ///
    /// Some results differ: the error has the first one, and their number.
    pub fn within(&self, tolerance: f64, expected: impl Fn(usize) -> T) -> Result<(), Failure>
    where
        T: Near,
    {
        self.compare(expected, |found, expected| found.is_near(expected, tolerance))
    }

    /// Checks that `is_right(&found, &expected(element))` is true for the result of each element.
    ///
    /// # Errors
    ///
    /// Some results differ: the error has the first one, and their number.
    pub fn compare(
        &self,
        expected: impl Fn(usize) -> T,
        is_right: impl Fn(&T, &T) -> bool,
    ) -> Result<(), Failure> {
        for (variant, results) in &self.runs.results {
            let mut wrong = results.iter().enumerate().filter_map(|(element, found)| {
                let expected = expected(element);
                (!is_right(found, &expected)).then_some((element, found, expected))
            });
            if let Some((element, found, expected)) = wrong.next() {
                return Err(Failure::WrongElement {
                    set: None,
                    kernel: self.runs.kernel,
                    variant: variant.as_str().into(),
                    element,
                    found: format!("{found:?}").into(),
                    expected: format!("{expected:?}").into(),
                    wrong: 1 + wrong.count(),
                    all: results.len(),
                });
            }
        }
        Ok(())
    }
}

/// Runs a kernel that computes a sum for each of `elements` elements: those of one set, or of one of two sets.
///
/// `run` gets a device and sums in its memory; it loads the kernel for that device and launches it. The given sums are
/// compared; the kernel may have other outputs.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn sums<T: SumElement>(
    elements: usize,
    run: impl Fn(&Device, &mut Sums<T>) -> Result<()>,
) -> Result<ElementResults<T>, Failure> {
    let runs = of_every_text(|device| {
        let mut sums: Sums<T> = device.sums(elements)?;
        run(device, &mut sums)?;
        let address = address_of_sums(sums.exact.as_ref(), &sums.cells.memory);
        Ok((address, sums.download()?))
    })?;
    Ok(ElementResults { runs })
}

/// Runs a kernel that finds the minimum for each of `elements` elements: those of one set, or of one of two sets.
///
/// `run` gets a device and minima in its memory; it loads the kernel for that device and launches it.
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn nearest(#[each] x: &[i32], #[each] near: &mut Minima<(i32, u32)>) {
///     r#" near.offer(x.i > x.j ? x.i - x.j : x.j - x.i); "#
/// }
///
/// let x: Vec<i32> = (0..50).map(|k| k * 7 % 50).collect();
/// testing::minima(x.len(), |device, near| nearest::load(device)?.launch(&device.upload(&x)?, near))?
///     .equals(|i| {
///         let others = (0..x.len()).filter(|j| *j != i);
///         others.map(|j| ((x[i] - x[j]).abs(), j as u32)).min()
///     })?;
/// # Ok::<(), testing::Failure>(())
/// ```
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn minima<T: OrderedValue>(
    elements: usize,
    run: impl Fn(&Device, &mut Minima<T>) -> Result<()>,
) -> Result<ElementResults<T::Found>, Failure> {
    let runs = of_every_text(|device| {
        let mut minima: Minima<T> = device.minima(elements)?;
        run(device, &mut minima)?;
        Ok((address(minima.cells.memory.view()), minima.download()?))
    })?;
    Ok(ElementResults { runs })
}

/// Runs a kernel that finds the maximum for each of `elements` elements: those of one set, or of one of two sets.
///
/// `run` gets a device and maxima in its memory; it loads the kernel for that device and launches it.
///
/// # Errors
///
/// The error of `run`, or it launched no kernel with the given output.
pub fn maxima<T: OrderedValue>(
    elements: usize,
    run: impl Fn(&Device, &mut Maxima<T>) -> Result<()>,
) -> Result<ElementResults<T::Found>, Failure> {
    let runs = of_every_text(|device| {
        let mut maxima: Maxima<T> = device.maxima(elements)?;
        run(device, &mut maxima)?;
        Ok((address(maxima.cells.memory.view()), maxima.download()?))
    })?;
    Ok(ElementResults { runs })
}
