//! The methods that buffers, slices of buffers and values of a shape have in common.

/// Methods for types whose elements are a `range` of their `memory`.
macro_rules! elements {
    ($($name:ty),*) => {$(
        impl<T: $crate::DeviceType> $name {
            $crate::host::methods::length!(self, "elements", self.range().len());

            /// Copies the elements into a slice of the same length, after the kernels launched so far; fastest into
            /// [pinned](crate::Target::pinned) memory. A matrix is copied row by row.
            ///
            /// # Errors
            ///
            /// The slice has another length; or the device failed, perhaps in a kernel launched before.
            pub fn download_into(&self, elements: &mut [T]) -> $crate::Result<()> {
                self.memory.download_into(self.range(), elements)
            }
        }
    )*};
}

/// The same, and `upload_into`.
macro_rules! elements_mut {
    ($($name:ty),*) => {$(
        $crate::memory::elements::elements!($name);

        impl<T: $crate::DeviceType> $name {
            /// Replaces the elements with those of a slice of the same length, after the kernels launched so far.
            ///
            /// # Errors
            ///
            /// The slice has another length; or the device failed, perhaps in a kernel launched before.
            pub fn upload_into(&mut self, elements: &[T]) -> $crate::Result<()> {
                self.memory.upload_into(self.range(), elements)
            }
        }
    )*};
}

pub(crate) use {elements, elements_mut};
