//! Kernels on several devices, compared with the same on one: every accumulated output, of one set and of two, with plain
//! elements and with features; and nearest neighbours.

mod nearest;
mod sets;

use td_kernel::{Device, DeviceType, Devices, HostPairs, Result, Target, td_kernel};

use nearest::{
    check_nearest, check_nearest_in_order, check_nearest_of_features, check_nearest_of_two,
};
use sets::{check_features, check_rectangle, check_rectangle_of_features};

/// Numbers of elements and of their features: fewer than devices and than neighbours, around the sides of tiles, and many.
pub struct Sizes {
    /// With lists.
    pub listed: &'static [usize],
    /// With results of elements.
    pub elements: &'static [usize],
    /// Elements and features.
    pub features: &'static [[usize; 2]],
    /// Rows and columns.
    pub sets: &'static [[usize; 2]],
    /// Rows, columns and features.
    pub features_of_sets: &'static [[usize; 3]],
    /// With nearest neighbours.
    pub nearest: &'static [usize],
    /// With nearest neighbours, in the worst order.
    pub in_order: &'static [usize],
}

/// For a CPU.
pub const USUAL: Sizes = Sizes {
    listed: &[0, 1, 2, 3, 31, 33, 64, 65, 100, 257, 1000, 2100],
    elements: &[0, 1, 2, 3, 31, 33, 64, 65, 100, 257, 1000, 2100],
    features: &[[0, 3], [1, 3], [2, 1], [4, 2], [7, 1], [33, 17], [100, 300], [1000, 5]],
    sets: &[[0, 5], [5, 0], [1, 1], [2, 300], [300, 2], [33, 700], [700, 333], [1, 500]],
    features_of_sets: &[[0, 5, 2], [5, 0, 2], [1, 1, 1], [3, 200, 9], [200, 3, 9], [400, 130, 17]],
    nearest: &[0, 1, 2, 3, 8, 10, 11, 12, 31, 33, 65, 130, 300],
    in_order: &[1, 40, 300],
};

/// For an emulator, and for runs in a memory checker.
pub const SMALL: Sizes = Sizes {
    listed: &[0, 1, 2, 65, 300],
    elements: &[0, 1, 2, 65, 300],
    features: &[[1, 3], [2, 1], [33, 17], [300, 5]],
    sets: &[[0, 5], [5, 0], [1, 1], [2, 300], [300, 2], [33, 700]],
    features_of_sets: &[[1, 1, 1], [3, 200, 9], [200, 130, 17]],
    nearest: &[0, 1, 2, 11, 65, 700],
    in_order: &[40, 500],
};

/// For GPUs.
pub const LARGE: Sizes = Sizes {
    listed: &[1000, 5000],
    elements: &[1000, 5000, 20_000, 131_072],
    features: &[[3000, 100], [9000, 17]],
    sets: &[[7000, 3000], [20, 5000], [2000, 10_000]],
    features_of_sets: &[[7000, 3000, 33]],
    nearest: &[1000, 5000, 20_000],
    in_order: &[3000, 5000],
};

/// Compares the results of `counts` of these devices with those of one.
pub fn check_results(devices: &[Device], counts: &[usize], sizes: &Sizes) -> Result<()> {
    check_gathered(devices, counts, sizes.listed)?;
    check_elements(devices, counts, sizes.elements)?;
    check_rectangle(devices, counts, sizes.sets)?;
    check_rectangle_of_features(devices, counts, sizes.features_of_sets)
}

/// Like `check_results`, for deterministic float sums, on devices of one kind.
pub fn check_deterministic(devices: &[Device], counts: &[usize], sizes: &Sizes) -> Result<()> {
    check_exact(devices, counts, sizes.elements)?;
    check_features(devices, counts, sizes.features)
}

/// Like `check_results`, for nearest neighbours.
pub fn check_neighbours(devices: &[Device], counts: &[usize], sizes: &Sizes) -> Result<()> {
    check_nearest(devices, counts, sizes.nearest)?;
    check_nearest_in_order(devices, counts, sizes.in_order)?;
    check_nearest_of_features(devices, counts, sizes.features)?;
    check_nearest_of_two(devices, counts, sizes.sets)
}

/// `count` devices, some of them repeatedly if there are fewer.
pub fn some(devices: &[Device], count: usize) -> Result<Target> {
    Ok(Devices::new(devices.iter().cycle().take(count).cloned())?.into())
}

/// Pseudorandom numbers from 0 to 999.
fn numbers(count: usize) -> Vec<u32> {
    (0..count as u64)
        .map(|k| (k.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31) % 1000) as u32)
        .collect()
}

/// Numbers of both signs, whose sums round.
fn weights(count: usize) -> Vec<f32> {
    numbers(count).iter().map(|number| 0.1 * *number as f32 - 33.3).collect()
}

#[td_kernel]
unsafe fn gather(
    #[each] x: &[u32],
    #[each] w: &[f32],
    limit: u32,
    count: &mut Sum<u64>,
    balance: &mut Sum<i32>,
    weight: &mut Sum<f32>,
    list: &mut Pairs,
    valued: &mut Pairs<[u32; 2]>,
) {
    r#"
    const unsigned int apart = x.i > x.j ? x.i - x.j : x.j - x.i;
    count += 1;
    balance += (int)x.i - (int)x.j;
    weight += w.i;
    weight += w.j;
    if (apart < limit)
        list.push();
    if (apart == limit)
        valued.push(make_uint2(x.i, x.j));
    "#
}

#[td_kernel]
unsafe fn of_elements(
    #[each] x: &[u32],
    #[each] w: &[f32],
    #[each] degree: &mut Sums<u32>,
    #[each] moment: &mut Sums<[i64; 2]>,
    #[each] force: &mut Sums<[f32; 2]>,
    #[each] potential: &mut Sums<f64>,
    #[each] nearest: &mut Minima<(f32, u32)>,
    #[each] edges: &mut Maxima<[i16; 2]>,
    #[each] least: &mut Minima<i64>,
) {
    r#"
    const float apart = x.i > x.j ? x.i - x.j : x.j - x.i;
    degree.i += 1;
    degree.j += 2;
    moment.i += make_longlong2(j, -3);
    moment.j -= make_longlong2(i, 7);
    force.i += make_float2(w.j, 1);
    force.j -= make_float2(w.i, 2);
    potential.i += w.j;
    potential.j += w.i;
    nearest.offer(apart);
    edges.offer(make_short2(x.i, -(short)x.j));
    least.i.offer((long long)x.j - 500);
    "#
}

/// Deterministic float sums.
#[td_kernel(deterministic = true)]
unsafe fn exactly(
    #[each] w: &[f32],
    #[each] force: &mut Sums<[f32; 2]>,
    #[each] potential: &mut Sums<f64>,
    weight: &mut Sum<f32>,
) {
    r#"
    const float apart = w.i - w.j;
    force.i += make_float2(w.j, apart);
    force.j -= make_float2(w.i, apart);
    potential.i += apart / 3;
    weight += apart / 7;
    "#
}

/// Results accumulated over all pairs.
#[derive(Debug, PartialEq)]
struct Outputs {
    count: u64,
    balance: i32,
    list: HostPairs,
    valued: HostPairs<[u32; 2]>,
}

fn gathered(device: &Target, n: usize, launches: usize) -> Result<(Outputs, f32)> {
    let (x, w) = (device.upload(&numbers(n))?, device.upload(&weights(n))?);
    let (mut count, mut balance, mut weight) = (device.sum()?, device.sum()?, device.sum()?);
    let room = n * n / 8 + 10;
    let (mut list, mut valued) = (device.pairs(room)?, device.pairs(room)?);
    let kernel = gather::load(device)?;
    for _ in 0..launches {
        kernel.launch(&x, &w, 20, &mut count, &mut balance, &mut weight, &mut list, &mut valued)?;
    }
    let sorted = list.download()?.sorted()?;
    assert_eq!(sorted.len() as u64, list.count()?);
    let (count, balance) = (count.download()?, balance.download()?);
    let valued = valued.download()?.sorted()?;
    Ok((Outputs { count, balance, list: sorted, valued }, weight.download()?))
}

/// Compares sums and lists over all pairs.
fn check_gathered(devices: &[Device], counts: &[usize], sizes: &[usize]) -> Result<()> {
    for &n in sizes {
        // The second launch adds to the results of the first one.
        let launches = if n < 200 { 2 } else { 1 };
        let (one, _) = gathered(&devices[0], n, launches)?;
        assert_eq!(one.count, (launches * n * n.saturating_sub(1) / 2) as u64);
        let terms: f64 = weights(n).iter().map(|weight| f64::from(weight.abs())).sum();
        let sum: f64 = weights(n).iter().map(|weight| f64::from(*weight)).sum();
        let others = (launches * n.saturating_sub(1)) as f64;
        for &count in counts {
            let (found, weight) = gathered(&some(devices, count)?, n, launches)?;
            assert_eq!(found, one, "{n} elements on {count} devices");
            within([f64::from(weight), sum * others], 1e-6 * terms * others);
        }
    }
    Ok(())
}

/// Checks that a float result is within `bound` of the expected one.
fn within([found, expected]: [f64; 2], bound: f64) {
    // An `f32` result is rounded once more.
    let bound = bound + expected.abs() * f64::from(f32::EPSILON);
    assert!((found - expected).abs() <= bound, "{found} instead of {expected}, within {bound}");
}

/// Integers, minima and maxima of elements.
#[derive(Debug, PartialEq)]
struct OfElements {
    degree: Vec<u32>,
    moment: Vec<[i64; 2]>,
    nearest: Vec<Option<(f32, u32)>>,
    edges: Vec<[i16; 2]>,
    least: Vec<i64>,
}

type Floats = (Vec<[f32; 2]>, Vec<f64>);

fn results(device: &Target, n: usize) -> Result<(OfElements, Floats)> {
    let (x, w) = (device.upload(&numbers(n))?, device.upload(&weights(n))?);
    let (mut degree, mut moment) = (device.sums(n)?, device.sums(n)?);
    let (mut force, mut potential) = (device.sums(n)?, device.sums(n)?);
    let (mut nearest, mut edges, mut least) =
        (device.minima(n)?, device.maxima(n)?, device.minima(n)?);
    of_elements::load(device)?.launch(
        &x, &w, &mut degree, &mut moment, &mut force, &mut potential, &mut nearest, &mut edges,
        &mut least,
    )?;
    let (degree, moment) = (degree.download()?, moment.download()?);
    let (nearest, edges, least) = (nearest.download()?, edges.download()?, least.download()?);
    let exact = OfElements { degree, moment, nearest, edges, least };
    Ok((exact, (force.download()?, potential.download()?)))
}

/// Compares sums, minima and maxima of elements.
fn check_elements(devices: &[Device], counts: &[usize], sizes: &[usize]) -> Result<()> {
    for &n in sizes {
        let (one, _) = results(&devices[0], n)?;
        let weights: Vec<f64> = weights(n).into_iter().map(f64::from).collect();
        let terms: f64 = weights.iter().map(|weight| weight.abs()).sum();
        for &count in counts {
            let (found, (force, potential)) = results(&some(devices, count)?, n)?;
            assert_eq!(found, one, "{n} elements on {count} devices");
            let (mut below, mut above) = (0.0, weights.iter().sum::<f64>());
            for (at, weight) in weights.iter().enumerate() {
                above -= weight;
                let bound = 2e-5 * terms;
                within([f64::from(force[at][0]), below - above], bound);
                let ones = at as f64 - 2.0 * (n - 1 - at) as f64;
                within([f64::from(force[at][1]), ones], 0.0);
                within([potential[at], below + above], 1e-12 * terms);
                below += weight;
            }
        }
    }
    Ok(())
}

/// The bits of deterministic sums.
fn bits(device: &Target, n: usize) -> Result<(Vec<[u32; 2]>, Vec<u64>, u32)> {
    let w = device.upload(&weights(n))?;
    let (mut force, mut potential) = (device.sums::<[f32; 2]>(n)?, device.sums::<f64>(n)?);
    let mut weight = device.sum::<f32>()?;
    let kernel = exactly::load(device)?;
    for _ in 0..2 {
        kernel.launch(&w, &mut force, &mut potential, &mut weight)?;
    }
    let force = force.download()?.into_iter().map(|force| force.map(f32::to_bits)).collect();
    let potential = potential.download()?.into_iter().map(f64::to_bits).collect();
    Ok((force, potential, weight.download()?.to_bits()))
}

/// Compares deterministic sums on several devices, which all have the same bits.
fn check_exact(devices: &[Device], counts: &[usize], sizes: &[usize]) -> Result<()> {
    for &n in sizes {
        let first = bits(&some(devices, counts[0])?, n)?;
        assert!(n < 2 || first.2 != 0, "nothing was added");
        for &count in counts {
            assert!(bits(&some(devices, count)?, n)? == first, "{n} elements on {count} devices");
        }
    }
    Ok(())
}

/// A list in sorted order.
fn sorted<T: DeviceType + Ord>(list: HostPairs<T>) -> Vec<([u32; 2], T)> {
    let mut all: Vec<_> = list.iter().map(|(pair, value)| (pair, *value)).collect();
    all.sort_unstable();
    all
}
