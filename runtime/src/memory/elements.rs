//! The methods that buffers, slices of buffers and values of a shape have in common.

/// The methods of types whose elements are a `range` of their `memory`.
macro_rules! elements {
    ($($name:ty),*) => {$(
        impl<T: $crate::DeviceType> $name {
            /// The number of elements.
            pub fn len(&self) -> usize {
                self.range().len()
            }

            /// Whether there are none.
            pub fn is_empty(&self) -> bool {
                self.range().is_empty()
            }

            /// The elements copied into a slice of as many, once the kernels launched so far have ended: fastest into
            /// [pinned](crate::Target::pinned) memory. Those of a matrix are in the order of its rows.
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
            /// As many elements copied over those that are there, once the kernels launched so far have ended.
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
