//! Where elements are: in host or GPU memory.

mod untyped;

use std::fmt;
use std::mem::MaybeUninit;
use std::sync::Arc;

use cudarc::driver::{CudaStream, CudaView, CudaViewMut, DeviceSlice};

use self::untyped::each;
pub(crate) use self::untyped::{bytes, bytes_mut};
use crate::host::methods::length;

/// A byte of elements. It may be padding, so it may be uninitialised.
pub(crate) type Byte = MaybeUninit<u8>;

/// The memory of elements that a kernel reads. Needs the feature `cudarc` of this crate.
///
/// ```
/// # #[cfg(feature = "cudarc")] {
/// use td_kernel::{Device, Slice, View};
///
/// let device = Device::best()?;
/// let buffer = device.upload(&[1, 2, 3])?;
/// match buffer.view() {
///     View::Cpu(elements) => assert_eq!(elements, [1, 2, 3]),
///     // A `CudaView`, for code that calls cudarc itself.
///     View::Cuda(elements) => assert_eq!(elements.len(), 3),
///     _ => unreachable!("there are elements"),
/// }
/// # }
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[non_exhaustive]
pub enum View<'a, T> {
    /// No elements.
    Empty,
    /// On the CPU, aligned as on a GPU.
    Cpu(&'a [T]),
    /// On a GPU.
    Cuda(CudaView<'a, T>),
    /// On several devices, the same number on each. Uploaded elements are copied to every device. Empty if each device
    /// has only a part of the elements.
    Several(Vec<View<'a, T>>),
}

/// The memory of elements that a kernel writes. Needs the feature `cudarc` of this crate.
///
/// ```
/// # #[cfg(feature = "cudarc")] {
/// use td_kernel::{Device, SliceMut, ViewMut};
///
/// let device = Device::cpu()?;
/// let mut buffer = device.zeroed(2)?;
/// if let ViewMut::Cpu(elements) = buffer.view_mut() {
///     elements.copy_from_slice(&[5, 6]);
/// }
/// assert_eq!(buffer.download()?, [5, 6]);
/// # }
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[non_exhaustive]
pub enum ViewMut<'a, T> {
    /// No elements.
    Empty,
    /// On the CPU, aligned as on a GPU.
    Cpu(&'a mut [T]),
    /// On a GPU.
    Cuda(CudaViewMut<'a, T>),
    /// On several devices, the same number on each; values of pairs within many sets differ in number.
    Several(Vec<ViewMut<'a, T>>),
}

/// The memory that elements are in.
pub(crate) enum MemorySpace<'a> {
    /// There are no elements.
    Nowhere,
    /// Host memory, which the CPU backend uses.
    Host,
    /// Memory of a GPU, which belongs to this stream.
    Gpu(&'a Arc<CudaStream>),
    /// Memory of this many devices.
    Several(usize),
}

impl fmt::Display for MemorySpace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemorySpace::Nowhere => f.write_str("no device"),
            MemorySpace::Host => f.write_str("the CPU"),
            MemorySpace::Gpu(stream) => write!(f, "GPU {}", stream.context().ordinal()),
            MemorySpace::Several(0) => f.write_str("several devices, a part on each"),
            MemorySpace::Several(count) => write!(f, "several devices ({count})"),
        }
    }
}

impl<T> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        match self {
            View::Empty => View::Empty,
            View::Cpu(elements) => View::Cpu(elements),
            View::Cuda(elements) => View::Cuda(elements.slice(..)),
            View::Several(copies) => View::Several(copies.clone()),
        }
    }
}

macro_rules! both {
    ($($view:ident),*) => {$(
        impl<T> $view<'_, T> {
            length!(
                self,
                "elements",
                match self {
                    $view::Empty => 0,
                    $view::Cpu(elements) => elements.len(),
                    $view::Cuda(elements) => elements.len(),
                    $view::Several(copies) => copies.first().map_or(0, $view::len),
                }
            );

            pub(crate) fn space(&self) -> MemorySpace<'_> {
                match self {
                    $view::Empty => MemorySpace::Nowhere,
                    $view::Cpu(_) => MemorySpace::Host,
                    $view::Cuda(elements) => MemorySpace::Gpu(elements.stream()),
                    $view::Several(copies) => MemorySpace::Several(copies.len()),
                }
            }
        }

        impl<T> fmt::Debug for $view<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (name, length) = (stringify!($view), self.len());
                write!(f, "{name}({length} elements on {})", self.space())
            }
        }
    )*};
}

both!(View, ViewMut);

impl<T> ViewMut<'_, T> {
    /// The same elements, for reading.
    pub fn as_view(&self) -> View<'_, T> {
        match self {
            ViewMut::Empty => View::Empty,
            ViewMut::Cpu(elements) => View::Cpu(elements),
            ViewMut::Cuda(elements) => View::Cuda(elements.as_view()),
            ViewMut::Several(copies) => View::Several(each(copies, ViewMut::as_view)),
        }
    }

    /// The same elements, for a shorter lifetime.
    pub fn reborrow(&mut self) -> ViewMut<'_, T> {
        match self {
            ViewMut::Empty => ViewMut::Empty,
            ViewMut::Cpu(elements) => ViewMut::Cpu(elements),
            ViewMut::Cuda(elements) => ViewMut::Cuda(elements.slice_mut(..)),
            ViewMut::Several(copies) => ViewMut::Several(each(copies, ViewMut::reborrow)),
        }
    }
}
