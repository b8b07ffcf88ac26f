//! The first program of the guide.

// ANCHOR: program
use td_kernel::{Device, td_kernel};

/// The Euclidean distance of every pair of points.
#[td_kernel]
unsafe fn distances(#[each] p: &[[f32; 2]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?; // the first GPU, else the CPU
    println!("device: {}", device.name());
    let kernel = distances::load(&device)?; // compiles it
    let points = device.upload(&[[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]])?;
    let mut distance = device.packed(points.len())?; // a slot for each pair
    kernel.launch(&points, &mut distance)?;
    for ((i, j), value) in &distance.download()? {
        println!("points {i} and {j}: {value}");
    }
    Ok(())
}
// ANCHOR_END: program
