//! The nearest neighbours of each element, on the host.

use super::extrema::private::Small;
use crate::host::methods::length;
use crate::{Csr, Error, Result, Shape, host};

/// The nearest neighbours of each element, from [`Nearest::download`](crate::Nearest::download): the K nearest others, ordered
/// by value and then by index.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn nearest(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 2>) {
///     r#" near.push(fabsf(x.i - x.j)); "#
/// }
///
/// let device = Device::cpu()?;
/// let mut near = device.nearest(4)?;
/// nearest::load(&device)?.launch(&device.upload(&[1.0, 9.0, 2.0, 5.0])?, &mut near)?;
/// let near = near.download()?;
/// assert_eq!((near.len(), near.k()), (4, 2));
/// for (element, neighbours, values) in near.rows() {
///     println!("{element}: {neighbours:?}, at {values:?}");
/// }
/// // As a graph, with ascending neighbours. Only element 1 is not among the nearest of any other.
/// let graph = near.to_csr(near.len())?;
/// assert_eq!((graph.row(1), graph.len()), (Some((&[2, 3][..], &[7.0, 4.0][..])), 8));
/// assert!(!graph.neighbours().contains(&1));
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct HostNearest<T> {
    indices: Vec<u32>,
    values: Vec<T>,
    /// The number of neighbours of each element.
    counts: Vec<u32>,
    /// The most neighbours of an element.
    most: usize,
    /// Whether a kernel over `Sets` found them, so that indices count within a set.
    pub(crate) is_of_sets: bool,
}

/// Equal neighbours and values, in the same order.
impl<T: PartialEq> PartialEq for HostNearest<T> {
    fn eq(&self, other: &Self) -> bool {
        self.most == other.most
            && self.counts == other.counts
            && self.indices == other.indices
            && self.values == other.values
    }
}

impl<T: Eq> Eq for HostNearest<T> {}

impl<T: Small> HostNearest<T> {
    /// Collects the results of the cells of all elements. An empty cell has the index `u32::MAX` and the largest value of its
    /// type.
    pub(crate) fn of(
        elements: usize,
        most: usize,
        found: impl Iterator<Item = Option<(T, u32)>>,
    ) -> Result<Self> {
        let places = elements.saturating_mul(most);
        let (indices, values) = (host::with_room(places)?, host::with_room(places)?);
        let (counts, is_of_sets) = (host::zeros(elements)?, false);
        let mut neighbours = HostNearest { indices, values, counts, most, is_of_sets };
        for (at, found) in found.take(places).enumerate() {
            let (value, index) = found.unwrap_or((T::none(true), u32::MAX));
            neighbours.indices.push(index);
            neighbours.values.push(value);
            if let (Some(_), Some(count)) = (found, neighbours.counts.get_mut(at / most)) {
                *count += 1;
            }
        }
        Ok(neighbours)
    }
}

impl<T> HostNearest<T> {
    length!(self, "elements", self.counts.len());

    /// K, the most neighbours of an element.
    pub fn k(&self) -> usize {
        self.most
    }

    /// The indices of all neighbours, K for each element, the nearest first. `u32::MAX` pads the row of an element with fewer
    /// than K.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The values of all neighbours, in the same order. The largest value of the type pads rows: infinity for floats, `MAX` for
    /// integers. Either may also be a value; use the indices or `counts` to distinguish them.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The number of neighbours of each element.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The neighbours of an element and their values, the nearest first, without padding; `None` if the element does not exist.
    pub fn row(&self, element: usize) -> Option<(&[u32], &[T])> {
        let start = element.checked_mul(self.most)?;
        let range = start..start + *self.counts.get(element)? as usize;
        Some((self.indices.get(range.clone())?, self.values.get(range)?))
    }

    /// Each element with its neighbours and their values, the nearest first.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (usize, &[u32], &[T])> {
        self.counts.iter().enumerate().map(|(element, count)| {
            let start = element * self.most;
            let range = start..start + *count as usize;
            (element, &self.indices[range.clone()], &self.values[range])
        })
    }

    /// The indices, the values and the counts.
    pub fn into_vecs(self) -> (Vec<u32>, Vec<T>, Vec<u32>) {
        (self.indices, self.values, self.counts)
    }
}

impl<T: Clone> HostNearest<T> {
    /// The graph of the neighbours: each row has an element's nearest, ascending by index. For `n` elements of one set it is not
    /// symmetric, since an element need not be among the nearest of its nearest. For `(rows, columns)` of two sets, row i has
    /// columns. With the nearest rows of columns, pass `(columns, rows)`: row j of the graph then has rows.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn nearest(#[row] a: &[u32], #[column] b: &[u32], #[row] near: &mut Nearest<u32, 2>) {
    ///     r#" near.push(__popc(a ^ b)); "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let (a, b) = (device.upload(&[7])?, device.upload(&[0, 6, 3, 8])?);
    /// let mut near = device.nearest(1)?;
    /// nearest::load(&device)?.launch(&a, &b, &mut near)?;
    /// let graph = near.download()?.to_csr((1, 4))?;
    /// assert_eq!(graph.row(0), Some((&[1, 2][..], &[1, 1][..])));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The shape has another number of rows, an index is outside it, or there is not enough memory; or a kernel over `Sets` found
    /// the neighbours.
    pub fn to_csr(&self, shape: impl Into<Shape>) -> Result<Csr<T>> {
        let shape = shape.into();
        if self.is_of_sets {
            return Err(Error::arguments(
                "a kernel over `Sets` found the neighbours, so their indices count within a set: add the first element of the set, `sets.elements(set)`, to each index of its `row(element)`s, and pass the pairs to `HostPairs::from_vecs`",
            ));
        }
        if shape.row_count() != self.len() {
            return Err(Error::arguments(format!(
                "these are the neighbours of {} elements, but the shape has {} rows: pass `n`, or for two sets `(rows, columns)`, or `(columns, rows)` if the `Nearest` is a `#[column]` one",
                self.len(),
                shape.row_count()
            )));
        }
        let columns = shape.column_count().unwrap_or(self.len());
        let pairs = self.rows().flat_map(|(element, neighbours, values)| {
            // Indices of elements have 32 bits.
            neighbours
                .iter()
                .zip(values)
                .map(move |(index, value)| ([element as u32, *index], value))
        });
        let count = self.counts.iter().map(|count| *count as usize).sum();
        let pairs = host::collected(count, pairs)?;
        Csr::rectangular(self.len(), columns, pairs.into_iter())
    }
}
