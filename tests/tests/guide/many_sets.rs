//! The program of the chapter on many small sets.

// ANCHOR: program
use td_kernel::{Device, td_kernel};

/// All distances within each molecule, and their sums by atom and by molecule.
#[td_kernel]
unsafe fn molecules(
    #[each] p: &Sets<[f32; 3]>,
    distance: &mut Packed<f32>,
    #[each] sum: &mut Sums<f32>,
    total: &mut Histogram<f32>,
) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    sum.i += distance;
    sum.j += distance;
    total.add(set, distance);
    "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    let water = vec![[0.0, 0.0, 0.0], [3.0, 4.0, 0.0], [0.0, 0.0, 2.0]];
    let helium = vec![[1.0, 1.0, 1.0]];
    let hydrogen = vec![[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let p = device.upload_sets([water, helium, hydrogen])?;
    let mut distance = device.packed_sets(&p)?;
    let mut sum = device.sums(p.element_count())?;
    let mut total = device.histogram(p.len())?;
    molecules::load(&device)?.launch(&p, &mut distance, &mut sum, &mut total)?;
    let (distance, sum, total) = (distance.download()?, sum.download()?, total.download()?);
    for set in 0..p.len() {
        println!("molecule {set}: {:?}", distance.set(set).unwrap_or_default());
    }
    println!("sums by atom: {sum:?}");
    println!("sums by molecule: {:?}", total.as_slice());
    Ok(())
}
// ANCHOR_END: program
