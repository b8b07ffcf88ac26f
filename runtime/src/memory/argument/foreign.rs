//! cudarc's slices and views as arguments.

use cudarc::driver::{CudaSlice, CudaView, CudaViewMut};

use super::{MatrixSlots, PackedSlots, Slice, SliceMut, SquareSlots};
use crate::DeviceType;
use crate::backend::view::{View, ViewMut};

macro_rules! cudarc_slice {
    ($($slice:ty),*) => {$(
        impl<T: DeviceType> Slice<T> for $slice {
            fn view(&self) -> View<'_, T> {
                View::Cuda(self.slice(..))
            }
        }
    )*};
}

macro_rules! cudarc_slice_mut {
    ($($slice:ty),*) => {$(
        impl<T: DeviceType> SliceMut<T> for $slice {
            fn view_mut(&mut self) -> ViewMut<'_, T> {
                ViewMut::Cuda(self.slice_mut(..))
            }
        }

        impl<T: DeviceType> PackedSlots<T> for $slice {
            fn slots(&mut self) -> ViewMut<'_, T> {
                ViewMut::Cuda(self.slice_mut(..))
            }
        }

        impl<T: DeviceType> SquareSlots<T> for $slice {
            fn slots(&mut self) -> ViewMut<'_, T> {
                ViewMut::Cuda(self.slice_mut(..))
            }
        }

        impl<T: DeviceType> MatrixSlots<T> for $slice {
            fn slots(&mut self) -> ViewMut<'_, T> {
                ViewMut::Cuda(self.slice_mut(..))
            }
        }
    )*};
}

cudarc_slice!(CudaSlice<T>, CudaView<'_, T>, CudaViewMut<'_, T>);
cudarc_slice_mut!(CudaSlice<T>, CudaViewMut<'_, T>);
