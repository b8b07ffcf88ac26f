//! Runs the kernel that fits the points.

use std::time::Duration;

use td_kernel::{Buffer, Device, DeviceType, Packed, PackedMatrix};
use td_kernel_examples::progress::{Elements, watch};
use td_kernel_examples::{Frame, Layout, Points, Result, memory};

use crate::kernels::{edm_1, edm_2, edm_3, edm_4};

/// The distances of all pairs, and how long the kernel took.
pub(crate) fn of_all_pairs(
    device: &Device,
    points: &Points,
) -> Result<(PackedMatrix<f32>, Duration)> {
    let n = points.len();
    let frame = Frame::of(&[&points.values], points.features)?;
    let (values, unit) = (frame.singles(&points.values)?, frame.unit());
    // Each kernel has several texts. `report` compiles the one for this number of points now, so that the time measured
    // below does not include it.
    match points.features {
        1 => {
            let kernel = edm_1::load(device)?;
            kernel.report(n)?;
            measure(device, &values, |p, distance| kernel.launch(p, unit, distance))
        }
        2 => {
            let kernel = edm_2::load(device)?;
            kernel.report(n)?;
            let points = values.as_chunks::<2>().0;
            measure(device, points, |p, distance| kernel.launch(p, unit, distance))
        }
        3 => {
            let kernel = edm_3::load(device)?;
            kernel.report(n)?;
            let points = values.as_chunks::<3>().0;
            measure(device, points, |p, distance| kernel.launch(p, unit, distance))
        }
        _ => {
            let kernel = edm_4::load(device)?;
            kernel.report(n)?;
            let points = values.as_chunks::<4>().0;
            measure(device, points, |p, distance| kernel.launch(p, unit, distance))
        }
    }
}

/// The bytes of all distances in this layout, where these are more than `limit`, or than there is memory for.
pub(crate) fn too_many(
    device: &Device,
    n: usize,
    layout: Layout,
    limit: Option<usize>,
) -> Result<Option<usize>> {
    let packed = n * n.saturating_sub(1) / 2;
    let values = layout.further(n).max(packed);
    let bytes = values.saturating_mul(size_of::<f32>());
    if limit.is_some_and(|limit| bytes > limit) {
        return Ok(Some(bytes));
    }
    match memory::expect_room(device, packed, layout.further(n)) {
        Ok(()) => Ok(None),
        Err(error) if memory::is_full(&error) => {
            tracing::warn!(
                "the distances take {bytes} bytes, for which there is no memory: they are computed in bands of rows"
            );
            Ok(Some(bytes))
        }
        Err(error) => Err(error),
    }
}

/// Times `launch`.
fn measure<T: DeviceType>(
    device: &Device,
    points: &[T],
    launch: impl Fn(&Buffer<T>, &mut Packed<f32>) -> td_kernel::Result<()>,
) -> Result<(PackedMatrix<f32>, Duration)> {
    let points = device.upload(points)?;
    let mut distances = device.packed(points.len())?;
    if !device.is_cpu() {
        // The first launch on a GPU also moves the kernel's code there.
        launch(&points, &mut distances)?;
    }
    let elements = Elements::One(points.len());
    let ((), time) = watch(device, "computing distances", elements, || {
        device.timed(|| launch(&points, &mut distances))
    })?;
    Ok((distances.download()?, time))
}
