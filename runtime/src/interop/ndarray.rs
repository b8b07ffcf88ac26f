//! Arrays of ndarray's: uploaded as what a kernel reads, and made of matrices and neighbours and into matrices.

use ndarray::{Array1, Array2, ArrayRef1, ArrayRef2};

use crate::error::MatrixCause;
use crate::{
    Buffer, Device, DeviceType, Features, NearestValue, Neighbours, PackedMatrix,
    RectangularMatrix, Result, SquareMatrix, host, triangle,
};

impl Device {
    /// A copy of an array on the device. Needs the feature `ndarray` of this crate.
    ///
    /// ```
    /// use ndarray::array;
    /// use td_kernel::Device;
    ///
    /// let device = Device::cpu()?;
    /// let x = array![1.0, 2.0, 3.0];
    /// assert_eq!(device.upload_array(&x)?.download()?, [1.0, 2.0, 3.0]);
    /// assert_eq!(device.upload_array(&x.slice(ndarray::s![..;-1]))?.download()?, [3.0, 2.0, 1.0]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Not enough memory, or the device fails.
    pub fn upload_array<T: DeviceType>(&self, elements: &ArrayRef1<T>) -> Result<Buffer<T>> {
        match elements.as_slice() {
            Some(elements) => self.upload(elements),
            None => self.upload(&in_order(elements.len(), elements)?),
        }
    }

    /// A copy of an array on the device, each row of which is an element: an n x 3 array is n points in space. Needs
    /// the feature `ndarray` of this crate.
    ///
    /// ```
    /// use ndarray::array;
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[each] p: &[[f32; 2]], distance: &mut Packed<f32>) {
    ///     r#" distance = hypotf(p.i.x - p.j.x, p.i.y - p.j.y); "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let points = device.upload_array_rows(&array![[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])?;
    /// let mut distances = device.packed(points.len())?;
    /// distance::load(&device)?.launch(&points, &mut distances)?;
    /// let distances = distances.download()?.to_array()?;
    /// assert_eq!(distances, array![[0.0, 5.0, 10.0], [5.0, 0.0, 5.0], [10.0, 5.0, 0.0]]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The array has another number of columns; or there is not enough memory, or the device fails.
    pub fn upload_array_rows<T: DeviceType, const N: usize>(
        &self,
        rows: &ArrayRef2<T>,
    ) -> Result<Buffer<[T; N]>>
    where
        [T; N]: DeviceType,
    {
        if rows.ncols() != N {
            return Err(MatrixCause::Columns { found: rows.ncols(), expected: N }.into());
        }
        match rows.as_slice() {
            Some(values) => self.upload(values.as_chunks().0),
            None => self.upload(in_order(rows.len(), rows)?.as_chunks().0),
        }
    }
}

impl Device {
    /// A copy of an array on the device, each row of which is an element of as many features as the array has columns.
    /// Needs the feature `ndarray` of this crate.
    ///
    /// ```
    /// use ndarray::array;
    /// use td_kernel::Device;
    ///
    /// let device = Device::cpu()?;
    /// let rows = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    /// let features = device.features_from_array(&rows)?;
    /// assert_eq!((features.len(), features.width()), (2, 3));
    /// assert_eq!(device.features_from_array(&rows.t())?.download()?[(2, 1)], 6.0);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As those of [`features`](Device::features).
    pub fn features_from_array<T: DeviceType>(&self, rows: &ArrayRef2<T>) -> Result<Features<T>> {
        match rows.as_slice() {
            Some(values) if rows.ncols() > 0 => self.features(values, rows.ncols()),
            _ => self.filled_features(rows.nrows(), rows.ncols(), |row, to| {
                for (to, value) in to.iter_mut().zip(rows.row(row)) {
                    *to = *value;
                }
            }),
        }
    }
}

/// The values of an array in the order of their indices, however they lie in memory.
fn in_order<'a, T: DeviceType>(
    length: usize,
    values: impl IntoIterator<Item = &'a T>,
) -> Result<Vec<T>> {
    let mut copies = host::zeros(length)?;
    for (copy, value) in copies.iter_mut().zip(values) {
        *copy = *value;
    }
    Ok(copies)
}

impl<T: DeviceType> PackedMatrix<T> {
    /// The whole n x n matrix as an array; a diagonal that is not stored is zero. Needs the feature `ndarray` of this
    /// crate.
    ///
    /// # Errors
    ///
    /// As those of [`to_square`](PackedMatrix::to_square).
    pub fn to_array(&self) -> Result<Array2<T>> {
        self.to_square().map(Array2::from)
    }

    /// SciPy's condensed form as an array. Needs the feature `ndarray` of this crate.
    ///
    /// # Errors
    ///
    /// As those of [`to_condensed`](PackedMatrix::to_condensed).
    pub fn to_condensed_array(&self) -> Result<Array1<T>> {
        self.to_condensed().map(Array1::from)
    }

    /// A matrix without its diagonal, from SciPy's condensed form. Needs the feature `ndarray` of this crate.
    ///
    /// # Errors
    ///
    /// As those of [`from_condensed`](PackedMatrix::from_condensed).
    pub fn from_condensed_array(condensed: &ArrayRef1<T>) -> Result<Self> {
        match condensed.as_slice() {
            Some(condensed) => Self::from_condensed(condensed),
            None => Self::from_condensed(&in_order(condensed.len(), condensed)?),
        }
    }

    /// What is below the diagonal of a square array; the rest of it is not looked at. Needs the feature `ndarray` of
    /// this crate.
    ///
    /// ```
    /// use ndarray::array;
    /// use td_kernel::PackedMatrix;
    ///
    /// let matrix = PackedMatrix::from_lower_triangle(&array![[0, 1, 2], [1, 0, 3], [2, 3, 0]])?;
    /// assert_eq!(matrix.as_slice(), [1, 2, 3]);
    /// assert_eq!(matrix.to_condensed_array()?, array![1, 2, 3]);
    /// assert_eq!(matrix.to_array()?, array![[0, 1, 2], [1, 0, 3], [2, 3, 0]]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The array is not square, or the host has no memory for the copy.
    pub fn from_lower_triangle(square: &ArrayRef2<T>) -> Result<Self> {
        lower(square, false)
    }

    /// The same with the diagonal. Needs the feature `ndarray` of this crate.
    ///
    /// # Errors
    ///
    /// The array is not square, or the host has no memory for the copy.
    pub fn from_lower_triangle_with_diagonal(square: &ArrayRef2<T>) -> Result<Self> {
        lower(square, true)
    }
}

fn lower<T: DeviceType>(square: &ArrayRef2<T>, diagonal: bool) -> Result<PackedMatrix<T>> {
    let n = side(square)?;
    let rows = square.rows().into_iter().enumerate();
    let values = rows.flat_map(|(i, row)| row.into_iter().take(i + usize::from(diagonal)));
    let values = in_order(triangle::row_start(n, diagonal), values)?;
    PackedMatrix::checked(n, 0..n, diagonal, values)
}

/// The rows of an array with as many columns.
fn side<T>(array: &ArrayRef2<T>) -> Result<usize> {
    let (rows, columns) = array.dim();
    if rows != columns {
        return Err(MatrixCause::NotSquare { rows, columns }.into());
    }
    Ok(rows)
}

impl<T> From<SquareMatrix<T>> for Array2<T> {
    fn from(matrix: SquareMatrix<T>) -> Self {
        let n = matrix.elements();
        // SAFETY: a square matrix has n² values, by rows, and any such shape of a vector is one of an array.
        unsafe { Array2::from_shape_vec_unchecked((n, n), matrix.into_vec()) }
    }
}

impl<T> TryFrom<Array2<T>> for SquareMatrix<T> {
    type Error = crate::Error;

    fn try_from(array: Array2<T>) -> Result<Self> {
        let n = side(&array)?;
        SquareMatrix::from_vec(n, by_rows(array))
    }
}

impl<T> From<RectangularMatrix<T>> for Array2<T> {
    /// The rows that there are values for: of a band, `array[[0, j]]` is in its first row.
    fn from(matrix: RectangularMatrix<T>) -> Self {
        let shape = (matrix.row_range().len(), matrix.column_count());
        // SAFETY: the matrix has a value for each place of the shape, by rows. Its own check has shown that rows and
        // columns, each counted as 1 where there are none, are at most isize::MAX places, which an array asks for.
        unsafe { Array2::from_shape_vec_unchecked(shape, matrix.into_vec()) }
    }
}

impl<T> TryFrom<Array2<T>> for RectangularMatrix<T> {
    type Error = crate::Error;

    fn try_from(array: Array2<T>) -> Result<Self> {
        let (rows, columns) = array.dim();
        RectangularMatrix::from_vec(rows, columns, by_rows(array))
    }
}

impl<T: NearestValue> Neighbours<T> {
    /// The indices and the values as arrays, without a copy: a row for each element, K columns, the nearest first. As in
    /// [`indices`](Neighbours::indices) and [`values`](Neighbours::values), `u32::MAX` and the last value of the type fill up
    /// rows of elements with fewer than K neighbours. Needs the feature `ndarray` of this crate.
    ///
    /// ```
    /// use ndarray::array;
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn nearest(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 2>) {
    ///     r#" near.push(fabsf(x.i - x.j)); "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let mut near = device.nearest(3)?;
    /// nearest::load(&device)?.launch(&device.upload_array(&array![1.0, 9.0, 2.0])?, &mut near)?;
    /// let (indices, values) = near.download()?.into_arrays();
    /// assert_eq!(indices, array![[2, 1], [2, 0], [0, 1]]);
    /// assert_eq!(values, array![[1.0, 8.0], [7.0, 8.0], [1.0, 7.0]]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    pub fn into_arrays(self) -> (Array2<u32>, Array2<T>) {
        let shape = (self.len(), self.neighbours());
        let (indices, values, _) = self.into_vecs();
        // SAFETY: there is an index and a value for each place of the shape, by rows. K is 256 at most, and the places are
        // those of a vector of numbers: so each side, and their product, is at most isize::MAX, which an array asks for.
        unsafe {
            (
                Array2::from_shape_vec_unchecked(shape, indices),
                Array2::from_shape_vec_unchecked(shape, values),
            )
        }
    }
}

/// The values of an array by rows, without a copy where they are already in this order.
fn by_rows<T>(array: Array2<T>) -> Vec<T> {
    let length = array.len();
    if array.as_slice().is_none() {
        return array.into_iter().collect();
    }
    // An array can be a part of the vector that it owns.
    let (mut values, first) = array.into_raw_vec_and_offset();
    values.drain(..first.unwrap_or(0));
    values.truncate(length);
    values
}

#[cfg(test)]
mod tests {
    use ndarray::{Array, array, s};

    use super::*;

    #[test]
    fn arrays_are_uploaded_in_order() {
        let device = Device::cpu().unwrap();
        let points = Array::from_iter(0..12).into_shape_with_order((4, 3)).unwrap();
        let rows = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]];
        assert_eq!(device.upload_array_rows(&points).unwrap().download().unwrap(), rows);
        // The same in columns.
        let columns = points.t().as_standard_layout().into_owned();
        let buffer = device.upload_array_rows(&columns.t()).unwrap();
        assert_eq!(buffer.download().unwrap(), rows);
        let buffer = device.upload_array(&points.column(1)).unwrap();
        assert_eq!(buffer.download().unwrap(), [1, 4, 7, 10]);
        let error = device.upload_array_rows::<i32, 2>(&points).unwrap_err();
        assert!(error.to_string().contains("3 columns"), "{error}");
        let none = Array2::<f32>::zeros((0, 3));
        assert!(device.upload_array_rows::<f32, 3>(&none).unwrap().is_empty());
    }

    #[test]
    fn rows_of_an_array_are_features_however_they_lie() {
        let device = Device::cpu().unwrap();
        let rows = Array::from_shape_fn((7, 5), |(i, j)| 10 * i as u64 + j as u64);
        let columns = rows.t().as_standard_layout().into_owned();
        let wide = Array::from_shape_fn((14, 10), |(i, j)| 10 * (i as u64 / 2) + j as u64 / 2);
        let (turned, part) = (columns.t(), wide.slice(s![..;2, ..;2]));
        for array in [rows.view(), turned, part] {
            let features = device.features_from_array(&array).unwrap();
            assert_eq!((features.len(), features.width(), features.pitch()), (7, 5, 6));
            assert_eq!(Array2::from(features.download().unwrap()), rows);
        }
        for columns in [1, 4] {
            let none = Array2::<f32>::zeros((0, columns));
            let features = device.features_from_array(&none).unwrap();
            assert_eq!((features.len(), features.width()), (0, columns));
        }
        let error = device.features_from_array(&Array2::<f32>::zeros((3, 0))).unwrap_err();
        assert!(error.to_string().contains("0 features is given for 3 rows"), "{error}");
    }

    #[test]
    fn matrices_and_arrays_go_both_ways() {
        for n in 0..6_usize {
            let full =
                Array::from_shape_fn((n, n), |(i, j)| 10 * i.max(j) as u64 + i.min(j) as u64);
            let packed = PackedMatrix::from_lower_triangle_with_diagonal(&full).unwrap();
            assert_eq!(packed.to_array().unwrap(), full);
            // However it lies in memory, and where it is a part of a larger one.
            let transposed = full.clone().reversed_axes();
            let same = PackedMatrix::from_lower_triangle_with_diagonal(&transposed).unwrap();
            assert_eq!(same, packed);
            let square = SquareMatrix::try_from(transposed).unwrap();
            assert_eq!(square, packed.to_square().unwrap());
            assert_eq!(Array2::from(square.clone()), full);
            let part = full.clone().slice_move(s![n / 2.., n / 2..]);
            let expected: Vec<_> = part.iter().copied().collect();
            assert_eq!(SquareMatrix::try_from(part).unwrap().into_vec(), expected);
            let rows =
                Array::from_shape_fn((n + 2, n), |(i, j)| 10 * i + j).slice_move(s![1..=n, ..]);
            let expected: Vec<_> = rows.iter().copied().collect();
            assert_eq!(SquareMatrix::try_from(rows).unwrap().into_vec(), expected);
            let below = PackedMatrix::from_lower_triangle(&full).unwrap();
            let condensed = below.to_condensed_array().unwrap();
            let doubled = Array::from_shape_fn(2 * condensed.len(), |k| condensed[k / 2]);
            if n != 1 {
                let back = PackedMatrix::from_condensed_array(&doubled.slice(s![..;2])).unwrap();
                assert_eq!(back, below);
            }
        }
    }

    #[test]
    fn rectangles_and_arrays_go_both_ways() {
        for (rows, columns) in [(0, 0), (0, 3), (3, 0), (1, 4), (4, 1), (3, 5)] {
            let array = Array::from_shape_fn((rows, columns), |(i, j)| 10 * i + j);
            let matrix = RectangularMatrix::try_from(array.clone()).unwrap();
            assert_eq!((matrix.row_count(), matrix.column_count()), (rows, columns));
            assert!(matrix.iter().all(|((i, j), value)| *value == 10 * i + j));
            assert_eq!(Array2::from(matrix.clone()), array);
            // However it lies in memory, and where it is a part of a larger one.
            let columns_first = array.t().as_standard_layout().into_owned().reversed_axes();
            assert_eq!(RectangularMatrix::try_from(columns_first).unwrap(), matrix);
            let large = Array::from_shape_fn((rows + 2, columns), |(i, j)| 10 * i + j);
            let part = large.slice_move(s![1..=rows, ..]);
            let part = RectangularMatrix::try_from(part).unwrap();
            assert!(part.iter().all(|((i, j), value)| *value == 10 * (i + 1) + j));
            assert_eq!(part.row_count(), rows);
        }
        let band = RectangularMatrix::from_rows(9, 2, 3..5, vec![30, 31, 40, 41]).unwrap();
        assert_eq!(Array2::from(band), array![[30, 31], [40, 41]]);
    }

    #[test]
    fn neighbours_are_arrays() {
        let found = [Some((5_u8, 7)), Some((6, 1)), None, None, None, None];
        let (indices, values) = Neighbours::of(2, 3, found.into_iter()).into_arrays();
        assert_eq!(indices, array![[7, 1, u32::MAX], [u32::MAX; 3]]);
        assert_eq!(values, array![[5, 6, 255], [255; 3]]);
        let (indices, values) = Neighbours::<f32>::of(0, 256, std::iter::empty()).into_arrays();
        assert_eq!((indices.dim(), values.dim()), ((0, 256), (0, 256)));
    }

    /// More places than memory has addresses, which are no array.
    #[test]
    fn values_without_a_size_are_not_too_many() {
        let most = isize::MAX as usize;
        for (rows, columns) in [(most + 1, 1), (1, most + 1), (most + 1, 0), (0, most + 1)] {
            let values = vec![(); rows * columns];
            assert!(RectangularMatrix::from_vec(rows, columns, values).is_err());
        }
        let many = RectangularMatrix::from_vec(most, 1, vec![(); most]).unwrap();
        assert_eq!(Array2::from(many).dim(), (most, 1));
    }

    #[test]
    fn what_is_not_square_is_refused() {
        let wide = array![[1, 2, 3], [4, 5, 6]];
        let error = PackedMatrix::from_lower_triangle(&wide).unwrap_err();
        assert!(error.to_string().contains("2 rows and 3 columns"), "{error}");
        assert!(SquareMatrix::try_from(wide).is_err());
    }
}
