//! Runs the kernel that fits the points.

use std::time::Duration;

use td_kernel::{Bands, Buffer, Device, DeviceType, ErrorKind, Packed, PackedMatrix, Result};
use td_kernel_examples::progress::{Elements, Share, watch};
use td_kernel_examples::{Extremes, ExtremesOfBands, NewFile, Points};

use crate::kernels::{edm_1, edm_2, edm_3, edm_4};

/// The distances of all pairs, and how long the kernel took.
pub(crate) fn of_all_pairs(
    device: &Device,
    points: &Points,
) -> Result<(PackedMatrix<f32>, Duration)> {
    let (n, values) = (points.len(), points.values.as_slice());
    // Each kernel has several texts. `report` compiles the one for this number of points now, so that the time measured
    // below does not include it.
    match points.features {
        1 => {
            let kernel = edm_1::load(device)?;
            kernel.report(n)?;
            measure(device, values, |p, distance| kernel.launch(p, distance))
        }
        2 => {
            let kernel = edm_2::load(device)?;
            kernel.report(n)?;
            let points = values.as_chunks::<2>().0;
            measure(device, points, |p, distance| kernel.launch(p, distance))
        }
        3 => {
            let kernel = edm_3::load(device)?;
            kernel.report(n)?;
            let points = values.as_chunks::<3>().0;
            measure(device, points, |p, distance| kernel.launch(p, distance))
        }
        _ => {
            let kernel = edm_4::load(device)?;
            kernel.report(n)?;
            let points = values.as_chunks::<4>().0;
            measure(device, points, |p, distance| kernel.launch(p, distance))
        }
    }
}

/// The bytes of all distances, where these are more than `limit`, or without a limit, more than the device has memory for.
pub(crate) fn too_many(device: &Device, n: usize, limit: Option<usize>) -> Result<Option<usize>> {
    let bytes = (n * n.saturating_sub(1) / 2).saturating_mul(size_of::<f32>());
    let is_too_many = match limit {
        Some(limit) => bytes > limit,
        None => match device.packed::<f32>(n) {
            Ok(_) => false,
            Err(error) if error.kind() == ErrorKind::OutOfDeviceMemory => true,
            Err(error) => return Err(error),
        },
    };
    Ok(is_too_many.then_some(bytes))
}

/// The extremes of the distances of all pairs, which are computed in bands and go to the file.
pub(crate) fn in_bands(
    device: &Device,
    points: &Points,
    limit: Option<usize>,
    output: Option<&NewFile>,
) -> td_kernel_examples::Result<Option<Extremes>> {
    let values = points.values.as_slice();
    match points.features {
        1 => {
            let p = device.upload(values)?;
            stream(edm_1::load(device)?.bands(&p)?, points.len(), limit, output)
        }
        2 => {
            let p = device.upload(values.as_chunks::<2>().0)?;
            stream(edm_2::load(device)?.bands(&p)?, points.len(), limit, output)
        }
        3 => {
            let p = device.upload(values.as_chunks::<3>().0)?;
            stream(edm_3::load(device)?.bands(&p)?, points.len(), limit, output)
        }
        _ => {
            let p = device.upload(values.as_chunks::<4>().0)?;
            stream(edm_4::load(device)?.bands(&p)?, points.len(), limit, output)
        }
    }
}

/// Takes each band to the file, and into the extremes.
fn stream(
    bands: Bands<'_, f32>,
    n: usize,
    limit: Option<usize>,
    output: Option<&NewFile>,
) -> td_kernel_examples::Result<Option<Extremes>> {
    let mut extremes = ExtremesOfBands::default();
    let mut share = Share::new("computing distances in bands");
    let bands = match limit {
        Some(bytes) => bands.memory(bytes).host_memory(bytes),
        None => bands,
    };
    let bands = bands.progress(|done| share.reached(done.values as u64, done.of as u64));
    let bands = bands.inspect(|band| {
        extremes.add(band.values);
        Ok(())
    });
    match output {
        Some(file) => file.write(|writer| {
            bands.write_npy_to(writer.get_ref()).map_err(|error| match error.into_inner() {
                // About the file.
                Ok(reason) => reason,
                // About the work.
                Err(error) => td_kernel_examples::Error::from(error).into(),
            })
        })?,
        None => bands.each(|_| Ok(()))?,
    }
    Ok(extremes.finish(n))
}

/// Times `launch`.
fn measure<T: DeviceType>(
    device: &Device,
    points: &[T],
    launch: impl Fn(&Buffer<T>, &mut Packed<f32>) -> Result<()>,
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
