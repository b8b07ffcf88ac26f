//! The guide's listing with cudarc's slices, which a test on a GPU calls.

use std::sync::Arc;

use td_kernel::cudarc::driver::{CudaSlice, CudaStream};
use td_kernel::{Device, Error, Result, td_kernel};

// ANCHOR: cudarc
#[td_kernel]
unsafe fn distances(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z, w = p.i.w - p.j.w;
    distance = sqrtf(x * x + y * y + z * z + w * w);
    "#
}

/// The distances of points that another part of the program has put on the GPU, four floats for each.
fn packed_distances(stream: &Arc<CudaStream>, points: &CudaSlice<f32>) -> Result<CudaSlice<f32>> {
    let device = Device::from_cuda(stream.context())?;
    let kernel = distances::load(&device)?.with_stream(stream)?;
    let n = points.len() / 4;
    // SAFETY: n points of four floats lie within the slice, and any bits are floats.
    let points = unsafe { points.transmute::<[f32; 4]>(n) };
    let points = points.ok_or_else(|| Error::other("the points are longer than their slice"))?;
    let mut values = stream.alloc_zeros(n * n.saturating_sub(1) / 2).map_err(Error::other)?;
    kernel.launch(&points, &mut values)?;
    Ok(values) // the kernel may still run: later work on the slice waits for it
}
// ANCHOR_END: cudarc

/// Calls it, for the tests on a GPU.
pub(crate) fn of(stream: &Arc<CudaStream>, points: &CudaSlice<f32>) -> Result<CudaSlice<f32>> {
    packed_distances(stream, points)
}
