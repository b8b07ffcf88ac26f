//! Where elements are: memory of the host, or of a GPU.

use std::fmt;
use std::mem::{self, MaybeUninit};
use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::{CudaStream, CudaView, CudaViewMut, DeviceSlice};
use smallvec::{SmallVec, smallvec};

use crate::order::Access;

/// A byte of elements. It may be padding, and so uninitialised.
pub(crate) type Byte = MaybeUninit<u8>;

/// Where elements that a kernel reads are.
///
/// ```
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
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[non_exhaustive]
pub enum View<'a, T> {
    /// There are no elements.
    Empty,
    /// On the CPU, aligned as on a GPU.
    Cpu(&'a [T]),
    /// On a GPU.
    Cuda(CudaView<'a, T>),
    /// On several devices, each of which has as many: of what was uploaded a copy.
    Several(Vec<View<'a, T>>),
}

/// Where elements that a kernel writes are.
///
/// ```
/// use td_kernel::{Device, SliceMut, ViewMut};
///
/// let device = Device::cpu()?;
/// let mut buffer = device.zeroed(2)?;
/// if let ViewMut::Cpu(elements) = buffer.view_mut() {
///     elements.copy_from_slice(&[5, 6]);
/// }
/// assert_eq!(buffer.download()?, [5, 6]);
/// # Ok::<(), td_kernel::Error>(())
/// ```
#[non_exhaustive]
pub enum ViewMut<'a, T> {
    /// There are no elements.
    Empty,
    /// On the CPU, aligned as on a GPU.
    Cpu(&'a mut [T]),
    /// On a GPU.
    Cuda(CudaViewMut<'a, T>),
    /// On several devices, each of which has as many.
    Several(Vec<ViewMut<'a, T>>),
}

/// Which memory elements are in.
pub(crate) enum Home<'a> {
    /// None: there are no elements.
    Nowhere,
    /// The host's memory, which the CPU uses too.
    Host,
    /// A GPU's memory, which belongs to this stream.
    Gpu(&'a Arc<CudaStream>),
    /// The memories of so many devices.
    Several(usize),
}

impl fmt::Display for Home<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Home::Nowhere => f.write_str("no device"),
            Home::Host => f.write_str("the CPU"),
            Home::Gpu(stream) => write!(f, "GPU {}", stream.context().ordinal()),
            Home::Several(count) => write!(f, "several devices ({count})"),
        }
    }
}

impl<'a, T> View<'a, T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            View::Empty => 0,
            View::Cpu(elements) => elements.len(),
            View::Cuda(elements) => elements.len(),
            View::Several(copies) => copies.first().map_or(0, View::len),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn home(&self) -> Home<'_> {
        match self {
            View::Empty => Home::Nowhere,
            View::Cpu(_) => Home::Host,
            View::Cuda(elements) => Home::Gpu(elements.stream()),
            View::Several(copies) => Home::Several(copies.len()),
        }
    }

    /// The elements on each of `devices` devices. Where they are not on so many, the error says where they are.
    pub(crate) fn on_each(self, devices: usize) -> Result<SmallVec<[Self; 1]>, String> {
        match self {
            View::Empty => Ok((0..devices).map(|_| View::Empty).collect()),
            View::Several(copies) if copies.len() == devices => Ok(copies.into()),
            View::Cpu(_) | View::Cuda(_) if devices == 1 => Ok(smallvec![self]),
            _ => Err(self.home().to_string()),
        }
    }

    /// The address, for a launch on this stream; `None` for memory of a GPU when `stream` is `None`, and for that of
    /// several devices. `foreign` comes from [`order::join`](crate::order::join).
    pub(crate) fn access(
        self,
        stream: Option<&'a CudaStream>,
        foreign: Option<Arc<CudaStream>>,
    ) -> Option<Access<'a>> {
        match self {
            View::Empty => Some(Access::of_host(0)),
            View::Cpu(elements) => Some(Access::of_host(elements.as_ptr().expose_provenance())),
            View::Cuda(elements) => {
                let (address, guard) = elements.view_ptr(stream?);
                Some(Access::of_gpu(address, guard, foreign))
            }
            View::Several(_) => None,
        }
    }
}

impl<'a> View<'a, Byte> {
    /// The elements in `range` of those that these bytes are.
    ///
    /// # Safety
    ///
    /// The bytes are elements of this type from the first one on, aligned and initialised.
    pub(crate) unsafe fn elements<T>(self, range: Range<usize>) -> View<'a, T> {
        let (length, bytes) = (range.len(), bytes::<T>(&range));
        match self {
            View::Empty => View::Empty,
            View::Cpu(all) => {
                let start = all[bytes].as_ptr().cast();
                // SAFETY: the caller's promise, for elements that are borrowed as long as the result.
                View::Cpu(unsafe { std::slice::from_raw_parts(start, length) })
            }
            View::Cuda(all) => {
                let part = all.try_slice(bytes);
                // SAFETY: the caller's promise.
                let part = part.and_then(|part| unsafe { part.transmute(length) });
                part.map_or(View::Empty, View::Cuda)
            }
            View::Several(copies) => {
                // SAFETY: the caller's promise, for the bytes on each device.
                let part = |copy: Self| unsafe { copy.elements(range.clone()) };
                View::Several(copies.into_iter().map(part).collect())
            }
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

impl<T> fmt::Debug for View<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View({} elements on {})", self.len(), self.home())
    }
}

impl<T> fmt::Debug for ViewMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ViewMut({} elements on {})", self.len(), self.home())
    }
}

impl<'a, T> ViewMut<'a, T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.as_view().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same elements, to be read.
    pub fn as_view(&self) -> View<'_, T> {
        match self {
            ViewMut::Empty => View::Empty,
            ViewMut::Cpu(elements) => View::Cpu(elements),
            ViewMut::Cuda(elements) => View::Cuda(elements.as_view()),
            ViewMut::Several(copies) => {
                View::Several(copies.iter().map(ViewMut::as_view).collect())
            }
        }
    }

    /// The same elements, for a shorter time.
    pub fn reborrow(&mut self) -> ViewMut<'_, T> {
        match self {
            ViewMut::Empty => ViewMut::Empty,
            ViewMut::Cpu(elements) => ViewMut::Cpu(elements),
            ViewMut::Cuda(elements) => ViewMut::Cuda(elements.slice_mut(..)),
            ViewMut::Several(copies) => {
                ViewMut::Several(copies.iter_mut().map(ViewMut::reborrow).collect())
            }
        }
    }

    pub(crate) fn home(&self) -> Home<'_> {
        match self {
            ViewMut::Empty => Home::Nowhere,
            ViewMut::Cpu(_) => Home::Host,
            ViewMut::Cuda(elements) => Home::Gpu(elements.stream()),
            ViewMut::Several(copies) => Home::Several(copies.len()),
        }
    }

    /// The elements on each of `devices` devices. Where they are not on so many, the error says where they are.
    pub(crate) fn on_each(self, devices: usize) -> Result<SmallVec<[Self; 1]>, String> {
        match self {
            ViewMut::Empty => Ok((0..devices).map(|_| ViewMut::Empty).collect()),
            ViewMut::Several(copies) if copies.len() == devices => Ok(copies.into()),
            ViewMut::Cpu(_) | ViewMut::Cuda(_) if devices == 1 => Ok(smallvec![self]),
            _ => Err(self.home().to_string()),
        }
    }

    /// The address, for a launch on this stream; `None` for memory of a GPU when `stream` is `None`, and for that of
    /// several devices. `foreign` comes from [`order::join`](crate::order::join).
    pub(crate) fn access(
        self,
        stream: Option<&'a CudaStream>,
        foreign: Option<Arc<CudaStream>>,
    ) -> Option<Access<'a>> {
        match self {
            ViewMut::Empty => Some(Access::of_host(0)),
            ViewMut::Cpu(elements) => {
                Some(Access::of_host(elements.as_mut_ptr().expose_provenance()))
            }
            ViewMut::Cuda(elements) => {
                let (address, guard) = elements.view_ptr_mut(stream?);
                Some(Access::of_gpu(address, guard, foreign))
            }
            ViewMut::Several(_) => None,
        }
    }
}

impl<'a> ViewMut<'a, Byte> {
    /// The elements in `range` of those that these bytes are.
    ///
    /// # Safety
    ///
    /// The bytes are elements of this type from the first one on, aligned and initialised, and every bit pattern is a
    /// value of the type.
    pub(crate) unsafe fn elements<T>(self, range: Range<usize>) -> ViewMut<'a, T> {
        let (length, bytes) = (range.len(), bytes::<T>(&range));
        match self {
            ViewMut::Empty => ViewMut::Empty,
            ViewMut::Cpu(all) => {
                let start = all[bytes].as_mut_ptr().cast();
                // SAFETY: the caller's promise, for elements that are borrowed mutably as long as the result.
                ViewMut::Cpu(unsafe { std::slice::from_raw_parts_mut(start, length) })
            }
            ViewMut::Cuda(mut all) => {
                let mut part = all.try_slice_mut(bytes);
                // SAFETY: the caller's promise.
                let part = part.as_mut().and_then(|part| unsafe { part.transmute_mut(length) });
                // SAFETY: only the lifetime changes. cudarc ties it to the variable `all`, which ends here, so no other
                // view of the memory exists while this one lives.
                let part = part.map(|part| unsafe {
                    mem::transmute::<CudaViewMut<'_, T>, CudaViewMut<'a, T>>(part)
                });
                part.map_or(ViewMut::Empty, ViewMut::Cuda)
            }
            ViewMut::Several(copies) => {
                // SAFETY: the caller's promise, for the bytes on each device.
                let part = |copy: Self| unsafe { copy.elements(range.clone()) };
                ViewMut::Several(copies.into_iter().map(part).collect())
            }
        }
    }
}

/// The bytes of some elements.
fn bytes<T>(range: &Range<usize>) -> Range<usize> {
    range.start * size_of::<T>()..range.end * size_of::<T>()
}
