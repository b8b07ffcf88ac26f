//! The program of the chapter on given pairs.

// ANCHOR: program
use td_kernel::{Device, Result, td_kernel};

/// The force on each particle from particles within a distance of 1, and the energy.
#[td_kernel]
unsafe fn repel(#[each] p: &[[f32; 2]], #[each] force: &mut Sums<[f32; 2]>, energy: &mut Sum<f32>) {
    let pair = r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, r = sqrtf(x * x + y * y);
    if (r < 1) {
        energy += (1 - r) * (1 - r);
        force.i += make_float2(x * (1 - r) / r, y * (1 - r) / r);
        force.j -= make_float2(x * (1 - r) / r, y * (1 - r) / r);
    }
    "#;
    let lower_bound = r#" box_distance(p.i, p.j) - 1 "#;
}

/// The longest of some bonds.
#[td_kernel]
unsafe fn longest(#[each] p: &[[f32; 2]], length: &mut Max<f32>) {
    r#" length.offer(hypotf(p.i.x - p.j.x, p.i.y - p.j.y)); "#
}

fn main() -> Result<()> {
    let device = Device::best()?;
    // A lattice of 30 x 30 particles, 0.75 apart, with bonds along its rows.
    let mut at: Vec<_> = (0..900).map(|k| [k % 30, k / 30].map(|k| 0.75 * k as f32)).collect();
    let mut p = device.upload(&at)?;
    let bonds: Vec<_> = (1..900).filter(|k| k % 30 > 0).map(|k| [k, k - 1]).collect();
    let longest = longest::load(&device)?.pairs(&device.given_pairs(&bonds)?);
    // The list has a skin of 0.2: it misses no pair until a particle has moved by more than 0.1.
    let repel = repel::load(&device)?.keep(0.2);
    for step in 0..5 {
        let (mut force, mut energy, mut length) = (device.sums(900)?, device.sum()?, device.max()?);
        repel.launch(&p, &mut force, &mut energy)?;
        longest.launch(&p, &mut length)?;
        let pairs = repel.kept().map_or(0, |list| list.len());
        let length = length.download()?.map_or(0.0, |(length, ..)| length);
        println!(
            "step {step}: {pairs} pairs, energy {:.2}, bonds to {length:.2}",
            energy.download()?
        );
        for (at, force) in at.iter_mut().zip(force.download()?) {
            *at = [0, 1].map(|axis| at[axis] + 0.3 * force[axis]);
        }
        p.upload_into(&at)?;
    }
    Ok(())
}
// ANCHOR_END: program
