//! The lists of a kernel, compared with a closure over all pairs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use super::Failure;
use super::results::{Runs, comparisons};
use super::words::{LISTED, LISTED_AGAIN, LISTED_ONCE, NOT_LISTED};
use crate::{HostPairs, Shape};

/// The pairs that a kernel listed, for each of its variants: from [`pairs`](super::pairs()).
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &[f32], hits: &mut Pairs) {
///     r#" if (fabsf(x.i - x.j) < 3) hits.push(); "#
/// }
///
/// let x: Vec<f32> = (0..50).map(|k| k as f32).collect();
/// testing::pairs(x.len(), |device, hits| close::load(device)?.launch(&device.upload(&x)?, hits))?
///     .equals(|i, j| i - j < 3)?;
/// # Ok::<(), testing::Failure>(())
/// ```
#[must_use = "nothing is compared yet: call `.equals(…)` and return its result"]
pub struct Listed {
    pub(super) runs: Runs<HostPairs>,
    pub(super) shape: Shape,
}

impl Listed {
    /// Checks that the list has the pairs for which `belongs(i, j)` is true, each once, and no others.
    ///
    /// # Errors
    ///
    /// The list differs: the error has the first pair that is missing, extra or repeated, and their number.
    pub fn equals(&self, belongs: impl Fn(usize, usize) -> bool) -> Result<(), Failure> {
        let all = self.runs.pairs(self.shape);
        let expected: BTreeSet<_> = all.filter(|[i, j]| belongs(*i, *j)).collect();
        for (variant, list) in &self.runs.results {
            let list: Vec<[usize; 2]> =
                list.pairs().iter().map(|pair| pair.map(|k| k as usize)).collect();
            let found: BTreeSet<_> = list.iter().copied().collect();
            let different: Vec<_> = found.symmetric_difference(&expected).collect();
            let repeated = list.len() - found.len();
            let wrong = match different.first() {
                Some(pair) if found.contains(*pair) => Some((**pair, LISTED, NOT_LISTED)),
                Some(pair) => Some((**pair, NOT_LISTED, LISTED)),
                None if repeated > 0 => {
                    repetition(&list).map(|pair| (pair, LISTED_AGAIN, LISTED_ONCE))
                }
                None => None,
            };
            if let Some((pair, found, expected)) = wrong {
                return Err(Failure::Differs {
                    kernel: self.runs.kernel,
                    variant: variant.as_str().into(),
                    set: None,
                    pair,
                    found: found.into(),
                    expected: expected.into(),
                    wrong: different.len() + repeated,
                    all: self.runs.pairs(self.shape).count(),
                });
            }
        }
        Ok(())
    }
}

/// The pairs that a kernel listed with values, for each of its variants: from [`pairs_with_values`](super::pairs_with_values()).
///
/// ```
/// use td_kernel::{td_kernel, testing};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &[f32], hits: &mut Pairs<f32>) {
///     r#"
///     float distance = fabsf(x.i - x.j);
///     if (distance < 3) hits.push(distance);
///     "#
/// }
///
/// let x: Vec<f32> = (0..50).map(|k| k as f32).collect();
/// let listed = testing::pairs_with_values(x.len(), |device, hits| {
///     close::load(device)?.launch(&device.upload(&x)?, hits)
/// })?;
/// // `None` for a pair that is not listed.
/// listed.within(1e-6, |i, j| (i - j < 3).then(|| x[i] - x[j]))?;
/// # Ok::<(), testing::Failure>(())
/// ```
#[must_use = "nothing is compared yet: call `.equals(…)`, `.within(…)` or `.compare(…)` and return its result"]
pub struct ListedValues<T> {
    pub(super) runs: Runs<HostPairs<T>>,
    pub(super) shape: Shape,
}

impl<T: Copy + Debug> ListedValues<T> {
    comparisons! {
        /// Checks that the list has the pairs for which `expected(i, j)` is a value, each once and with that value, and no others.
        ///
        /// # Errors
        ///
        /// The list differs: the error has the first pair that is missing, extra, repeated or has another value, and their number.
        equals(Fn(usize, usize) -> Option<T>),

        /// Checks that the list has the pairs for which `expected(i, j)` is a value, each once, and no others; and that each value
        /// differs from the expected one by at most `tolerance` times that, or by `tolerance` if that is less than 1; for a vector,
        /// each component.
        ///
        /// # Errors
        ///
        /// The list differs: the error has the first pair that is missing, extra, repeated or has another value, and their number.
        within(Fn(usize, usize) -> Option<T>),
    }

    /// Checks that the list has the pairs for which `expected(i, j)` is a value, each once, and no others; and that
    /// `is_right(found, expected)` is true for each value.
    ///
    /// # Errors
    ///
    /// The list differs: the error has the first pair that is missing, extra, repeated or has another value, and their number.
    pub fn compare(
        &self,
        expected: impl Fn(usize, usize) -> Option<T>,
        is_right: impl Fn(T, T) -> bool,
    ) -> Result<(), Failure> {
        for (variant, list) in &self.runs.results {
            let mut found: BTreeMap<[usize; 2], Vec<T>> = BTreeMap::new();
            for (pair, value) in list.iter() {
                found.entry(pair.map(|k| k as usize)).or_default().push(*value);
            }
            // The kernel's pairs in order. The rest of the list are not its pairs.
            let mut wrong = Vec::new();
            for pair @ [i, j] in self.runs.pairs(self.shape) {
                let expected = expected(i, j);
                let values = found.remove(&pair).unwrap_or_default();
                let is_right = match (values.as_slice(), expected) {
                    ([], None) => true,
                    ([value], Some(expected)) => is_right(*value, expected),
                    _ => false,
                };
                if !is_right {
                    wrong.push((pair, values, expected));
                }
            }
            wrong.extend(found.into_iter().map(|(pair, values)| (pair, values, None)));
            if let Some((pair, found, expected)) = wrong.first() {
                return Err(Failure::Differs {
                    kernel: self.runs.kernel,
                    variant: variant.as_str().into(),
                    set: None,
                    pair: *pair,
                    found: listed(found).into(),
                    expected: listed(expected.as_slice()).into(),
                    wrong: wrong.len(),
                    all: self.runs.pairs(self.shape).count(),
                });
            }
        }
        Ok(())
    }
}

/// Describes how a pair is listed.
fn listed<T: Debug>(values: &[T]) -> String {
    match values {
        [] => NOT_LISTED.to_owned(),
        [value] => format!("{value:?}"),
        values => format!("{values:?}, listed {} times", values.len()),
    }
}

/// The first repeated pair of the list.
fn repetition(list: &[[usize; 2]]) -> Option<[usize; 2]> {
    let mut seen = BTreeSet::new();
    list.iter().copied().find(|pair| !seen.insert(*pair))
}
