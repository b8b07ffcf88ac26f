//! Deterministic sums and histograms of floats: exact but for one rounding, and with the same bits in every run and on any number of
//! devices.

use td_kernel::{
    Devices, Histogram, LaunchWith, PartialResult as _, Result, Slice, Sums, Target, td_kernel,
};
use td_kernel_tests::exactly::{floats, numbers, of_f32, of_f64};

use super::{and_large, devices};

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

macro_rules! sums {
    ($($name:ident: $number:ident, $keys:tt;)*) => {$(
        #[td_kernel $keys]
        unsafe fn $name(#[each] x: &[$number], #[each] others: &mut Sums<[$number; 2]>, total: &mut Sum<$number>) {
            r#"
            others.i += {x.j, -x.j};
            others.j += {x.i, -x.i};
            total += x.i + x.j;
            "#
        }
    )*};
}

sums! {
    floats_of_tiles: f32, (deterministic = true);
    doubles_of_tiles: f64, (deterministic = true);
    // Each pair adds to the exact sums directly.
    floats_of_pairs: f32, (deterministic = true, map = "rb", block = 8);
    doubles_of_pairs: f64, (deterministic = true, map = "rb", block = 8);
}

/// Ones with a few other numbers, in one tile and in two, which may be on different devices; and numbers at the ends of the range.
macro_rules! special {
    ($target:expr, $n:expr, $number:ident: $($kernel:ident)*) => {{
        let (n, infinity, least) = ($n, $number::INFINITY, $number::from_bits(1));
        let last = n - 2;
        let ones = |odd: &[(usize, $number)]| {
            let mut x = vec![1.0; n];
            odd.iter().for_each(|(at, value)| x[*at] = *value);
            x
        };
        for x in [
            ones(&[]),
            ones(&[(last, -infinity)]),
            ones(&[(3, infinity), (4, infinity)]),
            ones(&[(3, infinity), (4, -infinity)]),
            ones(&[(3, -infinity), (last, infinity)]),
            ones(&[(last, $number::NAN)]),
            vec![least; n],
            vec![-3.0 * least; n],
            vec![$number::MAX; n],
            vec![$number::MIN; n],
        ] {
            // The terms alone decide a sum's value, not their order.
            let sum = |skipped: usize| (0..n).filter(|at| *at != skipped).map(|at| x[at]).sum::<$number>();
            let is = |found: $number, expected: $number| found == expected || found.is_nan() && expected.is_nan();
            $({
                let (mut others, mut total): (Sums<[$number; 2]>, _) = ($target.sums(n)?, $target.sum()?);
                $kernel::load($target)?.launch(&$target.upload(&x)?, &mut others, &mut total)?;
                for (at, [found, negative]) in others.download()?.into_iter().enumerate() {
                    assert!(is(found, sum(at)) && is(negative, -sum(at)), "{n}, {at}: {found} for {}", sum(at));
                }
                let (found, expected) = (total.download()?, (n - 1) as $number * sum(n));
                assert!(is(found, expected), "{n}: total {found} for {expected}");
            })*
        }
    }};
}

#[test]
fn sums_of_infinities_and_subnormals() -> Result<()> {
    for device in devices() {
        let two = Devices::new([device.clone(), device.clone()])?;
        for target in [Target::from(device), two.into()] {
            for n in and_large(&[7, 40, 300], &[1000]) {
                special!(&target, n, f32: floats_of_tiles floats_of_pairs);
                special!(&target, n, f64: doubles_of_tiles doubles_of_pairs);
            }
        }
    }
    Ok(())
}

/// Terms of many magnitudes, whose rounded sum depends on their order.
macro_rules! ordered {
    ($($name:ident($($elements:tt)*) $body:literal;)*) => {$(
        #[td_kernel(deterministic = true)]
        unsafe fn $name($($elements)*, energy: &mut Sum<f32>, work: &mut Sum<f64>) { $body }
    )*};
}

ordered! {
    of_one(#[each] x: &[f32], #[each] force: &mut Sums<[f32; 2]>, #[each] weight: &mut Sums<f64>) r#"
    const float d = x.i - x.j;
    force.i += make_float2(d, 1 / (d * d + 1e-3f));
    force.j -= make_float2(d, 1e10f * d * d * d);
    weight.j += 1e8 / (d * d + 1e-9);
    energy += d * d * d;
    work += 1.0 / (d * d + 1e-12);
    "#;
    of_two(#[row] x: &[f32], #[column] y: &[f32], #[row] force: &mut Sums<[f32; 2]>, #[column] weight: &mut Sums<f64>) r#"
    const float d = x - y;
    force += make_float2(d, 1 / (d * d + 1e-3f));
    weight -= 1e8 / (d * d + 1e-9);
    energy += d * d * d;
    work += 1.0 / (d * d + 1e-12);
    "#;
    of_sets(#[each] x: &Sets<f32>, #[each] force: &mut Sums<[f32; 2]>, #[each] weight: &mut Sums<f64>) r#"
    const float d = x.i - x.j;
    force.i += make_float2(d, 1 / (d * d + 1e-3f));
    force.j -= make_float2(d, 1e10f * d * d * d);
    weight.j += 1e8 / (d * d + 1e-9);
    energy += d * d * d;
    work += 1.0 / (d * d + 1e-12);
    "#;
}

#[td_kernel(deterministic = true)]
unsafe fn of_features(
    #[each] x: &FeatureSets<f32>,
    #[fold] d: f32,
    #[each] force: &mut Sums<[f32; 2]>,
    #[each] weight: &mut Sums<f64>,
    energy: &mut Sum<f32>,
    work: &mut Sum<f64>,
) {
    let feature = r#" d += x.i - x.j; "#;
    let pair = r#"
    force.i += make_float2(d, 1 / (d * d + 1e-3f));
    force.j -= make_float2(d, 1e10f * d * d * d);
    weight.j += 1e8 / (d * d + 1e-9);
    energy += d * d * d;
    work += 1.0 / (d * d + 1e-12);
    "#;
}

/// The bits of the sums over n elements of each kernel: all small sets and a large one are among the many sets.
pub(crate) fn bits_of(target: &Target, n: usize) -> Result<Vec<u64>> {
    let numbers = positive(n);
    let x = target.upload(&numbers)?;
    let offsets: Vec<_> = (0..n / 2).step_by(37).chain([n]).collect();
    let (sets, width) = (target.sets_with_large(&numbers, &offsets, 200)?, 1);
    let features = target.feature_sets(&numbers, width, &offsets)?;
    let mut all = Vec::new();
    macro_rules! bits {
        ($($kernel:ident($($elements:expr),*);)*) => {$(
            let (mut force, mut weight) = (target.sums::<[f32; 2]>(n)?, target.sums::<f64>(n)?);
            let (mut energy, mut work) = (target.sum::<f32>()?, target.sum::<f64>()?);
            $kernel::load(target)?.launch($($elements,)* &mut force, &mut weight, &mut energy, &mut work)?;
            let force = force.download()?;
            all.extend(force.as_flattened().iter().map(|sum| u64::from(sum.to_bits())));
            all.extend(weight.download()?.into_iter().map(f64::to_bits));
            all.extend([energy.download()?.to_bits().into(), work.download()?.to_bits()]);
        )*};
    }
    bits! {
        of_one(&x);
        of_two(&x, &x);
        of_sets(&sets);
        of_features(&features);
    }
    Ok(all)
}

/// The CPU runs parts of the rows, and its emulator blocks, on all threads of the machine, in an order that changes.
#[test]
fn sums_are_reproducible() -> Result<()> {
    for device in devices() {
        for n in and_large(&[2, 33, 1000], &[30_011]) {
            let first = bits_of(&Devices::new([device.clone()])?.into(), n)?;
            for count in [1, 1, 3] {
                let target = Devices::new(vec![device.clone(); count])?.into();
                assert!(bits_of(&target, n)? == first, "n = {n}, {count} x {}", device.name());
            }
        }
        // Small sums of all magnitudes are near those of the host.
        let x = positive(300);
        let mut work = device.sum::<f64>()?;
        let (mut force, mut weight, mut energy) =
            (device.sums(300)?, device.sums(300)?, device.sum()?);
        let kernel = of_one::load(&device)?;
        kernel.launch(&device.upload(&x)?, &mut force, &mut weight, &mut energy, &mut work)?;
        let force: Vec<[f32; 2]> = force.download()?;
        for (at, [found, _]) in force.into_iter().enumerate() {
            let terms = x.iter().map(|other| f64::from(x[at] - other));
            let (sum, size) = (terms.clone().sum::<f64>(), terms.map(f64::abs).sum::<f64>());
            assert!((f64::from(found) - sum).abs() <= 2e-5 * size, "{at}: {found} for {sum}");
        }
    }
    Ok(())
}

/// Numbers of many magnitudes.
fn positive(n: usize) -> Vec<f32> {
    numbers(n, [-10, 10]).into_iter().map(|number| number.abs() as f32).collect()
}
