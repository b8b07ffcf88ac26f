//! Values of a shape on a device: what a kernel writes for each pair.

mod make;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::backend::view::ViewMut;
use crate::host::methods::debug;
use crate::memory::Memory;
use crate::memory::argument::{Shaped, readable, writable};
use crate::memory::elements::elements_mut;
use crate::{
    Device, DeviceType, HostMatrix, HostPacked, HostSquare, Result, Shape, Slots, Target, host,
};

/// Defines a type of values on a device, whose `download` returns a `$host`. Separate types, rather than one type with a
/// parameter, make rustc's messages name the types that signatures use.
macro_rules! shaped {
    ($(#[$about:meta])* $name:ident, $host:ident) => {
        $(#[$about])*
        pub struct $name<T> {
            pub(crate) memory: Memory<T>,
            pub(crate) shape: Shape,
            /// What a kernel that writes a square fills the diagonal with.
            diagonal: T,
        }

        impl<T: DeviceType> $name<T> {
            fn range(&self) -> Range<usize> {
                0..self.memory.len()
            }

            /// A slot for each pair, all bits zero.
            fn zeroed(device: &Target, shape: Shape) -> Result<Self> {
                let shape = shape.checked::<T>()?;
                let memory = Memory::zeroed(device.backend(), shape.len())?;
                Ok($name { memory, shape, diagonal: host::zero() })
            }

            /// The rows that have values here: all of them, or those of a chunk.
            pub fn row_range(&self) -> Range<usize> {
                self.shape.rows()
            }

            /// Copies the values to the host, after the kernels launched so far.
            ///
            /// # Errors
            ///
            /// The device failed, perhaps in a kernel launched before.
            pub fn download(&self) -> Result<$host<T>> {
                $host::of(self.shape, self.memory.download()?)
            }
        }

        impl<T: DeviceType> Uploaded for $host<T> {
            type Slots = $name<T>;

            fn upload(&self, device: &Device) -> Result<$name<T>> {
                let memory = Memory::upload(device.backend(), self.as_slice())?;
                Ok($name { memory, shape: *self.shape(), diagonal: host::zero() })
            }
        }

        debug!([T: DeviceType] $name<T>, self: shape = self.shape);
    };
}

/// A matrix on the host, for [`Device::upload_matrix`].
#[doc(hidden)]
pub trait Uploaded {
    /// The type of its values on a device.
    type Slots;

    fn upload(&self, device: &Device) -> Result<Self::Slots>;
}

/// Makes these types arguments of a launch. The call is on one line because rustc shows it in its messages.
macro_rules! arguments {
    ($($name:ident),*) => {$(
        readable! { $name<T>: |own| own.memory.view(); }
        writable! { $name<T>: |own| own.memory.view_mut(); }

        impl<T: DeviceType> Shaped for $name<T> {
            type Value = T;
        }

        impl<T: DeviceType> Slots<$name<T>> for $name<T> {
            fn slots(&mut self) -> ViewMut<'_, T> {
                self.memory.view_mut()
            }

            fn shape(&self) -> Option<Shape> {
                Some(self.shape)
            }

            fn diagonal(&self) -> T {
                self.diagonal
            }
        }
    )*};
}

arguments!(Packed, Square, Matrix);
elements_mut!(Packed<T>, Square<T>, Matrix<T>);

shaped! {
    /// One slot for each pair, on a device, in the row-packed lower triangle: from [`Device::packed`]. It covers all pairs of n
    /// elements, or a chunk: the pairs whose larger index is in a range of rows, as many as fit into a device's memory.
    ///
    /// Row i holds the values of the pairs (i, 0), (i, 1), … up to the diagonal. Pair (i, j) has slot i (i - 1) / 2 + j without
    /// the diagonal, and i (i + 1) / 2 + j with it. A slot does not depend on n, so rows can be appended.
    ///
    /// A chunk's slots start at its first row: pair (i, j) of the rows a..b has slot i (i - 1) / 2 - a (a - 1) / 2 + j without
    /// the diagonal, and i (i + 1) / 2 - a (a + 1) / 2 + j with it.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn difference(#[each] x: &[i32], difference: &mut Packed<i32>) {
    ///     r#" difference = x.i - x.j; "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let x = device.upload(&[1, 3, 9])?;
    /// let mut differences = device.packed(x.len())?;
    /// difference::load(&device)?.launch(&x, &mut differences)?;
    /// let matrix = differences.download()?;
    /// assert_eq!((matrix[(1, 0)], matrix[(2, 0)], matrix[(2, 1)]), (2, 8, 6));
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    Packed, HostPacked
}

shaped! {
    /// An n x n matrix on a device, from [`Device::square`](crate::Device::square). A kernel writes the value of the pair
    /// (i, j) at both (i, j) and (j, i), and fills the diagonal.
    ///
    /// The diagonal is zero, unless [`with_diagonal`](Square::with_diagonal) sets another value, or the kernel has
    /// `diagonal = true` and computes it.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[each] x: &[f32], distance: &mut Square<f32>) {
    ///     r#" distance = fabsf(x.i - x.j); "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let x = device.upload(&[1.0, 3.0])?;
    /// let mut distances = device.square(x.len())?;
    /// distance::load(&device)?.launch(&x, &mut distances)?;
    /// assert_eq!(distances.download()?.as_slice(), [0.0, 2.0, 2.0, 0.0]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    Square, HostSquare
}

shaped! {
    /// A matrix with rows and columns on a device, stored by rows: from [`Device::matrix`]. A kernel writes the value of the
    /// pair (i, j) of two sets in row i and column j.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn distance(#[row] query: &[f32], #[column] data: &[f32], distance: &mut Matrix<f32>) {
    ///     r#" distance = fabsf(query - data); "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let (query, data) = (device.upload(&[1.0, 3.0])?, device.upload(&[0.0, 2.0, 7.0])?);
    /// let mut distances = device.matrix((query.len(), data.len()))?;
    /// distance::load(&device)?.launch(&query, &data, &mut distances)?;
    /// assert_eq!(distances.download()?.as_slice(), [1.0, 1.0, 6.0, 3.0, 1.0, 4.0]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    Matrix, HostMatrix
}

impl<T: DeviceType> Packed<T> {
    /// n: the number of elements.
    pub fn elements(&self) -> usize {
        self.shape.row_count()
    }

    /// Whether there are slots for the pairs (i, i).
    pub fn has_diagonal(&self) -> bool {
        self.shape.has_diagonal()
    }
}

impl<T: DeviceType> Square<T> {
    /// The same matrix, but kernels fill its diagonal with `value` from now on, such as 1 for correlations.
    ///
    /// ```
    /// use td_kernel::{Device, td_kernel};
    ///
    /// #[td_kernel]
    /// unsafe fn product(#[each] x: &[f32], products: &mut Square<f32>) {
    ///     r#" products = x.i * x.j; "#
    /// }
    ///
    /// let device = Device::cpu()?;
    /// let x = device.upload(&[2.0, 3.0])?;
    /// let mut products = device.square(2)?.with_diagonal(1.0);
    /// product::load(&device)?.launch(&x, &mut products)?;
    /// assert_eq!(products.download()?.as_slice(), [1.0, 6.0, 6.0, 1.0]);
    /// # Ok::<(), td_kernel::Error>(())
    /// ```
    #[must_use]
    pub fn with_diagonal(mut self, value: T) -> Self {
        self.diagonal = value;
        self
    }

    /// n: the number of rows and of columns.
    pub fn elements(&self) -> usize {
        self.shape.row_count()
    }
}

impl<T: DeviceType> Matrix<T> {
    /// The number of rows of the whole matrix, including rows outside its chunk.
    pub fn row_count(&self) -> usize {
        self.shape.row_count()
    }

    /// The number of columns.
    pub fn column_count(&self) -> usize {
        self.shape.columns(0)
    }
}
