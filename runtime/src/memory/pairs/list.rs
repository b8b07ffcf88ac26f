//! A list of pairs with values on the host.

use super::Csr;
use crate::{Error, Result, Shape, host};

/// Pairs with values on the host, as three vectors of the same length (COO): from [`Pairs::download`](crate::Pairs::download).
///
/// ```
/// use td_kernel::HostPairs;
///
/// let list = HostPairs::from_vecs(vec![2, 1], vec![0, 0], vec![0.5, 0.25])?;
/// assert_eq!((list.i(), list.j(), list.values()), (&[2, 1][..], &[0, 0][..], &[0.5, 0.25][..]));
/// for ([i, j], value) in list.iter() {
///     assert_eq!(*value, f64::from(i) / 4.0 + f64::from(j));
/// }
/// // Sorted by i, then by j: the same order in every run.
/// let (i, j, values) = list.sorted()?.into_vecs();
/// assert_eq!((i, j, values), (vec![1, 2], vec![0, 0], vec![0.25, 0.5]));
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPairs<T> {
    pub(super) i: Vec<u32>,
    pub(super) j: Vec<u32>,
    pub(super) values: Vec<T>,
}

impl<T> HostPairs<T> {
    /// A list whose pair number p has `i[p]`, `j[p]` and `values[p]`.
    ///
    /// # Errors
    ///
    /// The vectors differ in length.
    pub fn from_vecs(i: Vec<u32>, j: Vec<u32>, values: Vec<T>) -> Result<Self> {
        let lengths = (i.len(), j.len(), values.len());
        if lengths.0 != lengths.1 || lengths.1 != lengths.2 {
            let (i, j, values) = lengths;
            return Err(Error::arguments(format!(
                "the list of pairs has {i} first indices, {j} second indices and {values} values: pass equally many of each"
            )));
        }
        Ok(HostPairs { i, j, values })
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The first index of each pair: the larger one for one set, the row for two sets.
    pub fn i(&self) -> &[u32] {
        &self.i
    }

    /// The second index of each pair: the smaller one for one set, the column for two sets.
    pub fn j(&self) -> &[u32] {
        &self.j
    }

    /// The value of each pair.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The vectors of i, j and values.
    pub fn into_vecs(self) -> (Vec<u32>, Vec<u32>, Vec<T>) {
        (self.i, self.j, self.values)
    }

    /// Each pair as `([i, j], value)`.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ([u32; 2], &T)> {
        let indices = self.i.iter().zip(&self.j);
        indices.zip(&self.values).map(|((i, j), value)| ([*i, *j], value))
    }

    /// Sorts the pairs by i, then by j. Threads push in any order; this order is the same in every run. (If a pair is on the
    /// list twice, as after two launches, its values keep the order of the list.)
    ///
    /// ```
    /// use td_kernel::HostPairs;
    ///
    /// let list = HostPairs::from_vecs(vec![3, 2, 3], vec![1, 0, 0], vec!['c', 'a', 'b'])?.sorted()?;
    /// assert_eq!((list.i(), list.j(), list.values()), (&[2, 3, 3][..], &[0, 0, 1][..], &['a', 'b', 'c'][..]));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// There is not enough memory.
    pub fn sorted(mut self) -> Result<Self> {
        let HostPairs { i, j, values } = &mut self;
        // The pair that moves to each position.
        let mut order = host::collected(values.len(), 0..values.len())?;
        // Unlike a stable sort, this one allocates nothing.
        order.sort_unstable_by_key(|at| (i[*at], j[*at], *at));
        // Applies the permutation cycle by cycle, by swaps.
        for first in 0..order.len() {
            let mut at = first;
            while order[at] != first {
                let next = order[at];
                i.swap(at, next);
                j.swap(at, next);
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
    /// The symmetric graph of `elements` elements, with the values of the pairs. Each pair is stored at both of its elements,
    /// and a pair (i, i), which only kernels with the diagonal push, once.
    ///
    /// ```
    /// use td_kernel::HostPairs;
    ///
    /// let list = HostPairs::from_vecs(vec![3, 2, 3], vec![1, 0, 0], vec![31, 20, 30])?;
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
    /// let list = HostPairs::from_vecs(vec![1, 0, 1], vec![4, 2, 0], vec![14, 2, 10])?;
    /// let rows = list.to_csr((2, 5))?;
    /// assert_eq!((rows.offsets(), rows.neighbours()), (&[0, 1, 3][..], &[2, 0, 4][..]));
    /// assert_eq!(rows.row(1), Some((&[0, 4][..], &[10, 14][..])));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An index is outside the shape, or there is not enough memory.
    pub fn to_csr(&self, shape: impl Into<Shape>) -> Result<Csr<T>> {
        Csr::of_pairs(&shape.into(), self.iter())
    }
}
