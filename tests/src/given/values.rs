//! Values of entries, lists, two sets, and wrong pairs.

use td_kernel::{Device, HostPairs, Result, Target, td_kernel};

use super::{atoms, is_listed, listed};

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

/// A list that a launch has made, visited again; and a list of those of its pairs that pass a second test.
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

/// What a launch over a list rejects, with a part of each message.
pub fn check_errors(device: &Device) -> Result<()> {
    let p = device.upload(&[[0.0; 3]; 5])?;
    let weights = device.upload(&[0.0; 5])?;
    let kernel = squares::load(device)?;
    let error = |pairs: &[[u32; 2]], lengths: [usize; 2]| -> Result<String> {
        let kernel = kernel.pairs(&device.given_pairs(pairs)?);
        let (mut square, mut weight) = (device.zeroed(lengths[0])?, device.zeroed(lengths[1])?);
        let launched = kernel.launch(&p, &weights, &mut square, &mut weight);
        Ok(message_of(launched))
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
        "the list has (5, 3) at position 1, but its indices must be below 5",
    )?;
    expect(&[[1, 0], [3, 4]], [2, 2], "has (3, 4) at position 1, but in a pair of one set")?;
    expect(&[[1, 0], [3, 3]], [2, 2], "has (3, 3) at position 1, but the kernel does not visit")?;
    expect(&[[1, 0], [4, 3]], [2, 3], "`weight` has 3 values, but the list has 2 pairs")?;
    let list = device.given_pairs(&[[1, 0]])?;
    let mut packed = device.packed(5)?;
    let launched = kernel.pairs(&list).launch(&p, &weights, &mut packed, &mut device.zeroed(1)?);
    let message = message_of(launched);
    assert!(message.contains("has a slot for each pair of its shape"), "{message}");
    let mut values = device.zeroed(1)?;
    let launched =
        kernel.pairs(&list).rows(1..2).launch(&p, &weights, &mut values, &mut device.zeroed(1)?);
    let message = message_of(launched);
    assert!(
        message.contains("cannot be launched for a range of rows, because the pairs of a list"),
        "{message}"
    );
    // What launches over a list need is compiled before. There is no report of it.
    kernel.pairs(&list).prepare(5)?;
    let message = message_of(kernel.pairs(&list).report(5).map(drop));
    assert!(message.contains("cannot be reported, because a launch over a list"), "{message}");
    // The most elements.
    let (kernel, mut total) = (rows::load(device)?, device.sum()?);
    let most = u32::MAX as usize - 255;
    let kernel = kernel.pairs(&device.given_pairs(&[[u32::MAX - 256, 7]])?);
    kernel.launch(most, &mut total)?;
    assert_eq!(total.download()?, u64::from(u32::MAX - 256));
    for n in [most + 1, usize::MAX] {
        let message = message_of(kernel.launch(n, &mut total));
        let words = format!("{n} elements are too many: elements are counted in 32 bits");
        assert!(message.contains(&words), "{message}");
    }
    Ok(())
}

#[td_kernel]
unsafe fn rows(total: &mut Sum<u64>) {
    r#" total += i; "#
}

#[td_kernel]
unsafe fn within_sets(#[each] x: &Sets<i32>, list: &mut Pairs<u32>) {
    r#" if (x.i > x.j) list.push(set); "#
}

/// Several devices cannot share values of entries.
pub fn check_values_of_several(devices: &Target) -> Result<()> {
    let one = Device::cpu()?;
    let (p, weights) = (devices.upload(&[[0.0; 3]; 4])?, devices.upload(&[0.0; 4])?);
    let kernel = squares::load(devices)?.pairs(&devices.given_pairs(&[[1, 0]])?);
    let (mut square, mut weight) = (one.zeroed(1)?, one.zeroed(1)?);
    let message = message_of(kernel.launch(&p, &weights, &mut square, &mut weight));
    assert!(
        message.contains("because each device visits some of the entries of a list"),
        "{message}"
    );
    Ok(())
}

/// A list whose indices count within one of many sets is rejected, and so is its download.
pub fn check_lists_of_sets(device: &Device) -> Result<()> {
    let sets = device.sets(&[0, 1, 2, 3], &[0, 2, 4])?;
    let mut list = device.pairs(2)?;
    within_sets::load(device)?.launch(&sets, &mut list)?;
    let on_host = list.download()?.sorted()?;
    assert_eq!(on_host, HostPairs::from_vecs(vec![[1, 0]; 2], on_host.values().to_vec())?);
    let graph = on_host.to_csr(2).map(drop);
    for rejected in
        [graph, device.given_pairs(&on_host).map(drop), device.given_pairs(list).map(drop)]
    {
        let message = message_of(rejected);
        assert!(message.starts_with("the pairs were pushed by a kernel over `Sets`"), "{message}");
    }
    Ok(())
}

/// The message of a failed launch; empty if it did not fail.
fn message_of(launched: Result<()>) -> String {
    launched.err().map(|error| error.to_string()).unwrap_or_default()
}
