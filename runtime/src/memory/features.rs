//! Elements that are rows of features. The width of rows is known at run time.

mod copy;
pub(crate) mod operands;
mod shape;
#[cfg(test)]
mod tests;

use self::copy::PIECE;
use self::operands::Operands;
use self::shape::Shape;
use crate::error::counted;
use crate::host::methods::debug;
use crate::memory::{Memory, expect_length};
use crate::{DeviceType, Error, HostMatrix, Result, Target, host};

/// Elements on a device with many values each, their features: the rows of a matrix whose width is known at run time. From
/// [`Target::features`], [`Target::features_from_rows`] or [`Target::zeroed_features`].
///
/// Each row starts at a multiple of 16 bytes, so a kernel reads 16 bytes at a time at any width. The padding between rows is
/// zero.
///
/// ```
/// use td_kernel::Device;
///
/// let device = Device::cpu()?;
/// // Two elements of three features.
/// let features = device.features(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0], 3)?;
/// assert_eq!((features.len(), features.width(), features.pitch()), (2, 3, 4));
/// let rows = features.download()?;
/// assert_eq!((rows[(1, 0)], rows.as_slice()), (4.0, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0][..]));
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// A kernel over features has two bodies. `feature` runs for each feature `k` of a pair, in order, and updates the pair's
/// variables: the parameters with `#[fold]`, which a launch does not take. `pair` runs once, after the last feature, with their
/// final values. What both may contain is in the section "Folds" of [this crate's documentation](crate#folds). `feature` also
/// runs for padding pairs, such as an element with itself, so guard an integer division.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// The largest difference of any feature, where it is below a limit.
/// #[td_kernel]
/// unsafe fn closest(#[each] p: &Features<f32>, #[fold] largest: f32, limit: f32, near: &mut Pairs<f32>) {
///     let feature = r#" largest = fmaxf(largest, fabsf(p.i - p.j)); "#;
///     let pair = r#"
///     if (largest < limit)
///         near.push(largest);
///     "#;
/// }
///
/// let device = Device::cpu()?;
/// let rows = [[0.0, 5.0, 1.0, 2.0], [0.5, 5.0, 1.0, 2.25], [0.0, 9.0, 1.0, 2.0]];
/// let (p, mut near) = (device.features_from_rows(rows)?, device.pairs(3)?);
/// closest::load(&device)?.launch(&p, 1.0, &mut near)?;
/// assert_eq!(near.download()?.iter().collect::<Vec<_>>(), [([1, 0], &0.5)]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// Features are values of 1, 2, 4 or 8 bytes: numbers, or small vectors like `[i8; 4]`, which `__dp4a` multiplies. Other types
/// do not compile:
///
/// ```compile_fail,E0080
/// # let device = td_kernel::Device::cpu()?;
/// let features = device.features(&[[1.0_f32, 2.0, 3.0]; 8], 4)?; // 12 bytes
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct Features<T> {
    pub(crate) memory: Memory<T>,
    pub(crate) operands: Operands,
    shape: Shape,
}

impl Target {
    /// Copies `values` to the device. Each `width` values are a row, and so an element.
    ///
    /// ```
    /// use td_kernel::Device;
    ///
    /// let device = Device::cpu()?;
    /// let features = device.features(&[0_u8; 600], 200)?;
    /// assert_eq!(features.len(), 3);
    /// let error = device.features(&[0_u8; 601], 200).unwrap_err();
    /// assert!(error.to_string().starts_with("601 values are not a whole number of rows of 200 features"));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The width is 0, or the values are not a whole number of rows; rows or features do not fit 32-bit counts; or there is not
    /// enough memory, or the device fails.
    pub fn features<T: DeviceType>(&self, values: &[T], width: usize) -> Result<Features<T>> {
        let (given, rows) = (values.len(), values.len().checked_div(width));
        let Some(rows) = rows else {
            return Err(shape::no_width(given, "value"));
        };
        if rows * width != given {
            return Err(Error::arguments(format!(
                "{} not a whole number of rows of {}: {} would be {}, and {} would be {}. Pass a multiple of {width} values, or the width of your rows",
                if given == 1 { "1 value is".into() } else { format!("{given} values are") },
                counted(width, "feature"),
                rows * width,
                counted(rows, "row"),
                (rows + 1).saturating_mul(width),
                rows + 1
            )));
        }
        let shape = Shape::new::<T>(rows, width)?;
        // Without padding this is a single copy, of memory that may be pinned.
        let memory = if shape.is_dense() {
            copy::uploaded(self.backend(), &shape, values)?
        } else {
            copy::upload(self.backend(), &shape, PIECE, fill_from(values, width))?
        };
        Ok(Features::new(memory, shape))
    }

    /// Copies `rows` to the device, each as an element: arrays, slices or vectors of the same length.
    ///
    /// ```
    /// use td_kernel::Device;
    ///
    /// let device = Device::cpu()?;
    /// let words = ["night", "light", "eight"];
    /// let features = device.features_from_rows(words.map(str::as_bytes))?;
    /// assert_eq!((features.len(), features.width()), (3, 5));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A row is empty or differs in length from the first one; there are no rows, so the width is unknown; rows or features do
    /// not fit 32-bit counts; or there is not enough memory, or the device fails.
    pub fn features_from_rows<T: DeviceType, R: AsRef<[T]>>(
        &self,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<Features<T>> {
        let (padded, shape) = copy::padded(rows)?;
        Ok(Features::new(copy::uploaded(self.backend(), &shape, &padded)?, shape))
    }

    /// `rows` elements of `width` features on the device, all bits zero. Set them with [`upload_into`](Features::upload_into).
    ///
    /// ```
    /// use td_kernel::Device;
    ///
    /// let mut features = Device::cpu()?.zeroed_features(2, 3)?;
    /// assert_eq!(features.download()?.as_slice(), [0; 6]);
    /// features.upload_into(&[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(features.download()?[(1, 2)], 6);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The width is 0; rows or features do not fit 32-bit counts; or there is not enough memory, or the device fails.
    pub fn zeroed_features<T: DeviceType>(&self, rows: usize, width: usize) -> Result<Features<T>> {
        let shape = Shape::new::<T>(rows, width)?;
        Ok(Features::new(Memory::zeroed(self.backend(), shape.memory::<T>())?, shape))
    }

    /// Rows that `fill` writes: each once, in any order, on several threads.
    #[cfg(feature = "ndarray")]
    pub(crate) fn filled_features<T: DeviceType>(
        &self,
        rows: usize,
        width: usize,
        fill: impl Fn(usize, &mut [T]) + Sync,
    ) -> Result<Features<T>> {
        let shape = Shape::new::<T>(rows, width)?;
        Ok(Features::new(copy::upload(self.backend(), &shape, PIECE, fill)?, shape))
    }
}

/// Fills a row from contiguous values.
fn fill_from<T: DeviceType>(values: &[T], width: usize) -> impl Fn(usize, &mut [T]) + Sync {
    move |row, to| to.copy_from_slice(&values[row * width..][..width])
}

impl<T: DeviceType> Features<T> {
    fn new(memory: Memory<T>, shape: Shape) -> Features<T> {
        Features { memory, operands: Operands::default(), shape }
    }

    /// The number of elements, which are rows.
    pub fn len(&self) -> usize {
        self.shape.rows
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of features of each element.
    pub fn width(&self) -> usize {
        self.shape.width
    }

    /// The distance between the starts of two rows, in features: the width, rounded up to a multiple of 16 bytes.
    pub fn pitch(&self) -> usize {
        self.shape.pitch
    }

    /// Copies the features to the host, after the kernels launched so far: a matrix with a row for each element, without
    /// padding.
    ///
    /// # Errors
    ///
    /// The device failed, perhaps in a kernel launched before.
    pub fn download(&self) -> Result<HostMatrix<T>> {
        let mut values = host::zeros(self.shape.values())?;
        self.download_into(&mut values)?;
        HostMatrix::from_vec((self.len(), self.width()), values)
    }

    /// Copies the features by rows into a slice of the same length, after the kernels launched so far. This is fastest if rows
    /// are multiples of 16 bytes and the slice is [pinned](crate::Target::pinned).
    ///
    /// # Errors
    ///
    /// The slice has another length; or the device failed, perhaps in a kernel launched before.
    pub fn download_into(&self, values: &mut [T]) -> Result<()> {
        let (length, found) = (self.shape.values(), values.len());
        if length != found {
            return Err(Error::copy_length(length, found));
        }
        if self.shape.is_dense() {
            return self.memory.download_into(0..length, values);
        }
        copy::download(&self.memory, &self.shape, PIECE, values)
    }

    /// Replaces the features by those of a slice of the same length, by rows, after the kernels launched so far.
    ///
    /// # Errors
    ///
    /// The slice has another length; or the device failed, perhaps in a kernel launched before.
    pub fn upload_into(&mut self, values: &[T]) -> Result<()> {
        let length = self.shape.values();
        expect_length(values, length)?;
        self.operands = Operands::default();
        if self.shape.is_dense() {
            return self.memory.upload_into(0..length, values);
        }
        let fill = fill_from(values, self.width());
        copy::replace(&mut self.memory, &self.shape, PIECE, fill)
    }
}

debug!([T: DeviceType] Features<T>: len, width, pitch);
