//! Kernels over the elements with features of many sets, compared with a launch for each set.

pub mod exact;
mod rectangles;

use td_kernel::{Device, Result, Target, td_kernel};

pub use self::rectangles::{check_sides, compare_rectangles};
use super::offsets;

/// All distances within each set.
#[td_kernel]
pub unsafe fn distances(
    #[each] p: &FeatureSets<f32>,
    #[fold] sum: f32,
    distances: &mut Packed<f32>,
    total: &mut Sum<f64>,
) {
    let feature = r#" sum += (p.i - p.j) * (p.i - p.j); "#;
    let pair = r#"
    distances = sqrtf(sum);
    total += distances;
    "#;
}

/// The same for one set.
#[td_kernel]
unsafe fn distances_of_one(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    distances: &mut Packed<f32>,
) {
    let feature = r#" sum += (p.i - p.j) * (p.i - p.j); "#;
    let pair = r#" distances = sqrtf(sum); "#;
}

/// The pair, its set and its elements, and all that many sets gather.
#[td_kernel]
unsafe fn gathered(
    #[each] x: &FeatureSets<u8>,
    #[each] weight: &[f32],
    factors: &[u32],
    #[fold] sum: u32,
    modulus: u32,
    pairs: &mut Packed<u64>,
    folded: &mut Packed<u32>,
    total: &mut Sum<f32>,
    list: &mut Pairs<u32>,
    bins: &mut Histogram<u64>,
    #[set] most: &mut Maxima<(u32, u32)>,
) {
    let feature = r#" sum += factors[k] * (x.i ^ x.j); "#;
    let pair = r#"
    pairs = (unsigned long long)set << 40 | (unsigned long long)i << 20 | j;
    folded = sum;
    total += weight.i * weight.j;
    if (sum % modulus == 0)
        list.push(set);
    bins.add(sum % modulus);
    most.offer(sum);
    "#;
}

/// Results of the elements of a pair. The features belong to the elements of a `Sets`.
#[td_kernel]
unsafe fn of_elements(
    #[each] own: &Sets<u32>,
    #[each] x: &Features<u8>,
    #[fold] sum: u32,
    #[each] degree: &mut Sums<u32>,
    #[each] moment: &mut Sums<[i32; 2]>,
    #[each] most: &mut Maxima<(u32, u32)>,
) {
    let feature = r#" sum += x.i * x.j; "#;
    let pair = r#"
    degree.i += own.j;
    degree.j += sum;
    moment.i += make_int2(set, i);
    moment.j += make_int2(1, -(int)own.i);
    most.offer(sum);
    "#;
}

/// Floats at random.
fn floats(count: usize) -> Vec<f32> {
    (0..count).map(|at| (at as f32 * 0.618_034).fract()).collect()
}

/// Bytes at random.
fn bytes(count: usize) -> Vec<u8> {
    (0..count as u32).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 23) as u8).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Compares all distances with those of a launch for each set, bit for bit.
pub fn compare(device: &Device, sizes: &[usize], width: usize) -> Result<()> {
    compare_on(device, device, sizes, width)
}

/// The same, with all sets on `target` and each set on `device`.
fn compare_on(target: &Target, device: &Device, sizes: &[usize], width: usize) -> Result<()> {
    let offsets = offsets(sizes);
    let features = floats(offsets[sizes.len()] * width);
    let sets = target.feature_sets(&features, width, &offsets)?;
    let (mut values, mut total) = (target.packed_sets(&sets)?, target.sum()?);
    let kernel = distances::load(target)?;
    kernel.launch(&sets, &mut values, &mut total)?;
    let all = values.download()?;
    let sum: f64 = all.as_slice().iter().map(|value| f64::from(*value)).sum();
    assert!((total.download()? - sum).abs() <= 1e-12 * sum, "{sizes:?}");
    // The second launch uses the tables of the first one.
    kernel.launch(&sets, &mut values, &mut total)?;
    let all = values.download()?;
    let one = distances_of_one::load(device)?;
    for (set, size) in sizes.iter().enumerate() {
        let own = &features[width * offsets[set]..width * offsets[set + 1]];
        let (own, mut expected) = (device.features(own, width)?, device.packed(*size)?);
        one.launch(&own, &mut expected)?;
        let expected = bits(expected.download()?.as_slice());
        assert_eq!(all.set(set).map(bits), Some(expected), "set {set} of {size} x {width}");
    }
    Ok(())
}

/// The pairs of many sets: the set, the indices within it, and those among all elements.
fn pairs(sizes: &[usize]) -> impl Iterator<Item = (usize, [usize; 2], [usize; 2])> {
    let starts = offsets(sizes);
    sizes.iter().enumerate().flat_map(move |(set, size)| {
        let start = starts[set];
        (0..*size).flat_map(move |i| (0..i).map(move |j| (set, [i, j], [start + i, start + j])))
    })
}

/// Compares every pair and every gathered result with loops on the host.
pub fn compare_gathered(device: &Target, sizes: &[usize], width: usize) -> Result<()> {
    const MODULUS: u32 = 17;
    let offsets = offsets(sizes);
    let all = offsets[sizes.len()];
    let x = bytes(all * width);
    let factors: Vec<u32> = (0..width as u32).map(|k| k % 5 + 1).collect();
    let weights: Vec<f32> = (0..all).map(|at| (at % 5) as f32).collect();
    let features = |at: usize| &x[width * at..width * (at + 1)];
    let sets = device.feature_sets(&x, width, &offsets)?;
    let (mut pairs_of, mut folded) = (device.packed_sets(&sets)?, device.packed_sets(&sets)?);
    let (mut total, mut list) = (device.sum()?, device.pairs(sets.pair_count())?);
    let (mut bins, mut most) =
        (device.histogram(MODULUS as usize)?, device.maxima::<(u32, u32)>(sizes.len())?);
    let (weight, factor) = (device.upload(&weights)?, device.upload(&factors)?);
    gathered::load(device)?.launch(
        &sets, &weight, &factor, MODULUS, &mut pairs_of, &mut folded, &mut total, &mut list,
        &mut bins, &mut most,
    )?;
    let (mut of_pairs, mut of_folds, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut sum, mut counts) = (0.0_f64, vec![0_u64; MODULUS as usize]);
    let mut largest: Vec<Option<(u32, u32)>> = vec![None; sizes.len()];
    for (set, [i, j], [at_i, at_j]) in pairs(sizes) {
        let terms = features(at_i).iter().zip(features(at_j)).zip(&factors);
        let fold: u32 = terms.map(|((a, b), factor)| factor * u32::from(a ^ b)).sum();
        of_pairs.push((set as u64) << 40 | (i as u64) << 20 | j as u64);
        of_folds.push(fold);
        sum += f64::from(weights[at_i] * weights[at_j]);
        counts[(fold % MODULUS) as usize] += 1;
        if fold.is_multiple_of(MODULUS) {
            listed.push(([i as u32, j as u32], set as u32));
        }
        if largest[set].is_none_or(|(known, _)| fold > known) {
            largest[set] = Some((fold, (i * i.saturating_sub(1) / 2 + j) as u32));
        }
    }
    assert_eq!(pairs_of.download()?.into_vec(), of_pairs);
    assert_eq!(folded.download()?.into_vec(), of_folds);
    assert_eq!(f64::from(total.download()?), f64::from(sum as f32));
    let found = list.download()?;
    let mut found: Vec<_> = found.iter().map(|(pair, set)| (pair, *set)).collect();
    found.sort_unstable();
    listed.sort_unstable();
    assert_eq!(found, listed);
    assert_eq!(bins.download()?.as_slice(), counts);
    assert_eq!(most.download()?, largest);
    check_elements(device, sizes, width)
}

/// Keeps the better one; of equal values, the one with the smaller partner.
fn offer(best: &mut Option<(u32, u32)>, value: u32, partner: usize, is_least: bool) {
    let rank = |(value, partner): (u32, u32)| (if is_least { !value } else { value }, !partner);
    let offered = (value, partner as u32);
    if best.is_none_or(|known| rank(offered) > rank(known)) {
        *best = Some(offered);
    }
}

/// Compares results of elements.
fn check_elements(device: &Target, sizes: &[usize], width: usize) -> Result<()> {
    let offsets = offsets(sizes);
    let all = offsets[sizes.len()];
    let x = bytes(all * width);
    let own: Vec<u32> = (0..all as u32).map(|at| at * 7 % 100).collect();
    let features = |at: usize| &x[width * at..width * (at + 1)];
    let (mut degree, mut moment, mut most) =
        (device.sums(all)?, device.sums(all)?, device.maxima(all)?);
    let sets = device.sets(&own, &offsets)?;
    of_elements::load(device)?.launch(
        &sets,
        &device.features(&x, width)?,
        &mut degree,
        &mut moment,
        &mut most,
    )?;
    let (mut degrees, mut moments, mut best) =
        (vec![0_u32; all], vec![[0_i32; 2]; all], vec![None; all]);
    for (set, [i, j], [at_i, at_j]) in pairs(sizes) {
        let terms = features(at_i).iter().zip(features(at_j));
        let fold: u32 = terms.map(|(a, b)| u32::from(*a) * u32::from(*b)).sum();
        degrees[at_i] += own[at_j];
        degrees[at_j] += fold;
        moments[at_i][0] += set as i32;
        moments[at_i][1] += i as i32;
        moments[at_j][0] += 1;
        moments[at_j][1] -= own[at_i] as i32;
        offer(&mut best[at_i], fold, j, false);
        offer(&mut best[at_j], fold, i, false);
    }
    assert_eq!(degree.download()?, degrees);
    assert_eq!(moment.download()?, moments);
    assert_eq!(most.download()?, best);
    Ok(())
}
