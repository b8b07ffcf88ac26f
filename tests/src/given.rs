//! Launches over given pairs: each output against the same kernel over all pairs, whose body then skips the pairs that are not
//! on the list.

mod features;
mod values;

use td_kernel::{Buffer, Device, DeviceType, HostPairs, Result, Target, td_kernel};

use crate::devices::some;

pub use self::features::check_features;
pub use self::values::{
    check_errors, check_lists, check_lists_of_sets, check_sets, check_values,
    check_values_of_several,
};

/// An element with its index, so that a body sees whether it has the elements of its pair.
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
#[repr(C)]
pub struct Atom {
    /// The index of this element.
    pub index: u32,
    /// Its place.
    pub at: [f32; 3],
}

/// Whether a pair is on the list: about one in seven.
pub fn is_listed(i: u32, j: u32) -> bool {
    i.wrapping_mul(7919).wrapping_add(j.wrapping_mul(104_729)).is_multiple_of(7)
}

/// The pairs on the list, in no order.
pub fn listed(n: u32) -> Vec<[u32; 2]> {
    listed_within(n, n)
}

/// Those of them that are at most `reach` apart.
fn listed_within(n: u32, reach: u32) -> Vec<[u32; 2]> {
    let pairs = (0..n).flat_map(|i| (i.saturating_sub(reach)..i).map(move |j| [i, j]));
    let mut listed: Vec<_> = pairs.filter(|[i, j]| is_listed(*i, *j)).collect();
    listed.sort_unstable_by_key(|[i, j]| {
        (i.wrapping_mul(2_654_435_761) ^ j.wrapping_mul(40_503), *j)
    });
    listed
}

/// Atoms at random places.
pub fn atoms(n: u32) -> Vec<Atom> {
    let at = |k: u32| (k.wrapping_mul(2_654_435_761) >> 8) as f32 / (1 << 24) as f32;
    (0..n)
        .map(|index| Atom { index, at: [at(3 * index), at(3 * index + 1), at(3 * index + 2)] })
        .collect()
}

#[td_kernel(deterministic = true)]
unsafe fn outputs(
    #[each] p: &[Atom],
    skips: u32,
    wrong: &mut Sum<u32>,
    count: &mut Sum<u64>,
    energy: &mut Sum<f32>,
    #[each] force: &mut Sums<[f32; 3]>,
    #[each] degree: &mut Sums<u32>,
    #[each] least: &mut Minima<f32>,
    #[each] farthest: &mut Maxima<(f32, u32)>,
    longest: &mut Max<f32>,
    bins: &mut Histogram<u64>,
    plain: &mut Pairs,
    list: &mut Pairs<f32>,
) {
    r#"
    if (skips && (i * 7919u + j * 104729u) % 7 != 0)
        return;
    if (i <= j || i >= n || p.i.index != i || p.j.index != j)
        wrong += 1;
    const float x = p.i.at[0] - p.j.at[0], y = p.i.at[1] - p.j.at[1], z = p.i.at[2] - p.j.at[2];
    const float square = x * x + y * y + z * z;
    count += 1;
    energy += square;
    force.i += make_float3(x, y, z);
    force.j -= make_float3(x, y, z);
    degree.i += 1;
    degree.j += 1;
    least.i.offer(square);
    least.j.offer(square);
    farthest.i.offer(square);
    farthest.j.offer(square);
    longest.offer(square);
    bins.add(square * 10);
    if (square < 0.3f) {
        plain.push();
        list.push(square);
    }
    "#
}

/// The results of a launch.
struct Results {
    /// Those that do not depend on the order of the pairs.
    exact: String,
    force: Vec<[f32; 3]>,
    energy: f32,
}

/// The results over the pairs of a list, or over all pairs, whose body skips those that are not on the list.
fn results(device: &Target, atoms: &[Atom], pairs: Option<&HostPairs>) -> Result<Results> {
    let n = atoms.len();
    let p = device.upload(atoms)?;
    let (mut wrong, mut count, mut energy) = (device.sum()?, device.sum()?, device.sum()?);
    let (mut force, mut degree) = (device.sums(n)?, device.sums(n)?);
    let (mut least, mut farthest) = (device.minima(n)?, device.maxima(n)?);
    let (mut longest, mut bins) = (device.max()?, device.histogram(20)?);
    let most = n * n;
    let (mut plain, mut list) = (device.pairs(most)?, device.pairs(most)?);
    let kernel = outputs::load(device)?;
    let skips = u32::from(pairs.is_none());
    let kernel = match pairs {
        Some(pairs) => kernel.pairs(&device.given_pairs(pairs)?),
        None => kernel,
    };
    kernel.launch(
        &p, skips, &mut wrong, &mut count, &mut energy, &mut force, &mut degree, &mut least,
        &mut farthest, &mut longest, &mut bins, &mut plain, &mut list,
    )?;
    assert_eq!(wrong.download()?, 0, "indices or elements of another pair");
    let list = list.download()?.sorted()?;
    let plain = plain.download()?.sorted()?;
    if let Some(pairs) = pairs {
        assert_eq!(count.download()?, pairs.len() as u64);
    }
    let exact = format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{plain:?}\n{list:?}",
        count.download()?,
        degree.download()?,
        least.download()?,
        farthest.download()?,
        longest.download()?,
        bins.download()?,
    );
    Ok(Results { exact, force: force.download()?, energy: energy.download()? })
}

/// The outputs are those of all pairs. Sums of floats are exact here, and for all pairs above the level of tiles.
pub fn check_outputs(device: &Target, sizes: &[u32]) -> Result<()> {
    for &n in sizes {
        let (atoms, pairs) = (atoms(n), HostPairs::from(listed(n)));
        let given = results(device, &atoms, Some(&pairs))?;
        let all = results(device, &atoms, None)?;
        assert_eq!(given.exact, all.exact, "n = {n}");
        let is_near = |a: f32, b: f32| (a - b).abs() <= 1e-4 * a.abs().max(1.0);
        assert!(is_near(given.energy, all.energy), "{} {}", given.energy, all.energy);
        for (a, b) in given.force.as_flattened().iter().zip(all.force.as_flattened()) {
            assert!(is_near(*a, *b), "n = {n}: {a} {b}");
        }
        // With the entries of a row side by side.
        let sorted = results(device, &atoms, Some(&pairs.sorted()?))?;
        assert_eq!((sorted.exact, sorted.force), (given.exact, given.force), "n = {n}, sorted");
    }
    Ok(())
}

#[td_kernel(deterministic = true)]
unsafe fn shared(
    #[each] w: &[f64],
    total: &mut Sum<f64>,
    count: &mut Sum<u64>,
    longest: &mut Max<f64>,
    #[each] sums: &mut Sums<f32>,
) {
    r#"
    const double term = w.i / w.j;
    total += term;
    count += 1;
    longest.offer(fmin(term, 2.0));
    sums.i += (float)term;
    sums.j -= (float)term;
    "#
}

/// Every pair of an uploaded list is visited by one of several devices, and the results have the bits of one device. Of many pairs
/// with the greatest value, which are on the list in descending order, the least one is found, which is there once.
pub fn check_shares(devices: &[Device], counts: &[usize], lengths: &[usize]) -> Result<()> {
    const N: u32 = 24;
    let w: Vec<f64> = (0..N).map(|k| 1.0 + f64::from(k * k % 17) / 7.0).collect();
    let all: Vec<_> = (0..N).rev().flat_map(|i| (0..i).rev().map(move |j| [i, j])).collect();
    let results = |target: &Target, pairs: &[[u32; 2]]| -> Result<_> {
        let w = target.upload(&w)?;
        let (mut total, mut count, mut longest) = (target.sum()?, target.sum()?, target.max()?);
        let mut sums = target.sums(N as usize)?;
        let list = target.given_pairs(pairs)?;
        let kernel = shared::load(target)?.pairs(&list);
        kernel.launch(&w, &mut total, &mut count, &mut longest, &mut sums)?;
        assert_eq!(count.download()?, pairs.len() as u64);
        let sums = sums.download()?.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        Ok((total.download()?, longest.download()?, sums))
    };
    let term = |[i, j]: [u32; 2]| w[i as usize] / w[j as usize];
    let equal: Vec<_> = all.iter().copied().filter(|pair| term(*pair) >= 2.0).collect();
    let (greatest, least) = (equal[0], equal[equal.len() - 1]);
    for &length in lengths {
        let mut pairs: Vec<_> =
            all.iter().filter(|pair| **pair != least).cycle().take(length).copied().collect();
        // A block with the least one behind equal ones, for each of its threads.
        if let Some(block) = pairs.get_mut(3072..4096) {
            block.fill(greatest);
            block[1023] = least;
        }
        let one = results(&devices[0], &pairs)?;
        let expected: f64 = pairs.iter().copied().map(term).sum();
        assert!((one.0 - expected).abs() <= 1e-12 * expected, "{length}: {} {expected}", one.0);
        let offered = pairs.iter().map(|[i, j]| (term([*i, *j]).min(2.0), *i, *j));
        let first = |a: &(f64, u32, u32), b: &(f64, u32, u32)| {
            a.0.total_cmp(&b.0).then((b.1, b.2).cmp(&(a.1, a.2)))
        };
        assert_eq!(one.1, offered.max_by(first), "{length} pairs");
        for &count in counts {
            let several = results(&some(devices, count)?, &pairs)?;
            assert!(several == one, "{length} pairs on {count} devices: {several:?}, not {one:?}");
        }
    }
    Ok(())
}

#[td_kernel]
unsafe fn elements(
    #[each] p: &[Atom],
    reach: u32,
    wrong: &mut Sum<u32>,
    count: &mut Sum<u64>,
    energy: &mut Sum<f32>,
    #[each] force: &mut Sums<[f32; 3]>,
    #[each] higher: &mut Sums<u32>,
    #[each] least: &mut Minima<f32>,
    #[each] farthest: &mut Maxima<(f32, u32)>,
    longest: &mut Max<f32>,
) {
    r#"
    if (reach > 0 && (i - j > reach || (i * 7919u + j * 104729u) % 7 != 0))
        return;
    if (i <= j || i >= n || p.i.index != i || p.j.index != j)
        wrong += 1;
    const float x = p.i.at[0] - p.j.at[0], y = p.i.at[1] - p.j.at[1], z = p.i.at[2] - p.j.at[2];
    const float square = x * x + y * y + z * z;
    count += 1;
    energy += square;
    force.i += make_float3(x, y, z);
    force.j -= make_float3(x, y, z);
    higher.j += 1;
    least.i.offer(square);
    least.j.offer(2 * square);
    farthest.i.offer(square);
    farthest.j.offer(square);
    longest.offer(square);
    "#
}

/// Launches over the same list again visit it by element, on a GPU, with the same results, and launches into the same results add to
/// them. The list has no pairs of elements that are farther apart than `reach`. Returns the blocks of each launch.
pub fn check_elements(device: &Device, n: u32, reach: u32) -> Result<Vec<u64>> {
    let (atoms, count) = (atoms(n), n as usize);
    let p = device.upload(&atoms)?;
    let kernel = elements::load(device)?;
    // The last of these launches has neither the least nor the greatest values.
    let scaled = |scale: f32| {
        let scaled = |atom: &Atom| Atom { at: atom.at.map(|at| scale * at), ..*atom };
        device.upload(&atoms.iter().map(scaled).collect::<Vec<_>>())
    };
    let each = [&scaled(0.5)?, &scaled(2.0)?, &p];
    let results = |kernel: &elements, reach: u32, each: &[&Buffer<Atom>]| -> Result<_> {
        let (mut wrong, mut number, mut energy) = (device.sum()?, device.sum()?, device.sum()?);
        let (mut force, mut higher) = (device.sums(count)?, device.sums(count)?);
        let (mut least, mut farthest) = (device.minima(count)?, device.maxima(count)?);
        let mut longest = device.max()?;
        for &p in each {
            kernel.launch(
                p, reach, &mut wrong, &mut number, &mut energy, &mut force, &mut higher,
                &mut least, &mut farthest, &mut longest,
            )?;
        }
        assert_eq!(wrong.download()?, 0, "indices or elements of another pair");
        let exact = format!(
            "{} {:?}\n{:?}\n{:?}\n{:?}",
            number.download()?,
            higher.download()?,
            least.download()?,
            farthest.download()?,
            longest.download()?,
        );
        Ok((exact, force.download()?, energy.download()?))
    };
    let (exact, force, energy) = results(&kernel, reach, &[&p])?;
    // The emulator is slow.
    let of_each = (n <= 300).then(|| results(&kernel, reach, &each)).transpose()?;
    let kernel = kernel.pairs(&device.given_pairs(&listed_within(n, reach))?);
    let mut blocks = Vec::new();
    for turn in 0..3 {
        let before = device.progress().blocks;
        let (found, found_force, found_energy) = results(&kernel, 0, &[&p])?;
        blocks.push(device.progress().blocks - before);
        assert_eq!(found, exact, "n = {n}, turn {turn}");
        let is_near = |a: f32, b: f32| (a - b).abs() <= 1e-4 * b.abs().max(1.0);
        assert!(is_near(found_energy, energy), "{found_energy} {energy}");
        for (a, b) in found_force.as_flattened().iter().zip(force.as_flattened()) {
            assert!(is_near(*a, *b), "n = {n}, turn {turn}: {a} {b}");
        }
    }
    if let Some((expected, ..)) = of_each {
        assert_eq!(results(&kernel, 0, &each)?.0, expected, "n = {n}, into the same results");
    }
    let (_, twice, _) = results(&kernel, 0, &[&p, &p])?;
    for (a, b) in twice.as_flattened().iter().zip(force.as_flattened()) {
        assert!((a - 2.0 * b).abs() <= 2e-4 * b.abs().max(1.0), "n = {n}, twice: {a} {b}");
    }
    Ok(blocks)
}
