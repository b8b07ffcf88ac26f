//! The program of the chapter on histograms.

// ANCHOR: program
use td_kernel::{Device, td_kernel};

/// Counts the distances of all pairs of points, in bins of equal widths up to `most`.
#[td_kernel]
unsafe fn histogram(#[each] p: &[[f32; 3]], most: f32, h: &mut Histogram<u64>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    h.add(h.linear(sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx))), 0, most));
    "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    // A cube of 10 x 10 x 10 points.
    let cube = |k| [k % 10, k / 10 % 10, k / 100].map(|at| at as f32);
    let points = device.upload(&(0..1000).map(cube).collect::<Vec<_>>())?;
    let mut h = device.histogram(7)?;
    histogram::load(&device)?.launch(&points, 14.0, &mut h)?;
    let h = h.download()?;
    for (from, to, count) in h.linear(0.0, 14.0) {
        println!("{from:2} to {to:2}: {count:6}");
    }
    println!("others:   {:6}", h.outside());
    Ok(())
}
// ANCHOR_END: program
