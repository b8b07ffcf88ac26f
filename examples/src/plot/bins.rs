//! As many cells as a picture can show.

use crate::Result;
use crate::memory::{collected, reserved};
use td_kernel::PackedMatrix;

/// The most cells along a side.
const MOST: usize = 1000;

/// The values of all pairs, both ways, as cells of a square: where there are many rows, a cell has the mean of those of
/// several rows and columns.
#[derive(Debug)]
pub(super) struct Bins {
    /// The number of cells along a side.
    pub(super) side: usize,
    /// The cells, by rows; NaN where no pair has a value.
    pub(super) cells: Vec<f64>,
    /// Whether there are such cells.
    pub(super) has_undefined: bool,
}

impl Bins {
    /// The cells of the values of pairs and of each row with itself, `own`, with the rows in this order.
    pub(super) fn new(values: &PackedMatrix<f32>, own: &[f32], order: &[usize]) -> Result<Bins> {
        let n = order.len();
        let side = n.min(MOST);
        // The cell that each row goes to.
        let mut cell_of = collected(n, std::iter::repeat(0_usize))?;
        for (place, row) in order.iter().enumerate() {
            cell_of[*row] = place * side / n;
        }
        let mut sums = collected(side * side, std::iter::repeat((0.0_f64, 0_u32)))?;
        let mut add = |cell: usize, value: f32| {
            if !value.is_nan() {
                let (sum, count) = &mut sums[cell];
                *sum += f64::from(value);
                *count += 1;
            }
        };
        for (i, row) in values.rows() {
            let start = cell_of[i] * side;
            for (value, cell) in row.iter().zip(&cell_of) {
                add(start + cell, *value);
            }
        }
        // A row with itself counts once where other pairs count in both directions.
        let mut alone = collected(side, std::iter::repeat((0.0, 0)))?;
        for (cell, value) in cell_of.iter().zip(own).filter(|(_, value)| !value.is_nan()) {
            let (sum, count): &mut (f64, u32) = &mut alone[*cell];
            *sum += f64::from(*value);
            *count += 1;
        }
        let mut cells = reserved(side * side)?;
        for row in 0..side {
            for column in 0..side {
                let ((a, m), (b, n)) = (sums[row * side + column], sums[column * side + row]);
                let (c, k) = if row == column { alone[row] } else { (0.0, 0) };
                let count = f64::from(m) + f64::from(n) + f64::from(k);
                cells.push(if count > 0.0 { (a + b + c) / count } else { f64::NAN });
            }
        }
        let has_undefined = cells.iter().any(|cell| cell.is_nan());
        Ok(Bins { side, cells, has_undefined })
    }

    /// The least and the greatest finite value of a cell.
    pub(super) fn range(&self) -> Option<(f64, f64)> {
        let finite = self.cells.iter().filter(|cell| cell.is_finite());
        finite.fold(None, |range, &cell| match range {
            None => Some((cell, cell)),
            Some((low, high)) => Some((cell.min(low), cell.max(high))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(n: usize) -> PackedMatrix<f32> {
        let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (10 * i + j) as f32));
        PackedMatrix::from_vec(n, pairs.collect()).unwrap()
    }

    #[test]
    fn few_rows_have_a_cell_for_each_pair() {
        let order = [2, 0, 3, 1];
        let own = [0.5, 1.5, f32::NAN, 3.5];
        let bins = Bins::new(&matrix(4), &own, &order).unwrap();
        assert_eq!((bins.side, bins.has_undefined), (4, true));
        assert_eq!(bins.range(), Some((0.5, 32.0)));
        for (row, &i) in order.iter().enumerate() {
            for (column, &j) in order.iter().enumerate() {
                let cell = bins.cells[4 * row + column];
                if i == j {
                    assert_eq!(cell.to_bits(), f64::from(own[i]).to_bits());
                } else {
                    assert_eq!(cell, (10 * i.max(j) + i.min(j)) as f64);
                }
            }
        }
    }

    #[test]
    fn many_rows_share_cells() {
        let n = 2500;
        let order: Vec<usize> = (0..n).rev().collect();
        let bins = Bins::new(&matrix(n), &vec![7.0; n], &order).unwrap();
        assert_eq!((bins.side, bins.has_undefined), (1000, false));
        let value = |i: usize, j: usize| match i == j {
            true => 7.0,
            false => (10 * i.max(j) + i.min(j)) as f64,
        };
        for (row, column) in [(0, 0), (999, 0), (0, 999), (500, 499), (37, 37), (999, 999)] {
            let members = |cell: usize| (0..n).filter(move |place| place * 1000 / n == cell);
            let pairs = members(row).flat_map(|a| members(column).map(move |b| (a, b)));
            let values: Vec<f64> = pairs.map(|(a, b)| value(order[a], order[b])).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let found = bins.cells[1000 * row + column];
            assert!((found - mean).abs() <= 1e-12 * mean, "{row}, {column}: {found}, {mean}");
        }
    }

    #[test]
    fn one_row_and_undefined_values_have_cells() {
        let one = Bins::new(&matrix(1), &[0.0], &[0]).unwrap();
        assert_eq!(
            (one.side, one.cells.as_slice(), one.range()),
            (1, &[0.0][..], Some((0.0, 0.0)))
        );
        let matrix = PackedMatrix::from_vec(2, vec![f32::NAN]).unwrap();
        let none = Bins::new(&matrix, &[f32::NAN; 2], &[0, 1]).unwrap();
        assert_eq!((none.range(), none.has_undefined), (None, true));
    }
}
