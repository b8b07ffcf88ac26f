//! Elements whose order launches keep, for kernels with a lower bound over boxes.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use smallvec::SmallVec;

use super::Memory;
use super::argument::{Slice, sealed};
use crate::backend::view::View;
use crate::types::info::KernelInfo;

/// Elements whose order is kept: launches of a kernel with a lower bound [over boxes](crate#only-near-pairs) sort them once, and
/// again only after they were written. `B` is a [`Buffer`](crate::Buffer), a slice of one, or any other [`Slice`], whose place it
/// takes in launches of all kernels.
///
/// ```
/// use td_kernel::{Device, Ordered, td_kernel};
///
/// /// Counts the points within a radius of each center.
/// #[td_kernel]
/// unsafe fn within(
///     #[row] a: &[[f32; 3]],
///     #[column] b: &[[f32; 3]],
///     radius: f32,
///     #[row] count: &mut Sums<u32>,
/// ) {
///     let pair = r#"
///     float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
///     if (x * x + y * y + z * z <= radius * radius)
///         count += 1;
///     "#;
///     let lower_bound = r#" box_distance(a, b) - radius "#;
/// }
///
/// # fn main() -> td_kernel::Result<()> {
/// let device = Device::cpu()?;
/// let kernel = within::load(&device)?;
/// let mut points = Ordered::new(device.upload(&[[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [5.0, 5.0, 0.0]])?);
/// let mut count = device.sums(1)?;
/// // The first launch sorts the points, the second one only the center.
/// kernel.launch(&device.upload(&[[0.0, 0.0, 0.0]])?, &points, 3.0, &mut count)?;
/// kernel.launch(&device.upload(&[[9.0, 5.0, 0.0]])?, &points, 4.5, &mut count)?;
/// assert_eq!(count.download()?, [3]);
/// // Written points are sorted again.
/// points.upload_into(&[[9.0, 0.0, 0.0]; 3])?;
/// kernel.launch(&device.upload(&[[9.0, 5.0, 0.0]])?, &points, 5.5, &mut count)?;
/// assert_eq!(count.download()?, [6]);
/// # Ok(())
/// # }
/// ```
///
/// Each `&mut` to the elements forgets the orders: methods that write need one, and a launch that writes takes `&mut *points`. Unsafe
/// code that writes by an address of its own must take one too, before the next launch.
pub struct Ordered<B> {
    elements: B,
    orders: Orders,
}

impl<B> Ordered<B> {
    /// These elements. The first launch sorts them.
    pub fn new(elements: B) -> Self {
        Ordered { elements, orders: Orders::new() }
    }

    /// The elements, without their orders.
    pub fn into_inner(self) -> B {
        self.elements
    }
}

impl<B> Deref for Ordered<B> {
    type Target = B;

    fn deref(&self) -> &B {
        &self.elements
    }
}

/// Forgets all orders, because the elements may be written.
impl<B> DerefMut for Ordered<B> {
    fn deref_mut(&mut self) -> &mut B {
        self.orders = Orders::new();
        &mut self.elements
    }
}

impl<T, B: Slice<T>> Slice<T> for Ordered<B> {
    fn view(&self) -> View<'_, T> {
        self.elements.view()
    }

    fn orders(&self) -> Option<&Orders> {
        Some(&self.orders)
    }
}

impl<B: sealed::Memory> sealed::Memory for Ordered<B> {}

impl<B: fmt::Debug> fmt::Debug for Ordered<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ordered").field(&self.elements).finish()
    }
}

/// The orders that launches have kept of some elements.
pub struct Orders {
    /// A number for the elements as they are now. No others have it.
    contents: u64,
    kept: Mutex<Vec<(OrderKey, Arc<Memory<u32>>)>>,
}

/// What an order is of.
pub(crate) struct OrderKey {
    pub(crate) kernel: &'static KernelInfo,
    /// The index of the kernel's set, and of the device.
    pub(crate) set: usize,
    pub(crate) device: usize,
    /// Whether the CPU's loops sort.
    pub(crate) is_loops: bool,
    /// The contents of all arguments for the elements of this set.
    pub(crate) contents: SmallVec<[u64; 2]>,
}

impl OrderKey {
    /// Whether one of these orders replaces the other one.
    fn is_in_place_of(&self, other: &OrderKey) -> bool {
        let key = |of: &OrderKey| (of.set, of.device, of.is_loops);
        ptr::eq(self.kernel, other.kernel) && key(self) == key(other)
    }
}

impl Orders {
    fn new() -> Orders {
        static LATEST: AtomicU64 = AtomicU64::new(0);
        let contents = LATEST.fetch_add(1, Ordering::Relaxed);
        Orders { contents, kept: Mutex::default() }
    }

    /// A number that only these elements have, and only until they are written.
    pub(crate) fn contents(&self) -> u64 {
        self.contents
    }

    /// The memory of this order, if a launch has kept it.
    pub(crate) fn find(&self, key: &OrderKey) -> Option<Arc<Memory<u32>>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same =
            |other: &OrderKey| other.is_in_place_of(key) && other.contents == key.contents;
        kept.iter().find(|(other, _)| is_same(other)).map(|(_, memory)| memory.clone())
    }

    /// Keeps the memory of an order.
    pub(crate) fn keep(&self, key: OrderKey, memory: Memory<u32>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| !other.is_in_place_of(&key));
        kept.push((key, Arc::new(memory)));
    }
}

#[cfg(test)]
mod tests;
