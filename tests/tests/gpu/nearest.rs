//! Nearest neighbours: a GPU finds those that the CPU finds, in every run. All values are whole numbers, which no order of
//! sums changes.

use td_kernel::{Device, Neighbours, Result, td_kernel};

use crate::{gpu, share_memory};

/// Squared distances on a lattice, with many ties.
#[td_kernel]
unsafe fn points(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 10>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    near.push(dx * dx + dy * dy + dz * dz);
    "#
}

/// As many neighbours as there can be, of the smallest tile.
#[td_kernel(tile = 32)]
unsafe fn many(#[each] x: &[u32], #[each] near: &mut Nearest<u32, 256>) {
    r#" near.push(x.i ^ x.j); "#
}

#[td_kernel]
unsafe fn features(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#" near.push(sum); "#;
}

#[td_kernel]
unsafe fn queries(
    #[row] p: &Features<i32>,
    #[column] q: &Features<i32>,
    #[fold] sum: i32,
    #[row] near: &mut Nearest<i32, 33>,
) {
    let feature = r#" sum += abs(p - q); "#;
    let pair = r#" near.push(sum); "#;
}

/// Whole numbers from 0 to below `end`.
fn numbers(count: usize, end: u32) -> Vec<u32> {
    let mut state = 1_u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % end
    };
    std::iter::repeat_with(next).take(count).collect()
}

/// Finds the neighbours on the GPU, two times, and on the CPU.
fn check<T: PartialEq + std::fmt::Debug>(find: impl Fn(&Device) -> Result<Neighbours<T>>) {
    let expected = find(&Device::cpu().unwrap()).unwrap();
    for run in ["first", "second"] {
        let found = find(&gpu()).unwrap();
        assert_eq!(found.counts(), expected.counts(), "{run} run");
        for ((i, indices, values), (_, expected, of_expected)) in found.rows().zip(expected.rows())
        {
            assert_eq!((indices, values), (expected, of_expected), "{run} run, element {i}");
        }
    }
}

fn check_points(n: usize) {
    let coordinates: Vec<f32> = numbers(3 * n, 40).into_iter().map(|x| x as f32).collect();
    let p: Vec<[f32; 3]> = coordinates.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
    check(|device| {
        let mut near = device.nearest(n)?;
        points::load(device)?.launch(&device.upload(&p)?, &mut near)?;
        near.download()
    });
}

fn check_features(n: usize, width: usize) {
    let values: Vec<f32> = numbers(n * width, 16).into_iter().map(|x| x as f32).collect();
    check(|device| {
        let mut near = device.nearest(n)?;
        features::load(device)?.launch(&device.features(&values, width)?, &mut near)?;
        near.download()
    });
}

fn check_queries([rows, columns]: [usize; 2], width: usize) {
    let of =
        |count: usize| numbers(count * width, 9).into_iter().map(|x| x as i32).collect::<Vec<_>>();
    let (p, q) = (of(rows), of(columns));
    check(|device| {
        let mut near = device.nearest(rows)?;
        let (p, q) = (device.features(&p, width)?, device.features(&q, width)?);
        queries::load(device)?.launch(&p, &q, &mut near)?;
        near.download()
    });
}

#[test]
fn large_sets_match_the_cpu() {
    let _memory = share_memory();
    check_points(20_000);
    check_features(10_000, 64);
    check_queries([3000, 20_000], 33);
    let x = numbers(5000, 1 << 24);
    check(|device| {
        let mut near = device.nearest(x.len())?;
        many::load(device)?.launch(&device.upload(&x)?, &mut near)?;
        near.download()
    });
}
