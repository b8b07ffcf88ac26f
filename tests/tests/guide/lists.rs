//! The program of the chapter on lists of pairs.

// ANCHOR: program
use td_kernel::{Device, HostPairs, Result, td_kernel};

/// Lists the pairs of points within a radius, with their distances.
#[td_kernel]
unsafe fn near(#[each] p: &[[f32; 2]], radius: f32, list: &mut Pairs<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    float distance = sqrtf(fmaf(dy, dy, dx * dx));
    if (distance <= radius)
        list.push(distance);
    "#
}

/// All near pairs. If they exceed the capacity, a second launch has the right one.
fn all_near(p: &[[f32; 2]], radius: f32, capacity: usize) -> Result<HostPairs<f32>> {
    let device = Device::best()?;
    let (kernel, p) = (near::load(&device)?, device.upload(p)?);
    let mut list = device.pairs(capacity)?;
    kernel.launch(&p, radius, &mut list)?;
    let pairs = list.count()? as usize;
    if pairs > capacity {
        println!("{pairs} pairs are near, but there is room for {capacity}");
        list = device.pairs(pairs)?;
        kernel.launch(&p, radius, &mut list)?;
    }
    list.download()?.sorted()
}

fn main() -> Result<()> {
    let points = [[0.0, 0.0], [3.0, 4.0], [3.0, 0.0], [9.0, 9.0], [0.0, 1.0]];
    let list = all_near(&points, 4.5, 2)?;
    for ([i, j], distance) in list.iter() {
        println!("{i} and {j}: {distance:.3}");
    }
    for (point, neighbours, _) in list.to_csr(points.len())?.rows() {
        println!("near {point}: {neighbours:?}");
    }
    Ok(())
}
// ANCHOR_END: program
