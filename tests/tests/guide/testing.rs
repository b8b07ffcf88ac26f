//! The chapter on tests without a GPU.

use td_kernel::{Device, td_kernel};

// ANCHOR: kernels
#[td_kernel]
unsafe fn distance(#[each] p: &[[f32; 2]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#
}

#[td_kernel]
unsafe fn energy(#[each] charge: &[f64], total: &mut Sum<f64>) {
    r#" total += charge.i * charge.j; "#
}
// ANCHOR_END: kernels

// ANCHOR: compile
use td_kernel::testing::{self, Failure};

#[test]
fn every_kernel_compiles() -> Result<(), Failure> {
    testing::compile_all(&[90])?; // sm_90; needs NVRTC, and no GPU
    Ok(())
}
// ANCHOR_END: compile

// ANCHOR: values
fn points() -> Vec<[f32; 2]> {
    (0..300).map(|k| [(k * 37 % 300) as f32, (k * k % 300) as f32]).collect()
}

#[test]
fn distances_are_right() -> Result<(), Failure> {
    let p = points();
    testing::packed(p.len(), |device, distances| {
        distance::load(device)?.launch(&device.upload(&p)?, distances)
    })?
    .within(1e-4, |i, j| (p[i][0] - p[j][0]).hypot(p[i][1] - p[j][1]))
}

#[test]
fn the_energy_is_right() -> Result<(), Failure> {
    let charge: Vec<f64> = (0..300).map(|k| (k % 7) as f64 - 3.0).collect();
    testing::sum(charge.len(), |device, total| {
        energy::load(device)?.launch(&device.upload(&charge)?, total)
    })?
    .within(1e-9, |i, j| charge[i] * charge[j])
}
// ANCHOR_END: values

// ANCHOR: emulator
#[test]
fn the_text_of_the_gpu_gives_the_same() -> td_kernel::Result<()> {
    let mut found = Vec::new();
    for device in [Device::cpu()?, Device::emulator()?] {
        let p = device.upload(&points())?;
        let mut distances = device.packed(p.len())?;
        distance::load(&device)?.launch(&p, &mut distances)?;
        found.push(distances.download()?);
    }
    assert_eq!(found[0], found[1]); // to the last bit
    Ok(())
}
// ANCHOR_END: emulator
