//! Launches over given pairs: each output against the same kernel over all pairs, whose body then skips the pairs that are not
//! on the list.

use td_kernel::{Device, DeviceType, HostPairs, Result, Target, td_kernel};

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
    i.wrapping_mul(7919).wrapping_add(j.wrapping_mul(104_729)) % 7 == 0
}

/// The pairs on the list, in no order.
pub fn listed(n: u32) -> Vec<[u32; 2]> {
    let pairs = (0..n).flat_map(|i| (0..i).map(move |j| [i, j]));
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

#[td_kernel]
unsafe fn elements(
    #[each] p: &[Atom],
    skips: u32,
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
    higher.j += 1;
    least.i.offer(square);
    least.j.offer(2 * square);
    farthest.i.offer(square);
    farthest.j.offer(square);
    longest.offer(square);
    "#
}

/// Launches over the same list again visit it by element, on a GPU, with the same results. Returns the blocks of each launch.
pub fn check_elements(device: &Device, n: u32) -> Result<Vec<u64>> {
    let (atoms, count) = (atoms(n), n as usize);
    let p = device.upload(&atoms)?;
    let kernel = elements::load(device)?;
    let results = |kernel: &elements, skips: u32| -> Result<_> {
        let (mut wrong, mut number, mut energy) = (device.sum()?, device.sum()?, device.sum()?);
        let (mut force, mut higher) = (device.sums(count)?, device.sums(count)?);
        let (mut least, mut farthest) = (device.minima(count)?, device.maxima(count)?);
        let mut longest = device.max()?;
        kernel.launch(
            &p, skips, &mut wrong, &mut number, &mut energy, &mut force, &mut higher, &mut least,
            &mut farthest, &mut longest,
        )?;
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
    let (exact, force, energy) = results(&kernel, 1)?;
    let kernel = kernel.pairs(&device.given_pairs(&listed(n))?);
    let mut blocks = Vec::new();
    for turn in 0..3 {
        let before = device.progress().blocks;
        let (found, found_force, found_energy) = results(&kernel, 0)?;
        blocks.push(device.progress().blocks - before);
        assert_eq!(found, exact, "n = {n}, turn {turn}");
        let is_near = |a: f32, b: f32| (a - b).abs() <= 1e-4 * b.abs().max(1.0);
        assert!(is_near(found_energy, energy), "{found_energy} {energy}");
        for (a, b) in found_force.as_flattened().iter().zip(force.as_flattened()) {
            assert!(is_near(*a, *b), "n = {n}, turn {turn}: {a} {b}");
        }
    }
    Ok(blocks)
}

#[td_kernel]
unsafe fn squares(
    #[each] p: &[[f32; 3]],
    weights: &[f64],
    square: &mut Packed<f32>,
    weight: &mut Packed<f64>,
) {
    r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    square = x * x + y * y + z * z;
    weight = weights[i] * weights[j];
    "#
}

/// Values of the entries, in their order, with repeated pairs, from every kind of list.
pub fn check_values(device: &Device, n: u32) -> Result<()> {
    let p: Vec<_> = atoms(n).iter().map(|atom| atom.at).collect();
    let weights: Vec<f64> = (0..n).map(|k| f64::from(k) + 0.5).collect();
    let mut pairs = listed(n);
    pairs.extend_from_within(..pairs.len() / 2);
    let buffer = device.upload(&p)?;
    let of_weights = device.upload(&weights)?;
    let kernel = squares::load(device)?;
    let (mut all, mut all_weights) = (device.packed(n as usize)?, device.packed(n as usize)?);
    kernel.launch(&buffer, &of_weights, &mut all, &mut all_weights)?;
    let (all, all_weights) = (all.download()?, all_weights.download()?);
    let [i, j] = [0, 1].map(|end| pairs.iter().map(|pair| pair[end]).collect::<Vec<_>>());
    let lists = [
        device.given_pairs(&pairs)?,
        device.given_pairs(device.upload(&pairs)?)?,
        device.given_pairs((device.upload(&i)?, device.upload(&j)?))?,
    ];
    for list in lists {
        assert_eq!(list.download()?.pairs(), pairs);
        let (mut square, mut weight) = (device.zeroed(list.len())?, device.zeroed(list.len())?);
        kernel.pairs(&list).launch(&buffer, &of_weights, &mut square, &mut weight)?;
        let (square, weight) = (square.download()?, weight.download()?);
        for (at, [i, j]) in pairs.iter().enumerate() {
            let pair = (*i as usize, *j as usize);
            assert_eq!(square[at].to_bits(), all[pair].to_bits(), "{pair:?}");
            assert_eq!(weight[at].to_bits(), all_weights[pair].to_bits(), "{pair:?}");
        }
    }
    Ok(())
}

#[td_kernel]
unsafe fn near(#[each] p: &[[f32; 3]], limit: f32, list: &mut Pairs, valued: &mut Pairs<f32>) {
    r#"
    const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    const float square = x * x + y * y + z * z;
    if (square < limit) {
        list.push();
        valued.push(square);
    }
    "#
}

/// A list that a launch has made, gone through again; and a list of its pairs that pass a second test.
pub fn check_lists(target: &Target, n: u32) -> Result<()> {
    let p: Vec<_> = atoms(n).iter().map(|atom| atom.at).collect();
    let p = target.upload(&p)?;
    let kernel = near::load(target)?;
    let most = (n * n) as usize;
    let made = |limit: f32| -> Result<_> {
        let (mut plain, mut valued) = (target.pairs::<()>(most)?, target.pairs(most)?);
        kernel.launch(&p, limit, &mut plain, &mut valued)?;
        Ok((plain, valued))
    };
    let sorted = |list: HostPairs<f32>| list.sorted();
    let (plain, valued) = made(0.4)?;
    let (few, expected) = made(0.1)?;
    let expected = (few.download()?.sorted()?, sorted(expected.download()?)?);
    for given in [target.given_pairs(plain)?, target.given_pairs(valued)?] {
        let (mut plain, mut valued) = (target.pairs(most)?, target.pairs(most)?);
        kernel.pairs(&given).launch(&p, 0.1, &mut plain, &mut valued)?;
        assert_eq!((plain.download()?.sorted()?, sorted(valued.download()?)?), expected);
        assert!(given.len() > expected.0.len() || n < 10);
        // A list of the list is one again.
        let again = target.given_pairs(plain)?;
        let mut none = target.pairs(1)?;
        kernel.pairs(&again).launch(&p, 0.0, &mut none, &mut target.pairs(1)?)?;
        assert_eq!(none.count()?, 0);
        assert_eq!(again.len(), expected.0.len());
    }
    Ok(())
}

#[td_kernel]
unsafe fn cross(
    #[row] a: &[f32],
    #[column] b: &[f32],
    products: &mut Matrix<f32>,
    #[row] sum: &mut Sums<f32>,
    #[column] most: &mut Maxima<(f32, u32)>,
    list: &mut Pairs<f32>,
) {
    r#"
    products = a * b;
    sum += a * b;
    most.offer(a * b);
    if (a > b)
        list.push(a - b);
    "#
}

/// The pairs of two sets.
pub fn check_sets(device: &Device, [rows, columns]: [u32; 2]) -> Result<()> {
    let pairs = (0..rows).flat_map(|i| (0..columns).map(move |j| [i, j]));
    let pairs: Vec<_> = pairs.filter(|[i, j]| is_listed(*i, *j)).collect();
    let a: Vec<f32> = (0..rows).map(|k| (k * k % 101) as f32).collect();
    let b: Vec<f32> = (0..columns).map(|k| (k * 37 % 97) as f32).collect();
    // By rows, through the sparse matrix.
    let csr = HostPairs::from(pairs.clone()).to_csr((rows as usize, columns as usize))?;
    let list = device.given_pairs(&csr)?;
    let mut products = device.zeroed(list.len())?;
    let (mut sum, mut most) = (device.sums(rows as usize)?, device.maxima(columns as usize)?);
    let mut pushed = device.pairs(list.len())?;
    let kernel = cross::load(device)?.pairs(&list);
    kernel.launch(
        &device.upload(&a)?,
        &device.upload(&b)?,
        &mut products,
        &mut sum,
        &mut most,
        &mut pushed,
    )?;
    let (products, sum, most) = (products.download()?, sum.download()?, most.download()?);
    let (mut sums, mut best) = (vec![0.0; rows as usize], vec![None; columns as usize]);
    let mut greater = Vec::new();
    for (at, [i, j]) in pairs.iter().enumerate() {
        let (x, y) = (a[*i as usize], b[*j as usize]);
        assert_eq!(products[at], x * y);
        sums[*i as usize] += x * y;
        let best: &mut Option<(f32, u32)> = &mut best[*j as usize];
        if best.is_none_or(|(value, _)| x * y > value) {
            *best = Some((x * y, *i));
        }
        if x > y {
            greater.push([*i, *j]);
        }
    }
    assert_eq!((sum, most), (sums, best));
    assert_eq!(pushed.download()?.sorted()?.pairs(), greater);
    Ok(())
}

#[td_kernel]
unsafe fn folded(
    #[each] x: &Features<f32>,
    #[each] y: &Features<[u8; 4]>,
    #[fold] square: f32,
    #[fold] equal: u32,
    value: &mut Packed<f32>,
    total: &mut Sum<f32>,
    #[each] count: &mut Sums<u32>,
    #[each] sum: &mut Sums<f32>,
) {
    let feature = r#"
    const float difference = x.i - x.j;
    square += difference * difference;
    if (k % 2 == 0)
        equal += (y.i.x == y.j.x) + (y.i.w == y.j.w);
    "#;
    let pair = r#"
    value = sqrtf(square) + equal;
    total += value;
    count.i += equal;
    count.j += equal;
    sum.i += equal;
    sum.j += 1;
    "#;
}

#[td_kernel]
unsafe fn product(#[each] x: &Features<f32>, #[dot] dot: f32, value: &mut Packed<f32>) {
    r#" value = dot; "#
}

/// Elements with features: of fewer features than a word, of whole words, and of more.
pub fn check_features(device: &Device, n: u32, widths: &[usize]) -> Result<()> {
    let pairs = listed(n);
    let list = device.given_pairs(&pairs)?;
    let n = n as usize;
    for &width in widths {
        let x: Vec<f32> = (0..n * width).map(|k| (k * 37 % 19) as f32 - 9.0).collect();
        let y: Vec<[u8; 4]> =
            (0..n * width).map(|k| [(k % 3) as u8, 1, 2, (k % 5) as u8]).collect();
        let (x, y) = (device.features(&x, width)?, device.features(&y, width)?);
        let kernel = folded::load(device)?;
        let results = || -> Result<_> { Ok((device.sum()?, device.sums(n)?, device.sums(n)?)) };
        let mut all = device.packed(n)?;
        let (mut total, mut count, mut sum) = results()?;
        kernel.launch(&x, &y, &mut all, &mut total, &mut count, &mut sum)?;
        let all = all.download()?;
        let mut values = device.zeroed(list.len())?;
        let (mut total, mut count, mut sum) = results()?;
        kernel.pairs(&list).launch(&x, &y, &mut values, &mut total, &mut count, &mut sum)?;
        let values: Vec<f32> = values.download()?;
        let found: f32 = total.download()?;
        let expected: f64 = values.iter().map(|value| f64::from(*value)).sum();
        assert!((f64::from(found) - expected).abs() <= 1e-6 * expected, "{found} {expected}");
        let (count, sum): (Vec<u32>, Vec<f32>) = (count.download()?, sum.download()?);
        for (value, [i, j]) in values.iter().zip(&pairs) {
            let pair = (*i as usize, *j as usize);
            assert_eq!(value.to_bits(), all[pair].to_bits(), "{pair:?}, {width} features");
        }
        // Each pair adds `equal` to the counts of both ends, and to the sum of one; it adds 1 to that of the other.
        let counted: u64 = count.iter().map(|count| u64::from(*count)).sum();
        let summed: f64 = sum.iter().map(|sum| f64::from(*sum)).sum();
        assert_eq!(summed, counted as f64 / 2.0 + pairs.len() as f64);
        let kernel = product::load(device)?;
        let mut values = device.zeroed(list.len())?;
        kernel.pairs(&list).launch(&x, &mut values)?;
        let values: Vec<f32> = values.download()?;
        let mut all = device.packed(n)?;
        kernel.launch(&x, &mut all)?;
        let all = all.download()?;
        for (value, [i, j]) in values.iter().zip(&pairs) {
            let expected: f32 = all[(*i as usize, *j as usize)];
            assert!(
                (value - expected).abs() <= 1e-3 * expected.abs().max(1.0),
                "{value} {expected}"
            );
        }
    }
    Ok(())
}

/// What a launch over a list rejects, with words of each message.
pub fn check_errors(device: &Device) -> Result<()> {
    let p = device.upload(&[[0.0; 3]; 5])?;
    let weights = device.upload(&[0.0; 5])?;
    let kernel = squares::load(device)?;
    let error = |pairs: &[[u32; 2]], lengths: [usize; 2]| -> Result<String> {
        let kernel = kernel.pairs(&device.given_pairs(pairs)?);
        let (mut square, mut weight) = (device.zeroed(lengths[0])?, device.zeroed(lengths[1])?);
        let launched = kernel.launch(&p, &weights, &mut square, &mut weight);
        Ok(launched.err().map(|error| error.to_string()).unwrap_or_default())
    };
    let expect = |pairs: &[[u32; 2]], lengths, words: &str| -> Result<()> {
        let error = error(pairs, lengths)?;
        assert!(error.contains(words) && error.is_empty() == words.is_empty(), "{words}: {error}");
        Ok(())
    };
    expect(&[[1, 0], [4, 3]], [2, 2], "")?;
    expect(&[], [0, 0], "")?;
    expect(
        &[[1, 0], [5, 3]],
        [2, 2],
        "`pairs` pair 1 of the list is (5, 3), but its indices must be below 5",
    )?;
    expect(&[[1, 0], [3, 4]], [2, 2], "pair 1 of the list is (3, 4), but in a pair of one set")?;
    expect(
        &[[1, 0], [3, 3]],
        [2, 2],
        "pair 1 of the list is (3, 3), but the kernel does not visit",
    )?;
    expect(&[[1, 0], [4, 3]], [2, 3], "`weight` has 3 values, but the list has 2 pairs")?;
    let list = device.given_pairs(&[[1, 0]])?;
    let mut packed = device.packed(5)?;
    let launched = kernel.pairs(&list).launch(&p, &weights, &mut packed, &mut device.zeroed(1)?);
    let message = launched.unwrap_err().to_string();
    assert!(message.contains("has a slot for each pair of its shape"), "{message}");
    let mut values = device.zeroed(1)?;
    let launched =
        kernel.pairs(&list).rows(1..2).launch(&p, &weights, &mut values, &mut device.zeroed(1)?);
    let message = launched.unwrap_err().to_string();
    assert!(message.contains("call one of `rows` and `pairs`"), "{message}");
    Ok(())
}
