//! Features of every type, folded at many widths in every tile, in triangles and in rectangles, whole and in bands.

use std::fmt::Debug;
use std::ops::Range;

use td_kernel::__private::Sweep;
use td_kernel::half::{bf16, f16};
use td_kernel::maps::{Root, Space};
use td_kernel::{Device, DeviceType, Features, Kernel, Result};

use crate::{Choice, rectangle};

/// The types of features, with the type that they are folded to and the text for a feature.
pub const TYPES: &[[&str; 3]] = &[
    ["f32", "f32", "const float d = p.i - p.j; s += d * d;"],
    ["f64", "f64", "s += p.i * p.j;"],
    ["i8", "i32", "s += p.i * p.j;"],
    ["u8", "u32", "s += p.i != p.j;"],
    ["i16", "i32", "s += abs(p.i - p.j);"],
    ["u16", "u32", "const int d = p.i - p.j; s = max(s, (unsigned int)(d * (k % 5)));"],
    ["i32", "i32", "s += p.i * p.j - (int)k;"],
    ["u32", "u32", "s += __popc(p.i ^ p.j);"],
    ["i64", "i64", "s += p.i * p.j;"],
    ["u64", "u32", "s += __popcll(p.i & ~p.j);"],
    ["[i8; 4]", "i32", "s = __dp4a(p.i, p.j, s);"],
    ["[u8; 4]", "u32", "s = __dp4a(p.i, p.j, s);"],
    ["f16", "f32", "s += p.i * p.j;"],
    ["half::bf16", "f32", "s += fabsf(p.i - p.j);"],
    ["[u8; 2]", "u32", "s += p.i.x * p.j.y;"],
    ["[i16; 2]", "i64", "s += p.i.x * p.j.y;"],
    ["[f32; 2]", "[f64; 2]", "s.x += (double)p.i.x * p.j.y; s.y += p.i.y - 2 * p.j.x;"],
];

/// The tiles of a kernel with one parameter of features and one fold, the largest first.
pub fn tiles([feature, fold, _]: &[&str; 3]) -> &'static [u32] {
    let has_words = ["f32", "i32", "u32", "[i8; 4]", "[u8; 4]", "[i16; 2]"].contains(feature);
    match has_words && ["f32", "i32", "u32"].contains(fold) {
        true => &[128, 64, 32],
        false => &[64, 32],
    }
}

/// The kernel over the pairs of one set.
pub fn item([feature, fold, text]: &[&str; 3]) -> String {
    format!(
        "unsafe fn types(#[each] p: &Features<{feature}>, #[fold] s: {fold}, o: &mut Packed<{fold}>) {{ let feature = r#\"{text}\"#; let pair = r#\" o = s; \"#; }}"
    )
}

/// The kernel over the pairs of two sets.
pub fn item_of_sets([feature, fold, text]: &[&str; 3]) -> String {
    let text = text.replace("p.i", "a").replace("p.j", "b");
    format!(
        "unsafe fn types(#[row] a: &Features<{feature}>, #[column] b: &Features<{feature}>, #[fold] s: {fold}, o: &mut Matrix<{fold}>) {{ let feature = r#\"{text}\"#; let pair = r#\" o = s; \"#; }}"
    )
}

/// Elements of a set, and features of each.
pub const SIZES: &[[usize; 2]] = &[
    [0, 5],
    [1, 4],
    [2, 3],
    [2, 1000],
    [31, 5],
    [33, 1000],
    [97, 64],
    [130, 4],
    [130, 127],
    [257, 1],
    [257, 31],
];

/// Rows, columns, and features of each.
pub const SIZES_OF_SETS: &[[usize; 3]] = &[
    [0, 7, 3],
    [7, 0, 3],
    [1, 1, 1],
    [1, 130, 31],
    [257, 2, 4],
    [33, 97, 127],
    [31, 33, 1000],
    [130, 129, 5],
];

/// Runs a kernel of every type at every size, and compares each value with the host's. With `every_tile` in all tiles,
/// else in one of each type by turns.
///
/// # Errors
///
/// A kernel does not compile or run.
///
/// # Panics
///
/// A value is wrong, or has other bits in bands of rows than in one launch.
pub fn check(
    device: &Device,
    every_tile: bool,
    sizes: &[[usize; 2]],
    sizes_of_sets: &[[usize; 3]],
) -> Result<()> {
    let run = Run { device, every_tile, sizes, sizes_of_sets };
    // Values whose products are rounded, and small whole ones.
    let float = |number: u32| number as f32 / 65_536.0 - 30_000.0;
    let small = |number: u32| (number >> 8) as i32 % 1000;
    run.of("f32", float, near(|a: f32, b| (f64::from(a) - f64::from(b)).powi(2)), |found: f32| {
        f64::from(found)
    })?;
    let double = |number: u32| f64::from(number) / 97.0 - 1e7;
    run.of("f64", double, near64(|a: f64, b: f64| [a * b, (a * b).abs()]), |found: f64| found)?;
    run.of(
        "i8",
        |x| (x >> 9) as i8,
        exact(|s: i32, a, b, _| s + i32::from(a) * i32::from(b)),
        same,
    )?;
    run.of("u8", |x| (x >> 9) as u8 % 5, exact(|s: u32, a, b, _| s + u32::from(a != b)), same)?;
    let distance = |a: i16, b: i16| (i32::from(a) - i32::from(b)).abs();
    run.of("i16", |x| (x >> 7) as i16, exact(move |s: i32, a, b, _| s + distance(a, b)), same)?;
    let weighted = |s: u32, a: u16, b: u16, k: u32| {
        let d = i32::from(a) - i32::from(b);
        s.max((d * (k % 5) as i32) as u32)
    };
    run.of("u16", |x| (x >> 7) as u16, exact(weighted), same)?;
    run.of("i32", small, exact(|s: i32, a, b, k| s + a * b - k as i32), same)?;
    run.of("u32", |x| x, exact(|s: u32, a: u32, b, _| s + (a ^ b).count_ones()), same)?;
    let wide = |number: u32| i64::from(number >> 6) - (1 << 25);
    run.of("i64", wide, exact(|s: i64, a: i64, b, _| s + a * b), same)?;
    let bits = |number: u32| u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    run.of("u64", bits, exact(|s: u32, a: u64, b: u64, _| s + (a & !b).count_ones()), same)?;
    let dot = |s: i32, a: [i8; 4], b: [i8; 4], _| {
        a.iter().zip(b).fold(s, |s, (a, b)| s + i32::from(*a) * i32::from(b))
    };
    run.of("[i8; 4]", |x| x.to_le_bytes().map(|byte| byte as i8), exact(dot), same)?;
    let dot = |s: u32, a: [u8; 4], b: [u8; 4], _| {
        a.iter().zip(b).fold(s, |s, (a, b)| s + u32::from(*a) * u32::from(b))
    };
    run.of("[u8; 4]", u32::to_le_bytes, exact(dot), same)?;
    // Small whole numbers, whose sums are exact.
    let whole = |x: u32| ((x >> 8) % 33) as f32 - 16.0;
    let dot = |s: f32, a: f16, b: f16, _| s + a.to_f32() * b.to_f32();
    run.of("f16", move |x| f16::from_f32(whole(x)), exact(dot), same)?;
    let distance = |s: f32, a: bf16, b: bf16, _| s + (a.to_f32() - b.to_f32()).abs();
    run.of("half::bf16", move |x| bf16::from_f32(whole(x)), exact(distance), same)?;
    let crossed = |s: u32, a: [u8; 2], b: [u8; 2], _| s + u32::from(a[0]) * u32::from(b[1]);
    run.of("[u8; 2]", |x| [(x >> 3) as u8, (x >> 13) as u8], exact(crossed), same)?;
    let crossed = |s: i64, a: [i16; 2], b: [i16; 2], _| s + i64::from(a[0]) * i64::from(b[1]);
    run.of("[i16; 2]", |x| [(x >> 3) as i16, (x >> 13) as i16], exact(crossed), same)?;
    // Small multiples of a half, whose sums are exact.
    let halves = |x: u32| [(x % 64) as f32 / 2.0, (x % 31) as f32];
    let both = |s: [f64; 2], a: [f32; 2], b: [f32; 2], _| {
        [s[0] + f64::from(a[0]) * f64::from(b[1]), s[1] + f64::from(a[1] - 2.0 * b[0])]
    };
    run.of("[f32; 2]", halves, exact(both), same)
}

fn same<F>(found: F) -> F {
    found
}

/// Folds a feature of two elements, with its number.
type Step<T, S> = Box<dyn Fn(&mut S, T, T, u32) + Sync>;

/// Whether a value is that of the host, for so many features.
type IsRight<F, S> = Box<dyn Fn(F, &S, usize) -> bool + Sync>;

/// What the host folds a pair's features to, and whether a found value is that.
struct Host<T, F, S> {
    start: S,
    step: Step<T, S>,
    /// With the number of features.
    is_right: IsRight<F, S>,
}

/// Compared exactly.
fn exact<T: 'static, F: Default + Copy + PartialEq + 'static>(
    step: impl Fn(F, T, T, u32) -> F + Sync + 'static,
) -> Host<T, F, F> {
    Host {
        start: F::default(),
        step: Box::new(move |sum, a, b, k| *sum = step(*sum, a, b, k)),
        is_right: Box::new(|found, expected, _| found == *expected),
    }
}

/// A sum of positive terms of `f32`. Each term has three roundings, and the sum one for each feature.
fn near<T: 'static>(term: impl Fn(T, T) -> f64 + Sync + 'static) -> Host<T, f64, f64> {
    Host {
        start: 0.0,
        step: Box::new(move |sum, a, b, _| *sum += term(a, b)),
        is_right: Box::new(|found, expected, width| {
            (found - expected).abs() <= (width + 3) as f64 * 2_f64.powi(-24) * expected
        }),
    }
}

/// A sum of `f64`, from terms with their absolute values. The host's own sum has as many roundings.
fn near64<T: 'static>(term: impl Fn(T, T) -> [f64; 2] + Sync + 'static) -> Host<T, f64, [f64; 2]> {
    Host {
        start: [0.0; 2],
        step: Box::new(move |sum, a, b, _| {
            let [term, size] = term(a, b);
            *sum = [sum[0] + term, sum[1] + size];
        }),
        is_right: Box::new(|found, [sum, size], width| {
            (found - sum).abs() <= 2.0 * (width + 1) as f64 * 2_f64.powi(-53) * size
        }),
    }
}

/// Numbers of all sizes, the same in every run.
fn random(at: usize) -> u32 {
    let mixed = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as u32
}

struct Run<'a> {
    device: &'a Device,
    every_tile: bool,
    sizes: &'a [[usize; 2]],
    sizes_of_sets: &'a [[usize; 3]],
}

impl Run<'_> {
    fn of<T, F, G, S>(
        &self,
        name: &str,
        value: impl Fn(u32) -> T,
        host: Host<T, G, S>,
        found: impl Fn(F) -> G,
    ) -> Result<()>
    where
        T: DeviceType,
        F: DeviceType + Debug,
        S: Clone + Debug,
    {
        let turn = TYPES.iter().position(|each| each[0] == name).unwrap_or_default();
        let kind = &TYPES[turn];
        let all = tiles(kind);
        let tiles = if self.every_tile { all } else { &all[turn % all.len()..][..1] };
        let triangle = |tile: u32| {
            let choice = Choice { tile, ..FOLD };
            Ok((tile, choice.load(self.device, "types", &item(kind))?))
        };
        let kernels = tiles.iter().map(|&tile| triangle(tile)).collect::<Result<Vec<_>>>()?;
        let values = |first: usize, count: usize| -> Vec<T> {
            (first..first + count).map(|at| value(random(at))).collect()
        };
        let folded = |a: &[T], b: &[T]| {
            let mut sum = host.start.clone();
            for ((a, b), k) in a.iter().zip(b).zip(0..) {
                (host.step)(&mut sum, *a, *b, k);
            }
            sum
        };
        for &[n, width] in self.sizes {
            let p = values(n, n * width);
            let row = |i: usize| &p[i * width..][..width];
            let expected: Vec<S> = (0..n)
                .flat_map(|i| (0..i).map(move |j| (i, j)))
                .map(|(i, j)| folded(row(i), row(j)))
                .collect();
            let features = self.device.features(&p, width)?;
            for (tile, kernel) in &kernels {
                let place =
                    format!("{name}, tile {tile}, n = {n}, width {width}, {}", self.device.name());
                let whole: Vec<F> = self.packed(kernel, &features, &place)?;
                assert_eq!(whole.len(), expected.len(), "{place}");
                for (slot, (value, expected)) in whole.iter().zip(&expected).enumerate() {
                    let is_right = (host.is_right)(found(*value), expected, width);
                    assert!(is_right, "{place}: slot {slot} has {value:?}, not {expected:?}");
                }
            }
        }
        // The tile that the triangles had not.
        let tiles = if self.every_tile { all } else { &all[(turn + 1) % all.len()..][..1] };
        let rectangle = |side: u32| {
            let choice = rectangle::Choice { sweep: Sweep::Fold, side };
            Ok((side, choice.load(self.device, "types", &item_of_sets(kind))?))
        };
        let kernels = tiles.iter().map(|&tile| rectangle(tile)).collect::<Result<Vec<_>>>()?;
        for &[rows, columns, width] in self.sizes_of_sets {
            let (a, b) = (values(rows, rows * width), values(7, columns * width));
            let (row, column) =
                (|i: usize| &a[i * width..][..width], |j: usize| &b[j * width..][..width]);
            let features = [self.device.features(&a, width)?, self.device.features(&b, width)?];
            for (tile, kernel) in &kernels {
                let place = format!(
                    "{name}, tile {tile}, {rows} x {columns}, width {width}, {}",
                    self.device.name()
                );
                let whole: Vec<F> = self.matrix(kernel, &features, &place)?;
                assert_eq!(whole.len(), rows * columns, "{place}");
                for (slot, value) in whole.iter().enumerate() {
                    let (i, j) = (slot / columns, slot % columns);
                    let expected = folded(row(i), column(j));
                    let is_right = (host.is_right)(found(*value), &expected, width);
                    assert!(is_right, "{place}: ({i}, {j}) has {value:?}, not {expected:?}");
                }
            }
        }
        Ok(())
    }

    /// The packed values of one launch, after they were compared with those of bands.
    fn packed<T: DeviceType, F: DeviceType + Debug>(
        &self,
        kernel: &Kernel,
        features: &Features<T>,
        place: &str,
    ) -> Result<Vec<F>> {
        let n = features.len();
        let launch = |kernel: &Kernel, slots: &mut td_kernel::Packed<F>| {
            let mut launch = kernel.launch();
            launch.features_of_each("p", features)?;
            launch.width();
            launch.packed("o", slots)?;
            // SAFETY: the parameters of the item, in its order and with its types.
            unsafe { launch.run() }
        };
        let mut whole = self.device.packed(n)?;
        launch(kernel, &mut whole)?;
        let whole = whole.download()?.as_slice().to_vec();
        let (mut joined, mut shared) = (Vec::new(), self.device.packed(n)?);
        for rows in bands(n) {
            let mut own = self.device.packed_rows(n, rows.clone())?;
            launch(&kernel.rows(rows.clone()), &mut own)?;
            joined.extend_from_slice(own.download()?.as_slice());
            launch(&kernel.rows(rows), &mut shared)?;
        }
        assert!(bits(&joined) == bits(&whole), "{place}: slots of each band");
        assert!(bits(shared.download()?.as_slice()) == bits(&whole), "{place}: slots of all rows");
        Ok(whole)
    }

    /// The same of a matrix.
    fn matrix<T: DeviceType, F: DeviceType + Debug>(
        &self,
        kernel: &Kernel,
        [a, b]: &[Features<T>; 2],
        place: &str,
    ) -> Result<Vec<F>> {
        let launch = |kernel: &Kernel, values: &mut td_kernel::Matrix<F>| {
            let mut launch = kernel.launch();
            launch.features_of_rows("a", a)?;
            launch.width();
            launch.features_of_columns("b", b)?;
            launch.matrix("o", values)?;
            // SAFETY: the parameters of the item, in its order and with its types.
            unsafe { launch.run() }
        };
        let mut whole = self.device.matrix(a.len(), b.len())?;
        launch(kernel, &mut whole)?;
        let whole = whole.download()?.as_slice().to_vec();
        let (mut joined, mut shared) = (Vec::new(), self.device.matrix(a.len(), b.len())?);
        for rows in bands(a.len()) {
            let mut own = self.device.matrix_rows(a.len(), b.len(), rows.clone())?;
            launch(&kernel.rows(rows.clone()), &mut own)?;
            joined.extend_from_slice(own.download()?.as_slice());
            launch(&kernel.rows(rows), &mut shared)?;
        }
        assert!(bits(&joined) == bits(&whole), "{place}: values of each band");
        assert!(bits(shared.download()?.as_slice()) == bits(&whole), "{place}: values of all rows");
        Ok(whole)
    }
}

/// The fold of a triangle, in the order of `ltm`.
pub(super) const FOLD: Choice = Choice {
    map: "ltm",
    root: Root::Exact,
    takes_root: true,
    space: Space::Block,
    linear: false,
    diagonal: false,
    block: 16,
    sweep: Sweep::Fold,
    tile: 64,
    square: false,
};

/// All rows in three bands, one of them of a single row.
fn bands(rows: usize) -> [Range<usize>; 3] {
    let cut = rows / 3;
    [0..cut, cut..(cut + 1).min(rows), (cut + 1).min(rows)..rows]
}

/// The values' bytes: zeros of both signs are different.
fn bits<F: DeviceType>(values: &[F]) -> Vec<u8> {
    // SAFETY: numbers and vectors of numbers here, which have no padding.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }.to_vec()
}
