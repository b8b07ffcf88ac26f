//! Kernels over the pairs within many sets, compared with a launch for each set.

pub mod exact;
mod extremes;
pub mod features;
mod named;
mod nearest;
mod rectangles;
mod several;

use td_kernel::{Device, HostPackedSets, Result, Target, td_kernel};

pub use self::extremes::{
    check as check_extremes, check_rectangles as check_extremes_of_rectangles,
};
pub use self::named::{check as check_named, check_rectangles as check_named_rectangles};
pub use self::nearest::{
    check_several as check_several_nearest, compare as compare_nearest, compare_ranked,
    compare_rows as compare_nearest_rows, nearest_10,
};
pub use self::rectangles::{
    compare as compare_rectangles, compare_gathered as compare_gathered_rectangles, cross,
};
pub use self::several::{check as check_several, check_rectangles as check_several_rectangles};

/// All distances within each set.
#[td_kernel]
pub unsafe fn distances(#[each] p: &Sets<[f32; 3]>, distances: &mut Packed<f32>) {
    r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    distances = sqrtf(x * x + y * y + z * z);
    "#
}

/// The same for one set.
#[td_kernel]
unsafe fn distances_of_one(#[each] p: &[[f32; 3]], distances: &mut Packed<f32>) {
    r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    distances = sqrtf(x * x + y * y + z * z);
    "#
}

/// The pair, its set and its elements, and all that many sets gather.
#[td_kernel]
unsafe fn gathered(
    #[each] x: &Sets<u32>,
    #[each] weight: &[f32],
    modulus: u32,
    pairs: &mut Packed<u64>,
    halves: &mut Packed<u8>,
    count: &mut Sum<u64>,
    total: &mut Sum<f32>,
    list: &mut Pairs<u32>,
    bins: &mut Histogram<u64>,
) {
    r#"
    pairs = (unsigned long long)set << 40 | (unsigned long long)i << 20 | j;
    halves = x.i - x.j;
    count += 1;
    total += weight.i * weight.j;
    if ((x.i + x.j) % modulus == 0)
        list.push(set);
    bins.add((x.i + x.j) % modulus);
    "#
}

/// The values and the sums of elements of a pair.
#[td_kernel]
unsafe fn of_elements(
    #[each] x: &Sets<u32>,
    #[each] weight: &[f32],
    #[each] degree: &mut Sums<u32>,
    #[each] moment: &mut Sums<[i32; 2]>,
    #[each] most: &mut Maxima<(u32, u32)>,
    count: &mut Sum<u64>,
) {
    r#"
    degree.i += 1;
    degree.j += 2;
    moment.i += make_int2(set, weight.j);
    moment.j += make_int2(weight.i, -(int)i);
    most.offer((x.i ^ x.j) % 1000003);
    count += 1;
    "#
}

/// Sizes of sets, at random: up to `most`, many of them small.
pub fn sizes(seed: u64, count: usize, most: usize) -> Vec<usize> {
    let mut state = seed.wrapping_mul(2) + 1;
    let mut random = |most: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % (most + 1)
    };
    (0..count)
        .map(|_| {
            let most = random(most);
            random(most)
        })
        .collect()
}

/// The first element of each set, and the number of elements.
pub fn offsets(sizes: &[usize]) -> Vec<usize> {
    let mut offsets = vec![0];
    offsets.extend(sizes.iter().scan(0, |before, size| {
        *before += size;
        Some(*before)
    }));
    offsets
}

/// Points at random.
fn points(count: usize) -> Vec<[f32; 3]> {
    let of = |at: usize, by: f32| (at as f32 * by).fract();
    (0..count).map(|at| [of(at, 0.618_034), of(at, 0.414_213_6), of(at, 0.732_050_8)]).collect()
}

/// Compares all distances with those of a launch for each set, bit for bit. On the CPU, a pair of another loop may be rounded
/// otherwise only if a compiler fuses products, which these kernels do not allow.
pub fn compare(device: &Device, sizes: &[usize], large: u32) -> Result<()> {
    compare_on(device, device, sizes, large)
}

/// The same, with all sets on `target` and each set on `device`.
fn compare_on(target: &Target, device: &Device, sizes: &[usize], large: u32) -> Result<()> {
    let offsets = offsets(sizes);
    let elements = points(offsets[sizes.len()]);
    let sets = target.sets_with_large(&elements, &offsets, large)?;
    let mut values = target.packed_sets(&sets)?;
    distances::load(target)?.launch(&sets, &mut values)?;
    let values: HostPackedSets<f32> = values.download()?;
    let one = distances_of_one::load(device)?;
    for (set, size) in sizes.iter().enumerate() {
        let own = device.upload(&elements[offsets[set]..offsets[set + 1]])?;
        let mut expected = device.packed(*size)?;
        one.launch(&own, &mut expected)?;
        let expected = expected.download()?;
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        let found = values.set(set).map(bits);
        assert_eq!(found, Some(bits(expected.as_slice())), "set {set} of {size}");
    }
    Ok(())
}

/// Compares every pair and every gathered result with loops on the host.
pub fn compare_gathered(device: &Target, sizes: &[usize], large: u32) -> Result<()> {
    const MODULUS: u32 = 17;
    let offsets = offsets(sizes);
    let elements: Vec<u32> =
        (0..offsets[sizes.len()] as u32).map(|at| at.wrapping_mul(0x9e37_79b9) >> 7).collect();
    let weights: Vec<f32> = elements.iter().map(|x| (x % 5) as f32).collect();
    let sets = device.sets_with_large(&elements, &offsets, large)?;
    let (mut pairs, mut halves) = (device.packed_sets(&sets)?, device.packed_sets(&sets)?);
    let (mut count, mut total) = (device.sum()?, device.sum()?);
    let mut list = device.pairs(sets.pair_count())?;
    let mut bins = device.histogram(MODULUS as usize)?;
    let weight = device.upload(&weights)?;
    let kernel = gathered::load(device)?;
    kernel.launch(
        &sets, &weight, MODULUS, &mut pairs, &mut halves, &mut count, &mut total, &mut list,
        &mut bins,
    )?;
    let (mut of_pairs, mut of_halves, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut sum, mut counts) = (0.0_f64, vec![0_u64; MODULUS as usize]);
    for (set, size) in sizes.iter().enumerate() {
        let at = |k: usize| offsets[set] + k;
        for (i, j) in (0..*size).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let [x, y] = [elements[at(i)], elements[at(j)]];
            of_pairs.push((set as u64) << 40 | (i as u64) << 20 | j as u64);
            of_halves.push(x.wrapping_sub(y) as u8);
            sum += f64::from(weights[at(i)] * weights[at(j)]);
            let bin = x.wrapping_add(y) % MODULUS;
            counts[bin as usize] += 1;
            if bin == 0 {
                listed.push(([i as u32, j as u32], set as u32));
            }
        }
    }
    assert_eq!(pairs.download()?.into_vec(), of_pairs);
    assert_eq!(halves.download()?.into_vec(), of_halves);
    assert_eq!(count.download()?, of_pairs.len() as u64);
    // Weights are small integers, so their sum is exact.
    assert_eq!(f64::from(total.download()?), f64::from(sum as f32));
    let found = list.download()?;
    let mut found: Vec<_> = found.iter().map(|(pair, set)| (pair, *set)).collect();
    found.sort_unstable();
    listed.sort_unstable();
    assert_eq!(found, listed);
    assert_eq!(bins.download()?.as_slice(), counts);

    let all = elements.len();
    let (mut degree, mut moment, mut most) =
        (device.sums(all)?, device.sums(all)?, device.maxima(all)?);
    let mut count = device.sum()?;
    of_elements::load(device)?
        .launch(&sets, &weight, &mut degree, &mut moment, &mut most, &mut count)?;
    let (mut degrees, mut moments, mut best) =
        (vec![0_u32; all], vec![[0_i32; 2]; all], vec![None; all]);
    for (set, size) in sizes.iter().enumerate() {
        for (i, j) in (0..*size).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let [at_i, at_j] = [offsets[set] + i, offsets[set] + j];
            degrees[at_i] += 1;
            degrees[at_j] += 2;
            moments[at_i][0] += set as i32;
            moments[at_i][1] += weights[at_j] as i32;
            moments[at_j][0] += weights[at_i] as i32;
            moments[at_j][1] -= i as i32;
            let value = (elements[at_i] ^ elements[at_j]) % 1_000_003;
            // Of equal values, the one with the smaller partner.
            for (at, partner) in [(at_i, j as u32), (at_j, i as u32)] {
                let is_better =
                    |(known, other): (u32, u32)| value > known || value == known && partner < other;
                if best[at].is_none_or(is_better) {
                    best[at] = Some((value, partner));
                }
            }
        }
    }
    assert_eq!(degree.download()?, degrees);
    assert_eq!(moment.download()?, moments);
    assert_eq!(most.download()?, best);
    assert_eq!(count.download()?, of_pairs.len() as u64);
    Ok(())
}
