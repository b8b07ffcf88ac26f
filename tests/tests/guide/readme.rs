//! The program of the README.

// ANCHOR: program
use td_kernel::{Device, td_kernel};

/// The Euclidean distance of every pair of points.
#[td_kernel]
unsafe fn edm(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?; // the first GPU, else the CPU
    println!("device: {}", device.name());
    let kernel = edm::load(&device)?; // compiles it
    let points = device.upload(&[[0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 2.0, 0.0]])?;
    let mut distance = device.packed(points.len())?; // n (n - 1) / 2 slots
    kernel.launch(&points, &mut distance)?;
    println!("{:?}", distance.download()?.get(1, 0)); // Some(3.0)
    Ok(())
}
// ANCHOR_END: program

#[test]
fn readme_program_runs() -> td_kernel::Result<()> {
    main()?;
    let device = Device::cpu()?;
    let points = device.upload(&[[0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 2.0, 0.0]])?;
    let mut distance = device.packed(points.len())?;
    edm::load(&device)?.launch(&points, &mut distance)?;
    assert_eq!(distance.download()?.get(1, 0), Some(&3.0));
    Ok(())
}
