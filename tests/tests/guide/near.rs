//! The program of the chapter on near pairs.

// ANCHOR: program
use td_kernel::{Device, Result, td_kernel};

/// Counts the pairs of particles within a cutoff in a periodic cell, and the neighbours of each particle.
#[td_kernel]
unsafe fn neighbours(
    #[each] p: &[[f32; 3]],
    edge: f32,
    cutoff: f32,
    pairs: &mut Sum<u64>,
    #[each] degree: &mut Sums<u32>,
) {
    let pair = r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    x -= edge * rintf(x / edge);
    y -= edge * rintf(y / edge);
    z -= edge * rintf(z / edge);
    if (x * x + y * y + z * z <= cutoff * cutoff) {
        pairs += 1;
        degree.i += 1;
        degree.j += 1;
    }
    "#;
    // Above 0 only if no two particles of these boxes are within the cutoff.
    let lower_bound = r#" periodic_distance(p.i, p.j, edge, edge, edge) - cutoff "#;
}

fn main() -> Result<()> {
    let device = Device::best()?;
    // A lattice of 20 x 20 x 20 particles, one unit apart.
    let at = |k: usize| [k % 20, k / 20 % 20, k / 400].map(|k| k as f32);
    let p: Vec<_> = (0..8000).map(at).collect();
    let (p, kernel) = (device.upload(&p)?, neighbours::load(&device)?);
    let (mut pairs, mut degree) = (device.sum()?, device.sums(8000)?);
    kernel.launch(&p, 20.0, 1.5, &mut pairs, &mut degree)?;
    println!("{} pairs are near", pairs.download()?);
    println!("the first particle has {} neighbours", degree.download()?[0]);
    Ok(())
}
// ANCHOR_END: program
