//! Stored values and totals of a kernel, compared with a closure over all pairs.

use std::fmt::Debug;

use super::Failure;
use super::near::is_near;
use crate::Shape;

/// Two ways to `compare`: with values that are the same, and with those that are near.
macro_rules! comparisons {
    (
        $(#[$about_equals:meta])* equals($($equal:tt)*),
        $(#[$about_within:meta])* within($($near:tt)*),
    ) => {
        $(#[$about_equals])*
        pub fn equals(&self, expected: impl $($equal)*) -> Result<(), Failure>
        where
            T: PartialEq,
        {
            self.compare(expected, |found, expected| found == expected)
        }

        $(#[$about_within])*
        pub fn within(&self, tolerance: f64, expected: impl $($near)*) -> Result<(), Failure>
        where
            T: super::Near,
        {
            self.compare(expected, |found, expected| found.is_near(&expected, tolerance))
        }
    };
}
pub(super) use comparisons;

/// The results of a kernel for each of its variants.
pub(super) struct Runs<R> {
    pub(super) kernel: &'static str,
    /// Whether the kernel visits the pairs (i, i).
    pub(super) diagonal: bool,
    /// The variants, by map, sweep and tile, each with its result.
    pub(super) results: Vec<(String, R)>,
}

impl<R> Runs<R> {
    /// The pairs of a shape that the kernel visits.
    pub(super) fn pairs(&self, shape: Shape) -> impl Iterator<Item = [usize; 2]> + use<R> {
        let shape = if self.diagonal { shape.with_diagonal() } else { shape };
        shape.rows().flat_map(move |i| (0..shape.columns(i)).map(move |j| [i, j]))
    }
}

/// The values that a kernel stored for every pair, for each of its variants: from [`packed`](super::packed()),
/// [`square`](super::square()) and [`matrix`](super::matrix()).
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn product(#[each] x: &[i32], products: &mut Square<i32>) {
///     r#" products = x.i * x.j; "#
/// }
///
/// let x: Vec<i32> = (0..50).collect();
/// let products = testing::square(x.len(), |device, products| {
///     product::load(device)?.launch(&device.upload(&x)?, products)
/// })?;
/// products.equals(|i, j| x[i] * x[j])?;
/// # Ok::<(), testing::Failure>(())
/// ```
#[must_use = "nothing is compared yet: call `.equals(…)`, `.within(…)` or `.compare(…)` and return its result"]
pub struct Stored<T> {
    pub(super) runs: Runs<Vec<([usize; 2], T)>>,
    /// Whether (i, j) and (j, i) are one pair, with its larger index first.
    pub(super) is_symmetric: bool,
}

impl<T: Copy + Debug> Stored<T> {
    comparisons! {
        /// Checks that each value is `expected(i, j)`, with i > j; or i >= j, for a kernel with the diagonal. For two sets, i is
        /// the row and j the column.
        ///
        /// # Errors
        ///
        /// Some values differ: the error has the first one, and their number.
        equals(Fn(usize, usize) -> T),

        /// Checks that each value differs from `expected(i, j)` by at most `tolerance` times that, or by `tolerance` if that is
        /// less than 1; for a vector, each component.
        ///
        /// # Errors
        ///
        /// Some values differ: the error has the first one, and their number.
        within(Fn(usize, usize) -> T),
    }

    /// Checks that `is_right(found, expected(i, j))` is true for each value.
    ///
    /// # Errors
    ///
    /// Some values differ: the error has the first one, and their number.
    pub fn compare(
        &self,
        expected: impl Fn(usize, usize) -> T,
        is_right: impl Fn(T, T) -> bool,
    ) -> Result<(), Failure> {
        for (variant, values) in &self.runs.results {
            let mut wrong = values.iter().filter_map(|&([i, j], found)| {
                let (larger, smaller) = (i.max(j), i.min(j));
                let expected =
                    if self.is_symmetric { expected(larger, smaller) } else { expected(i, j) };
                (!is_right(found, expected)).then_some(([i, j], found, expected))
            });
            if let Some((pair, found, expected)) = wrong.next() {
                return Err(Failure::Differs {
                    kernel: self.runs.kernel,
                    variant: variant.as_str().into(),
                    set: None,
                    pair,
                    found: format!("{found:?}").into(),
                    expected: format!("{expected:?}").into(),
                    wrong: 1 + wrong.count(),
                    all: values.len(),
                });
            }
        }
        Ok(())
    }
}

/// The total that a kernel computed, for each of its variants: from [`sum`](super::sum()).
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn energy(#[each] q: &[f32], total: &mut Sum<f32>) {
///     r#" total += q.i * q.j; "#
/// }
///
/// let q: Vec<f32> = (0..50).map(|k| k as f32 / 7.0).collect();
/// testing::sum(q.len(), |device, total| energy::load(device)?.launch(&device.upload(&q)?, total))?
///     .within(1e-5, |i, j| q[i] * q[j])?;
/// # Ok::<(), testing::Failure>(())
/// ```
#[must_use = "nothing is compared yet: call `.equals(…)` or `.within(…)` and return its result"]
pub struct Total<T> {
    pub(super) runs: Runs<T>,
    pub(super) shape: Shape,
}

impl<T: Copy + Debug> Total<T> {
    /// Checks that the total is that of `term(i, j)` over all pairs. For totals of integers.
    ///
    /// # Errors
    ///
    /// The total differs.
    pub fn equals(&self, term: impl Fn(usize, usize) -> T) -> Result<(), Failure>
    where
        T: Into<i128>,
    {
        let expected: i128 = self.runs.pairs(self.shape).map(|[i, j]| term(i, j).into()).sum();
        self.compare(expected, |found| found.into() == expected)
    }

    /// Checks that the total differs from that of `term(i, j)` over all pairs by at most `tolerance` times that, or by
    /// `tolerance` if that is less than 1.
    ///
    /// # Errors
    ///
    /// The total differs.
    pub fn within(&self, tolerance: f64, term: impl Fn(usize, usize) -> T) -> Result<(), Failure>
    where
        T: Into<f64>,
    {
        let expected: f64 = self.runs.pairs(self.shape).map(|[i, j]| term(i, j).into()).sum();
        self.compare(expected, |found| is_near(found.into(), expected, tolerance))
    }

    fn compare(&self, expected: impl Debug, is_right: impl Fn(T) -> bool) -> Result<(), Failure> {
        match self.runs.results.iter().find(|(_, found)| !is_right(*found)) {
            None => Ok(()),
            Some((variant, found)) => Err(Failure::WrongTotal {
                kernel: self.runs.kernel,
                variant: variant.as_str().into(),
                found: format!("{found:?}").into(),
                expected: format!("{expected:?}").into(),
            }),
        }
    }
}
