//! The arguments of a launch: this crate's buffers, and cudarc's slices and views.

mod of;

use super::orders::Orders;
use crate::backend::view::{View, ViewMut};
use crate::host::sets::SetPairs;
use crate::{DeviceType, Shape, host};

/// Elements on a device that a kernel reads: a [`Buffer`] or a slice of one, a [`Packed`], a [`Square`], a [`Matrix`], a
/// `View`, or with the feature `cudarc` its `CudaSlice`, `CudaView` and `CudaViewMut`; and each of these as [`Ordered`].
///
/// ```
/// use td_kernel::{Buffer, Device, Result, Slice, td_kernel};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &[f32], count: &mut Sum<u32>) {
///     r#" if (fabsf(x.i - x.j) < 1) count += 1; "#
/// }
///
/// /// Counts the close pairs of any elements that are already on a device.
/// fn count(device: &Device, x: &dyn Slice<f32>) -> Result<u32> {
///     let mut count = device.sum()?;
///     close::load(device)?.launch(x, &mut count)?;
///     count.download()
/// }
///
/// let device = Device::cpu()?;
/// let x: Buffer<f32> = device.upload(&[0.0, 0.5, 2.0, 2.5])?;
/// assert_eq!((count(&device, &x)?, count(&device, &x.slice(1..)?)?), (2, 1));
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// This trait is sealed, because a launch relies on the memory that it describes.
///
/// [`Buffer`]: crate::Buffer
/// [`Packed`]: crate::Packed
/// [`Square`]: crate::Square
/// [`Matrix`]: crate::Matrix
/// [`Ordered`]: crate::Ordered
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold `{T}` elements on a device",
    label = "not elements of this type on a device",
    note = "make them with `device.upload(&values)?`, or, with the feature `cudarc`, pass its slice or view of the type that the kernel names",
    note = "a launch takes its arguments in the order of the kernel\'s signature"
)]
pub trait Slice<T>: sealed::Memory {
    /// The memory of the elements.
    fn view(&self) -> View<'_, T>;

    /// The orders that launches keep of the elements.
    #[doc(hidden)]
    fn orders(&self) -> Option<&Orders> {
        None
    }
}

/// Elements on a device that a kernel writes: a [`Buffer`] or a mutable slice of one, a [`Packed`], a [`Square`], a
/// [`Matrix`], a `ViewMut`, or with the feature `cudarc` its `CudaSlice` and `CudaViewMut`.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// The number of elements that each element is close to.
/// #[td_kernel]
/// unsafe fn neighbours(#[each] x: &[f32], degrees: &mut [u32]) {
///     r#" if (fabsf(x.i - x.j) < 1) { atomicAdd(degrees + i, 1); atomicAdd(degrees + j, 1); } "#
/// }
///
/// let device = Device::cpu()?;
/// let x = device.upload(&[0.0, 0.5, 1.2, 9.0])?;
/// let mut degrees = device.zeroed(4)?; // a `Buffer`, which is a `SliceMut`
/// neighbours::load(&device)?.launch(&x, &mut degrees)?;
/// assert_eq!(degrees.download()?, [1, 2, 1, 0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// This trait is sealed, because a launch relies on the memory that it describes.
///
/// [`Buffer`]: crate::Buffer
/// [`Packed`]: crate::Packed
/// [`Square`]: crate::Square
/// [`Matrix`]: crate::Matrix
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold `{T}` elements on a device",
    label = "not elements of this type on a device",
    note = "make them with `device.zeroed(length)?`, or, with the feature `cudarc`, pass its slice or view of the type that the kernel names",
    note = "a launch takes its arguments in the order of the kernel\'s signature"
)]
pub trait SliceMut<T>: sealed::Memory {
    /// The memory of the elements.
    fn view_mut(&mut self) -> ViewMut<'_, T>;
}

/// The argument for `&mut R` in a kernel's signature: a [`Packed<T>`], a [`Square<T>`] or a [`Matrix<T>`] itself. A [`Buffer`],
/// a mutable slice of one, and with the feature `cudarc` a `ViewMut`, `CudaSlice` or `CudaViewMut` can replace any of them, if
/// they have one element for each value.
///
/// | `R` | values | in a `Buffer` or other memory without a shape |
/// | --- | --- | --- |
/// | `Packed<T>` | one for each pair | one for each pair of the visited rows |
/// | `Square<T>` | n², one for each (i, j) | n²; the diagonal is filled with zeros |
/// | `Matrix<T>` | rows x columns, by rows | as for `Packed`; another argument must give the number of rows or columns |
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// #[td_kernel]
/// unsafe fn product(#[row] x: &[f32], #[column] y: &[f32], products: &mut Matrix<f32>) {
///     r#" products = x * y; "#
/// }
///
/// let device = Device::cpu()?;
/// let (x, y) = (device.upload(&[1.0, 2.0, 3.0])?, device.upload(&[10.0, 100.0])?);
/// // Six values, after two others.
/// let mut values = device.zeroed(8)?;
/// product::load(&device)?.launch(&x, &y, &mut values.slice_mut(2..)?)?;
/// assert_eq!(values.download()?, [0.0, 0.0, 10.0, 100.0, 20.0, 200.0, 30.0, 300.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// A `Packed`, `Square` or `Matrix` also has its shape:
///
/// ```
/// use td_kernel::{Device, Shape, Slots};
///
/// let device = Device::cpu()?;
/// let (mut packed, mut matrix) = (device.packed::<f32>(Shape::triangle(10).of_rows(3..5))?, device.matrix::<f32>((3, 5))?);
/// let shape = packed.shape().expect("a `Packed` knows its pairs");
/// assert_eq!((shape.row_count(), shape.rows(), shape.has_diagonal()), (10, 3..5, false));
/// let shape = matrix.shape().expect("a `Matrix` knows its rows and columns");
/// assert_eq!((shape.row_count(), shape.rows(), shape.column_count()), (3, 0..3, Some(5)));
/// assert_eq!((packed.slots().len(), matrix.slots().len()), (7, 15));
///
/// let mut square = device.square(3)?.with_diagonal(1.0_f32);
/// assert_eq!((square.slots().len(), square.diagonal()), (9, 1.0));
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// This trait is sealed, because a launch relies on the memory that it describes.
///
/// [`Buffer`]: crate::Buffer
/// [`Packed<T>`]: crate::Packed
/// [`Square<T>`]: crate::Square
/// [`Matrix<T>`]: crate::Matrix
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the kernel's `{R}`",
    label = "expected a `{R}` on a device",
    note = "if the element types differ, leave out the type where it is made, such as `::<f64>`: the launch determines it",
    note = "make a `Packed` with `device.packed(n)?`, a `Square` with `device.square(n)?`, a `Matrix` with `device.matrix((rows, columns))?`, or, with the feature `cudarc`, pass its slice or view of the type that the kernel names",
    note = "a launch takes its arguments in the order of the kernel\'s signature"
)]
pub trait Slots<R: Shaped>: sealed::Memory {
    /// The memory of the values.
    fn slots(&mut self) -> ViewMut<'_, R::Value>;

    /// The pairs that the values belong to; `None` for memory without a shape.
    fn shape(&self) -> Option<Shape> {
        None
    }

    /// The pairs of many sets that the values belong to; `None` for other memory.
    #[doc(hidden)]
    fn pairs_of_sets(&self) -> Option<&SetPairs> {
        None
    }

    /// The value for the diagonal of a square.
    fn diagonal(&self) -> R::Value {
        host::zero()
    }
}

/// A [`Packed`](crate::Packed), a [`Square`](crate::Square) or a [`Matrix`](crate::Matrix), as a kernel's signature names it.
///
/// ```
/// use td_kernel::{Device, Packed, Shaped, Slots};
///
/// /// The number of values that each of them can hold.
/// fn room<R: Shaped>(slots: &mut impl Slots<R>) -> usize {
///     slots.slots().len()
/// }
///
/// let mut slots: Packed<f32> = Device::cpu()?.packed(3)?;
/// assert_eq!(room::<Packed<f32>>(&mut slots), 3);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// This trait is sealed.
pub trait Shaped: sealed::Memory {
    /// The type of the values.
    type Value: DeviceType;
}

pub(crate) mod sealed {
    /// A type of this crate or of cudarc.
    pub trait Memory {}
}

/// Makes these types readable arguments, with these views.
macro_rules! readable {
    ($($memory:ty: |$own:ident| $view:expr;)*) => {$(
        impl<T> $crate::memory::argument::sealed::Memory for $memory {}

        impl<T: $crate::DeviceType> $crate::Slice<T> for $memory {
            fn view(&self) -> $crate::backend::view::View<'_, T> {
                let $own = self;
                $view
            }
        }
    )*};
}

/// Makes these types arguments that kernels write, too.
macro_rules! writable {
    ($($memory:ty: |$own:ident| $view:expr;)*) => {$(
        impl<T: $crate::DeviceType> $crate::SliceMut<T> for $memory {
            fn view_mut(&mut self) -> $crate::backend::view::ViewMut<'_, T> {
                let $own = self;
                $view
            }
        }
    )*};
}

pub(crate) use {readable, writable};
