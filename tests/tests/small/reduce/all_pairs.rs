//! One state of all pairs, alone, beside other outputs, over features, and in chunks.

use std::ops::Range;

use td_kernel::{Devices, Result, Target, td_kernel};

use super::{Count, RECTANGLES, SIZES, and_large, devices};

counts! {
    (diagonal = false) of_all(#[each] x: &[u32], out: &mut Reduce<Count>) r#"
        out.join({1, (x.i + 1) * 1000003ull + (unsigned long long)x.j * x.j});
    "#;
    (diagonal = true, map = "rb") with_sums(#[each] x: &[[f32; 3]], out: &mut Reduce<Count>, #[each] sums: &mut Sums<u32>, second: &mut Reduce<Count>) r#"
        Count count{1, (i + 1) * 1000003ull + (unsigned long long)x.j.x * j};
        out.join(count);
        second.join(count);
        sums.i += 1;
    "#;
    (space = "thread", map = "ltm") by_thread(#[each] x: &[u32], out: &mut Reduce<Count>) r#"
        out.join({1, (x.i + 1) * 1000003ull + (unsigned long long)x.j * x.j});
    "#;
    (diagonal = false) beside_square(#[each] x: &[u32], sum: &mut Square<u32>, out: &mut Reduce<Count>) r#"
        sum = x.i + x.j;
        out.join({1, (x.i + 1) * 1000003ull + (unsigned long long)x.j * x.j});
    "#;
    (fmad = true) of_two(#[row] x: &[u32], #[column] y: &[f32], out: &mut Reduce<Count>, total: &mut Sum<u64>) r#"
        out.join({1, (x + 1) * 1000003ull + (unsigned long long)y * j});
        total += 1;
    "#;
}

#[td_kernel(prelude = r#"
Count join(const Count &a, const Count &b)
{
    return {a.pairs + b.pairs, a.numbers + b.numbers};
}
"#)]
unsafe fn of_features(#[each] x: &Features<f32>, #[fold] last: f32, out: &mut Reduce<Count>) {
    let feature = r#" last = x.j; "#;
    let pair = r#" out.join({1, (i + 1) * 1000003ull + (unsigned long long)last * j}); "#;
}

/// The pairs (i, j) with i in `rows`.
fn of_rows(rows: &Range<usize>, diagonal: bool) -> Count {
    let of_row = |i: usize| (0..i + usize::from(diagonal)).map(move |j| [i, j]);
    Count::of(rows.clone().flat_map(of_row))
}

/// One state of all pairs, of one set.
pub(super) fn check_all_pairs(device: &Target, n: usize) -> Result<()> {
    let numbers: Vec<u32> = (0..n as u32).collect();
    let vectors: Vec<_> = numbers.iter().map(|k| [*k as f32; 3]).collect();
    let features: Vec<f32> = numbers.iter().flat_map(|k| [0.0, *k as f32]).collect();
    let (x, vectors) = (device.upload(&numbers)?, device.upload(&vectors)?);
    let features = device.features(&features, 2)?;
    let start = Count::default();
    let (mut out, mut second) = (device.reduce(1, start)?, device.reduce(1, start)?);
    for rows in [0..n, n / 3..n, 0..n / 2, n / 3..n - n / 4] {
        let context = format!("{rows:?} of {n} on {}", device.name());
        of_all::load(device)?.rows(rows.clone()).launch(&x, &mut out)?;
        assert_eq!(out.download()?, [of_rows(&rows, false)], "{context}");
        out.clear()?;
        of_features::load(device)?.rows(rows.clone()).launch(&features, &mut out)?;
        assert_eq!(out.download()?, [of_rows(&rows, false)], "{context}, features");
        out.clear()?;
        let mut sums = device.sums(n)?;
        let kernel = with_sums::load(device)?.rows(rows.clone());
        kernel.launch(&vectors, &mut out, &mut sums, &mut second)?;
        let expected = of_rows(&rows, true);
        let found = [out.download()?[0], second.download()?[0]];
        assert_eq!(found, [expected; 2], "{context}, with the diagonal");
        out.clear()?;
        second.clear()?;
    }
    // More blocks than in the launches before, and fewer.
    for _ in 0..2 {
        of_all::load(device)?.rows(0..n / 2).launch(&x, &mut out)?;
        of_all::load(device)?.rows(n / 2..n).launch(&x, &mut out)?;
    }
    let Count { pairs, numbers } = of_rows(&(0..n), false);
    assert_eq!(out.download()?, [Count { pairs: 2 * pairs, numbers: 2 * numbers }]);
    Ok(())
}

/// One state of all pairs, of two sets.
pub(super) fn check_all_of_two(device: &Target, [rows, columns]: [usize; 2]) -> Result<()> {
    let x = device.upload(&(0..rows as u32).collect::<Vec<_>>())?;
    let y = device.upload(&(0..columns).map(|j| j as f32).collect::<Vec<_>>())?;
    for range in [0..rows, rows / 3..rows - rows / 4] {
        let (mut out, mut total) = (device.reduce(1, Count::default())?, device.sum()?);
        of_two::load(device)?.rows(range.clone()).launch(&x, &y, &mut out, &mut total)?;
        let pairs = range.clone().flat_map(|i| (0..columns).map(move |j| [i, j]));
        let context = format!("{range:?} of {rows} x {columns} on {}", device.name());
        assert_eq!(out.download()?, [Count::of(pairs)], "{context}");
        assert_eq!(total.download()?, (range.len() * columns) as u64, "{context}");
    }
    Ok(())
}

#[test]
fn every_pair_is_joined_to_one_state() -> Result<()> {
    for device in devices() {
        for n in and_large(SIZES, &[5000]) {
            check_all_pairs(&device, n)?;
            let x = device.upload(&(0..n as u32).collect::<Vec<_>>())?;
            let mut out = device.reduce(1, Count::default())?;
            by_thread::load(&device)?.launch(&x, &mut out)?;
            assert_eq!(out.download()?, [of_rows(&(0..n), false)], "{n} on {}", device.name());
            out.clear()?;
            let mut square = device.square(n)?;
            beside_square::load(&device)?.launch(&x, &mut square, &mut out)?;
            assert_eq!(out.download()?, [of_rows(&(0..n), false)], "{n} on {}", device.name());
        }
        for size in and_large(RECTANGLES, &[[5000, 9001], [40, 70_000]]) {
            check_all_of_two(&device, size)?;
        }
    }
    Ok(())
}

/// A value of each pair beside the state of all pairs.
#[td_kernel(prelude = r#"
Count join(const Count &a, const Count &b)
{
    return {a.pairs + b.pairs, a.numbers + b.numbers};
}
"#)]
unsafe fn stored(#[each] x: &[u32], value: &mut Packed<u32>, out: &mut Reduce<Count>) {
    r#"
    value = x.i + x.j;
    out.join({1, (x.i + 1) * 1000003ull + (unsigned long long)x.j * x.j});
    "#
}

#[test]
fn chunks_are_joined() -> Result<()> {
    let (n, one) = (200, devices());
    let several: Vec<_> =
        one.iter().map(|each| Devices::new([each.clone(), each.clone()])).collect();
    let several = several.into_iter().collect::<Result<Vec<_>>>()?;
    let targets =
        one.iter().map(|one| one as &Target).chain(several.iter().map(|all| all as &Target));
    for device in targets {
        let x = device.upload(&(0..n as u32).collect::<Vec<_>>())?;
        let mut out = device.reduce(1, Count::default())?;
        let mut sum = 0;
        stored::load(device)?.chunks(&x, &mut out)?.height(30).each(|chunk| {
            sum += chunk.values.iter().map(|value| u64::from(*value)).sum::<u64>();
            Ok(())
        })?;
        assert_eq!(out.download()?, [of_rows(&(0..n), false)], "{}", device.name());
        assert_eq!(sum, (0..n as u64).map(|i| i * (n as u64 - 1)).sum::<u64>());
    }
    Ok(())
}

#[test]
fn all_pairs_have_one_state() -> Result<()> {
    for device in devices() {
        let mut out = device.reduce(3, Count::default())?;
        let launched = of_all::load(&device)?.launch(&device.upload(&[0, 1, 2])?, &mut out);
        let error = launched.unwrap_err();
        assert!(error.to_string().contains("write `device.reduce(1, start)`"), "{error}");
    }
    Ok(())
}
