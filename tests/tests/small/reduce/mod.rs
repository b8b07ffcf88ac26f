//! States that a function of the prelude joins: in launches one after another, in chunks, over many elements, and in the same order each time.

mod order;

use td_kernel::{DeviceType, Devices, ErrorKind, Reduce, Result, Target, td_kernel};

use super::{IS_LARGE, devices};

/// How many pairs were joined, and the sum of their numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, DeviceType)]
struct Count {
    pairs: u32,
    numbers: u64,
}

macro_rules! counts {
    ($($name:ident($($parameter:tt)*) $body:literal;)*) => {
        $(#[td_kernel(prelude = r#"
        static __device__ Count join(const Count &a, const Count &b)
        {
            return Count{a.pairs + b.pairs, a.numbers + b.numbers};
        }
        "#)]
        unsafe fn $name($($parameter)*) {
            $body
        })*
    };
}

counts! {
    of_elements(#[each] x: &[u32], #[each] out: &mut Reduce<Count>) r#" Count count{1, x.i + x.j}; out.i.join(count); out.j.join(count); "#;
    of_rows(#[row] x: &[u32], #[column] y: &[u32], #[row] out: &mut Reduce<Count>) r#" out.join({1, x + y}); "#;
    of_all(#[each] x: &[u32], out: &mut Reduce<Count>) r#" out.join({1, x.i + x.j}); "#;
    of_all_of_two(#[row] x: &[u32], #[column] y: &[u32], out: &mut Reduce<Count>) r#" out.join({1, x + y}); "#;
    beside_values(#[each] x: &[u32], value: &mut Packed<u32>, out: &mut Reduce<Count>) r#" value = x.i + x.j; out.join({1, x.i + x.j}); "#;
}

/// Two launches: the second one joins to the states that are there. The number of a pair is the sum of its elements' numbers.
fn check_twice(target: &Target, n: usize, m: usize) -> Result<()> {
    let [x, y] = [n, m].map(|n| target.upload(&(0..n as u32).collect::<Vec<_>>()));
    let (x, y) = (x?, y?);
    let (mut of_each, mut rows) =
        (target.reduce(n, Count::default())?, target.reduce(n, Count::default())?);
    let [mut all, mut of_two] =
        [target.reduce(1, Count::default())?, target.reduce(1, Count::default())?];
    for _ in 0..2 {
        of_elements::load(target)?.launch(&x, &mut of_each)?;
        of_rows::load(target)?.launch(&x, &y, &mut rows)?;
        of_all::load(target)?.launch(&x, &mut all)?;
        of_all_of_two::load(target)?.launch(&x, &y, &mut of_two)?;
    }
    let sum = |n: usize| (n * n.saturating_sub(1) / 2) as u64;
    let twice =
        |pairs: usize, numbers: u64| Count { pairs: (2 * pairs) as u32, numbers: 2 * numbers };
    for (i, found) in of_each.download()?.into_iter().enumerate() {
        // n - 2 times its own number, besides that of all.
        assert_eq!(
            found,
            twice(n - 1, sum(n) + (n as u64) * i as u64 - 2 * i as u64),
            "{i} of {n}"
        );
    }
    for (i, found) in rows.download()?.into_iter().enumerate() {
        assert_eq!(found, twice(m, sum(m) + (m * i) as u64), "row {i} of {n} x {m}");
    }
    assert_eq!(
        all.download()?,
        [twice(n * n.saturating_sub(1) / 2, sum(n) * n.saturating_sub(1) as u64)]
    );
    assert_eq!(of_two.download()?, [twice(n * m, sum(n) * m as u64 + sum(m) * n as u64)]);
    Ok(())
}

#[test]
fn launches_are_joined() -> Result<()> {
    for device in devices() {
        check_twice(&device, 300, 70)?;
        check_twice(&Devices::new(vec![device; 3])?.into(), 97, 300)?;
    }
    // Devices of two kinds.
    check_twice(&Devices::new(devices())?.into(), 100, 257)?;
    if IS_LARGE {
        [(5000, 9001), (30_001, 2), (40, 70_000)]
            .into_iter()
            .try_for_each(|(n, m)| check_twice(&devices()[0], n, m))?;
    }
    Ok(())
}

#[test]
fn chunks_are_joined() -> Result<()> {
    for device in devices() {
        let several = Devices::new(vec![device.clone(); 2])?;
        let targets: [&Target; 2] = [&device, &several];
        for target in targets {
            let x = target.upload(&(0..200).collect::<Vec<u32>>())?;
            let (mut out, mut sum) = (target.reduce(1, Count::default())?, 0);
            beside_values::load(target)?.chunks(&x, &mut out)?.height(30).each(|chunk| {
                sum += chunk.values.iter().map(|value| u64::from(*value)).sum::<u64>();
                Ok(())
            })?;
            let numbers = (0..200).map(|i| i * 199).sum();
            assert_eq!((out.download()?, sum), (vec![Count { pairs: 19_900, numbers }], numbers));
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
fn wrong_launches_are_refused() -> Result<()> {
    for device in devices() {
        let (x, mut out) = (device.upload(&[0, 1, 2])?, device.reduce(3, Count::default())?);
        let error = of_all::load(&device)?.launch(&x, &mut out).unwrap_err();
        assert!(error.to_string().contains("write `device.reduce(1, start)`"), "{error}");
        let list = device.given_pairs(&[[1, 0]])?;
        let error = of_elements::load(&device)?.pairs(&list).launch(&x, &mut out).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Arguments);
        assert!(error.to_string().contains("because a `Reduce` joins"), "{error}");
    }
    Ok(())
}
