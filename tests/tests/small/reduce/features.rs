//! States of elements whose features are folded: of one set and of two, of each element's own and of other elements, for several
//! sizes of features and of folds.

use td_kernel::half::f16;

use super::*;

/// A feature k of an element, small enough for every type.
fn feature(element: usize, k: usize) -> u8 {
    ((element * 5 + k * 3) % 7) as u8
}

fn features<T>(elements: usize, width: usize, of: impl Fn(u8) -> T) -> Vec<T> {
    let all = (0..elements).flat_map(|each| (0..width).map(move |k| feature(each, k)));
    all.map(of).collect()
}

/// The fold of a pair, which starts at 3: the features of i less twice those of j.
fn number_of(width: usize, i: usize, j: usize) -> u64 {
    let terms = (0..width).map(|k| i64::from(feature(i, k)) - 2 * i64::from(feature(j, k)));
    (terms.sum::<i64>() + 3 + 1_000_000) as u64
}

/// Kernels whose states are counts.
macro_rules! folded {
    ($(($($keys:tt)*) $name:ident($($parameter:tt)*) $body:tt)*) => {
        $(#[td_kernel(prelude = r#"
        Count join(Count a, Count b)
        {
            return {a.pairs + b.pairs, a.numbers + b.numbers};
        }
        "#, $($keys)*)]
        unsafe fn $name($($parameter)*) $body)*
    };
}

folded! {
    (diagonal = false) of_each(#[each] p: &Features<f32>, #[fold(start = "3")] d: f32, #[each] x: &[u32], #[each] out: &mut Reduce<Count>) {
        let feature = r#" d += p.i - 2 * p.j; "#;
        let pair = r#"
        if (x.i != i || x.j != j)
            return;
        Count count{1, (unsigned long long)(d + 1000000)};
        out.i.join(count);
        out.j.join(count);
        "#;
    }
    (diagonal = true) of_bytes(#[each] p: &Features<u8>, #[fold(start = "3")] d: i32, #[fold] last: [i32; 4], #[each] out: &mut Reduce<Count>) {
        let feature = r#"
        d += p.i - 2 * p.j;
        last.w = k + 1;
        "#;
        let pair = r#"
        Count count{1, (unsigned long long)(d + 1000000)};
        if (last.w != features)
            count.pairs += 1000;
        out.i.join(count);
        out.j.join(count);
        "#;
    }
    (fmad = true) of_two(#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[fold(start = "3")] d: f32, #[row] x: &[u32], #[column] y: &[[f32; 40]], #[row] out: &mut Reduce<Count>, total: &mut Sum<u64>, list: &mut Pairs) {
        let feature = r#" d += p - 2 * q; "#;
        let pair = r#"
        if (x != i || y[39] != j)
            return;
        out.join({1, (unsigned long long)(d + 1000000)});
        total += 1;
        if (i == j)
            list.push();
        "#;
    }
    (fmad = true) of_columns(#[row] x: &[u32], #[column] q: &Features<f16>, #[fold] d: f32, #[row] out: &mut Reduce<Count>) {
        let feature = r#" d += q; "#;
        let pair = r#" out.join({1, (unsigned long long)d * (x + 1)}); "#;
    }
}

fn check_each(device: &Target, n: usize, width: usize) -> Result<()> {
    let x = device.upload(&(0..n as u32).collect::<Vec<_>>())?;
    let floats = device.features(&features(n, width, f32::from), width)?;
    let bytes = device.features(&features(n, width, |each| each), width)?;
    for rows in [0..n, n / 3..n - n / 4] {
        for diagonal in [false, true] {
            let context =
                format!("{rows:?} of {n} on {}, {width} features, {diagonal}", device.name());
            let mut out = device.reduce(n, Count::default())?;
            match diagonal {
                false => of_each::load(device)?.rows(rows.clone()).launch(&floats, &x, &mut out)?,
                true => of_bytes::load(device)?.rows(rows.clone()).launch(&bytes, &mut out)?,
            }
            expect(&out.download()?, &context, |element| {
                let own = (0..element + usize::from(diagonal)).map(|j| [element, j]);
                let others = (element + 1..n).map(|i| [i, element]);
                let all = own.chain(others).filter(|[i, _]| rows.contains(i));
                all.fold(Count::default(), |Count { pairs, numbers }, [i, j]| Count {
                    pairs: pairs + 1,
                    numbers: numbers + number_of(width, i, j),
                })
            });
        }
    }
    Ok(())
}

fn check_two(device: &Target, [rows, columns, width]: [usize; 3]) -> Result<()> {
    let p = device.features(&features(rows, width, f32::from), width)?;
    let q = device.features(&features(columns, width, f32::from), width)?;
    let halves =
        device.features(&features(columns, width, |each| f16::from_f32(f32::from(each))), width)?;
    let x = device.upload(&(0..rows as u32).collect::<Vec<_>>())?;
    let y = device.upload(&(0..columns).map(|j| [j as f32; 40]).collect::<Vec<_>>())?;
    for range in [0..rows, rows / 3..rows - rows / 4] {
        let context =
            format!("{range:?} of {rows} x {columns} on {}, {width} features", device.name());
        let expected = |i: usize, number: &dyn Fn(usize) -> u64| {
            let all = (0..columns).filter(|_| range.contains(&i));
            all.fold(Count::default(), |Count { pairs, numbers }, j| Count {
                pairs: pairs + 1,
                numbers: numbers + number(j),
            })
        };
        let mut out = device.reduce(rows, Count::default())?;
        let (mut total, mut list) = (device.sum()?, device.pairs(rows)?);
        let kernel = of_two::load(device)?.rows(range.clone());
        kernel.launch(&p, &q, &x, &y, &mut out, &mut total, &mut list)?;
        expect(&out.download()?, &context, |i| expected(i, &|j| number_of(width, i, j)));
        assert_eq!(total.download()?, (range.len() * columns) as u64, "{context}");
        let same: Vec<_> = range.clone().filter(|i| *i < columns).map(|i| [i as u32; 2]).collect();
        assert_eq!(list.download()?.sorted()?, same.into(), "{context}");
        out.clear()?;
        of_columns::load(device)?.rows(range.clone()).launch(&x, &halves, &mut out)?;
        let sum = |j| (0..width).map(|k| u64::from(feature(j, k))).sum::<u64>();
        expect(&out.download()?, &context, |i| expected(i, &|j| sum(j) * (i as u64 + 1)));
    }
    Ok(())
}

#[test]
fn features_are_folded_before_states_are_joined() -> Result<()> {
    let of_one = [[0, 2], [1, 1], [2, 4], [31, 3], [33, 5], [97, 130], [300, 2]];
    let of_two = [[0, 5, 2], [5, 0, 2], [1, 1, 1], [2, 300, 4], [33, 32, 130], [100, 257, 7]];
    for device in devices() {
        let several = Devices::new([device.clone(), device.clone()])?;
        for [n, width] in and_large(&of_one, &[[5000, 40]]) {
            check_each(&device, n, width)?;
        }
        for size in and_large(&of_two, &[[5000, 9001, 40]]) {
            check_two(&device, size)?;
        }
        check_each(&several, 97, 5)?;
        check_two(&several, [100, 70, 3])?;
    }
    Ok(())
}
