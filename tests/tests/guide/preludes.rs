//! The chapter on functions and constants that kernels share.

use td_kernel::{Device, Result, nvrtc, td_kernel};

// ANCHOR: energy
/// How far the potential reaches.
const CUTOFF: f32 = 2.5;

#[td_kernel(prelude = include_str!("lennard_jones.cuh"), constants(CUTOFF: f32 = CUTOFF))]
unsafe fn energy(#[each] atom: &[[f32; 3]], energy: &mut Sum<f64>) {
    r#"
    float3 d = make_float3(atom.i.x - atom.j.x, atom.i.y - atom.j.y, atom.i.z - atom.j.z);
    energy += lennard_jones(squared_norm(d)).energy;
    "#
}
// ANCHOR_END: energy

// ANCHOR: forces
#[td_kernel(prelude = include_str!("lennard_jones.cuh"), constants(CUTOFF: f32 = CUTOFF))]
unsafe fn forces(#[each] atom: &[[f32; 3]], #[each] force: &mut Sums<[f32; 3]>) {
    r#"
    float3 d = make_float3(atom.i.x - atom.j.x, atom.i.y - atom.j.y, atom.i.z - atom.j.z);
    float f = lennard_jones(squared_norm(d)).force;
    force.i += make_float3(f * d.x, f * d.y, f * d.z);
    force.j -= make_float3(f * d.x, f * d.y, f * d.z);
    "#
}
// ANCHOR_END: forces

// ANCHOR: histogram
/// How many bins there are, for the kernel and for the host.
const BINS: usize = 32;

#[td_kernel(
    constants(BINS: usize = BINS, WIDTH: f32 = 4.0 / BINS as f32),
    prelude = r#"
        inline unsigned int bin(float distance) { return min(int(distance / WIDTH), int(BINS) - 1); }
    "#,
)]
unsafe fn histogram(#[each] x: &[f32], bins: &mut [u32]) {
    r#" atomicAdd(&bins[bin(fabsf(x.i - x.j))], 1); "#
}
// ANCHOR_END: histogram

#[test]
fn prelude_serves_several_kernels() -> Result<()> {
    // The energy has its minimum at the sixth root of two, and ends at the cutoff.
    let least = 2.0_f32.powf(1.0 / 6.0);
    for device in [Device::cpu()?, Device::emulator()?] {
        let atoms = device.upload(&[[0.0; 3], [0.0, least, 0.0], [0.0, 10.0, 0.0]])?;
        let (mut total, mut force) = (device.sum()?, device.sums(3)?);
        energy::load(&device)?.launch(&atoms, &mut total)?;
        forces::load(&device)?.launch(&atoms, &mut force)?;
        let total: f64 = total.download()?;
        assert!((total + 1.0).abs() < 1e-5, "{total}");
        assert!(force.download()?.iter().flatten().all(|part: &f32| part.abs() < 1e-4));
    }
    for (source, options) in [(energy::SOURCE, energy::OPTIONS), (forces::SOURCE, forces::OPTIONS)]
    {
        assert_eq!(nvrtc::compile("of_prelude", source, options, 90)?.warnings, "");
    }
    Ok(())
}

#[test]
fn constants_serve_kernel_and_host() -> Result<()> {
    let device = Device::cpu()?;
    let mut bins = device.zeroed(BINS)?;
    histogram::load(&device)?.launch(&device.upload(&[0.0, 0.125, 3.0])?, &mut bins)?;
    let bins = bins.download()?;
    assert_eq!((bins[1], bins[23], bins[24]), (1, 1, 1));
    assert_eq!(bins.iter().sum::<u32>(), 3);
    Ok(())
}

/// The source has the lines in the guide.
#[test]
fn source_has_the_constants() {
    let lines = include_str!("constants.txt");
    assert!(histogram::SOURCE.contains(lines), "{}", histogram::SOURCE);
}
