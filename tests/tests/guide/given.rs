//! The program of the chapter on given pairs.

// ANCHOR: program
use td_kernel::{Buffer, Device, Result, td_kernel};

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

/// The farthest that a particle has moved. There is one column, so the body runs once for each particle.
#[td_kernel]
unsafe fn moved(
    #[row] p: &[[f32; 2]],
    #[row] start: &[[f32; 2]],
    #[column] _one: &[u8],
    farthest: &mut Max<f32>,
) {
    r#"
    float x = p.x - start.x, y = p.y - start.y;
    farthest.offer(sqrtf(x * x + y * y));
    "#
}

fn main() -> Result<()> {
    let device = Device::best()?;
    // A lattice of 30 x 30 particles, 0.75 apart.
    let mut at: Vec<_> = (0..900).map(|k| [k % 30, k / 30].map(|k| 0.75 * k as f32)).collect();
    let (mut p, mut start, one) = (device.upload(&at)?, device.upload(&at)?, device.upload(&[0])?);
    let (neighbours, moved) = (neighbours::load(&device)?, moved::load(&device)?);
    let repel = repel::load(&device)?;
    // The list has a skin of 0.2: it misses no pair until a particle has moved by more than 0.1.
    let list_of = |p: &Buffer<[f32; 2]>| {
        let mut pairs = device.pairs(10_000)?;
        neighbours.launch(p, 1.2, &mut pairs)?;
        device.given_pairs(pairs)
    };
    let mut list = list_of(&p)?;
    for step in 0..5 {
        let mut farthest = device.max()?;
        moved.launch(&p, &start, &one, &mut farthest)?;
        if farthest.download()?.is_some_and(|(distance, ..)| distance > 0.1) {
            start.upload_into(&at)?;
            list = list_of(&p)?;
        }
        let (mut force, mut energy) = (device.sums(900)?, device.sum()?);
        repel.pairs(&list).launch(&p, &mut force, &mut energy)?;
        println!("step {step}: {} pairs, energy {:.2}", list.len(), energy.download()?);
        for (at, force) in at.iter_mut().zip(force.download()?) {
            *at = [0, 1].map(|axis| at[axis] + 0.3 * force[axis]);
        }
        p.upload_into(&at)?;
    }
    Ok(())
}
// ANCHOR_END: program
