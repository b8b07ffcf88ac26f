//! States that a function of the prelude joins: of elements and of all pairs, of one set and of two, in ranges of rows, with large
//! and small elements, on one device and on several. Integers are added, so that an expected state does not depend on the order of
//! pairs.

use std::ops::Range;

use td_kernel::{DeviceType, Devices, ErrorKind, Reduce, Result, Target, td_kernel};

use self::all_pairs::{check_all_of_two, check_all_pairs};
use super::{and_large, devices};

/// How many pairs were joined, and the sum of their numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceType)]
struct Count {
    pairs: u32,
    numbers: u64,
}

/// The number of a pair, which depends on its order.
fn number(i: usize, j: usize) -> u64 {
    (i as u64 + 1) * 1_000_003 + (j as u64) * j as u64
}

impl Count {
    fn of(pairs: impl Iterator<Item = [usize; 2]>) -> Count {
        pairs.fold(Count::default(), |Count { pairs, numbers }, [i, j]| Count {
            pairs: pairs + 1,
            numbers: numbers + number(i, j),
        })
    }
}

/// Kernels of one body for both elements of a pair, or for the row's.
macro_rules! counts {
    ($(($($keys:tt)*) $name:ident($($parameter:tt)*) $body:literal;)*) => {
        $(#[td_kernel(prelude = r#"
        static __device__ Count join(const Count &a, const Count &b)
        {
            return Count{a.pairs + b.pairs, a.numbers + b.numbers};
        }
        "#, $($keys)*)]
        unsafe fn $name($($parameter)*) {
            $body
        })*
    };
}

mod all_pairs;
mod features;
mod order;

counts! {
    (diagonal = false) one_set(#[each] x: &[u32], #[each] out: &mut Reduce<Count>) r#"
        Count count{1, (x.i + 1) * 1000003ull + (unsigned long long)x.j * x.j};
        out.i.join(count);
        out.j.join(count);
    "#;
    (diagonal = true) with_diagonal(#[each] x: &[[u32; 3]], #[each] out: &mut Reduce<Count>, #[each] rows: &mut Reduce<Count>) r#"
        if (x.i.z != i || x.j.z != j)
            return;
        Count count{1, (i + 1) * 1000003ull + (unsigned long long)x.j.x * j};
        out.i.join(count);
        out.j.join(count);
        rows.i.join(count);
    "#;
    (fmad = true) two_sets(#[row] x: &[u32], #[column] y: &[[f32; 40]], #[row] out: &mut Reduce<Count>) r#"
        out.join({1, (x + 1) * 1000003ull + (unsigned long long)y[39] * j});
    "#;
    (fmad = true) small_columns(#[row] x: &[u32], #[column] y: &[f32], #[row] out: &mut Reduce<Count>) r#"
        out.join({1, (x + 1) * 1000003ull + (unsigned long long)y * j});
    "#;
}

/// Outputs of all pairs beside states of rows.
#[td_kernel(prelude = r#"
Count join(const Count &a, const Count &b)
{
    return {a.pairs + b.pairs, a.numbers + b.numbers};
}
"#)]
unsafe fn beside_rows(
    #[row] x: &[u32],
    #[column] y: &[f32],
    #[row] out: &mut Reduce<Count>,
    all: &mut Reduce<Count>,
    total: &mut Sum<u32>,
    sum: &mut Sum<f64>,
    far: &mut Max<u32>,
    list: &mut Pairs,
    values: &mut Pairs<u32>,
) {
    r#"
    Count count{1, (x + 1) * 1000003ull + (unsigned long long)y * j};
    out.join(count);
    all.join(count);
    total += 1;
    sum += y;
    far.offer(x + (unsigned int)y);
    if (i == j) {
        list.push();
        values.push(x + j);
    }
    "#
}

fn check_beside_rows(device: &Target, [rows, columns]: [usize; 2]) -> Result<()> {
    let x = device.upload(&(0..rows as u32).collect::<Vec<_>>())?;
    let y = device.upload(&(0..columns).map(|j| j as f32).collect::<Vec<_>>())?;
    for range in [0..rows, rows / 3..rows - rows / 4] {
        let start = Count::default();
        let (mut out, mut all) = (device.reduce(rows, start)?, device.reduce(1, start)?);
        let (mut total, mut sum, mut far) = (device.sum()?, device.sum()?, device.max()?);
        let (mut list, mut values) = (device.pairs(rows)?, device.pairs(rows)?);
        beside_rows::load(device)?.rows(range.clone()).launch(
            &x, &y, &mut out, &mut all, &mut total, &mut sum, &mut far, &mut list, &mut values,
        )?;
        let context = format!("{range:?} of {rows} x {columns} on {}", device.name());
        let of_row = |i| Count::of((0..columns).map(|j| [i, j]).filter(|_| range.contains(&i)));
        expect(&out.download()?, &context, of_row);
        let pairs = range.clone().flat_map(|i| (0..columns).map(move |j| [i, j]));
        assert_eq!(all.download()?, [Count::of(pairs)], "{context}");
        assert_eq!(total.download()?, (range.len() * columns) as u32, "{context}");
        let terms: f64 = (0..columns).map(|j| j as f64).sum();
        assert_eq!(sum.download()?, range.len() as f64 * terms, "{context}");
        let best = (!range.is_empty() && columns > 0).then(|| (range.end - 1, columns - 1));
        let best = best.map(|(i, j)| ((i + j) as u32, i as u32, j as u32));
        assert_eq!(far.download()?, best, "{context}");
        let diagonal: Vec<_> =
            range.clone().filter(|i| *i < columns).map(|i| [i as u32; 2]).collect();
        assert_eq!(values.download()?.len(), diagonal.len(), "{context}");
        assert_eq!(list.download()?.sorted()?, diagonal.into(), "{context}");
    }
    Ok(())
}

fn expect(found: &[Count], context: &str, pairs: impl Fn(usize) -> Count) {
    for (element, found) in found.iter().enumerate() {
        assert_eq!(*found, pairs(element), "{context}: element {element}");
    }
}

/// The pairs (i, j) of an element of n, with i in `rows`; with `ends`, also those in which it is j.
fn of_element(element: usize, n: usize, rows: &Range<usize>, diagonal: bool, ends: bool) -> Count {
    let own = (0..element + usize::from(diagonal)).map(|j| [element, j]);
    let others = (element + 1..n).map(|i| [i, element]).filter(|_| ends);
    Count::of(own.chain(others).filter(|[i, _]| rows.contains(i)))
}

fn check_one_set(device: &Target, n: usize) -> Result<()> {
    let numbers: Vec<u32> = (0..n as u32).collect();
    let x = device.upload(&numbers)?;
    let vectors = device.upload(&numbers.iter().map(|k| [*k; 3]).collect::<Vec<_>>())?;
    let (one, with) = (one_set::load(device)?, with_diagonal::load(device)?);
    for rows in [0..n, n / 3..n, 0..n / 2, n / 3..n - n / 4] {
        let context = format!("{rows:?} of {n} on {}", device.name());
        let mut out = device.reduce(n, Count::default())?;
        one.rows(rows.clone()).launch(&x, &mut out)?;
        expect(&out.download()?, &context, |e| of_element(e, n, &rows, false, true));
        out.clear()?;
        let mut own = device.reduce(n, Count::default())?;
        with.rows(rows.clone()).launch(&vectors, &mut out, &mut own)?;
        let context = format!("{context}, with the diagonal");
        expect(&out.download()?, &context, |e| of_element(e, n, &rows, true, true));
        expect(&own.download()?, &context, |e| of_element(e, n, &rows, true, false));
    }
    // Another launch joins to the states that are there.
    let mut out = device.reduce(n, Count::default())?;
    one.launch(&x, &mut out)?;
    one.launch(&x, &mut out)?;
    let twice = |e| {
        let Count { pairs, numbers } = of_element(e, n, &(0..n), false, true);
        Count { pairs: 2 * pairs, numbers: 2 * numbers }
    };
    expect(&out.download()?, "twice", twice);
    Ok(())
}

fn check_two_sets(device: &Target, [rows, columns]: [usize; 2]) -> Result<()> {
    let x = device.upload(&(0..rows as u32).collect::<Vec<_>>())?;
    let numbers: Vec<f32> = (0..columns).map(|j| j as f32).collect();
    let y = device.upload(&numbers)?;
    let large = device.upload(&numbers.iter().map(|j| [*j; 40]).collect::<Vec<_>>())?;
    for range in [0..rows, rows / 3..rows - rows / 4] {
        let context = format!("{range:?} of {rows} x {columns} on {}", device.name());
        let of_row = |i| Count::of((0..columns).map(|j| [i, j]).filter(|_| range.contains(&i)));
        let mut out = device.reduce(rows, Count::default())?;
        two_sets::load(device)?.rows(range.clone()).launch(&x, &large, &mut out)?;
        expect(&out.download()?, &context, of_row);
        out.clear()?;
        small_columns::load(device)?.rows(range.clone()).launch(&x, &y, &mut out)?;
        expect(&out.download()?, &context, of_row);
    }
    Ok(())
}

const SIZES: &[usize] = &[0, 1, 2, 31, 32, 33, 97, 300];

const RECTANGLES: &[[usize; 2]] = &[[0, 5], [5, 0], [1, 1], [2, 300], [33, 32], [100, 257]];

#[test]
fn every_pair_is_joined_once() -> Result<()> {
    for device in devices() {
        for n in and_large(SIZES, &[5000, 30_001]) {
            check_one_set(&device, n)?;
        }
        for size in and_large(RECTANGLES, &[[5000, 9001], [40, 70_000]]) {
            check_two_sets(&device, size)?;
        }
        for size in RECTANGLES {
            check_beside_rows(&device, *size)?;
        }
    }
    Ok(())
}

#[test]
fn several_devices_join_their_states() -> Result<()> {
    let same = devices().into_iter().map(|device| vec![device.clone(), device.clone(), device]);
    for devices in same.chain([devices()]) {
        let devices = Devices::new(devices)?;
        for n in [0, 1, 2, 97, 300] {
            check_one_set(&devices, n)?;
            check_all_pairs(&devices, n)?;
        }
        for size in [[1, 1], [2, 300], [100, 257]] {
            check_two_sets(&devices, size)?;
            check_beside_rows(&devices, size)?;
            check_all_of_two(&devices, size)?;
        }
    }
    Ok(())
}

/// A sum of exponentials: `sum` times exp(max).
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
struct LogSum {
    max: f32,
    sum: f32,
}

#[td_kernel(prelude = r#"
LogSum join(LogSum a, LogSum b)
{
    float max = fmaxf(a.max, b.max);
    if (max == -INFINITY)
        return a;
    return {max, a.sum * expf(a.max - max) + b.sum * expf(b.max - max)};
}
"#)]
unsafe fn log_sum(#[row] x: &[f32], #[column] y: &[f32], #[row] out: &mut Reduce<LogSum>) {
    r#" out.join({x * y, 1}); "#
}

#[test]
fn results_repeat_bit_for_bit() -> Result<()> {
    let (x, y): (Vec<f32>, Vec<f32>) = (
        (0..70).map(|k| k as f32 / 7.0 - 5.0).collect(),
        (0..900).map(|k| (k * 37 % 101) as f32).collect(),
    );
    let start = LogSum { max: f32::NEG_INFINITY, sum: 0.0 };
    for device in devices() {
        let kernel = log_sum::load(&device)?;
        let run = || -> Result<Vec<LogSum>> {
            let mut out: Reduce<LogSum> = device.reduce(x.len(), start)?;
            kernel.launch(&device.upload(&x)?, &device.upload(&y)?, &mut out)?;
            out.download()
        };
        let first = run()?;
        for (x, found) in x.iter().zip(&first) {
            let terms = || y.iter().map(|y| f64::from(x * y));
            let max = terms().fold(f64::NEG_INFINITY, f64::max);
            let expected = max + terms().map(|term| (term - max).exp()).sum::<f64>().ln();
            let found = f64::from(found.max) + f64::from(found.sum).ln();
            assert!(
                (found - expected).abs() < 1e-4 * expected.abs().max(1.0),
                "{found} {expected}"
            );
        }
        for _ in 0..3 {
            assert_eq!(run()?, first, "{}", device.name());
        }
    }
    Ok(())
}

#[test]
fn given_pairs_are_refused() -> Result<()> {
    for device in devices() {
        let mut out = device.reduce(3, Count::default())?;
        let list = device.given_pairs(&[[1, 0]])?;
        let launched =
            one_set::load(&device)?.pairs(&list).launch(&device.upload(&[0, 1, 2])?, &mut out);
        let error = launched.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments);
        assert!(error.to_string().contains("because a `Reduce` joins"), "{error}");
    }
    Ok(())
}
