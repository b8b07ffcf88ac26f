//! The memory that a chunk is computed in.

use std::ops::Range;

use crate::backend::view::ViewMut;
use crate::host::methods::debug;
use crate::memory::Memory;
use crate::memory::argument::sealed;
use crate::{DeviceType, Matrix, Packed, Result, Shape, Slots, Target};

/// Slots for the values of some rows, which [`Target::chunks`](crate::Target::chunks) passes to a launch in place of a
/// [`Packed`](crate::Packed) or a [`Matrix`](crate::Matrix). For example, in a function that launches a kernel with other
/// outputs too:
///
/// ```
/// use std::ops::Range;
///
/// use td_kernel::{Buffer, ChunkSlots, Device, Result, Sum, td_kernel};
///
/// #[td_kernel]
/// unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>, far: &mut Sum<u64>) {
///     r#"
///     distance = fabsf(x.i - x.j);
///     if (distance > 2.0f) far += 1;
///     "#
/// }
///
/// /// One chunk's values, and how many of them are far.
/// fn launch(
///     kernel: &distance,
///     x: &Buffer<f32>,
///     rows: Range<usize>,
///     slots: &mut ChunkSlots<f32>,
///     far: &mut Sum<u64>,
/// ) -> Result<()> {
///     kernel.rows(rows).launch(x, slots, far)
/// }
///
/// let device = Device::cpu()?;
/// let (kernel, x) = (distance::load(&device)?, device.upload(&[0.0, 1.0, 3.0, 6.0])?);
/// let (mut far, mut largest) = (device.sum()?, 0.0_f32);
/// device
///     .chunks(4, |rows, slots| launch(&kernel, &x, rows, slots, &mut far))
///     .height(2)
///     .each(|chunk| {
///         largest = chunk.values.iter().copied().fold(largest, f32::max);
///         Ok(())
///     })?;
/// assert_eq!((largest, far.download()?), (6.0, 4));
/// # Ok::<(), td_kernel::Error>(())
/// ```
pub struct ChunkSlots<T> {
    /// Memory on one device.
    pub(super) memory: Memory<T>,
    /// The device's index and the number of devices, if the launch is on several.
    place: Option<(usize, usize)>,
    pub(super) shape: Shape,
    /// The number of the rows' values. The memory may have more.
    pub(super) length: usize,
}

impl<T: DeviceType> ChunkSlots<T> {
    /// Memory on the device of this index for `length` values, for no rows yet.
    pub(super) fn new(target: &Target, at: usize, shape: Shape, length: usize) -> Result<Self> {
        let memory = Memory::zeroed(target.devices()[at].backend(), length)?;
        let place = target.is_several().then_some((at, target.devices().len()));
        Ok(ChunkSlots { memory, place, shape: shape.of_rows(0..0), length: 0 })
    }

    /// Uses the memory for these rows from now on. They have at most as many values as the memory.
    pub(super) fn turn_to(&mut self, rows: Range<usize>) {
        self.length = self.shape.values(&rows).min(self.memory.len());
        self.shape = self.shape.of_rows(rows);
    }

    /// The values. For several devices, all views but this device's are empty.
    pub(crate) fn view(&mut self) -> ViewMut<'_, T> {
        let view = self.memory.view_range_mut(0..self.length);
        let Some((at, of)) = self.place else { return view };
        let mut views: Vec<_> = (0..of).map(|_| ViewMut::Empty).collect();
        if let Some(own) = views.get_mut(at) {
            *own = view;
        }
        ViewMut::Several(views)
    }
}

debug!([T] ChunkSlots<T>, self: shape = self.shape, rows = self.shape.rows());

impl<T> sealed::Memory for ChunkSlots<T> {}

impl<T: DeviceType> Slots<Packed<T>> for ChunkSlots<T> {
    fn slots(&mut self) -> ViewMut<'_, T> {
        self.view()
    }

    fn shape(&self) -> Option<Shape> {
        Some(self.shape).filter(|shape| shape.column_count().is_none())
    }
}

impl<T: DeviceType> Slots<Matrix<T>> for ChunkSlots<T> {
    fn slots(&mut self) -> ViewMut<'_, T> {
        self.view()
    }

    fn shape(&self) -> Option<Shape> {
        Some(self.shape).filter(|shape| shape.column_count().is_some())
    }
}
