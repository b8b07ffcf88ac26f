//! Products of features on tensor cores, compared with double precision, and with each other: rows that are hard to multiply, and rows whose
//! sums are truncated most. The catalogue has their outputs.

use td_kernel::half::{bf16, f16};
use td_kernel::{Device, Result, td_kernel};

/// The features of some elements.
struct Rows {
    values: Vec<f32>,
    width: usize,
}

impl Rows {
    fn len(&self) -> usize {
        self.values.len() / self.width
    }

    /// The product of row i and of row j of others, as a sum of floats.
    fn sum_of_floats(&self, i: usize, others: &Rows, j: usize) -> f32 {
        let terms = self.row(i).iter().zip(others.row(j));
        terms.fold(0.0, |sum, (x, y)| x.mul_add(*y, sum))
    }

    fn row(&self, element: usize) -> &[f32] {
        &self.values[element * self.width..][..self.width]
    }
}

type Pair = (usize, usize);

/// A product and the bound of its error.
type Product = [f32; 2];

/// At most how many products of features are compared in double precision.
const MOST: usize = 1 << 24;

/// Whether tensor cores can multiply the row.
fn has_scale(row: &[f32]) -> bool {
    let greatest = row.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
    let limits = 2.0_f32.powi(-50)..=2.0_f32.powi(50);
    row.iter().all(|x| x.is_finite()) && (greatest == 0.0 || limits.contains(&greatest))
}

/// The same bits, or both NaN.
fn is_same(x: f32, y: f32) -> bool {
    x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
}

/// Compares products with double precision; if one of the rows has no scale, with the sum of floats. The bound of the error depends on
/// whether features are 16-bit floats.
fn check_pairs(
    pairs: &[Pair],
    found: &[Product],
    [a, b]: [&Rows; 2],
    are_halves: bool,
    place: &str,
) {
    assert_eq!(pairs.len(), found.len(), "{place}");
    let step = 1 + pairs.len() * a.width / MOST;
    for (&(i, j), &[dot, error]) in pairs.iter().zip(found).step_by(step) {
        let (x, y) = (a.row(i), b.row(j));
        let terms = || x.iter().zip(y).map(|(x, y)| f64::from(*x) * f64::from(*y));
        let norm = |x: &[f32]| x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        let (exact, norms) = (terms().sum::<f64>(), norm(x) * norm(y));
        let place =
            format!("{place}: ({i}, {j}) has {dot} with an error of {error}, exact {exact}");
        if !has_scale(x) || !has_scale(y) {
            let sum = a.sum_of_floats(i, b, j);
            assert!(is_same(dot, sum), "{place}, {sum}");
            if !dot.is_finite() || !exact.is_finite() {
                assert!(!error.is_finite(), "{place}");
                continue;
            }
        }
        // The doubles are off, too.
        let slack = norms * a.width as f64 * f64::EPSILON;
        let off = (f64::from(dot) - exact).abs();
        assert!(off <= f64::from(error) + slack, "{place}: off by {off}");
        // A bound that is not much more than it has to be: of tensor cores, or of a sum of floats.
        let width = a.width as f64;
        let of_cores = if are_halves { 200.0 + width / 64.0 } else { 120.0 + width / 32.0 };
        let most = (of_cores + width) * 2.0_f64.powi(-24) * norms;
        assert!(f64::from(error) <= most + width * 2.0_f64.powi(-149), "{place}: at most {most}");
    }
}

/// The kernels of one set, and all pairs of some rows with their products.
macro_rules! of_one_set {
    ($($name:ident($($keys:tt)*) $number:ty, $find:ident, $diagonal:literal;)*) => {
        $(#[td_kernel($($keys)*)]
        unsafe fn $name(#[each] p: &Features<$number>, #[dot] dot: f32, value: &mut Square<[f32; 2]>) {
            r#" value = make_float2(dot, dot_error); "#
        }

        fn $find(device: &Device, values: &[$number], width: usize) -> Result<(Vec<Pair>, Vec<Product>)> {
            let n = values.len() / width;
            let mut value = device.square(n)?;
            $name::load(device)?.launch(&device.features(values, width)?, &mut value)?;
            let value = value.download()?;
            let pairs: Vec<_> = (0..n).flat_map(|i| (0..i + usize::from($diagonal)).map(move |j| (i, j))).collect();
            let products = pairs.iter().map(|pair| value[*pair]).collect();
            Ok((pairs, products))
        })*
    };
}

of_one_set! {
    of_floats() f32, find, false;
    with_diagonal(diagonal = true) f32, find_with_diagonal, true;
    of_halves() f16, find_of_halves, false;
}

/// The kernels of two sets, and all products.
macro_rules! of_two_sets {
    ($($name:ident: $number:ty, $find:ident;)*) => {
        $(#[td_kernel]
        unsafe fn $name(#[row] q: &Features<$number>, #[column] p: &Features<$number>, #[dot] dot: f32, value: &mut Matrix<[f32; 2]>) {
            r#" value = make_float2(dot, dot_error); "#
        }

        fn $find(device: &Device, [a, b]: [&[$number]; 2], width: usize) -> Result<(Vec<Pair>, Vec<Product>)> {
            let (q, p) = (device.features(a, width)?, device.features(b, width)?);
            let (rows, columns) = (q.len(), p.len());
            let mut value = device.matrix((rows, columns))?;
            $name::load(device)?.launch(&q, &p, &mut value)?;
            let pairs = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).collect();
            Ok((pairs, value.download()?.into_vec()))
        })*
    };
}

of_two_sets! {
    of_two: f32, find_of_two;
    of_two_of_brain_floats: bf16, find_of_brain_floats;
}

/// Pairs that call `exact` are evaluated by a sum of floats.
#[td_kernel(diagonal = true)]
unsafe fn quick(
    #[each] p: &Features<f32>,
    #[dot] dot: f32,
    #[fold] sum: f32,
    value: &mut Square<f32>,
) {
    let quick = r#"
    value = dot;
    if ((i + 3 * j) % 7 == 0 || i == 5)
        exact();
    "#;
    let feature = r#" sum = fmaf(p.i, p.j, sum); "#;
    let pair = r#" value = sum; "#;
}

/// The products of one set and of two, which have the same bits for the same rows, and those that `quick` replaces.
fn check_products(device: &Device, [a, b]: [&Rows; 2], place: &str) -> Result<()> {
    let width = a.width;
    let (pairs, dots) = find_with_diagonal(device, &a.values, width)?;
    check_pairs(&pairs, &dots, [a, a], false, place);
    let bits = |dot: Product| dot.map(|x| if x.is_nan() { 1 } else { x.to_bits() });
    let (without, of_others) = find(device, &a.values, width)?;
    let others = pairs.iter().zip(&dots).filter(|((i, j), _)| i != j);
    for ((pair, one), (_, other)) in without.iter().zip(&of_others).zip(others) {
        let is_same = bits(*one) == bits(*other) || one[0].is_nan();
        assert!(is_same, "{place}: {pair:?} differs with the diagonal");
    }
    let (of_two_sets, products) = find_of_two(device, [&a.values, &b.values], width)?;
    check_pairs(&of_two_sets, &products, [a, b], false, place);
    let (of_two_sets, products) = find_of_two(device, [&a.values, &a.values], width)?;
    let below = of_two_sets.iter().zip(&products).filter(|((i, j), _)| j <= i);
    for ((pair, one), (_, two)) in pairs.iter().zip(&dots).zip(below) {
        assert!(
            is_same(one[0], two[0]),
            "{place}: {pair:?} has {one:?} in one set, {two:?} in two"
        );
    }
    let mut value = device.square(a.len())?;
    quick::load(device)?.launch(&device.features(&a.values, width)?, &mut value)?;
    let value = value.download()?;
    for (&(i, j), [dot, _]) in pairs.iter().zip(&dots) {
        let is_left = (i + 3 * j).is_multiple_of(7) || i == 5;
        let expected = if is_left { a.sum_of_floats(i, a, j) } else { *dot };
        let found = [value[(i, j)], value[(j, i)]];
        assert!(
            found.iter().all(|x| is_same(*x, expected)),
            "{place}: quick, ({i}, {j}): {found:?}"
        );
    }
    Ok(())
}

/// Uniform numbers, for these rows, columns and features.
pub fn check_uniform_rows(device: &Device, sizes: &[[usize; 3]]) -> Result<()> {
    for &[rows, columns, width] in sizes {
        let (a, b) = (uniform(rows + width, rows, width), uniform(columns + 7, columns, width));
        let place = format!("{rows} x {columns}, width {width}, {}", device.name());
        check_products(device, [&a, &b], &place)?;
    }
    Ok(())
}

/// Rows that tensor cores do not multiply, and rows at the ends of what they multiply, beside others in the same tile. The
/// first have the bits of a sum of floats. A single one is in a warp of a tile whose other warps have none.
pub fn check_hard_rows(device: &Device, n: usize, widths: &[usize]) -> Result<()> {
    for &width in widths {
        let (a, b) = (hard(n, width), hard(n / 2 + 3, width));
        let place = format!("hard rows, width {width}, {}", device.name());
        check_products(device, [&a, &b], &place)?;
        let mut single = uniform(5, 300, width);
        single.values[211 * width..212 * width].iter_mut().for_each(|x| *x *= 1e30);
        check_products(device, [&single, &single], &format!("a single row, width {width}"))?;
    }
    Ok(())
}

/// Rows whose sums tensor cores truncate most, in every kind of features.
pub fn check_worst_rows(device: &Device, widths: &[usize]) -> Result<()> {
    for &width in widths {
        let rows = worst(width);
        let place = format!("worst rows, width {width}, {}", device.name());
        check_products(device, [&rows, &rows], &place)?;
        let split = [of_halves::SOURCES, of_two_of_brain_floats::SOURCES].concat();
        assert!(!split.iter().any(|source| source.contains("td_multiply_split")));
        let halves: Vec<_> = rows.values.iter().map(|x| f16::from_f32(*x)).collect();
        let rounded = Rows { values: halves.iter().map(|x| x.to_f32()).collect(), width };
        let (pairs, found) = find_of_halves(device, &halves, width)?;
        check_pairs(&pairs, &found, [&rounded, &rounded], true, &format!("f16, {place}"));
        let halves: Vec<_> = rows.values.iter().map(|x| bf16::from_f32(*x)).collect();
        let rounded = Rows { values: halves.iter().map(|x| x.to_f32()).collect(), width };
        let (pairs, found) = find_of_brain_floats(device, [&halves, &halves], width)?;
        check_pairs(&pairs, &found, [&rounded, &rounded], true, &format!("bf16, {place}"));
    }
    Ok(())
}

/// Numbers from -0.5 to 0.5.
fn numbers(seed: usize) -> impl Iterator<Item = f32> {
    let mut state = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32 - 0.5
    })
}

fn uniform(seed: usize, count: usize, width: usize) -> Rows {
    Rows { values: numbers(seed).take(count * width).collect(), width }
}

/// Every third row is of a kind that is hard to multiply; the others are uniform.
fn hard(count: usize, width: usize) -> Rows {
    let mut rows = uniform(3, count, width);
    let [least, greatest] = [2.0_f32.powi(-50), 2.0_f32.powi(50)];
    let change = |row: &mut [f32], of: &dyn Fn(usize, f32) -> f32| {
        row.iter_mut().enumerate().for_each(|(k, x)| *x = of(k, *x));
    };
    let by = |row: &mut [f32], scale: f32| change(row, &|_, x| x * scale);
    for (at, row) in rows.values.chunks_mut(width).enumerate().filter(|(at, _)| at % 3 == 0) {
        let last = width - 1;
        let put = |row: &mut [f32], number: f32| row[at % width] = number;
        match at / 3 % 22 {
            0 => row.fill(0.0),
            1 => row.fill(-0.0),
            2 => by(row, 1e-40),
            3 => by(row, 1e-30),
            4 => by(row, 1e30),
            5 => put(row, f32::INFINITY),
            6 => {
                row[0] = f32::INFINITY;
                row[last] = f32::NEG_INFINITY;
            }
            7 => put(row, f32::NAN),
            8..=11 => {
                by(row, least);
                put(row, [least, least.next_down(), -least, -least.next_down()][at / 3 % 22 - 8]);
            }
            12 => put(row, greatest),
            13 => put(row, greatest.next_up()),
            14 => by(row, greatest),
            15 => change(row, &|_, x| 1e3 + x / 100.0),
            // Near duplicates of each other, and of each other's negatives.
            16 => change(row, &|k, x| (k % 9) as f32 / 3.0 + x * 1e-6),
            17 => change(row, &|k, x| (k % 9) as f32 / -3.0 - x * 1e-6),
            // Products that cancel with those of rows of a constant.
            18 => change(row, &|k, x| if k % 2 == 0 { 0.7 } else { x * 1e-6 - 0.7 }),
            19 => row.fill(1.0 / 3.0),
            20 => put(row, 1e6),
            // All numbers but one are too small to be seen beside it.
            _ => {
                by(row, 1e-44);
                put(row, 1.0);
            }
        }
    }
    rows
}

/// Rows of which tensor cores lose most: all products have the same sign, and large ones are beside tiny ones, also such that are
/// subnormal as 16-bit floats, which tensor cores align like the least normal one.
fn worst(width: usize) -> Rows {
    let ulp = |bits: i32| 2.0_f32.powi(-bits);
    let kinds: [&dyn Fn(usize) -> f32; 21] = [
        &|_| 2.0 - ulp(23),
        &|_| 1.0 + ulp(11) + ulp(22),
        &|_| 1.0 + ulp(12) - ulp(23),
        &|k| if k == 0 { 1.0 } else { ulp(12) * (2.0 - ulp(23)) },
        &|k| if k % 32 == 0 { 1.0 } else { ulp(12) * (2.0 - ulp(23)) },
        &|k| if k % 16 == 15 { 1.999 } else { ulp(10) * 1.999 },
        &|k| if k % 32 == 31 { 1.5 } else { ulp(13) * (1.0 + ulp(11)) },
        &|k| ulp(k as i32 % 16),
        &|k| ulp(15 - k as i32 % 16) * (2.0 - ulp(12)),
        &|k| ulp(k as i32 % 24) * (1.0 + ulp(13)),
        &|k| ulp(k as i32 / 7 % 12) * 1.9993,
        &|k| if k % 2 == 0 { 1.0 + ulp(23) } else { -1.0 },
        &|k| if k % 64 < 32 { 1.7 } else { ulp(9) / 3.0 },
        &|k| numbers(k + 1).next().unwrap_or_default().abs() + 0.5,
        // Subnormal as `f16`: two beside zeros, alone, and beside normal ones.
        &|k| if k < 2 { ulp(24) } else { 0.0 },
        &|k| [0.147_949_22, 0.000_289_201_74, 0.0][k.min(2)],
        &|k| ulp(24) * (1 + k * 7 % 1023) as f32,
        &|k| if k % 16 == 3 { 1.0 } else { ulp(24) * (1 + k * 7 % 1023) as f32 },
        &|k| if k % 8 == 0 { 60_000.0 } else { ulp(24) * (1 + k % 5) as f32 },
        // Subnormal as `bf16`.
        &|k| if k % 8 == 1 { ulp(40) } else { ulp(133) * (1 + k % 127) as f32 },
        &|k| ulp(133) * (1 + k % 127) as f32,
    ];
    let values = kinds.iter().flat_map(|kind| (0..width).map(kind)).collect();
    Rows { values, width }
}
