//! The program of the chapter on histograms.

// ANCHOR: program
use td_kernel::{Device, td_kernel};

/// Counts the distances of all pairs of points, in bins of this width.
#[td_kernel]
unsafe fn histogram(#[each] p: &[[f32; 3]], width: f32, bins: &mut [u32]) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    float bin = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx))) / width;
    if (bin >= 0 && bin < bins_length)
        atomicAdd(&bins[(unsigned int)bin], 1);
    "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    // A cube of 10 x 10 x 10 points.
    let cube = |k| [k % 10, k / 10 % 10, k / 100].map(|at| at as f32);
    let points = device.upload(&(0..1000).map(cube).collect::<Vec<_>>())?;
    let mut bins = device.zeroed(8)?; // a `Buffer<u32>`
    histogram::load(&device)?.launch(&points, 2.0, &mut bins)?;
    for (bin, count) in bins.download()?.iter().enumerate() {
        println!("{:2} to {:2}: {count:6}", 2 * bin, 2 * bin + 2);
    }
    Ok(())
}
// ANCHOR_END: program
