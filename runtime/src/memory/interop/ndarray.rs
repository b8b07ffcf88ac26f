//! Uploads ndarray's arrays, and converts matrices and neighbours to arrays and arrays to matrices.

#[cfg(test)]
mod tests;

use ndarray::{Array1, Array2, ArrayRef1, ArrayRef2};

use crate::{
    Buffer, DeviceType, Error, Features, HostMatrix, HostNearest, HostPacked, HostSquare,
    NearestValue, Result, Shape, Target, host,
};

impl Target {
    /// Copies an array to the device. Needs the feature `ndarray` of this crate.
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

    /// Copies an array to the device, each row as an element: an n x 3 array is n points in space. Needs the feature `ndarray`
    /// of this crate.
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
    /// The number of columns is not `N`; or there is not enough memory, or the device fails.
    pub fn upload_array_rows<T: DeviceType, const N: usize>(
        &self,
        rows: &ArrayRef2<T>,
    ) -> Result<Buffer<[T; N]>>
    where
        [T; N]: DeviceType,
    {
        if rows.ncols() != N {
            return Err(Error::arguments(format!(
                "the array has {} columns, but each element has {N} values: pass an array of {N} columns",
                rows.ncols()
            )));
        }
        match rows.as_slice() {
            Some(values) => self.upload(values.as_chunks().0),
            None => self.upload(in_order(rows.len(), rows)?.as_chunks().0),
        }
    }

    /// Copies an array to the device, each row as an element with a feature for each column. Needs the feature `ndarray` of
    /// this crate.
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
    /// Those of [`features`](Target::features).
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

/// The values of an array in the order of their indices, for any memory layout.
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

impl<T: DeviceType> HostPacked<T> {
    /// The whole n x n matrix as an array; a diagonal that is not stored is zero. Needs the feature `ndarray` of this
    /// crate.
    ///
    /// # Errors
    ///
    /// Those of [`to_square`](HostPacked::to_square).
    pub fn to_array(&self) -> Result<Array2<T>> {
        self.to_square().map(Array2::from)
    }

    /// SciPy's condensed form as an array. Needs the feature `ndarray` of this crate.
    ///
    /// # Errors
    ///
    /// Those of [`to_condensed`](HostPacked::to_condensed).
    pub fn to_condensed_array(&self) -> Result<Array1<T>> {
        self.to_condensed().map(Array1::from)
    }

    /// A matrix without its diagonal, from SciPy's condensed form. Needs the feature `ndarray` of this crate.
    ///
    /// # Errors
    ///
    /// Those of [`from_condensed`](HostPacked::from_condensed).
    pub fn from_condensed_array(condensed: &ArrayRef1<T>) -> Result<Self> {
        match condensed.as_slice() {
            Some(condensed) => Self::from_condensed(condensed),
            None => Self::from_condensed(&in_order(condensed.len(), condensed)?),
        }
    }

    /// The part of a square array below its diagonal; the rest is ignored. Needs the feature `ndarray` of this crate.
    ///
    /// ```
    /// use ndarray::array;
    /// use td_kernel::HostPacked;
    ///
    /// let matrix = HostPacked::from_lower_triangle(&array![[0, 1, 2], [1, 0, 3], [2, 3, 0]])?;
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

fn lower<T: DeviceType>(square: &ArrayRef2<T>, diagonal: bool) -> Result<HostPacked<T>> {
    let n = side(square)?;
    let rows = square.rows().into_iter().enumerate();
    let values = rows.flat_map(|(i, row)| row.into_iter().take(i + usize::from(diagonal)));
    let shape = Shape::triangle_of(n, diagonal).checked::<T>()?;
    let values = in_order(shape.len(), values)?;
    HostPacked::of(shape, values)
}

/// The number of rows of a square array, or an error.
fn side<T>(array: &ArrayRef2<T>) -> Result<usize> {
    let (rows, columns) = array.dim();
    if rows != columns {
        return Err(Error::arguments(format!(
            "an array of {rows} rows and {columns} columns is not square: pass an array with as many rows as columns"
        )));
    }
    Ok(rows)
}

impl<T> From<HostSquare<T>> for Array2<T> {
    fn from(matrix: HostSquare<T>) -> Self {
        HostMatrix::from(matrix).into()
    }
}

impl<T> TryFrom<Array2<T>> for HostSquare<T> {
    type Error = crate::Error;

    fn try_from(array: Array2<T>) -> Result<Self> {
        let n = side(&array)?;
        HostSquare::from_vec(n, by_rows(array)?)
    }
}

impl<T> From<HostMatrix<T>> for Array2<T> {
    /// The rows that have values. For a chunk, `array[[0, j]]` is in its first row.
    fn from(matrix: HostMatrix<T>) -> Self {
        let shape = (matrix.row_range().len(), matrix.column_count());
        // SAFETY: the matrix has a value for each place of the shape, by rows. `HostValues::of`, which makes every matrix,
        // checks this, and that rows times columns, each counted as at least 1, is at most isize::MAX, as an array requires.
        unsafe { Array2::from_shape_vec_unchecked(shape, matrix.into_vec()) }
    }
}

impl<T> TryFrom<Array2<T>> for HostMatrix<T> {
    type Error = crate::Error;

    fn try_from(array: Array2<T>) -> Result<Self> {
        HostMatrix::from_vec(array.dim(), by_rows(array)?)
    }
}

impl<T: NearestValue> HostNearest<T> {
    /// The indices and the values as arrays, without a copy: a row for each element, K columns, the nearest first. As in
    /// [`indices`](HostNearest::indices) and [`values`](HostNearest::values), `u32::MAX` and the largest value of the type pad
    /// rows with fewer than K neighbours. Needs the feature `ndarray` of this crate.
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
        let shape = (self.len(), self.k());
        let (indices, values, _) = self.into_vecs();
        // SAFETY: there is an index and a value for each place of the shape, by rows. K is at most 256, and the places are
        // those of a vector of numbers, so each side and their product are at most isize::MAX, as an array requires.
        unsafe {
            (
                Array2::from_shape_vec_unchecked(shape, indices),
                Array2::from_shape_vec_unchecked(shape, values),
            )
        }
    }
}

/// The values of an array by rows, without a copy if they are already in this order.
fn by_rows<T>(array: Array2<T>) -> Result<Vec<T>> {
    let length = array.len();
    if array.as_slice().is_none() {
        return host::collected(length, array);
    }
    // An array can be a part of the vector that it owns.
    let (mut values, first) = array.into_raw_vec_and_offset();
    values.drain(..first.unwrap_or(0));
    values.truncate(length);
    Ok(values)
}
