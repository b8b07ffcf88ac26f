//! Implements the traits of arguments for this crate's buffers and views and, with the feature `cudarc`, for its slices and
//! views. `Packed` and its like are in `shaped`.

#[cfg(feature = "cudarc")]
use cudarc::driver::{CudaSlice, CudaView, CudaViewMut};

use super::{Shaped, Slice, SliceMut, Slots, sealed};
use crate::backend::view::{View, ViewMut};
use crate::{Buffer, BufferSlice, BufferSliceMut, DeviceType};

impl<T: DeviceType> Slice<T> for Buffer<T> {
    fn view(&self) -> View<'_, T> {
        self.memory.view()
    }
}

impl<T: DeviceType> Slice<T> for BufferSlice<'_, T> {
    fn view(&self) -> View<'_, T> {
        self.view()
    }
}

impl<T: DeviceType> Slice<T> for BufferSliceMut<'_, T> {
    fn view(&self) -> View<'_, T> {
        self.view()
    }
}

impl<T: DeviceType> Slice<T> for View<'_, T> {
    fn view(&self) -> View<'_, T> {
        self.clone()
    }
}

impl<T: DeviceType> SliceMut<T> for Buffer<T> {
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.memory.view_mut()
    }
}

impl<T: DeviceType> SliceMut<T> for BufferSliceMut<'_, T> {
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.view_mut()
    }
}

impl<T: DeviceType> SliceMut<T> for ViewMut<'_, T> {
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.reborrow()
    }
}

#[cfg(feature = "cudarc")]
macro_rules! cudarc_slices {
    ($($slice:ty),*) => {$(
        impl<T: DeviceType> Slice<T> for $slice {
            fn view(&self) -> View<'_, T> {
                View::Cuda(self.slice(..))
            }
        }
    )*};
}

#[cfg(feature = "cudarc")]
macro_rules! cudarc_slices_mut {
    ($($slice:ty),*) => {$(
        impl<T: DeviceType> SliceMut<T> for $slice {
            fn view_mut(&mut self) -> ViewMut<'_, T> {
                ViewMut::Cuda(self.slice_mut(..))
            }
        }
    )*};
}

/// Memory without a shape can hold slots of any shape.
macro_rules! slots {
    ($($slice:ty),*) => {$(
        impl<T: DeviceType, R: Shaped<Value = T>> Slots<R> for $slice {
            fn slots(&mut self) -> ViewMut<'_, T> {
                SliceMut::view_mut(self)
            }
        }
    )*};
}

macro_rules! sealed {
    ($($slice:ty),*) => {$( impl<T> sealed::Memory for $slice {} )*};
}

slots!(Buffer<T>, BufferSliceMut<'_, T>, ViewMut<'_, T>);
sealed!(Buffer<T>, BufferSlice<'_, T>, BufferSliceMut<'_, T>, View<'_, T>, ViewMut<'_, T>);

#[cfg(feature = "cudarc")]
cudarc_slices!(CudaSlice<T>, CudaView<'_, T>, CudaViewMut<'_, T>);
#[cfg(feature = "cudarc")]
cudarc_slices_mut!(CudaSlice<T>, CudaViewMut<'_, T>);
#[cfg(feature = "cudarc")]
slots!(CudaSlice<T>, CudaViewMut<'_, T>);
#[cfg(feature = "cudarc")]
sealed!(CudaSlice<T>, CudaView<'_, T>, CudaViewMut<'_, T>);
