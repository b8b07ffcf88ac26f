//! Elements whose order launches keep, for kernels with a lower bound over boxes.

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::argument::{Slice, sealed};
use super::orders::Orders;
use crate::backend::view::View;

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
/// code that writes through a raw address must also borrow the elements by `&mut` before the next launch.
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

#[cfg(test)]
mod tests;
