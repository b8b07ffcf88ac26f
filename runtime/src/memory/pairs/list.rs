//! A list of pairs on the host.

use super::Csr;
use crate::error::counted;
use crate::host::methods::length;
use crate::{Error, Result, Shape, host};

/// Pairs on the host, each with a value or with `()`: from [`Pairs::download`](crate::Pairs::download).
///
/// ```
/// use td_kernel::HostPairs;
///
/// let list = HostPairs::from_vecs(vec![[2, 0], [1, 0]], vec![0.5, 0.25])?;
/// for ([i, j], value) in list.iter() {
///     assert_eq!(*value, f64::from(i) / 4.0 + f64::from(j));
/// }
/// // Sorted by i, then by j: the same order in every run.
/// let list = list.sorted()?;
/// assert_eq!((list.pairs(), list.values()), (&[[1, 0], [2, 0]][..], &[0.25, 0.5][..]));
///
/// // Without values.
/// let list = HostPairs::from(vec![[2, 0], [1, 0]]);
/// assert_eq!(list.to_csr(3)?.neighbours_of(0), Some(&[1, 2][..]));
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct HostPairs<T = ()> {
    pub(super) pairs: Vec<[u32; 2]>,
    pub(super) values: Vec<T>,
    /// Whether a kernel over `Sets` pushed them, so that indices count within a set.
    pub(crate) is_of_sets: bool,
}

/// An error if the indices of pairs count within one of many sets.
pub(crate) fn expect_one_set(is_of_sets: bool) -> Result<()> {
    match is_of_sets {
        false => Ok(()),
        true => Err(Error::arguments(
            "the pairs were pushed by a kernel over `Sets`, so their indices count within a set: split the download by set, and pass the pairs of each set to `HostPairs::from_vecs`",
        )),
    }
}

/// Equal pairs and values, in the same order.
impl<T: PartialEq> PartialEq for HostPairs<T> {
    fn eq(&self, other: &Self) -> bool {
        self.pairs == other.pairs && self.values == other.values
    }
}

impl<T: Eq> Eq for HostPairs<T> {}

impl From<Vec<[u32; 2]>> for HostPairs {
    fn from(pairs: Vec<[u32; 2]>) -> Self {
        let values = vec![(); pairs.len()];
        HostPairs { pairs, values, is_of_sets: false }
    }
}

impl<T> HostPairs<T> {
    /// These pairs with these values.
    ///
    /// # Errors
    ///
    /// The vectors differ in length.
    pub fn from_vecs(pairs: Vec<[u32; 2]>, values: Vec<T>) -> Result<Self> {
        if pairs.len() != values.len() {
            return Err(Error::arguments(format!(
                "the list has {} and {}: pass equally many of each",
                counted(pairs.len(), "pair"),
                counted(values.len(), "value")
            )));
        }
        Ok(HostPairs { pairs, values, is_of_sets: false })
    }

    length!(self, "pairs", self.pairs.len());

    /// The pairs `[i, j]`: the larger index first for one set, the row first for two sets.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// The value of each pair.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The pairs and their values.
    pub fn into_vecs(self) -> (Vec<[u32; 2]>, Vec<T>) {
        (self.pairs, self.values)
    }

    /// Each pair as `([i, j], value)`.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ([u32; 2], &T)> {
        self.pairs.iter().copied().zip(&self.values)
    }

    /// Sorts the pairs by i, then by j. Threads push in any order; this order is the same in every run. (If a pair is on the
    /// list twice, as after two launches, its values keep the order of the list.)
    ///
    /// ```
    /// use td_kernel::HostPairs;
    ///
    /// let list = HostPairs::from_vecs(vec![[3, 1], [2, 0], [3, 0]], vec!['c', 'a', 'b'])?.sorted()?;
    /// assert_eq!((list.pairs(), list.values()), (&[[2, 0], [3, 0], [3, 1]][..], &['a', 'b', 'c'][..]));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn sorted(mut self) -> Result<Self> {
        let HostPairs { pairs, values, .. } = &mut self;
        if size_of::<T>() == 0 {
            pairs.sort_unstable();
            return Ok(self);
        }
        // The pair that moves to each position.
        let mut order = host::collected(values.len(), 0..values.len())?;
        // Unlike a stable sort, this one allocates nothing.
        order.sort_unstable_by_key(|at| (pairs[*at], *at));
        // Applies the permutation cycle by cycle, by swaps.
        for first in 0..order.len() {
            let mut at = first;
            while order[at] != first {
                let next = order[at];
                pairs.swap(at, next);
                values.swap(at, next);
                order[at] = at;
                at = next;
            }
            order[at] = at;
        }
        Ok(self)
    }
}

impl<T: Clone> HostPairs<T> {
    /// The symmetric graph of this many elements, with the values of the pairs. Each pair is stored at both of its elements,
    /// and a pair (i, i), which only kernels with the diagonal push, once.
    ///
    /// ```
    /// use td_kernel::HostPairs;
    ///
    /// let list = HostPairs::from_vecs(vec![[3, 1], [2, 0], [3, 0]], vec![31, 20, 30])?;
    /// let graph = list.to_csr(4)?;
    /// assert_eq!(graph.offsets(), [0, 2, 3, 4, 6]);
    /// assert_eq!(graph.neighbours(), [2, 3, 3, 0, 0, 1]);
    /// assert_eq!(graph.values(), [20, 30, 31, 20, 30, 31]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// With the shape of two sets, row i has the columns of its pairs:
    ///
    /// ```
    /// use td_kernel::HostPairs;
    ///
    /// let list = HostPairs::from_vecs(vec![[1, 4], [0, 2], [1, 0]], vec![14, 2, 10])?;
    /// let rows = list.to_csr((2, 5))?;
    /// assert_eq!((rows.offsets(), rows.neighbours()), (&[0, 1, 3][..], &[2, 0, 4][..]));
    /// assert_eq!(rows.row(1), Some((&[0, 4][..], &[10, 14][..])));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An index is outside the shape; a kernel over `Sets` pushed the pairs; or there is not enough memory.
    pub fn to_csr(&self, shape: impl Into<Shape>) -> Result<Csr<T>> {
        expect_one_set(self.is_of_sets)?;
        Csr::from_pairs(&shape.into(), self.iter())
    }
}
