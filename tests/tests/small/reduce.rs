//! States that a function of the prelude joins: of one set and of two, in ranges of rows, with large and small elements. Integers
//! are added, so that an expected state does not depend on the order of pairs.

use td_kernel::{DeviceType, Devices, ErrorKind, Reduce, Result, Target, td_kernel};

use super::{and_large, devices};

/// How many pairs were joined, and the sum of their numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceType)]
struct Count {
    pairs: u32,
    numbers: u64,
}

/// Where `join` is called, beside the pairs.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
struct LogSum {
    max: f32,
    sum: f32,
}

const START: LogSum = LogSum { max: f32::NEG_INFINITY, sum: 0.0 };

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

fn expect(found: &[Count], context: &str, pairs: impl Fn(usize) -> Count) {
    for (element, found) in found.iter().enumerate() {
        assert_eq!(*found, pairs(element), "{context}: element {element}");
    }
}

/// The pairs (i, j) of an element of n, with i in `rows`; with `ends`, also those in which it is j.
fn of_element(
    element: usize,
    n: usize,
    rows: &std::ops::Range<usize>,
    diagonal: bool,
    ends: bool,
) -> Count {
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

#[test]
fn every_pair_is_joined_once() -> Result<()> {
    for device in devices() {
        for n in and_large(&[0, 1, 2, 31, 32, 33, 97, 300], &[5000, 30_001]) {
            check_one_set(&device, n)?;
        }
        let sizes = [[0, 5], [5, 0], [1, 1], [2, 300], [33, 32], [100, 257]];
        for size in and_large(&sizes, &[[5000, 9001], [40, 70_000]]) {
            check_two_sets(&device, size)?;
        }
    }
    Ok(())
}

/// The logarithm of a sum of exponentials.
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
    for device in devices() {
        let kernel = log_sum::load(&device)?;
        let run = || -> Result<Vec<LogSum>> {
            let mut out: Reduce<LogSum> = device.reduce(x.len(), START)?;
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
fn one_device_and_all_pairs() -> Result<()> {
    for device in devices() {
        let several = Devices::new([device.clone(), device.clone()])?;
        let mut out = several.reduce(3, Count::default())?;
        let launched = one_set::load(&several)?.launch(&several.upload(&[0, 1, 2])?, &mut out);
        let error = launched.unwrap_err();
        assert!(error.to_string().contains("load the kernel for one `Device`"), "{error}");
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
