//! What a launch takes: this crate's buffers, and cudarc's slices and views as they are.

mod foreign;
mod own;

use crate::backend::view::{View, ViewMut};
use crate::{DeviceType, MatrixShape, PackedShape, host};

/// Elements on a device that a kernel reads: a [`Buffer`] or a slice of one, a [`Packed`], a [`Square`], a [`Matrix`], a
/// [`View`], or cudarc's `CudaSlice`, `CudaView` and `CudaViewMut`.
///
/// ```
/// use td_kernel::{Buffer, Device, Result, Slice, td_kernel};
///
/// #[td_kernel]
/// unsafe fn close(#[each] x: &[f32], count: &mut Sum<u32>) {
///     r#" if (fabsf(x.i - x.j) < 1) count += 1; "#
/// }
///
/// /// The close pairs of what lies on a device already, by whomever it was put there.
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
/// No other type can implement it: a launch trusts what it says about memory.
///
/// [`Buffer`]: crate::Buffer
/// [`Packed`]: crate::Packed
/// [`Square`]: crate::Square
/// [`Matrix`]: crate::Matrix
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no `{T}` elements on a device",
    label = "not elements of this type on a device",
    note = "make them with `device.upload(&values)?`, or pass a slice or view of cudarc's, of the type that the kernel names",
    note = "a launch takes its arguments in the order of the kernel\'s signature"
)]
pub trait Slice<T>: sealed::Memory {
    /// Where the elements are.
    fn view(&self) -> View<'_, T>;
}

/// Elements on a device that a kernel writes: a [`Buffer`] or a mutable slice of one, a [`Packed`], a [`Square`], a
/// [`Matrix`], a [`ViewMut`], or cudarc's `CudaSlice` and `CudaViewMut`.
///
/// ```
/// use td_kernel::{Device, td_kernel};
///
/// /// How many elements each one is close to.
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
/// No other type can implement it: a launch trusts what it says about memory.
///
/// [`Buffer`]: crate::Buffer
/// [`Packed`]: crate::Packed
/// [`Square`]: crate::Square
/// [`Matrix`]: crate::Matrix
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no `{T}` elements on a device",
    label = "not elements of this type on a device",
    note = "make them with `device.zeroed(length)?`, or pass a slice or view of cudarc's, of the type that the kernel names",
    note = "a launch takes its arguments in the order of the kernel\'s signature"
)]
pub trait SliceMut<T>: sealed::Memory {
    /// Where the elements are.
    fn view_mut(&mut self) -> ViewMut<'_, T>;
}

/// One slot for each pair: a [`Packed`]; or a [`Buffer`], a mutable slice of one, a [`ViewMut`], or cudarc's `CudaSlice`
/// and `CudaViewMut`, with one element for each pair.
///
/// ```
/// use td_kernel::{Device, PackedSlots};
///
/// let device = Device::cpu()?;
/// let mut slots = device.packed_rows::<f32>(10, 3..5)?;
/// let shape = PackedSlots::shape(&slots).expect("a `Packed` knows its pairs");
/// assert_eq!((shape.elements, shape.rows, shape.diagonal), (10, 3..5, false));
/// assert_eq!(slots.slots().len(), 7);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// No other type can implement it: a launch trusts what it says about memory.
///
/// [`Buffer`]: crate::Buffer
/// [`Packed`]: crate::Packed
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no `{T}` elements on a device",
    label = "not elements of this type on a device",
    note = "make them with `device.packed(n)?`, or pass a slice or view of cudarc's, of the type that the kernel names",
    note = "a launch takes its arguments in the order of the kernel\'s signature"
)]
pub trait PackedSlots<T>: sealed::Memory {
    /// Where the slots are.
    fn slots(&mut self) -> ViewMut<'_, T>;

    /// The pairs that the slots are for; `None` where only the number of slots is known.
    fn shape(&self) -> Option<PackedShape> {
        None
    }
}

/// n² values, one for each (i, j): a [`Square`]; or a [`Buffer`], a mutable slice of one, a [`ViewMut`], or cudarc's
/// `CudaSlice` and `CudaViewMut`, of n² elements, whose diagonal is filled with zeros.
///
/// ```
/// use td_kernel::{Device, SquareSlots};
///
/// let device = Device::cpu()?;
/// let mut values = device.square(3)?.with_diagonal(1.0_f32);
/// assert_eq!((SquareSlots::elements(&values), values.diagonal()), (Some(3), 1.0));
/// assert_eq!(values.slots().len(), 9);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// No other type can implement it: a launch trusts what it says about memory.
///
/// [`Buffer`]: crate::Buffer
/// [`Square`]: crate::Square
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no `{T}` elements on a device",
    label = "not elements of this type on a device",
    note = "make them with `device.square(n)?`, or pass a slice or view of cudarc's, of the type that the kernel names",
    note = "a launch takes its arguments in the order of the kernel\'s signature"
)]
pub trait SquareSlots<T: DeviceType>: sealed::Memory {
    /// Where the values are.
    fn slots(&mut self) -> ViewMut<'_, T>;

    /// n; `None` where only n² is known.
    fn elements(&self) -> Option<usize> {
        None
    }

    /// What the diagonal is filled with.
    fn diagonal(&self) -> T {
        host::zero()
    }
}

/// rows x columns values, by rows: a [`Matrix`]; or a [`Buffer`], a mutable slice of one, a [`ViewMut`], or cudarc's
/// `CudaSlice` and `CudaViewMut`, with one element for each value of the visited rows. Of such elements only the number is
/// known, so other arguments tell the number of rows, or that of the columns.
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
/// // Room for six values, behind others.
/// let mut values = device.zeroed(8)?;
/// product::load(&device)?.launch(&x, &y, &mut values.slice_mut(2..)?)?;
/// assert_eq!(values.download()?, [0.0, 0.0, 10.0, 100.0, 20.0, 200.0, 30.0, 300.0]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// The same of a `Matrix`, which knows its shape:
///
/// ```
/// use td_kernel::{Device, MatrixSlots};
///
/// let device = Device::cpu()?;
/// let mut values = device.matrix::<f32>(3, 5)?;
/// let shape = MatrixSlots::shape(&values).expect("a `Matrix` knows its rows and columns");
/// assert_eq!((shape.row_count, shape.rows, shape.columns), (3, 0..3, 5));
/// assert_eq!(values.slots().len(), 15);
/// # Ok::<(), td_kernel::Error>(())
/// ```
///
/// No other type can implement it: a launch trusts what it says about memory.
///
/// [`Buffer`]: crate::Buffer
/// [`Matrix`]: crate::Matrix
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds no `{T}` elements on a device",
    label = "not elements of this type on a device",
    note = "make them with `device.matrix(rows, columns)?`, or pass a slice or view of cudarc's, of the type that the kernel names",
    note = "a launch takes its arguments in the order of the kernel\'s signature"
)]
pub trait MatrixSlots<T>: sealed::Memory {
    /// Where the values are.
    fn slots(&mut self) -> ViewMut<'_, T>;

    /// The rows and columns that the values are for; `None` where only the number of values is known.
    fn shape(&self) -> Option<MatrixShape> {
        None
    }
}

pub(crate) mod sealed {
    use cudarc::driver::{CudaSlice, CudaView, CudaViewMut};

    /// A type of this crate or of cudarc.
    pub trait Memory {}

    impl<T> Memory for crate::Buffer<T> {}
    impl<T> Memory for crate::View<'_, T> {}
    impl<T> Memory for crate::ViewMut<'_, T> {}
    impl<T> Memory for crate::BufferSlice<'_, T> {}
    impl<T> Memory for crate::BufferSliceMut<'_, T> {}
    impl<T> Memory for crate::Packed<T> {}
    impl<T> Memory for crate::Square<T> {}
    impl<T> Memory for crate::Matrix<T> {}
    impl<T> Memory for CudaSlice<T> {}
    impl<T> Memory for CudaView<'_, T> {}
    impl<T> Memory for CudaViewMut<'_, T> {}
}

/// Slots on the CPU that know only their number, like cudarc's on a GPU.
#[cfg(test)]
pub(crate) struct Shapeless<'a, T>(pub(crate) &'a mut [T]);

#[cfg(test)]
impl<T> sealed::Memory for Shapeless<'_, T> {}

#[cfg(test)]
impl<T: DeviceType> PackedSlots<T> for Shapeless<'_, T> {
    fn slots(&mut self) -> ViewMut<'_, T> {
        ViewMut::Cpu(self.0)
    }
}

#[cfg(test)]
impl<T: DeviceType> MatrixSlots<T> for Shapeless<'_, T> {
    fn slots(&mut self) -> ViewMut<'_, T> {
        ViewMut::Cpu(self.0)
    }
}
