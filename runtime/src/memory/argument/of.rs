//! Implements the traits of arguments for this crate's buffers and views and, with the feature `cudarc`, for its slices and
//! views. `Packed` and its like are in `shaped`.

#[cfg(feature = "cudarc")]
use cudarc::driver::{CudaSlice, CudaView, CudaViewMut};

use super::{Shaped, Slice, SliceMut, Slots, readable, sealed, writable};
use crate::backend::view::{View, ViewMut};
use crate::{Buffer, BufferSlice, BufferSliceMut, DeviceType};

impl<T> sealed::Memory for Buffer<T> {}

// Without a macro, since rustc shows it in its messages.
impl<T: DeviceType> Slice<T> for Buffer<T> {
    fn view(&self) -> View<'_, T> {
        self.memory.view()
    }
}

readable! {
    BufferSlice<'_, T>: |slice| slice.view();
    BufferSliceMut<'_, T>: |slice| slice.view();
    View<'_, T>: |view| view.clone();
}

writable! {
    Buffer<T>: |buffer| buffer.memory.view_mut();
    BufferSliceMut<'_, T>: |slice| slice.view_mut();
    ViewMut<'_, T>: |view| view.reborrow();
}

#[cfg(feature = "cudarc")]
readable! {
    CudaSlice<T>: |slice| View::Cuda(slice.slice(..));
    CudaView<'_, T>: |view| View::Cuda(view.slice(..));
    CudaViewMut<'_, T>: |view| View::Cuda(view.slice(..));
}

#[cfg(feature = "cudarc")]
writable! {
    CudaSlice<T>: |slice| ViewMut::Cuda(slice.slice_mut(..));
    CudaViewMut<'_, T>: |view| ViewMut::Cuda(view.slice_mut(..));
}

impl<T> sealed::Memory for ViewMut<'_, T> {}

/// Memory without a shape, which may be slots of any.
macro_rules! slots {
    ($($slice:ty),*) => {$(
        impl<T: DeviceType, R: Shaped<Value = T>> Slots<R> for $slice {
            fn slots(&mut self) -> ViewMut<'_, T> {
                SliceMut::view_mut(self)
            }
        }
    )*};
}

slots!(Buffer<T>, BufferSliceMut<'_, T>, ViewMut<'_, T>);
#[cfg(feature = "cudarc")]
slots!(CudaSlice<T>, CudaViewMut<'_, T>);
