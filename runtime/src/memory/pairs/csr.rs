//! Pairs by rows: the neighbours of each element.

use crate::host::with_room;
use crate::{Error, Result, Shape};

/// The neighbours of each element in ascending order, each with a value or with `()`: a sparse matrix in CSR form.
///
/// [`HostPairs::to_csr`](crate::HostPairs::to_csr) makes a symmetric graph from the pairs of one set. From the pairs of two sets
/// it makes rows whose neighbours are columns.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &[f32], limit: f32, list: &mut Pairs<f32>) {
///     r#"
///     float distance = fabsf(x.i - x.j);
///     if (distance < limit) list.push(distance);
///     "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[1.0, 9.0, 2.0, 4.0])?;
/// let mut list = device.pairs(6)?;
/// close::load(&device)?.launch(&x, 2.5, &mut list)?;
/// let graph = list.download()?.to_csr(4)?;
/// assert_eq!(graph.offsets(), [0, 1, 1, 3, 4]);
/// for (element, neighbours, distances) in graph.rows() {
///     println!("{element} has {} neighbours: {neighbours:?}, at {distances:?}", neighbours.len());
/// }
/// # assert_eq!((graph.neighbours(), graph.values()), (&[2, 0, 3, 2][..], &[1.0, 1.0, 2.0, 2.0][..]));
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr<T> {
    /// The start of each row, and the end of the last one.
    offsets: Vec<usize>,
    neighbours: Vec<u32>,
    values: Vec<T>,
    columns: usize,
    /// Whether each pair is stored at both of its elements.
    is_symmetric: bool,
}

impl<T: Clone> Csr<T> {
    /// Stores each pair in its row; for the pairs of one set, at both of its elements.
    pub(super) fn from_pairs<'a>(
        shape: &Shape,
        pairs: impl ExactSizeIterator<Item = ([u32; 2], &'a T)>,
    ) -> Result<Self>
    where
        T: 'a,
    {
        let elements = shape.row_count();
        if let Some(columns) = shape.column_count() {
            return Self::rectangular(elements, columns, pairs);
        }
        let mut entries = with_room(pairs.len().saturating_mul(2))?;
        for (at, (pair @ [i, j], value)) in pairs.enumerate() {
            if [i, j].iter().any(|index| *index as usize >= elements) {
                return Err(Error::arguments(format!(
                    "pair {at} of the list is ({}, {}), but its indices must be below {elements}, the number of elements: pass the number of elements that the kernel ran over",
                    pair[0], pair[1]
                )));
            }
            entries.push(Entry { row: i, neighbour: j, at, value });
            if i != j {
                entries.push(Entry { row: j, neighbour: i, at, value });
            }
        }
        Ok(Csr { is_symmetric: true, ..Self::of(elements, elements, entries)? })
    }

    /// Stores each pair in its row.
    pub(crate) fn rectangular<'a>(
        rows: usize,
        columns: usize,
        pairs: impl ExactSizeIterator<Item = ([u32; 2], &'a T)>,
    ) -> Result<Self>
    where
        T: 'a,
    {
        let mut entries = with_room(pairs.len())?;
        for (at, (pair @ [row, neighbour], value)) in pairs.enumerate() {
            if row as usize >= rows || neighbour as usize >= columns {
                return Err(Error::arguments(format!(
                    "pair {at} of the list is ({}, {}), which is outside {rows} rows and {columns} columns: pass the numbers that the kernel ran over",
                    pair[0], pair[1]
                )));
            }
            entries.push(Entry { row, neighbour, at, value });
        }
        Self::of(rows, columns, entries)
    }

    /// Sorts the entries into rows. Every entry's row must be below `rows`.
    fn of(rows: usize, columns: usize, mut entries: Vec<Entry<'_, T>>) -> Result<Self> {
        // Pairs that are listed twice keep the order of the list.
        entries.sort_unstable_by_key(|entry| (entry.row, entry.neighbour, entry.at));
        let mut offsets = with_room(rows.saturating_add(1))?;
        offsets.push(0);
        let mut end = 0;
        for row in 0..rows {
            end += entries[end..].iter().take_while(|entry| entry.row as usize == row).count();
            offsets.push(end);
        }
        let (mut neighbours, mut values) = (with_room(entries.len())?, with_room(entries.len())?);
        neighbours.extend(entries.iter().map(|entry| entry.neighbour));
        values.extend(entries.iter().map(|entry| entry.value.clone()));
        Ok(Csr { offsets, neighbours, values, columns, is_symmetric: false })
    }
}

impl<T> Csr<T> {
    /// The number of rows; for a symmetric graph, of elements.
    pub fn row_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of columns, an upper bound of the neighbours; for a symmetric graph, the number of elements.
    pub fn column_count(&self) -> usize {
        self.columns
    }

    /// The number of values; a symmetric graph has two for each pair with i ≠ j.
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// Whether it is the symmetric graph of one set.
    pub(crate) fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.neighbours.is_empty()
    }

    /// The start of each row in `neighbours` and `values`, then their length: one more entry than there are rows.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The neighbours of all rows, row by row, ascending within a row.
    pub fn neighbours(&self) -> &[u32] {
        &self.neighbours
    }

    /// The value of each neighbour.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The neighbours of a row and their values; `None` if the row does not exist.
    pub fn row(&self, row: usize) -> Option<(&[u32], &[T])> {
        let range = *self.offsets.get(row)?..*self.offsets.get(row.checked_add(1)?)?;
        Some((self.neighbours.get(range.clone())?, self.values.get(range)?))
    }

    /// The neighbours of a row; `None` if the row does not exist.
    pub fn neighbours_of(&self, row: usize) -> Option<&[u32]> {
        self.row(row).map(|(neighbours, _)| neighbours)
    }

    /// Each row with its neighbours and their values.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (usize, &[u32], &[T])> {
        self.offsets.windows(2).enumerate().map(|(row, ends)| {
            let range = ends[0]..ends[1];
            (row, &self.neighbours[range.clone()], &self.values[range])
        })
    }

    /// Each value as `((row, neighbour), value)`, by rows.
    pub fn iter(&self) -> impl Iterator<Item = ((usize, usize), &T)> {
        self.rows().flat_map(|(row, neighbours, values)| {
            neighbours
                .iter()
                .zip(values)
                .map(move |(neighbour, value)| ((row, *neighbour as usize), value))
        })
    }

    /// The offsets, the neighbours and the values.
    pub fn into_vecs(self) -> (Vec<usize>, Vec<u32>, Vec<T>) {
        (self.offsets, self.neighbours, self.values)
    }
}

/// A value in its row, with the position of its pair on the list.
struct Entry<'a, T> {
    row: u32,
    neighbour: u32,
    at: usize,
    value: &'a T,
}
