//! This crate's buffers, views and slots as arguments.

use super::{MatrixSlots, PackedSlots, Slice, SliceMut, SquareSlots};
use crate::backend::view::{View, ViewMut};
use crate::{
    Buffer, BufferSlice, BufferSliceMut, DeviceType, Matrix, MatrixShape, Packed, PackedShape,
    Square,
};

impl<T: DeviceType> Slice<T> for Buffer<T> {
    fn view(&self) -> View<'_, T> {
        self.memory.view()
    }
}

impl<T: DeviceType> SliceMut<T> for Buffer<T> {
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.memory.view_mut()
    }
}

impl<T: DeviceType> Slice<T> for View<'_, T> {
    fn view(&self) -> View<'_, T> {
        self.clone()
    }
}

impl<T: DeviceType> SliceMut<T> for ViewMut<'_, T> {
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.reborrow()
    }
}

impl<T: DeviceType> Slice<T> for BufferSliceMut<'_, T> {
    fn view(&self) -> View<'_, T> {
        self.view()
    }
}

macro_rules! slots_of_any_kind {
    ($($slice:ty),*) => {$(
        impl<T: DeviceType> PackedSlots<T> for $slice {
            fn slots(&mut self) -> ViewMut<'_, T> {
                SliceMut::view_mut(self)
            }
        }

        impl<T: DeviceType> SquareSlots<T> for $slice {
            fn slots(&mut self) -> ViewMut<'_, T> {
                SliceMut::view_mut(self)
            }
        }

        impl<T: DeviceType> MatrixSlots<T> for $slice {
            fn slots(&mut self) -> ViewMut<'_, T> {
                SliceMut::view_mut(self)
            }
        }
    )*};
}

slots_of_any_kind!(Buffer<T>, BufferSliceMut<'_, T>, ViewMut<'_, T>);

impl<T: DeviceType> Slice<T> for BufferSlice<'_, T> {
    fn view(&self) -> View<'_, T> {
        self.view()
    }
}

impl<T: DeviceType> SliceMut<T> for BufferSliceMut<'_, T> {
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.view_mut()
    }
}

impl<T: DeviceType> Slice<T> for Packed<T> {
    fn view(&self) -> View<'_, T> {
        self.memory.view()
    }
}

impl<T: DeviceType> SliceMut<T> for Packed<T> {
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.memory.view_mut()
    }
}

impl<T: DeviceType> PackedSlots<T> for Packed<T> {
    fn slots(&mut self) -> ViewMut<'_, T> {
        self.memory.view_mut()
    }

    fn shape(&self) -> Option<PackedShape> {
        Some(self.shape.clone())
    }
}

impl<T: DeviceType> Slice<T> for Square<T> {
    fn view(&self) -> View<'_, T> {
        self.memory.view()
    }
}

impl<T: DeviceType> SliceMut<T> for Square<T> {
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.memory.view_mut()
    }
}

impl<T: DeviceType> SquareSlots<T> for Square<T> {
    fn slots(&mut self) -> ViewMut<'_, T> {
        self.memory.view_mut()
    }

    fn elements(&self) -> Option<usize> {
        Some(self.elements)
    }

    fn diagonal(&self) -> T {
        self.diagonal
    }
}

impl<T: DeviceType> Slice<T> for Matrix<T> {
    fn view(&self) -> View<'_, T> {
        self.memory.view()
    }
}

impl<T: DeviceType> SliceMut<T> for Matrix<T> {
    fn view_mut(&mut self) -> ViewMut<'_, T> {
        self.memory.view_mut()
    }
}

impl<T: DeviceType> MatrixSlots<T> for Matrix<T> {
    fn slots(&mut self) -> ViewMut<'_, T> {
        self.memory.view_mut()
    }

    fn shape(&self) -> Option<MatrixShape> {
        Some(self.shape.clone())
    }
}
