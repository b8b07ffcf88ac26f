//! Deterministic sums and histograms of floats: exact but for one rounding, and with the same bits in every run and on any number of
//! devices.

use td_kernel::__private::NearTiles;
use td_kernel::{
    Device, Devices, Histogram, LaunchWith, PartialResult as _, Result, Slice, Target, td_kernel,
};
use td_kernel_tests::catalogue::{self, Domain, Entry, Numbers, Run, Sizes, some};
use td_kernel_tests::exactly::{floats, numbers, of_f32, of_f64};

use super::{and_large, devices, each};

#[test]
fn sums_of_the_host_are_rounded_once() {
    assert_eq!(of_f64([1e100, 1.0, -1e100, 1e-30]), 1.0);
    assert_eq!(of_f64([1.0, f64::EPSILON / 2.0, 1e-300]), 1.0 + f64::EPSILON);
    assert_eq!(of_f64([1.0, f64::EPSILON / 2.0, -1e-300]), 1.0);
    assert_eq!(of_f64([1.0, f64::INFINITY]), f64::INFINITY);
    assert!(of_f64([f64::NEG_INFINITY, f64::INFINITY]).is_nan() && of_f64([f64::NAN]).is_nan());
    assert_eq!(of_f64([]), 0.0);
    let half = f64::from(f32::EPSILON) / 2.0;
    assert_eq!(of_f32(&[1.0, half, 1e-30]), 1.0 + f32::EPSILON);
    assert_eq!(of_f32(&[1.0, half]), 1.0);
    assert_eq!(of_f32(&[1.0, f64::from(f32::EPSILON), half]), 1.0 + 2.0 * f32::EPSILON);
}

/// Kernels of one body. The weights are products of two numbers, and so rounded in the same way on every device.
macro_rules! weights {
    ($($name:ident $keys:tt;)*) => {$(
        #[td_kernel $keys]
        unsafe fn $name(#[each] x: &[f32], #[each] w: &[f64], floats: &mut Histogram<f32>, doubles: &mut Histogram<f64>) {
            r#"
            const unsigned int bin = (7 * i + 3 * j) % 13;
            floats.add((int)bin - 1, x.i * x.j);
            doubles.add(bin, w.i * w.j);
            "#
        }
    )*};
}

weights! {
    of_tiles (deterministic = true);
    of_blocks (deterministic = true, tile = 0);
}

/// The bins, and the pairs outside of all, as bits: those of one NaN for all.
type Bins = (Vec<u64>, Vec<u64>);

fn bits(value: f64) -> u64 {
    if value.is_nan() { u64::MAX } else { (value + 0.0).to_bits() }
}

const BINS: usize = 11;

/// Products down to subnormal ones, some infinite or NaN: whole, and from the words of two ranges of rows.
fn check_weights<K>(target: &Target, n: usize) -> Result<()>
where
    K: for<'a> LaunchWith<(
        &'a dyn Slice<f32>,
        &'a dyn Slice<f64>,
        &'a mut Histogram<f32>,
        &'a mut Histogram<f64>,
    )>,
{
    let (mut x, mut w) = (floats(n, [-74, 50]), numbers(n, [-536, 450]));
    for (at, special) in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.0].into_iter().enumerate() {
        if n > 122 {
            (x[40 * at], w[40 * at + 1]) = (special as f32, special);
        }
    }
    let (mut floats, mut doubles) = (vec![Vec::new(); BINS + 1], vec![Vec::new(); BINS + 1]);
    for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let bin = (7 * i + 3 * j) % 13;
        floats[bin.wrapping_sub(1).min(BINS)].push(f64::from(x[i] * x[j]));
        doubles[bin.min(BINS)].push(w[i] * w[j]);
    }
    let expected: Bins = (
        floats.iter().map(|terms| bits(of_f32(terms).into())).collect(),
        doubles.into_iter().map(|terms| bits(of_f64(terms))).collect(),
    );
    let (x, w) = (target.upload(&x)?, target.upload(&w)?);
    let new = || -> Result<(Histogram<f32>, Histogram<f64>)> {
        Ok((target.histogram(BINS)?, target.histogram(BINS)?))
    };
    let (kernel, middle) = (K::load(target)?, (2 * n).div_ceil(3));
    let (mut parts, mut whole) = ([new()?, new()?], new()?);
    for (rows, part) in [0..middle, middle..n].into_iter().zip(&mut parts) {
        for (floats, doubles) in [part, &mut whole] {
            kernel.rows(rows.clone()).launch_with((&x, &w, floats, doubles))?;
        }
    }
    let [(mut floats, mut doubles), others] = [0, 1].map(|at| {
        let (floats, doubles) = &parts[at];
        (floats.to_bits().unwrap(), doubles.to_bits().unwrap())
    });
    whole.0.join(&mut floats, &others.0)?;
    whole.1.join(&mut doubles, &others.1)?;
    for (floats, doubles) in [
        (whole.0.download()?, whole.1.download()?),
        (whole.0.finish(&floats)?, whole.1.finish(&doubles)?),
    ] {
        let (floats, doubles) = (
            [floats.as_slice(), &[floats.outside()]].concat(),
            [doubles.as_slice(), &[doubles.outside()]].concat(),
        );
        let found: Bins = (
            floats.into_iter().map(|x| bits(x.into())).collect(),
            doubles.into_iter().map(bits).collect(),
        );
        assert_eq!(found, expected, "{}, n = {n}, on {}", K::NAME, target.name());
    }
    Ok(())
}

#[test]
fn histograms_of_many_magnitudes() -> Result<()> {
    for device in devices() {
        for n in and_large(&[2, 131], &[3000]) {
            check_weights::<of_tiles>(&device, n)?;
            check_weights::<of_blocks>(&device, n)?;
            check_weights::<of_tiles>(&Devices::new(vec![device.clone(); 3])?.into(), n)?;
        }
    }
    Ok(())
}

/// Adds a number often.
#[td_kernel(deterministic = true)]
unsafe fn repeated(#[each] _x: &[f32], times: u32, weight: f32, floats: &mut Histogram<f32>) {
    r#"
    for (unsigned int k = 0; k < times; ++k)
        floats.add(k % 2, k % 2 ? -weight : weight);
    "#
}

/// So many additions to a bin that its words carry, away from zero on both sides; then as many that take it back to zero.
#[test]
fn words_of_histograms_carry() -> Result<()> {
    for device in devices() {
        let (x, kernel) = (device.upload(&[1.0_f32; 130])?, repeated::load(&device)?);
        // Its digit gets nearly 2^32 at each addition.
        let weight = (2.0 - f32::EPSILON) * 2_f32.powi(8);
        let mut floats = device.histogram(2)?;
        kernel.launch(&x, 8, weight, &mut floats)?;
        let half = (f64::from(130 * 129 / 2 * 4) * f64::from(weight)) as f32;
        assert_eq!(floats.download()?.as_slice(), [half, -half], "on {}", device.name());
        kernel.launch(&x, 8, -weight, &mut floats)?;
        assert_eq!(floats.download()?.as_slice(), [0.0; 2], "on {}", device.name());
    }
    Ok(())
}

/// One number for each pair.
#[td_kernel(deterministic = true)]
unsafe fn same(
    x: f32,
    w: f64,
    #[each] of_each: &mut Sums<f32>,
    #[each] doubles: &mut Sums<f64>,
    total: &mut Sum<f32>,
    wide: &mut Sum<f64>,
) {
    r#"
    of_each.i += x;
    doubles.j += w;
    total += x;
    wide += w;
    "#
}

/// Sums past the greatest number are infinite, and those of the least number are exact.
#[test]
fn sums_at_the_ends_of_types() -> Result<()> {
    for device in devices() {
        let (n, kernel) = (40_usize, same::load(&device)?);
        let of = |x: f32, w: f64| {
            let (mut of_each, mut doubles) = (device.sums(n)?, device.sums(n)?);
            let (mut total, mut wide) = (device.sum()?, device.sum()?);
            kernel.launch(x, w, &mut of_each, &mut doubles, &mut total, &mut wide)?;
            Result::Ok((
                of_each.download()?,
                doubles.download()?,
                total.download()?,
                wide.download()?,
            ))
        };
        let [least, smallest] = [f64::from(f32::from_bits(1)), f64::from_bits(1)];
        let (singles, doubles, total, wide) = of(least as f32, -3.0 * smallest)?;
        for k in 0..n {
            let column = (n - 1 - k) as f64;
            assert_eq!(
                (f64::from(singles[k]), doubles[k]),
                (k as f64 * least, -3.0 * column * smallest)
            );
        }
        assert_eq!((f64::from(total), wide), (780.0 * least, -3.0 * 780.0 * smallest));
        let (singles, doubles, total, wide) = of(f32::MIN, f64::MAX)?;
        assert!(singles[2..].iter().chain([&total]).all(|sum| *sum == f32::NEG_INFINITY));
        assert!(doubles[..n - 2].iter().chain([&wide]).all(|sum| *sum == f64::INFINITY));
    }
    Ok(())
}

/// The catalogue's kernels with sums of floats in a fixed order, whose elements may have any numbers.
pub(crate) fn in_order() -> Vec<Entry> {
    let mut all = catalogue::all();
    all.retain(|entry| {
        let is_of_floats =
            entry.is_exact || !["[i32]", "Pairs"].iter().any(|part| entry.item.contains(part));
        entry.keys.contains("deterministic = true") && is_of_floats
    });
    assert!(all.len() > 10, "{all:?}");
    all
}

/// A run over n elements of many magnitudes: in sets of all small sizes and a large one, if a kernel has sets.
pub(crate) fn run_of(entry: &Entry, device: &Device, n: usize) -> Run {
    let ends: Vec<_> = (0..n / 2).step_by(37).chain([n]).collect();
    let sets = ends.windows(2).map(|ends| ends[1] - ends[0]);
    let sizes = match entry.domain {
        Domain::One => Sizes::One(n),
        Domain::Two => Sizes::Two(n, n / 2 + 3),
        Domain::Sets => Sizes::Sets(sets.collect()),
        Domain::Rectangles => Sizes::Rectangles(sets.map(|n| [n, n / 3 + 1]).collect()),
    };
    Run { numbers: Numbers::Wide, large: Some(200), ..Run::new(device, sizes, 5) }
}

/// The CPU runs parts of the rows, and its emulator blocks, on all threads of the machine, in an order that changes. Near tiles add each pair
/// exactly, as a visit of all pairs does.
#[test]
fn sums_are_reproducible() -> Result<()> {
    for device in devices() {
        each(&in_order(), |entry| {
            for n in and_large(&[2, 33, 300], &[3000]) {
                let one = run_of(entry, &device, n);
                let expected = entry.found(&one).unwrap();
                let check = |run: &Run| {
                    assert!(entry.found(run).unwrap() == expected, "{entry:?}, n = {n}, {run:?}");
                };
                check(&one);
                let three = some(std::slice::from_ref(&device), 3).unwrap();
                check(&Run { target: three.clone(), is_several: true, ..one.clone() });
                if entry.is_joined() {
                    check(&one.by_processes(3).unwrap());
                }
                if entry.has_bound {
                    check(&Run { near: NearTiles::Always, ..one.clone() });
                    check(&Run {
                        target: three,
                        is_several: true,
                        near: NearTiles::Always,
                        ..one.clone()
                    });
                }
            }
        });
    }
    Ok(())
}
