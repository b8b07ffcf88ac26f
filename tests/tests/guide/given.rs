//! The program of the chapter on given pairs.

// ANCHOR: program
use td_kernel::{Device, Result, td_kernel};

/// Lists the pairs of particles within a distance.
#[td_kernel]
unsafe fn neighbours(#[each] p: &[[f32; 2]], distance: f32, list: &mut Pairs) {
    let pair = r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y;
    if (x * x + y * y < distance * distance)
        list.push();
    "#;
    let lower_bound = r#" box_distance(p.i, p.j) - distance "#;
}

/// The force on each particle from particles within a distance of 1, and the energy.
#[td_kernel]
unsafe fn repel(#[each] p: &[[f32; 2]], #[each] force: &mut Sums<[f32; 2]>, energy: &mut Sum<f32>) {
    r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, r = sqrtf(x * x + y * y);
    if (r < 1) {
        energy += (1 - r) * (1 - r);
        force.i += make_float2(x * (1 - r) / r, y * (1 - r) / r);
        force.j -= make_float2(x * (1 - r) / r, y * (1 - r) / r);
    }
    "#
}

fn main() -> Result<()> {
    let device = Device::best()?;
    // A lattice of 30 x 30 particles, 0.75 apart.
    let mut at: Vec<_> = (0..900).map(|k| [k % 30, k / 30].map(|k| 0.75 * k as f32)).collect();
    let mut p = device.upload(&at)?;
    let mut list = device.pairs(10_000)?;
    // Particles may move by 0.1 before the list misses a pair.
    neighbours::load(&device)?.launch(&p, 1.2, &mut list)?;
    let list = device.given_pairs(list)?;
    println!("{} pairs are on the list", list.len());
    let repel = repel::load(&device)?.pairs(&list);
    for step in 0..3 {
        let (mut force, mut energy) = (device.sums(900)?, device.sum()?);
        repel.launch(&p, &mut force, &mut energy)?;
        println!("step {step}: energy {:.2}", energy.download()?);
        for (at, force) in at.iter_mut().zip(force.download()?) {
            *at = [0, 1].map(|axis| at[axis] + 0.1 * force[axis]);
        }
        p.upload_into(&at)?;
    }
    Ok(())
}
// ANCHOR_END: program
