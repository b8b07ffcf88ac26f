//! Views elements as bytes, and bytes as elements. Where a launch's arguments are does not depend on their type, so that code
//! is compiled once here, not in the user's crate for each type. Generic code uses loops: iterator adapters would be compiled
//! for each type too.

use std::ops::Range;
use std::sync::Arc;
use std::{mem, slice};

use cudarc::driver::{CudaStream, CudaViewMut};
use smallvec::{SmallVec, smallvec};

use super::{Byte, View, ViewMut};
use crate::DeviceType;
use crate::backend::order::Access;

impl<'a, T> View<'a, T> {
    /// The same elements as bytes.
    pub(crate) fn untyped(self) -> View<'a, Byte> {
        match self {
            View::Empty => View::Empty,
            View::Cpu(elements) => View::Cpu(bytes(elements)),
            View::Cuda(elements) => {
                let length = elements.len() * size_of::<T>();
                // SAFETY: the elements have this many bytes, and a `Byte` may be uninitialised.
                unsafe { elements.transmute(length) }.map_or(View::Empty, View::Cuda)
            }
            View::Several(copies) => View::Several(each(copies, View::untyped)),
        }
    }
}

impl<'a, T: DeviceType> ViewMut<'a, T> {
    /// The same elements as bytes. Every bit pattern is a value of the type.
    ///
    /// # Safety
    ///
    /// Only initialised bytes are written to the view.
    pub(crate) unsafe fn untyped(self) -> ViewMut<'a, Byte> {
        match self {
            ViewMut::Empty => ViewMut::Empty,
            // SAFETY: the caller's promise.
            ViewMut::Cpu(elements) => ViewMut::Cpu(unsafe { bytes_mut(elements) }),
            ViewMut::Cuda(mut elements) => {
                let length = elements.len() * size_of::<T>();
                // SAFETY: the elements have this many bytes, and the caller writes only values to them.
                let bytes = unsafe { elements.transmute_mut(length) };
                // SAFETY: only the lifetime changes. cudarc ties it to the variable `elements`, which ends here, so no other
                // view of the memory exists while this one lives.
                unsafe { outliving(bytes) }
            }
            // SAFETY: the caller's promise, for the bytes on each device.
            ViewMut::Several(all) => ViewMut::Several(each(all, |one| unsafe { one.untyped() })),
        }
    }
}

impl<'a> View<'a, Byte> {
    /// The bytes in `range`.
    fn part(self, range: Range<usize>) -> Self {
        match self {
            View::Empty => View::Empty,
            View::Cpu(all) => View::Cpu(&all[range]),
            View::Cuda(all) => all.try_slice(range).map_or(View::Empty, View::Cuda),
            View::Several(all) => View::Several(each(all, |one| one.part(range.clone()))),
        }
    }

    /// The bytes as `length` elements.
    ///
    /// # Safety
    ///
    /// They are `length` elements of this type, aligned and initialised.
    unsafe fn typed<T>(self, length: usize) -> View<'a, T> {
        match self {
            View::Empty => View::Empty,
            View::Cpu(bytes) => {
                // SAFETY: the caller's promise, for elements borrowed as long as the result.
                View::Cpu(unsafe { slice::from_raw_parts(bytes.as_ptr().cast(), length) })
            }
            // SAFETY: the caller's promise.
            View::Cuda(bytes) => unsafe { bytes.transmute(length) }.map_or(View::Empty, View::Cuda),
            // SAFETY: the caller's promise, for the bytes on each device.
            View::Several(all) => View::Several(each(all, |one| unsafe { one.typed(length) })),
        }
    }
}

impl<'a> ViewMut<'a, Byte> {
    /// The bytes in `range`.
    fn part(self, range: Range<usize>) -> Self {
        match self {
            ViewMut::Empty => ViewMut::Empty,
            ViewMut::Cpu(all) => ViewMut::Cpu(&mut all[range]),
            ViewMut::Cuda(mut all) => {
                let part = all.try_slice_mut(range);
                // SAFETY: only the lifetime changes. cudarc ties it to the variable `all`, which ends here, so no other view of
                // the memory exists while this one lives.
                unsafe { outliving(part) }
            }
            ViewMut::Several(all) => ViewMut::Several(each(all, |one| one.part(range.clone()))),
        }
    }

    /// The bytes as `length` elements.
    ///
    /// # Safety
    ///
    /// They are `length` elements of this type, aligned and initialised. Every bit pattern is a value of the type.
    unsafe fn typed<T>(self, length: usize) -> ViewMut<'a, T> {
        match self {
            ViewMut::Empty => ViewMut::Empty,
            ViewMut::Cpu(bytes) => {
                // SAFETY: the caller's promise, for elements mutably borrowed as long as the result.
                ViewMut::Cpu(unsafe {
                    slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), length)
                })
            }
            ViewMut::Cuda(mut bytes) => {
                // SAFETY: the caller's promise.
                let elements = unsafe { bytes.transmute_mut(length) };
                // SAFETY: as in `part`.
                unsafe { outliving(elements) }
            }
            ViewMut::Several(all) => {
                // SAFETY: the caller's promise, for the bytes on each device.
                ViewMut::Several(each(all, |one| unsafe { one.typed(length) }))
            }
        }
    }
}

macro_rules! both {
    ($($view:ident, $start:ident, $pointer:ident;)*) => {$(
        impl<'a> $view<'a, Byte> {
            /// The elements in `range`, of the elements that these bytes hold.
            ///
            /// # Safety
            ///
            /// The bytes hold elements of this type from the first byte on, aligned and initialised. If they can be written, every
            /// bit pattern is a value of the type.
            pub(crate) unsafe fn elements<T>(self, range: Range<usize>) -> $view<'a, T> {
                let bytes = range.start * size_of::<T>()..range.end * size_of::<T>();
                // SAFETY: the caller's promise, for the part in `range`.
                unsafe { self.part(bytes).typed(range.len()) }
            }

            /// The bytes on each of `devices` devices. If they are on another number of devices, the error names where they are.
            pub(crate) fn on_each(self, devices: usize) -> Result<SmallVec<[Self; 1]>, String> {
                match self {
                    $view::Empty => Ok((0..devices).map(|_| $view::Empty).collect()),
                    $view::Several(copies) if copies.len() == devices => Ok(copies.into()),
                    $view::Cpu(_) | $view::Cuda(_) if devices == 1 => Ok(smallvec![self]),
                    _ => Err(self.space().to_string()),
                }
            }

            /// The address for a launch on this stream; `None` for GPU memory if `stream` is `None`, and for memory of several
            /// devices. `foreign` comes from [`order::join`](crate::backend::order::join).
            pub(crate) fn access(
                self,
                stream: Option<&'a CudaStream>,
                foreign: Option<Arc<CudaStream>>,
            ) -> Option<Access<'a>> {
                match self {
                    $view::Empty => Some(Access::host(0)),
                    $view::Cpu(elements) => Some(Access::host(elements.$start().expose_provenance())),
                    $view::Cuda(elements) => {
                        let (address, guard) = elements.$pointer(stream?);
                        Some(Access::gpu(address, guard, foreign))
                    }
                    $view::Several(_) => None,
                }
            }
        }
    )*};
}

both! {
    View, as_ptr, view_ptr;
    ViewMut, as_mut_ptr, view_ptr_mut;
}

/// The views on each device, converted.
pub(super) fn each<A, B>(
    views: impl IntoIterator<Item = A, IntoIter: ExactSizeIterator>,
    convert: impl Fn(A) -> B,
) -> Vec<B> {
    let views = views.into_iter();
    let mut all = Vec::with_capacity(views.len());
    for view in views {
        all.push(convert(view));
    }
    all
}

/// The same view, if there is one, with a longer lifetime than cudarc gives it.
///
/// # Safety
///
/// The memory is mutably borrowed for `'a`, and only through this view.
unsafe fn outliving<'a, T>(view: Option<CudaViewMut<'_, T>>) -> ViewMut<'a, T> {
    let Some(view) = view else { return ViewMut::Empty };
    // SAFETY: the caller's promise; a view has the same layout for every lifetime.
    ViewMut::Cuda(unsafe { mem::transmute::<CudaViewMut<'_, T>, CudaViewMut<'a, T>>(view) })
}

/// The bytes of elements, for reading.
pub(crate) fn bytes<T>(elements: &[T]) -> &[Byte] {
    // SAFETY: the slice has this many bytes, borrowed for the same lifetime, and a `Byte` may be uninitialised.
    unsafe { slice::from_raw_parts(elements.as_ptr().cast(), mem::size_of_val(elements)) }
}

/// The bytes of elements, for writing.
///
/// # Safety
///
/// Only initialised bytes are written to the slice.
pub(crate) unsafe fn bytes_mut<T: DeviceType>(elements: &mut [T]) -> &mut [Byte] {
    let length = mem::size_of_val(elements);
    // SAFETY: the slice has this many bytes, mutably borrowed for the same lifetime. The caller writes only initialised bytes,
    // and every bit pattern is a value of a DeviceType.
    unsafe { slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), length) }
}
