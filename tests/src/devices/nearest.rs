//! Nearest neighbours on several devices, compared with those on one and with brute force.

use std::cmp::Ordering;

use td_kernel::{Device, HostNearest, Result, Target, td_kernel};

use super::{numbers, some};

#[td_kernel]
unsafe fn points(#[each] p: &[[f32; 2]], #[each] near: &mut Nearest<f32, 10>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    near.push(dx * dx + dy * dy);
    "#
}

/// Small tiles, and many of them: some devices have offsets in which every pair is nearer than all earlier ones.
#[td_kernel(tile = 32, diagonal = true)]
unsafe fn orders(order: i32, #[each] near: &mut Nearest<i32, 256>) {
    r#"
    int sum = i + j, apart = i - j, mixed = (i * 7919 ^ j * 104729) % 65521;
    near.push(order == 0 ? 7 : order == 1 ? sum : order == 2 ? -sum : order == 3 ? apart : order == 4 ? -apart : mixed);
    "#
}

#[td_kernel]
unsafe fn folds(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] near: &mut Nearest<f32, 5>) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#" near.push(sum); "#;
}

#[td_kernel(tile = 32)]
unsafe fn queries(
    #[row] query: &[i32],
    #[column] data: &[i32],
    order: i32,
    #[row] near: &mut Nearest<i32, 7>,
) {
    r#" near.push(order == 0 ? abs(query - data) : order == 1 ? -(int)j : 3); "#
}

#[td_kernel]
unsafe fn queries_of_folds(
    #[row] query: &Features<i32>,
    #[column] data: &Features<i32>,
    #[fold] sum: i32,
    #[row] near: &mut Nearest<i32, 40>,
) {
    let feature = r#" sum += abs(query - data); "#;
    let pair = r#" near.push(sum); "#;
}

/// The maximum number of pairs that the host checks by brute force.
const MOST: usize = 2_000_000;

/// Compares the neighbours of several devices with those of one, bit for bit, and these with brute force, or for many pairs
/// with the CPU device. `value` returns the value that the pair of an element and one of the `candidates` pushes, or `None` if
/// it pushes nothing.
fn compare<T: Copy + PartialOrd + std::fmt::Debug>(
    what: &str,
    devices: &[Device],
    counts: &[usize],
    [elements, candidates]: [usize; 2],
    find: impl Fn(&Target) -> Result<HostNearest<T>>,
    value: impl Fn(usize, usize) -> Option<T>,
) -> Result<()> {
    let one = find(&devices[0])?;
    assert_eq!(one.len(), elements);
    let is_large = elements * candidates > MOST;
    if is_large {
        let expected = find(&Device::cpu()?.into())?;
        for (found, expected) in one.rows().zip(expected.rows()) {
            assert_eq!(found, expected, "{what}, one of {elements} elements, on one device");
        }
    }
    for (element, indices, values) in one.rows().filter(|_| !is_large) {
        let all = (0..candidates).filter_map(|at| Some((value(element, at)?, at as u32)));
        let mut all: Vec<(T, u32)> = all.collect();
        all.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        all.truncate(one.k());
        let found: Vec<_> = values.iter().copied().zip(indices.iter().copied()).collect();
        assert_eq!(found, all, "{what}, element {element} of {elements}, on one device");
    }
    for &count in counts {
        let found = find(&some(devices, count)?)?;
        assert_eq!(found.counts(), one.counts(), "{what}, {elements} elements, {count} devices");
        for ((element, indices, values), (_, of_one, values_of_one)) in found.rows().zip(one.rows())
        {
            assert_eq!(
                (indices, values),
                (of_one, values_of_one),
                "{what}, element {element} of {elements}, on {count} devices"
            );
        }
        assert!(found == one, "{what}: what fills rows up");
    }
    Ok(())
}

/// The value of a pair of different elements, with the larger index first.
fn of_pair<T>(i: usize, j: usize, value: impl Fn(usize, usize) -> T) -> Option<T> {
    (i != j).then(|| value(i.max(j), i.min(j)))
}

/// Compares the neighbours of points: on a lattice, where many are equally far; all at one point; and in order on a line.
pub(super) fn check_nearest(devices: &[Device], counts: &[usize], sizes: &[usize]) -> Result<()> {
    for &n in sizes {
        let lattice: Vec<[f32; 2]> = numbers(2 * n)
            .chunks_exact(2)
            .map(|p| [(p[0] % 17) as f32, (p[1] % 13) as f32])
            .collect();
        let line: Vec<[f32; 2]> = (0..n).map(|at| [at as f32, 1.0]).collect();
        let same = vec![[2.5, -1.0]; n];
        for (what, p) in [("a lattice", lattice), ("a line", line), ("one place", same)] {
            let find = |device: &Target| {
                let mut near = device.nearest(n)?;
                points::load(device)?.launch(&device.upload(&p)?, &mut near)?;
                near.download()
            };
            let value = |i: usize, j: usize| {
                let [dx, dy] = [0, 1].map(|axis| p[i][axis] - p[j][axis]);
                dx * dx + dy * dy
            };
            let value = |i, j| of_pair(i, j, value);
            compare(what, devices, counts, [n, n], find, value)?;
        }
    }
    Ok(())
}

/// Like `check_nearest`, for pairs in the worst orders, in which queues are full, and in random order; with an element's pair
/// with itself.
pub(super) fn check_nearest_in_order(
    devices: &[Device],
    counts: &[usize],
    sizes: &[usize],
) -> Result<()> {
    for (&n, order) in sizes.iter().flat_map(|n| (0..6).map(move |order| (n, order))) {
        let find = |device: &Target| {
            let mut near = device.nearest(n)?;
            orders::load(device)?.launch(order, &mut near)?;
            near.download()
        };
        let value = |i: usize, j: usize| {
            let (i, j) = (i.max(j) as i32, i.min(j) as i32);
            let mixed = i.wrapping_mul(7919) as u32 ^ j.wrapping_mul(104_729) as u32;
            Some([7, i + j, -i - j, i - j, j - i, (mixed % 65_521) as i32][order as usize])
        };
        compare(&format!("order {order}"), devices, counts, [n, n], find, value)?;
    }
    Ok(())
}

/// Like `check_nearest`, for features: numbers of elements and of features. All values are integers.
pub(super) fn check_nearest_of_features(
    devices: &[Device],
    counts: &[usize],
    sizes: &[[usize; 2]],
) -> Result<()> {
    for &[n, width] in sizes {
        let p: Vec<f32> = numbers(n * width).into_iter().map(|x| (x % 8) as f32).collect();
        let find = |device: &Target| {
            let mut near = device.nearest(n)?;
            folds::load(device)?.launch(&device.features(&p, width)?, &mut near)?;
            near.download()
        };
        let row = |at: usize| &p[at * width..][..width];
        let value = |i: usize, j: usize| {
            let squares = row(i).iter().zip(row(j)).map(|(a, b)| (a - b) * (a - b));
            squares.sum::<f32>()
        };
        let value = |i, j| of_pair(i, j, value);
        compare("features", devices, counts, [n, n], find, value)?;
    }
    Ok(())
}

/// Like `check_nearest`, for the nearest columns of rows, of plain elements and of features.
pub(super) fn check_nearest_of_two(
    devices: &[Device],
    counts: &[usize],
    sizes: &[[usize; 2]],
) -> Result<()> {
    for &[rows, columns] in sizes {
        let of = |count: usize, first: usize| {
            let all = numbers(count + first);
            all[first..].iter().map(|x| *x as i32).collect::<Vec<_>>()
        };
        let (query, data) = (of(rows, 0), of(columns, 5));
        for order in 0..3 {
            let find = |device: &Target| {
                let mut near = device.nearest(rows)?;
                let (query, data) = (device.upload(&query)?, device.upload(&data)?);
                queries::load(device)?.launch(&query, &data, order, &mut near)?;
                near.download()
            };
            let value = |i: usize, j: usize| match order {
                0 => Some((query[i] - data[j]).abs()),
                1 => Some(-(j as i32)),
                _ => Some(3),
            };
            compare("two sets", devices, counts, [rows, columns], find, value)?;
        }
        let width = 3;
        let (query, data) = (of(rows * width, 1), of(columns * width, 2));
        let find = |device: &Target| {
            let mut near = device.nearest(rows)?;
            let on_device = (device.features(&query, width)?, device.features(&data, width)?);
            queries_of_folds::load(device)?.launch(&on_device.0, &on_device.1, &mut near)?;
            near.download()
        };
        let value = |i: usize, j: usize| {
            let (a, b) = (&query[i * width..][..width], &data[j * width..][..width]);
            Some(a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<i32>())
        };
        compare("features of two sets", devices, counts, [rows, columns], find, value)?;
    }
    Ok(())
}
