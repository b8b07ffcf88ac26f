//! Histograms of floats with the same bits in every run, in every sweep.

use td_kernel::{
    Device, Histogram, HostHistogram, PairKernel, PartialResult, Result, Target, td_kernel,
};

use super::{floats, numbers, of_f32, of_f64};

/// Kernels of one body, each with its parameters. The weights are products of two numbers, and so rounded in the same way on
/// every device.
macro_rules! kernels {
    ($body:literal; $($name:ident($($key:tt)*) ($($parameter:tt)*);)*) => {$(
        #[td_kernel(deterministic = true, $($key)*)]
        unsafe fn $name(
            $($parameter)*
            x: &[f32],
            w: &[f64],
            counts: &mut Histogram<u64>,
            floats: &mut Histogram<f32>,
            doubles: &mut Histogram<f64>,
        ) {
            $body
        }
    )*};
}

kernels! {
    r#"
    const unsigned int bin = (7 * i + 3 * j) % 13;
    counts.add(bin);
    floats.add((int)bin - 1, x[i] * x[j]);
    doubles.add(bin, w[i] * w[j]);
    "#;
    of_one() (#[each] _p: &[f32],);
    with_diagonal(diagonal = true, map = "rb") (#[each] _p: &[f32],);
    classic(tile = 0) (#[each] _p: &[f32],);
    walked(map = "walk") (#[each] _p: &[f32],);
    of_threads(space = "thread") (#[each] _p: &[f32],);
    of_two() (#[row] _p: &[f32], #[column] _q: &[f32],);
}

kernels! {
    r#"
    const unsigned int bin = (7 * i + 3 * j) % 13;
    out = bin;
    counts.add(bin);
    floats.add((int)bin - 1, x[i] * x[j]);
    doubles.add(bin, w[i] * w[j]);
    "#;
    stored() (#[each] _p: &[f32], out: &mut Packed<u32>,);
    mirrored() (#[each] _p: &[f32], out: &mut Square<u32>,);
}

kernels! {
    r#"
    const unsigned int bin = (7 * i + 3 * j) % 13;
    degree.j += 1;
    counts.add(bin);
    floats.add((int)bin - 1, x[i] * x[j]);
    doubles.add(bin, w[i] * w[j]);
    "#;
    rotated() (#[each] _p: &[f32], #[each] degree: &mut Sums<i32>,);
}

/// With features. Tensor cores would multiply them, but for `deterministic`.
#[td_kernel(deterministic = true)]
unsafe fn folded(
    #[each] _p: &Features<f32>,
    #[dot] dot: f32,
    x: &[f32],
    w: &[f64],
    counts: &mut Histogram<u64>,
    floats: &mut Histogram<f32>,
    doubles: &mut Histogram<f64>,
) {
    r#"
    if (dot != 3)
        return;
    const unsigned int bin = (7 * i + 3 * j) % 13;
    counts.add(bin);
    floats.add((int)bin - 1, x[i] * x[j]);
    doubles.add(bin, w[i] * w[j]);
    "#
}

/// The weights of all elements, and the expected histograms.
struct Weights {
    x: Vec<f32>,
    w: Vec<f64>,
}

/// The values of three histograms, and the pairs outside of all bins.
type Values = (Vec<u64>, Vec<u32>, Vec<u64>);

const BINS: usize = 11;

impl Weights {
    /// Products down to subnormal ones.
    fn new(n: usize) -> Weights {
        Weights { x: floats(n, [-74, 50]), w: numbers(n, [-536, 450]) }
    }

    /// Some products are infinite, or NaN.
    fn special(n: usize) -> Weights {
        let mut all = Weights::new(n);
        for (at, special) in
            [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.0].into_iter().enumerate()
        {
            if let (Some(x), Some(w)) = (all.x.get_mut(40 * at), all.w.get_mut(40 * at + 1)) {
                (*x, *w) = (special as f32, special);
            }
        }
        all
    }

    fn expected(&self, pairs: &[[usize; 2]]) -> Values {
        let Weights { x, w } = self;
        let (mut floats, mut doubles) = (vec![Vec::new(); BINS + 1], vec![Vec::new(); BINS + 1]);
        for &[i, j] in pairs {
            let bin = (7 * i + 3 * j) % 13;
            floats[bin.wrapping_sub(1).min(BINS)].push(f64::from(x[i] * x[j]));
            doubles[bin.min(BINS)].push(w[i] * w[j]);
        }
        let counts = doubles.iter().map(|terms| terms.len() as u64).collect();
        let floats = floats.iter().map(|terms| bits(of_f32(terms))).collect();
        let doubles = doubles.into_iter().map(|terms| wide_bits(of_f64(terms))).collect();
        (counts, floats, doubles)
    }
}

/// A number's bits; those of one NaN for all.
fn bits(value: f32) -> u32 {
    if value.is_nan() { u32::MAX } else { (value + 0.0).to_bits() }
}

fn wide_bits(value: f64) -> u64 {
    if value.is_nan() { u64::MAX } else { (value + 0.0).to_bits() }
}

struct Three {
    counts: Histogram<u64>,
    floats: Histogram<f32>,
    doubles: Histogram<f64>,
}

impl Three {
    fn new(target: &Target) -> Result<Three> {
        Ok(Three {
            counts: target.histogram(BINS)?,
            floats: target.histogram(BINS)?,
            doubles: target.histogram(BINS)?,
        })
    }

    fn values(&self) -> Result<Values> {
        let (floats, doubles) = (self.floats.download()?, self.doubles.download()?);
        Ok((entries(self.counts.download()?), of_floats(floats), of_doubles(doubles)))
    }

    /// The same from the words of processes, of which all but these have others.
    fn joined(all: &[Three]) -> Result<(Vec<u32>, Vec<u64>)> {
        let (mut floats, mut doubles) = (all[0].floats.to_bits()?, all[0].doubles.to_bits()?);
        for one in &all[1..] {
            one.floats.join(&mut floats, &one.floats.to_bits()?)?;
            one.doubles.join(&mut doubles, &one.doubles.to_bits()?)?;
        }
        let (floats, doubles) = (all[0].floats.finish(&floats)?, all[0].doubles.finish(&doubles)?);
        Ok((of_floats(floats), of_doubles(doubles)))
    }
}

fn entries<T: Copy>(histogram: HostHistogram<T>) -> Vec<T> {
    let outside = histogram.outside();
    histogram.into_vec().into_iter().chain([outside]).collect()
}

fn of_floats(histogram: HostHistogram<f32>) -> Vec<u32> {
    entries(histogram).into_iter().map(bits).collect()
}

fn of_doubles(histogram: HostHistogram<f64>) -> Vec<u64> {
    entries(histogram).into_iter().map(wide_bits).collect()
}

/// The pairs of one set, or of two.
fn pairs(n: usize, columns: Option<usize>, diagonal: bool) -> Vec<[usize; 2]> {
    let width = |i| columns.unwrap_or(i + usize::from(diagonal));
    (0..n).flat_map(|i| (0..width(i)).map(move |j| [i, j])).collect()
}

/// Runs every kernel, whole and in ranges of rows, and compares with exact sums.
pub fn check(target: &Target, is_several: bool, sizes: &[usize]) -> Result<()> {
    for &n in sizes {
        let all = [("finite", Weights::new(n)), ("special", Weights::special(n))];
        // Few weights have no special ones.
        for (what, weights) in all.into_iter().take(if n > 100 { 2 } else { 1 }) {
            let context = format!("{what}, n = {n}, on {}", target.name());
            check_weights(target, is_several, &weights, &context)?;
        }
    }
    Ok(())
}

fn check_weights(
    target: &Target,
    is_several: bool,
    weights: &Weights,
    context: &str,
) -> Result<()> {
    let n = weights.x.len();
    let (x, w) = (target.upload(&weights.x)?, target.upload(&weights.w)?);
    let p = target.upload(&vec![1.0_f32; n])?;
    let columns = n / 2;
    let q = target.upload(&vec![1.0_f32; columns])?;
    let features = target.features(&vec![1.0_f32; 3 * n], 3)?;
    macro_rules! check {
        ($kernel:ident, $pairs:expr, $($argument:expr),+) => {{
            let (kernel, expected) = ($kernel::load(target)?, weights.expected(&$pairs));
            let mut all = Three::new(target)?;
            let Three { counts, floats, doubles } = &mut all;
            kernel.launch($($argument,)+ &x, &w, counts, floats, doubles)?;
            assert_eq!(all.values()?, expected, "{}, {context}", $kernel::NAME);
            (kernel, expected)
        }};
    }
    check!(with_diagonal, pairs(n, None, true), &p);
    check!(walked, pairs(n, None, false), &p);
    if !is_several {
        check!(of_threads, pairs(n, None, false), &p);
    }
    check!(rotated, pairs(n, None, false), &p, &mut target.sums(n)?);
    check!(folded, pairs(n, None, false), &features);
    macro_rules! in_ranges {
        ($kernel:ident, $pairs:expr, $($argument:expr),+) => {
            let (kernel, expected) = check!($kernel, $pairs, $($argument),+);
            let (mut parts, middle) = (Vec::new(), (2 * n).div_ceil(3));
            let mut all = Three::new(target)?;
            for rows in [0..middle, middle..n] {
                let mut part = Three::new(target)?;
                for Three { counts, floats, doubles } in [&mut part, &mut all] {
                    let kernel = kernel.rows(rows.clone());
                    kernel.launch($($argument,)+ &x, &w, counts, floats, doubles)?;
                }
                parts.push(part);
            }
            assert_eq!(all.values()?, expected, "{}, in ranges, {context}", $kernel::NAME);
            let joined = Three::joined(&parts)?;
            assert_eq!(joined, (expected.1, expected.2), "{}, joined, {context}", $kernel::NAME);
        };
    }
    in_ranges!(of_one, pairs(n, None, false), &p);
    in_ranges!(classic, pairs(n, None, false), &p);
    in_ranges!(of_two, pairs(n, Some(columns), false), &p, &q);
    Ok(())
}

/// The same beside a slot for each pair.
pub fn check_slots(device: &Device, n: usize) -> Result<()> {
    let weights = Weights::special(n);
    let expected = weights.expected(&pairs(n, None, false));
    let (x, w) = (device.upload(&weights.x)?, device.upload(&weights.w)?);
    let p = device.upload(&vec![1.0_f32; n])?;
    let mut all = Three::new(device)?;
    let Three { counts, floats, doubles } = &mut all;
    let mut out = device.packed(n)?;
    stored::load(device)?.launch(&p, &mut out, &x, &w, counts, floats, doubles)?;
    assert_eq!(all.values()?, expected, "packed, on {}", device.name());
    let mut all = Three::new(device)?;
    let Three { counts, floats, doubles } = &mut all;
    let mut out = device.square(n)?;
    mirrored::load(device)?.launch(&p, &mut out, &x, &w, counts, floats, doubles)?;
    assert_eq!(all.values()?, expected, "square, on {}", device.name());
    Ok(())
}

/// Adds a number often.
#[td_kernel(deterministic = true)]
unsafe fn repeated(
    #[each] _x: &[f32],
    times: u32,
    weight: f32,
    floats: &mut Histogram<f32>,
    doubles: &mut Histogram<f64>,
) {
    r#"
    for (unsigned int k = 0; k < times; ++k) {
        floats.add(k % 2, k % 2 ? -weight : weight);
        doubles.add(i % 2, i % 2 ? -(double)weight : weight);
    }
    "#
}

/// So many additions to a bin that its words carry, away from zero on both sides; then as many that take it back to zero.
pub fn check_carries(device: &Device, times: u32) -> Result<()> {
    let n = 130_usize;
    let x = device.upload(&vec![1.0_f32; n])?;
    let kernel = repeated::load(device)?;
    // Its digit gets nearly 2^32 at each addition.
    let weight = (2.0 - f32::EPSILON) * 2_f32.powi(8);
    let (mut floats, mut doubles) = (device.histogram(2)?, device.histogram(2)?);
    kernel.launch(&x, times, weight, &mut floats, &mut doubles)?;
    let (pairs, odd) = ((n * (n - 1) / 2) as f64, (1..n).step_by(2).sum::<usize>() as f64);
    let (weight, times_of) = (f64::from(weight), f64::from(times));
    let half = (pairs * times_of / 2.0 * weight) as f32;
    assert_eq!(floats.download()?.as_slice(), [half, -half], "on {}", device.name());
    let expected = [(pairs - odd) * times_of * weight, -odd * times_of * weight];
    assert_eq!(doubles.download()?.as_slice(), expected, "on {}", device.name());
    kernel.launch(&x, times, -(weight as f32), &mut floats, &mut doubles)?;
    assert_eq!(floats.download()?.as_slice(), [0.0; 2], "on {}", device.name());
    assert_eq!(doubles.download()?.as_slice(), [0.0; 2], "on {}", device.name());
    floats.clear()?;
    assert_eq!(floats.download()?.as_slice(), [0.0; 2]);
    Ok(())
}
