//! The chapter on parameters.

use td_kernel::{Device, DeviceType, Result, td_kernel};

// ANCHOR: touching
/// How many discs overlap, and which.
#[td_kernel]
unsafe fn touching(#[each] disc: &[[f32; 3]], count: &mut Sum<u64>, list: &mut Pairs<f32>) {
    r#"
    float dx = disc.i.x - disc.j.x, dy = disc.i.y - disc.j.y;
    float depth = disc.i.z + disc.j.z - sqrtf(fmaf(dy, dy, dx * dx));
    if (depth <= 0.0f)
        return;
    count += 1;
    list.push(depth);
    "#
}
// ANCHOR_END: touching

/// The overlapping pairs of discs, given as x, y and radius, with the depths of the overlaps.
fn overlaps(device: &Device, discs: &[[f32; 3]]) -> Result<Vec<([u32; 2], f32)>> {
    let discs = device.upload(discs)?;
    let mut count = device.sum()?;
    let mut list = device.pairs(1000)?; // its capacity
    touching::load(device)?.launch(&discs, &mut count, &mut list)?;
    let list = list.download()?.sorted()?;
    assert_eq!(count.download()?, list.len() as u64);
    Ok(list.iter().map(|(pair, depth)| (pair, *depth)).collect())
}

#[test]
fn sums_and_lists() -> Result<()> {
    let discs = [[0.0, 0.0, 1.0], [1.5, 0.0, 1.0], [3.0, 0.0, 1.0], [9.0, 9.0, 1.0]];
    assert_eq!(overlaps(&Device::cpu()?, &discs)?, [([1, 0], 0.5), ([2, 1], 0.5)]);
    Ok(())
}

// ANCHOR: forces
/// What charges on a line do to each other, and the least distance of each to another one.
#[td_kernel]
unsafe fn forces(
    #[each] at: &[f32],
    #[each] charge: &[f32],
    strength: f32,
    #[each] force: &mut Sums<f32>,
    #[each] near: &mut Minima<(f32, u32)>,
) {
    r#"
    float d = at.i - at.j;
    float f = strength * charge.i * charge.j / (d * fabsf(d));
    force.i += f;
    force.j -= f;
    near.offer(fabsf(d)); // to both, each with the other's index
    "#
}
// ANCHOR_END: forces

// ANCHOR: forces_launch
#[test]
fn results_of_elements() -> Result<()> {
    let device = Device::cpu()?;
    let (at, charge) = (device.upload(&[0.0, 1.0, 3.0])?, device.upload(&[1.0, -1.0, 2.0])?);
    let (mut force, mut near) = (device.sums(3)?, device.minima(3)?);
    forces::load(&device)?.launch(&at, &charge, 18.0, &mut force, &mut near)?;
    assert_eq!(force.download()?, [14.0, -9.0, -5.0]);
    assert_eq!(near.download()?, [Some((1.0, 1)), Some((1.0, 0)), Some((2.0, 1))]);
    Ok(())
}
// ANCHOR_END: forces_launch

// ANCHOR: structs
/// A star, with its mass in suns.
#[repr(C)]
#[derive(Clone, Copy, DeviceType)]
struct Star {
    at: [f32; 3],
    mass: f32,
    cluster: u32,
}

/// The potential energy of the stars of each cluster, without the constant of gravity.
#[td_kernel]
unsafe fn energies(#[each] star: &[Star], energy: &mut [f64]) {
    r#"
    if (star.i.cluster != star.j.cluster || star.i.cluster >= energy_length)
        return;
    float x = star.i.at[0] - star.j.at[0];
    float y = star.i.at[1] - star.j.at[1];
    float z = star.i.at[2] - star.j.at[2];
    float distance = sqrtf(x * x + y * y + z * z);
    atomicAdd(&energy[star.i.cluster], -star.i.mass * star.j.mass / distance);
    "#
}
// ANCHOR_END: structs

// ANCHOR: structs_launch
#[test]
fn structs_and_slices() -> Result<()> {
    let device = Device::cpu()?;
    let star = |x, mass, cluster| Star { at: [x, 0.0, 0.0], mass, cluster };
    let stars = [star(0.0, 2.0, 0), star(4.0, 6.0, 0), star(1.0, 5.0, 1), star(3.0, 4.0, 1)];
    let mut energy = device.zeroed(2)?; // a `Buffer<f64>`, one number for each cluster
    energies::load(&device)?.launch(&device.upload(&stars)?, &mut energy)?;
    assert_eq!(energy.download()?, [-3.0, -10.0]);
    Ok(())
}
// ANCHOR_END: structs_launch

// ANCHOR: square
/// Whether two bit sets have a bit in common.
#[td_kernel]
unsafe fn common(#[each] bits: &[u64], has: &mut Square<u8>) {
    r#" has = (bits.i & bits.j) != 0; "#
}
// ANCHOR_END: square

// ANCHOR: square_launch
#[test]
fn squares() -> Result<()> {
    let device = Device::cpu()?;
    let mut has = device.square(3)?;
    common::load(&device)?.launch(&device.upload(&[0b011, 0b100, 0b110])?, &mut has)?;
    assert_eq!(has.download()?.as_slice(), [0, 0, 1, 0, 0, 1, 1, 1, 0]);
    Ok(())
}
// ANCHOR_END: square_launch

// ANCHOR: weighted
/// How the charges of pairs depend on their distance: the sum of their products in bins of widths that double.
#[td_kernel]
unsafe fn correlated(#[each] at: &[f32], #[each] charge: &[f32], h: &mut Histogram<f32>) {
    r#" h.add(h.logarithmic(fabsf(at.i - at.j), 1, 16), charge.i * charge.j); "#
}
// ANCHOR_END: weighted

#[test]
fn weights_are_added_up() -> Result<()> {
    let device = Device::cpu()?;
    let (at, charge) = (device.upload(&[0.0, 1.0, 3.0])?, device.upload(&[1.0, -1.0, 2.0])?);
    let mut h = device.histogram(4)?;
    correlated::load(&device)?.launch(&at, &charge, &mut h)?;
    let h = h.download()?;
    assert_eq!((h.as_slice(), h.outside()), (&[-1.0, 0.0, 0.0, 0.0][..], 0.0));
    let edges: Vec<_> = h.logarithmic(1.0, 16.0).map(|(from, ..)| from).collect();
    assert_eq!(edges, [1.0, 2.0, 4.0, 8.0]);
    Ok(())
}

// ANCHOR: diameter
/// The two points that are farthest apart.
#[td_kernel]
unsafe fn diameter(#[each] p: &[[f32; 2]], far: &mut Max<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    far.offer(sqrtf(fmaf(dy, dy, dx * dx)));
    "#
}
// ANCHOR_END: diameter

// ANCHOR: diameter_launch
#[test]
fn farthest_pair() -> Result<()> {
    let device = Device::cpu()?;
    let points = device.upload(&[[0.0, 0.0], [3.0, 0.0], [1.0, 1.0], [0.0, 4.0]])?;
    let mut far = device.max()?;
    diameter::load(&device)?.launch(&points, &mut far)?;
    assert_eq!(far.download()?, Some((5.0, 3, 1)));
    Ok(())
}
// ANCHOR_END: diameter_launch
