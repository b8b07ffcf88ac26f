//! Kernels with several histograms at once, of every type, in every map and sweep, for one set and for two.

use td_kernel::__private::{Axis, output};
use td_kernel::{
    Device, Histogram, HostHistogram, PairKernel, PartialResult, Result, Slice, Target, td_kernel,
};

use crate::others::{self, Others, pass};
use crate::{Choice, Sweep};

/// Counts, counts with weights beyond 32 bits, and weights of floats. Some bins are negative, and some too large.
const ITEM: &str = r##"
unsafe fn histograms(
    #[each] x: &[u32],
    OTHERS
    counts: &mut Histogram<u64>,
    large: &mut Histogram<u64>,
    floats: &mut Histogram<f32>,
    doubles: &mut Histogram<f64>,
) {
    r#"
    OTHERS
    const int bin = (int)((7 * x.i + 3 * x.j) % 61) - 2;
    counts.add(bin);
    large.add((long long)bin, (unsigned long long)i << 31 | j);
    if (bin < 0)
        return;
    floats.add(bin + 0.5f, 0.5f * i);
    doubles.add((unsigned char)bin, j);
    "#
}
"##;

/// The kernel for this choice. `None` for a sweep that visits pairs twice.
pub fn item(choice: &Choice) -> Option<String> {
    others::item(choice, ITEM)
}

/// The bin of a pair; none if it is negative.
fn bin(i: u32, j: u32) -> Option<usize> {
    usize::try_from(i64::from((7 * i + 3 * j) % 61) - 2).ok()
}

/// The histogram of these pairs. The last entry is for the pairs outside of all bins.
fn expected<T: Copy + Default + std::ops::AddAssign>(
    bins: usize,
    pairs: &[[u32; 2]],
    weight: impl Fn(u32, u32) -> Option<T>,
) -> Vec<T> {
    let mut all = vec![T::default(); bins + 1];
    for &[i, j] in pairs {
        let bin = bin(i, j).filter(|bin| *bin < bins).unwrap_or(bins);
        if let Some(weight) = weight(i, j) {
            all[bin] += weight;
        }
    }
    all
}

fn entries<T: Copy>(histogram: &HostHistogram<T>) -> Vec<T> {
    [histogram.as_slice(), &[histogram.outside()]].concat()
}

/// The histograms of a launch.
struct Four {
    counts: Histogram<u64>,
    large: Histogram<u64>,
    floats: Histogram<f32>,
    doubles: Histogram<f64>,
}

impl Four {
    fn new(target: &Target, bins: usize) -> Result<Four> {
        Ok(Four {
            counts: target.histogram(bins)?,
            large: target.histogram(bins)?,
            floats: target.histogram(bins)?,
            doubles: target.histogram(bins)?,
        })
    }

    /// Compares with the histograms of these pairs. All weights are halves, so their sums as doubles are exact.
    fn check(&self, bins: usize, pairs: &[[u32; 2]], context: &str) -> Result<()> {
        let context = format!("{context}, {bins} bins");
        let of_bin = |i, j| bin(i, j).map(|_| (i, j));
        let counts = expected(bins, pairs, |_, _| Some(1_u64));
        assert_eq!(entries(&self.counts.download()?), counts, "{context}: counts");
        let large = expected(bins, pairs, |i, j| Some(u64::from(i) << 31 | u64::from(j)));
        assert_eq!(entries(&self.large.download()?), large, "{context}: large weights");
        let floats = expected(bins, pairs, |i, j| of_bin(i, j).map(|(i, _)| 0.5 * f64::from(i)));
        let floats: Vec<f32> = floats.into_iter().map(|sum| sum as f32).collect();
        assert_eq!(entries(&self.floats.download()?), floats, "{context}: floats");
        let doubles = expected(bins, pairs, |i, j| of_bin(i, j).map(|(_, j)| f64::from(j)));
        assert_eq!(entries(&self.doubles.download()?), doubles, "{context}: doubles");
        Ok(())
    }
}

/// Runs the kernel over `n` elements, and compares each histogram.
pub fn check(device: &Device, choice: &Choice, sizes: &[[usize; 2]]) -> Result<()> {
    let Some(item) = item(choice) else { return Ok(()) };
    let kernel = choice.load(device, "histograms", &item)?;
    for &[n, bins] in sizes {
        let context = format!("{choice:?}, n = {n}, on {}", device.name());
        let pairs: Vec<_> = choice.visited(n).map(|(i, j)| [i as u32, j as u32]).collect();
        let x = device.upload(&(0..n as u32).collect::<Vec<_>>())?;
        let mut four = Four::new(device, bins)?;
        let mut others = Others::new(device, choice, n)?;
        let mut launch = kernel.launch();
        pass!(launch, choice, others, &x);
        launch.bind(Axis::All, "counts", &mut four.counts)?;
        launch.bind(Axis::All, "large", &mut four.large)?;
        launch.bind(Axis::All, "floats", &mut four.floats)?;
        launch.bind(Axis::All, "doubles", &mut four.doubles)?;
        // SAFETY: the parameters of the item, in its order and with its types.
        unsafe { launch.run() }?;
        four.check(bins, &pairs, &context)?;
    }
    Ok(())
}

/// Kernels of one body, each with its parameters.
macro_rules! kernels {
    ($body:literal; $($keys:tt $name:ident($($parameter:tt)*);)*) => {$(
        #[td_kernel $keys]
        unsafe fn $name(
            $($parameter)*
            counts: &mut Histogram<u64>,
            large: &mut Histogram<u64>,
            floats: &mut Histogram<f32>,
            doubles: &mut Histogram<f64>,
        ) {
            $body
        }
    )*};
}

kernels! {
    r#"
    const int bin = (int)((7 * i + 3 * j) % 61) - 2;
    counts.add(bin);
    large.add((long long)bin, (unsigned long long)i << 31 | j);
    if (bin < 0)
        return;
    floats.add(bin + 0.5f, 0.5f * i);
    doubles.add((unsigned short)bin, j);
    "#;
    () of_one(#[each] _x: &[f32],);
    (diagonal = true, map = "auto") of_one_with_diagonal(#[each] _x: &[f32],);
    (tile = 0) classic_of_one(#[each] _x: &[f32],);
    () of_two(#[row] _x: &[f32], #[column] _y: &[f32],);
    (tile = 0) classic_of_two(#[row] _x: &[f32], #[column] _y: &[f32],);
}

kernels! {
    r#"
    if (dot != 3)
        return;
    const int bin = (int)((7 * i + 3 * j) % 61) - 2;
    counts.add(bin);
    large.add((long long)bin, (unsigned long long)i << 31 | j);
    if (bin < 0)
        return;
    floats.add(bin + 0.5f, 0.5f * i);
    doubles.add((unsigned short)bin, j);
    "#;
    () products_of_one(#[each] _p: &Features<f32>, #[dot] dot: f32,);
    () products_of_two(#[row] _p: &Features<f32>, #[column] _q: &Features<f32>, #[dot] dot: f32,);
}

/// The pairs of one set, or of two.
fn pairs(n: usize, columns: Option<usize>, diagonal: bool) -> Vec<[u32; 2]> {
    let width = |i| columns.unwrap_or(i + usize::from(diagonal));
    (0..n).flat_map(|i| (0..width(i)).map(move |j| [i as u32, j as u32])).collect()
}

/// Runs kernels of one set and of two, each whole and in two ranges of rows.
pub fn check_sets(target: &Target, sizes: &[[usize; 3]]) -> Result<()> {
    for &[n, columns, bins] in sizes {
        let (x, y) = (target.upload(&vec![1.0_f32; n])?, target.upload(&vec![1.0_f32; columns])?);
        macro_rules! check {
            ($kernel:ident, $pairs:expr, $($argument:expr),+) => {
                let kernel = $kernel::load(target)?;
                let context = format!("{}, {n} x {columns}", $kernel::NAME);
                let mut four = Four::new(target, bins)?;
                let Four { counts, large, floats, doubles } = &mut four;
                kernel.launch($($argument),+, counts, large, floats, doubles)?;
                four.check(bins, &$pairs, &context)?;
                let mut four = Four::new(target, bins)?;
                let Four { counts, large, floats, doubles } = &mut four;
                let middle = n / 3 + 1;
                for rows in [0..middle.min(n), middle.min(n)..n] {
                    kernel.rows(rows).launch($($argument),+, counts, large, floats, doubles)?;
                }
                four.check(bins, &$pairs, &format!("{context}, in ranges"))?;
            };
        }
        check!(of_one, pairs(n, None, false), &x);
        check!(of_one_with_diagonal, pairs(n, None, true), &x);
        check!(classic_of_one, pairs(n, None, false), &x);
        check!(of_two, pairs(n, Some(columns), false), &x, &y);
        check!(classic_of_two, pairs(n, Some(columns), false), &x, &y);
        let (p, q) = (vec![1.0_f32; 3 * n], vec![1.0_f32; 3 * columns]);
        let (p, q) = (target.features(&p, 3)?, target.features(&q, 3)?);
        check!(products_of_one, pairs(n, None, false), &p);
        check!(products_of_two, pairs(n, Some(columns), false), &p, &q);
    }
    Ok(())
}

/// A pair that adds often, or with a loop: the counters of a block carry.
#[td_kernel]
unsafe fn repeated(#[each] _x: &[f32], times: u32, h: &mut Histogram<u64>) {
    r#"
    for (unsigned int k = 0; k < times; ++k)
        h.add(0, 0xf0000001u);
    h.add(1, -1);
    h.add(1, 3);
    "#
}

/// Weights that carry, and those that subtract.
pub fn check_carries(device: &Device) -> Result<()> {
    let (n, times) = (130, 40);
    let mut h = device.histogram(2)?;
    repeated::load(device)?.launch(&device.upload(&vec![1.0_f32; n])?, times, &mut h)?;
    let pairs = (n * (n - 1) / 2) as u64;
    let expected = [pairs * u64::from(times) * 0xf000_0001, 2 * pairs];
    assert_eq!(h.download()?.as_slice(), expected, "on {}", device.name());
    Ok(())
}

/// Numbers that have no bin, and the bins of the helpers.
#[td_kernel]
unsafe fn binned(
    #[each] x: &[f32],
    edges: &[f64],
    plain: &mut Histogram<u64>,
    linear: &mut Histogram<u64>,
    logarithmic: &mut Histogram<u64>,
    between: &mut Histogram<u64>,
    of_doubles: &mut Histogram<u64>,
    below: f32,
    below_double: f64,
    last: &mut Histogram<u64>,
) {
    r#"
    if (j > 0)
        return;
    last.add(last.linear(below, 0, 7.3f));
    last.add(last.linear(below_double, 0, 6.9));
    last.add(last.logarithmic(below, 0.1f, 7.3f));
    last.add(last.logarithmic(below_double, 0.1, 6.9));
    plain.add(x.i);
    linear.add(linear.linear(x.i, -1, 3.0f));
    logarithmic.add(logarithmic.logarithmic(x.i, 0.5, 8));
    between.add(between.between(x.i, edges, edges_length));
    of_doubles.add(of_doubles.linear((double)x.i, -1.0, 3));
    "#
}

/// Checks the helpers on numbers around the edges, NaN, infinities, and numbers beyond 32 bits.
pub fn check_bins(device: &Device) -> Result<()> {
    let x = [
        -1.0_f32,
        -0.5,
        -0.0,
        0.0,
        0.499_999_97,
        0.5,
        1.0,
        1.99,
        2.0,
        2.999_999_8,
        3.0,
        3.5,
        7.999_999_5,
        8.0,
        4e9,
        5e9,
        1e38,
        -1e38,
        f32::NAN,
        f32::INFINITY,
        -f32::INFINITY,
        f32::MIN_POSITIVE,
    ];
    // Element 0 is in no pair (i, 0).
    let elements: Vec<_> = [0.0].into_iter().chain(x).collect();
    let edges = [-2.0, -0.5, 0.0, 1.0, 3.0_f64];
    let bins = 4;
    let mut all = Vec::new();
    for _ in 0..5 {
        all.push(device.histogram(bins)?);
    }
    let [plain, linear, logarithmic, between, of_doubles] = &mut all[..] else { return Ok(()) };
    let (on_device, on_device_edges) = (device.upload(&elements)?, device.upload(&edges)?);
    let kernel = binned::load(device)?;
    // These numbers times the bins by the width are rounded to 10.
    let (below, below_double) = (7.3_f32.next_down(), 6.9_f64.next_down());
    assert!(below * (10.0 / 7.3) == 10.0 && below_double * (10.0 / 6.9) == 10.0);
    let mut last = device.histogram(10)?;
    kernel.launch(
        &on_device, &on_device_edges, plain, linear, logarithmic, between, of_doubles, below,
        below_double, &mut last,
    )?;
    let last = entries(&last.download()?);
    assert_eq!(last, [0, 0, 0, 0, 0, 0, 0, 0, 0, 4 * x.len() as u64, 0], "on {}", device.name());
    let of = |bin: &dyn Fn(f64) -> Option<usize>| {
        let mut counts = vec![0_u64; bins + 1];
        x.iter().for_each(|x| counts[bin(f64::from(*x)).unwrap_or(bins)] += 1);
        counts
    };
    let is_in = |x: f64, from: f64, to: f64| x >= from && x < to;
    let of_plain = of(&|x| is_in(x, 0.0, 4.0).then_some(x as usize));
    let of_linear = of(&|x| is_in(x, -1.0, 3.0).then_some((x + 1.0) as usize));
    let of_logarithmic = of(&|x| is_in(x, 0.5, 8.0).then_some((2.0 * x).log2() as usize));
    let of_edges = of(&|x| (0..bins).find(|&bin| is_in(x, edges[bin], edges[bin + 1])));
    for (found, expected, what) in [
        (plain, of_plain, "plain"),
        (linear, of_linear.clone(), "linear"),
        (logarithmic, of_logarithmic, "logarithmic"),
        (between, of_edges, "between edges"),
        (of_doubles, of_linear, "linear, of doubles"),
    ] {
        assert_eq!(entries(&found.download()?), expected, "{what}, on {}", device.name());
    }
    Ok(())
}

/// Launches add up; the words of processes join; and bins are cleared.
pub fn check_parts(device: &Device) -> Result<()> {
    let x = device.upload(&[1.0_f32; 40])?;
    let kernel = of_one::load(device)?;
    let mut four = Four::new(device, 20)?;
    let mut launch = || {
        let Four { counts, large, floats, doubles } = &mut four;
        kernel.launch(&x, counts, large, floats, doubles)?;
        let (counts, doubles) = (&four.counts, &four.doubles);
        Result::Ok((counts.download()?, counts.to_bits()?, doubles.download()?, doubles.to_bits()?))
    };
    let (once, mut words, floats, mut of_floats) = launch()?;
    let (twice, ..) = launch()?;
    assert_eq!(once.as_slice().iter().map(|count| 2 * count).collect::<Vec<_>>(), twice.into_vec());
    let (counts, doubles) = (&mut four.counts, &mut four.doubles);
    let (other, of_others) = (words.clone(), of_floats.clone());
    assert_eq!((counts.finish(&words)?, doubles.finish(&of_floats)?), (once, floats.clone()));
    counts.join(&mut words, &other)?;
    doubles.join(&mut of_floats, &of_others)?;
    assert_eq!(
        (counts.finish(&words)?, doubles.finish(&of_floats)?.outside()),
        (counts.download()?, 2.0 * floats.outside())
    );
    counts.clear()?;
    assert_eq!(entries(&counts.download()?), [0; 21]);
    assert_eq!((counts.len(), counts.is_empty()), (20, false));
    assert!(device.histogram::<u64>(u32::MAX as usize).is_err());
    Ok(())
}
