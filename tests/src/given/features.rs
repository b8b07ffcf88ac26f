//! Elements with features, over given pairs.

use td_kernel::{Device, Result, td_kernel};

use super::listed;

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
        let (x, y_there) = (device.features(&x, width)?, device.features(&y, width)?);
        let kernel = folded::load(device)?;
        let results = || -> Result<_> { Ok((device.sum()?, device.sums(n)?, device.sums(n)?)) };
        let mut all = device.packed(n)?;
        let (mut total, mut count, mut sum) = results()?;
        kernel.launch(&x, &y_there, &mut all, &mut total, &mut count, &mut sum)?;
        let all = all.download()?;
        let mut values = device.zeroed(list.len())?;
        let (mut total, mut count, mut sum) = results()?;
        kernel.pairs(&list).launch(&x, &y_there, &mut values, &mut total, &mut count, &mut sum)?;
        let values: Vec<f32> = values.download()?;
        let found: f32 = total.download()?;
        let expected: f64 = values.iter().map(|value| f64::from(*value)).sum();
        assert!((f64::from(found) - expected).abs() <= 1e-6 * expected, "{found} {expected}");
        let (count, sum) = (count.download()?, sum.download()?);
        for (value, [i, j]) in values.iter().zip(&pairs) {
            let pair = (*i as usize, *j as usize);
            assert_eq!(value.to_bits(), all[pair].to_bits(), "{pair:?}, {width} features");
        }
        let (mut counts, mut sums) = (vec![0; n], vec![0.0; n]);
        for [i, j] in pairs.iter().map(|pair| pair.map(|index| index as usize)) {
            let both = (0..width).step_by(2).map(|k| (y[i * width + k], y[j * width + k]));
            let equal =
                |(a, b): ([u8; 4], [u8; 4])| u32::from(a[0] == b[0]) + u32::from(a[3] == b[3]);
            let equal = both.map(equal).sum::<u32>();
            counts[i] += equal;
            counts[j] += equal;
            sums[i] += equal as f32;
            sums[j] += 1.0;
        }
        assert_eq!((count, sum), (counts, sums), "{width} features");
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
