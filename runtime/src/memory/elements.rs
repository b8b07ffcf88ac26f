//! What all elements on a device can do: those of a buffer, of a part of one, or of a shape.

/// The methods of these types, whose elements are those of their `memory` in their `range`.
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
            /// [pinned](crate::Device::pinned) memory. Those of a matrix are in the order of its rows.
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

/// The same of what can be written.
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
