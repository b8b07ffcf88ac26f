//! Runs the kernel that fits the points.

use std::time::Duration;

use td_kernel::{Buffer, Device, DeviceType, Packed, PackedMatrix, Report, Result};

use crate::kernels::{edm_1, edm_2, edm_3, edm_4};
use crate::points::Points;

/// The distances of all pairs, and how long the kernel took.
pub(crate) fn of_all_pairs(
    device: &Device,
    points: &Points,
) -> Result<(PackedMatrix<f32>, Duration)> {
    let values = points.values.as_slice();
    match points.features {
        1 => {
            let kernel = edm_1::load(device)?;
            measure(device, values, |n| kernel.report(n), |p, distance| kernel.launch(p, distance))
        }
        2 => {
            let kernel = edm_2::load(device)?;
            let points = values.as_chunks::<2>().0;
            measure(device, points, |n| kernel.report(n), |p, distance| kernel.launch(p, distance))
        }
        3 => {
            let kernel = edm_3::load(device)?;
            let points = values.as_chunks::<3>().0;
            measure(device, points, |n| kernel.report(n), |p, distance| kernel.launch(p, distance))
        }
        _ => {
            let kernel = edm_4::load(device)?;
            let points = values.as_chunks::<4>().0;
            measure(device, points, |n| kernel.report(n), |p, distance| kernel.launch(p, distance))
        }
    }
}

/// Times `launch`. A kernel has several texts, and the one for so many points is compiled when first it is asked for,
/// which `report` does here, before the time begins.
fn measure<T: DeviceType>(
    device: &Device,
    points: &[T],
    report: impl Fn(usize) -> Result<Report>,
    launch: impl Fn(&Buffer<T>, &mut Packed<f32>) -> Result<()>,
) -> Result<(PackedMatrix<f32>, Duration)> {
    report(points.len())?;
    let points = device.upload(points)?;
    let mut distances = device.packed(points.len())?;
    if !device.is_cpu() {
        // The first launch on a GPU also moves the kernel's code there.
        launch(&points, &mut distances)?;
    }
    let ((), time) = device.timed(|| launch(&points, &mut distances))?;
    Ok((distances.download()?, time))
}
