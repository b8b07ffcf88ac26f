//! More elements than 32 sections of near tiles have, in the source of a GPU, and keys of more blocks than one block scans at a
//! time. Most sections have no near tile.

use td_kernel::__private::NearTiles;
use td_kernel::{Device, Nearest, Result, td_kernel};
use td_kernel_tests::near::sets;

use crate::devices;

/// A section has 2^15 elements.
const N: usize = 1_100_000;

fn emulator() -> Device {
    devices().pop().unwrap()
}

#[td_kernel]
unsafe fn close(#[each] x: &[f64], list: &mut Pairs, evaluated: &mut Sum<u64>) {
    let pair = r#"
    evaluated += 1;
    if (fabs(x.i - x.j) <= 0.5)
        list.push();
    "#;
    let lower_bound = r#" box_manhattan(x.i, x.j) - 0.5 "#;
}

/// Numbers of which each is far from all others, except for some that occur twice, in all sections.
#[test]
fn of_one_set() -> Result<()> {
    let (device, distinct) = (emulator(), 1_050_000);
    let numbers: Vec<f64> = (0..N).map(|k| (k * 7919 % distinct) as f64).collect();
    let (mut list, mut evaluated) = (device.pairs(N)?, device.sum()?);
    let kernel = close { kernel: close::load(&device)?.kernel.near_tiles(NearTiles::Always) };
    kernel.launch(&device.upload(&numbers)?, &mut list, &mut evaluated)?;
    let expected: Vec<_> = (distinct..N).map(|k| [k as u32, (k - distinct) as u32]).collect();
    assert_eq!(evaluated.download()?, expected.len() as u64);
    assert!(list.download()?.sorted()?.pairs() == expected);
    Ok(())
}

#[td_kernel]
unsafe fn search(
    #[row] query: &[[f32; 3]],
    #[column] data: &[[f32; 3]],
    #[row] near: &mut Nearest<f32, 4>,
) {
    let pair = r#"
    const float x = query.x - data.x, y = query.y - data.y, z = query.z - data.z;
    near.push(x * x + y * y + z * z);
    "#;
    let lower_bound = r#" box_square(query, data) "#;
}

/// Queries whose neighbours are on both sides of a face that the curve crosses late: in the last sections, and many before them.
#[test]
fn of_two_sets() -> Result<()> {
    let (device, points) = (emulator(), sets::uniform(4, N));
    let queries = [[0.9, 0.498, 0.9], [0.8, 0.498, 0.85]];
    let mut near: Nearest<f32, 4> = device.nearest(2)?;
    let kernel = search { kernel: search::load(&device)?.kernel.near_tiles(NearTiles::Always) };
    kernel.launch(&device.upload(&queries)?, &device.upload(&points)?, &mut near)?;
    for ((_, indices, values), query) in near.download()?.rows().zip(queries) {
        let square = |point: &[f32; 3]| {
            let [x, y, z] = [0, 1, 2].map(|d| query[d] - point[d]);
            x * x + y * y + z * z
        };
        let mut all: Vec<_> = points.iter().map(square).zip(0_u32..).collect();
        all.select_nth_unstable_by(4, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        all.truncate(4);
        all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        assert_eq!(indices.iter().zip(values).map(|(k, x)| (*x, *k)).collect::<Vec<_>>(), all);
        let is_past = all.iter().map(|(_, k)| points[*k as usize][1] > 0.5);
        assert!(is_past.clone().any(|past| past) && !is_past.clone().all(|past| past));
    }
    Ok(())
}
