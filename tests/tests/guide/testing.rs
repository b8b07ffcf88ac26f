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
fn energy_is_right() -> Result<(), Failure> {
    let charge: Vec<f64> = (0..300).map(|k| (k % 7) as f64 - 3.0).collect();
    testing::sum(charge.len(), |device, total| {
        energy::load(device)?.launch(&device.upload(&charge)?, total)
    })?
    .within(1e-9, |i, j| charge[i] * charge[j])
}
// ANCHOR_END: values

// ANCHOR: of_elements
#[td_kernel]
unsafe fn potentials(#[each] p: &[[f32; 2]], #[each] potential: &mut Sums<f64>) {
    r#"
    double u = 1.0 / (1.0 + hypotf(p.i.x - p.j.x, p.i.y - p.j.y));
    potential.i += u;
    potential.j += u;
    "#
}

#[test]
fn potentials_are_right() -> Result<(), Failure> {
    let p = points();
    let distance = |i: usize, j: usize| (p[i][0] - p[j][0]).hypot(p[i][1] - p[j][1]);
    testing::sums(p.len(), |device, potential| {
        potentials::load(device)?.launch(&device.upload(&p)?, potential)
    })?
    .within(1e-6, |i| {
        // All that the pairs of element i add to its sum.
        let others = (0..p.len()).filter(|j| *j != i);
        others.map(|j| 1.0 / (1.0 + f64::from(distance(i, j)))).sum()
    })
}
// ANCHOR_END: of_elements

// ANCHOR: of_neighbours
#[td_kernel]
unsafe fn nearest(#[each] p: &[[f32; 2]], #[each] near: &mut Nearest<f32, 5>) {
    r#" near.push(hypotf(p.i.x - p.j.x, p.i.y - p.j.y)); "#
}

#[test]
fn neighbours_are_right() -> Result<(), Failure> {
    let p = points();
    testing::nearest::<_, 5>(p.len(), |device, near| {
        nearest::load(device)?.launch(&device.upload(&p)?, near)
    })?
    .within(1e-6, |i, j| Some((p[i][0] - p[j][0]).hypot(p[i][1] - p[j][1])))
}
// ANCHOR_END: of_neighbours

// ANCHOR: of_lists
#[td_kernel]
unsafe fn equal_rows(#[each] p: &[[f32; 2]], list: &mut Pairs<f32>) {
    r#" if (p.i.y == p.j.y) list.push(fabsf(p.i.x - p.j.x)); "#
}

#[test]
fn list_is_right() -> Result<(), Failure> {
    let p = points();
    testing::pairs_with_values(p.len(), |device, list| {
        equal_rows::load(device)?.launch(&device.upload(&p)?, list)
    })?
    // Whole numbers, so that even floats are equal.
    .equals(|i, j| (p[i][1] == p[j][1]).then(|| (p[i][0] - p[j][0]).abs()))
}
// ANCHOR_END: of_lists

// ANCHOR: emulator
#[test]
fn gpu_source_gives_the_same() -> td_kernel::Result<()> {
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
