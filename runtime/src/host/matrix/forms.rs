//! Other forms of a packed matrix: SciPy's condensed form, and the whole square.

use super::chunks::{Stored, Taken, each_chunk, gather};
use super::{HostPacked, HostSquare, Shape};
use crate::host::triangle::triangle_root;
use crate::{DeviceType, Error, Result, host};

impl<T: DeviceType> HostPacked<T> {
    /// SciPy's condensed form: the values above the diagonal by rows, (0, 1), (0, 2), … (1, 2), …, without a diagonal even if
    /// one is stored.
    ///
    /// ```
    /// use td_kernel::HostPacked;
    ///
    /// let matrix = HostPacked::from_vec(4, vec![10, 20, 21, 30, 31, 32])?;
    /// assert_eq!(matrix.to_condensed()?, [10, 20, 30, 21, 31, 32]);
    /// assert_eq!(HostPacked::from_condensed(&matrix.to_condensed()?)?, matrix);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The matrix has only some rows; or the host has no memory for the copy.
    pub fn to_condensed(&self) -> Result<Vec<T>> {
        let n = self.whole("condensed form")?;
        let mut values = host::zeros(upper_start(n)(n))?;
        each_chunk(n, &mut values, upper_start(n), |rows, chunk| {
            let first = upper_start(n)(rows.start);
            let taken = |row| Taken { columns: row + 1..n, at: upper_start(n)(row) - first };
            gather(rows, chunk, taken, |row| self.stored(row));
        });
        Ok(values)
    }

    /// A matrix without its diagonal, from SciPy's condensed form.
    ///
    /// An empty form fits 0 and 1 elements; here it becomes a matrix of 0 elements. (SciPy's `squareform` makes a matrix of 1
    /// element, whose distance from itself is 0.)
    ///
    /// # Errors
    ///
    /// The number of values is not n (n - 1) / 2 for any n (0, 1, 3, 6, 10, …); or the host has no memory for the copy.
    pub fn from_condensed(condensed: &[T]) -> Result<Self> {
        let n = match condensed.len() {
            0 => 0,
            length => {
                triangle_root(length).ok_or_else(|| Error::arguments(format!("{length} values are not a condensed matrix: {length} is not n (n - 1) / 2 for any n")))?
            }
        };
        let shape = Shape::triangle(n).checked::<T>()?;
        let mut values = host::zeros(condensed.len())?;
        let start = |row| shape.start(row);
        each_chunk(n, &mut values, start, |rows, chunk| {
            let first = start(rows.start);
            let taken = |row| Taken { columns: 0..row, at: start(row) - first };
            // Row j of the upper triangle starts at column j + 1.
            let stored = |row| Stored {
                first: row + 1,
                values: &condensed[upper_start(n)(row)..upper_start(n)(row + 1)],
            };
            gather(rows, chunk, taken, stored);
        });
        Self::of(shape, values)
    }

    /// The whole n x n matrix. A diagonal that is not stored is zero.
    ///
    /// ```
    /// use td_kernel::HostPacked;
    ///
    /// let square = HostPacked::from_vec(3, vec![10, 20, 21])?.to_square()?;
    /// assert_eq!(square.as_slice(), [0, 10, 20, 10, 0, 21, 20, 21, 0]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The matrix has only some rows; or the host has no memory for n² values.
    pub fn to_square(&self) -> Result<HostSquare<T>> {
        let n = self.whole("square form")?;
        let shape = Shape::rectangle(n, n).checked::<T>()?;
        let mut values = host::zeros(shape.len())?;
        let start = |row| shape.start(row);
        each_chunk(n, &mut values, start, |rows, chunk| {
            let first = rows.start;
            for (row, values) in rows.clone().zip(chunk.chunks_exact_mut(n)) {
                let stored = self.stored(row).values;
                values[..stored.len()].copy_from_slice(stored);
            }
            let taken = |row| Taken { columns: row + 1..n, at: (row - first) * n + row + 1 };
            gather(rows, chunk, taken, |row| self.stored(row));
        });
        HostSquare::of(shape, values)
    }

    /// n, or an error if the matrix has only some rows.
    fn whole(&self, form: &'static str) -> Result<usize> {
        let (rows, elements) = (self.row_range(), self.elements());
        match self.shape.is_whole() {
            true => Ok(elements),
            false => Err(Error::arguments(format!(
                "the {form} needs all rows, but the matrix has only rows {rows:?} of {elements} elements: make one with all rows, as `device.packed({elements})` does"
            ))),
        }
    }

    /// The stored part of row i, from column 0 on.
    fn stored(&self, i: usize) -> Stored<'_, T> {
        Stored { first: 0, values: &self.values[self.shape.row(i)] }
    }
}

/// The start of row j of the upper triangle of n elements in the condensed form: after j rows of n - 1, n - 2, … values.
fn upper_start(n: usize) -> impl Fn(usize) -> usize + Copy {
    move |j| j * (2 * n - j).saturating_sub(1) / 2
}

#[cfg(test)]
mod tests {
    use super::upper_start;

    /// 100,000 elements have more pairs than 32 bits can count. Their values would take gigabytes, so only the positions are
    /// computed.
    #[test]
    fn condensed_rows_start_past_32_bits() {
        for n in [0, 1, 2, 5, 65_536, 65_537, 92_682, 100_000, 200_000] {
            let start = upper_start(n);
            let mut expected: u128 = 0;
            for row in 0..n {
                assert_eq!(start(row) as u128, expected, "n = {n}, row {row}");
                expected += (n - 1 - row) as u128;
            }
            // The end of the last row is the number of all pairs.
            assert_eq!(start(n) as u128, expected, "n = {n}");
        }
    }
}
