//! Sums of arrays for elements with features: a kernel matrix over features times several columns, by folds and by products, of one
//! set and of two, in every tile, in ranges of rows, and on several devices. The error of real kernel matrices is compared with its
//! bound.

use td_kernel::{Devices, Result, SumElement, Target, td_kernel};

use super::{and_large, devices, each};

/// The feature k of an element: a small integer, so that sums are exact.
fn feature(element: usize, k: usize) -> f32 {
    ((element * 5 + k * 3) % 4) as f32 - 1.0
}

/// The number k of an element's array.
fn number(element: usize, k: usize) -> f32 {
    ((element * 7 + k * 3) % 11) as f32 - 5.0
}

fn features(elements: usize, width: usize) -> Vec<f32> {
    (0..elements).flat_map(|each| (0..width).map(move |k| feature(each, k))).collect()
}

fn arrays<T: From<f32>, const W: usize>(elements: usize) -> Vec<[T; W]> {
    (0..elements).map(|each| std::array::from_fn(|k| number(each, k).into())).collect()
}

/// The weight of a pair: the product of its features, modulo 7.
fn weight(i: usize, j: usize, width: usize) -> f64 {
    let dot: f32 = (0..width).map(|k| feature(i, k) * feature(j, k)).sum();
    f64::from(dot % 7.0)
}

/// The sums of what `weight(i, j)` times the array of j gives for each of `rows`.
fn expected(
    [rows, columns]: [usize; 2],
    length: usize,
    weight: impl Fn(usize, usize) -> f64,
) -> Vec<Vec<f64>> {
    let of = |i, k| (0..columns).map(|j| weight(i, j) * f64::from(number(j, k))).sum();
    (0..rows).map(|i| (0..length).map(|k| of(i, k)).collect()).collect()
}

/// Compares, and names the first element that is wrong.
fn compare<T: Copy + Into<f64>, const W: usize>(
    place: &str,
    found: &[[T; W]],
    expected: &[Vec<f64>],
) {
    assert_eq!(found.len(), expected.len(), "{place}");
    for (element, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(&found.map(Into::into)[..], expected, "{place}: element {element}");
    }
}

/// Kernels of one set: their keys, their product as a fold or from tensor cores, and their arrays.
macro_rules! of_one_set {
    ($($name:ident: ($($keys:tt)*) $product:ident [$number:ty; $width:literal] $is_diagonal:literal;)*) => {
        $(of_one_set!(@$product ($($keys)*) $name [$number; $width]);)*

        /// Compares every variant, in one launch and in ranges of rows.
        fn check_one_set(target: &Target, n: usize, width: usize) -> Result<()> {
            let p = target.features(&features(n, width), width)?;
            $({
                let v = target.upload(&arrays::<$number, $width>(n))?;
                let expected = expected([n, n], $width, |i, j| match i == j && !$is_diagonal {
                    true => 0.0,
                    false => weight(i, j, width),
                });
                for text in 0..$name::SOURCES.len() {
                    let kernel = $name { kernel: $name::load(target)?.kernel.pin(text) };
                    let place = format!(
                        "{} {text}, n = {n}, {width} features, on {}", stringify!($name), target.name()
                    );
                    let mut out = target.sums(n)?;
                    kernel.launch(&p, &v, &mut out)?;
                    compare(&place, &out.download()?, &expected);
                    out.clear()?;
                    for rows in [0..n / 3, n / 3..n] {
                        kernel.rows(rows).launch(&p, &v, &mut out)?;
                    }
                    compare(&format!("{place}, in ranges"), &out.download()?, &expected);
                }
            })*
            Ok(())
        }
    };
    (@fold ($($keys:tt)*) $name:ident $array:ty) => {
        #[td_kernel($($keys)*)]
        unsafe fn $name(
            #[each] p: &Features<f32>,
            #[fold] dot: f32,
            #[each] v: &[$array],
            #[each] out: &mut Sums<$array>,
        ) {
            let feature = r#" dot += p.i * p.j; "#;
            let pair = r#"
            float w = fmodf(dot, 7);
            out.i += w * v.j;
            out.j += w * v.i;
            "#;
        }
    };
    (@dot ($($keys:tt)*) $name:ident $array:ty) => {
        #[td_kernel($($keys)*)]
        unsafe fn $name(
            #[each] p: &Features<f32>,
            #[dot] dot: f32,
            #[each] v: &[$array],
            #[each] out: &mut Sums<$array>,
        ) {
            r#"
            float w = fmodf(dot, 7);
            out.i += w * v.j;
            out.j += w * v.i;
            "#
        }
    };
}

of_one_set! {
    of_five: () fold [f32; 5] false;
    of_sixteen: (diagonal = true) fold [f32; 16] true;
    of_long_arrays: (map = "ltm") fold [f32; 64] false;
    of_doubles: (deterministic = true, diagonal = true) fold [f64; 7] true;
    of_exact_sums: (deterministic = true) fold [f32; 9] false;
    by_products: () dot [f32; 6] false;
    by_products_with_themselves: (diagonal = true) dot [f32; 5] true;
}

#[test]
fn one_set() {
    for device in devices() {
        let sizes = [[0, 3], [1, 5], [2, 1], [31, 5], [33, 130], [63, 1], [65, 5], [129, 2]];
        each(&and_large(&sizes, &[[1000, 130]]), |&[n, width]| {
            check_one_set(&device, n, width).unwrap();
        });
        let several = Devices::new([device.clone(), device.clone(), device]).unwrap();
        check_one_set(&several, 150, 3).unwrap();
    }
}

/// Kernels of two sets: results of rows, of columns, and of both.
macro_rules! of_two_sets {
    ($($name:ident: $mark:ident [$rows:ty; $row:literal] [$columns:ty; $column:literal];)*) => {
        $(of_two_sets!(@$mark $name [$rows; $row] [$columns; $column]);)*

        fn check_two_sets(target: &Target, [rows, columns, width]: [usize; 3]) -> Result<()> {
            let p = target.features(&features(rows, width), width)?;
            let q = target.features(&features(columns, width), width)?;
            $({
                let u = target.upload(&arrays::<$columns, $column>(rows))?;
                let v = target.upload(&arrays::<$rows, $row>(columns))?;
                let of_rows = expected([rows, columns], $row, |i, j| weight(i, j, width));
                let of_columns = expected([columns, rows], $column, |j, i| -weight(i, j, width));
                for text in 0..$name::SOURCES.len() {
                    let kernel = $name { kernel: $name::load(target)?.kernel.pin(text) };
                    let place = format!(
                        "{} {text}, {rows} x {columns}, {width} features, on {}",
                        stringify!($name), target.name()
                    );
                    let (mut out, mut back) = (target.sums(rows)?, target.sums(columns)?);
                    for part in [0..rows / 2, rows / 2..rows] {
                        kernel.rows(part).launch(&p, &q, &u, &v, &mut out, &mut back)?;
                    }
                    compare(&place, &out.download()?, &of_rows);
                    compare(&place, &back.download()?, &of_columns);
                }
            })*
            Ok(())
        }
    };
    (@fold $name:ident $rows:tt $columns:tt) => {
        #[td_kernel]
        unsafe fn $name(
            #[row] p: &Features<f32>,
            #[column] q: &Features<f32>,
            #[fold] dot: f32,
            #[row] u: &[$columns],
            #[column] v: &[$rows],
            #[row] out: &mut Sums<$rows>,
            #[column] back: &mut Sums<$columns>,
        ) {
            let feature = r#" dot += p * q; "#;
            let pair = r#"
            float w = fmodf(dot, 7);
            out += w * v;
            back -= w * u;
            "#;
        }
    };
    (@dot $name:ident $rows:tt $columns:tt) => {
        #[td_kernel]
        unsafe fn $name(
            #[row] p: &Features<f32>,
            #[column] q: &Features<f32>,
            #[dot] dot: f32,
            #[row] u: &[$columns],
            #[column] v: &[$rows],
            #[row] out: &mut Sums<$rows>,
            #[column] back: &mut Sums<$columns>,
        ) {
            r#"
            float w = fmodf(dot, 7);
            out += w * v;
            back -= w * u;
            "#
        }
    };
}

of_two_sets! {
    of_both: fold [f32; 32] [f32; 16];
    of_both_as_doubles: fold [f64; 5] [f64; 6];
    of_both_by_products: dot [f32; 5] [f32; 7];
}

#[test]
fn two_sets() {
    for device in devices() {
        let sizes = [[0, 5, 2], [1, 1, 1], [33, 66, 5], [65, 31, 130], [130, 129, 1]];
        each(&and_large(&sizes, &[[3000, 2000, 40]]), |size| {
            check_two_sets(&device, *size).unwrap();
        });
        let several = Devices::new([device.clone(), device.clone(), device]).unwrap();
        check_two_sets(&several, [257, 66, 3]).unwrap();
    }
}

/// Arrays whose width a launch gives, in blocks of up to 16 numbers.
#[td_kernel]
unsafe fn given(
    #[row] p: &Features<f32>,
    #[column] q: &Features<f32>,
    #[dot] dot: f32,
    #[column] v: &Arrays<f32>,
    #[row] out: &mut ArraySums<f32>,
) {
    r#" out += fmodf(dot, 7) * v; "#
}

#[td_kernel]
unsafe fn given_of_each(
    #[each] p: &Features<f32>,
    #[fold] dot: f32,
    #[each] v: &Arrays<f32>,
    #[each] out: &mut ArraySums<f32>,
) {
    let feature = r#" dot += p.i * p.j; "#;
    let pair = r#" float w = fmodf(dot, 7); out.i += w * v.j; out.j += w * v.i; "#;
}

#[test]
fn given_arrays() -> Result<()> {
    for device in devices() {
        for [n, width, length] in [[0, 2, 5], [1, 3, 1], [65, 5, 21], [130, 2, 33]] {
            let p = device.features(&features(n, width), width)?;
            let numbers: Vec<_> =
                (0..n).flat_map(|each| (0..length).map(move |k| number(each, k))).collect();
            let v = device.arrays(&numbers, length)?;
            let of_all = expected([n, n], length, |i, j| weight(i, j, width)).concat();
            let of_others =
                expected([n, n], length, |i, j| if i == j { 0.0 } else { weight(i, j, width) });
            let all = device.name();
            for text in 0..given::SOURCES.len() {
                let kernel = given { kernel: given::load(&device)?.kernel.pin(text) };
                let mut out = device.array_sums(n, length)?;
                kernel.launch(&p, &p, &v, &mut out)?;
                let found: Vec<_> =
                    out.download()?.as_slice().iter().map(|each| f64::from(*each)).collect();
                assert_eq!(found, of_all, "{text}, n = {n}, {length} numbers, on {all}");
            }
            let mut out = device.array_sums(n, length)?;
            given_of_each::load(&device)?.launch(&p, &v, &mut out)?;
            let found: Vec<_> =
                out.download()?.as_slice().iter().map(|each| f64::from(*each)).collect();
            assert_eq!(found, of_others.concat(), "n = {n}, {length} numbers, on {all}");
        }
    }
    Ok(())
}

/// Sums of numbers that are not exact are within the documented bound.
fn check_bound<const W: usize>(
    place: &str,
    [n, width]: [usize; 2],
    v: &[[f32; W]],
    found: &[[f32; W]],
) where
    [f32; W]: SumElement,
{
    for (i, found) in found.iter().enumerate() {
        for (k, found) in found.iter().enumerate() {
            let terms = || {
                let others = (0..n).filter(|j| *j != i);
                others.map(|j| weight(i, j, width) * f64::from(v[j][k]))
            };
            let (sum, most) = (terms().sum::<f64>(), 2e-5 * terms().map(f64::abs).sum::<f64>());
            let error = (f64::from(*found) - sum).abs();
            assert!(error <= most, "{place}: number {k} of element {i}: {error} > {most}");
        }
    }
}

#[test]
fn errors_are_within_their_bound() -> Result<()> {
    let [n, width] = [193, 5];
    for device in devices() {
        let p = device.features(&features(n, width), width)?;
        let tenths = |each: f32| each * 0.1 + 1e-3;
        macro_rules! check {
            ($($name:ident $length:literal),*) => {$({
                let v: Vec<[f32; $length]> =
                    arrays::<f32, $length>(n).iter().map(|each| each.map(tenths)).collect();
                let mut out = device.sums(n)?;
                $name::load(&device)?.launch(&p, &device.upload(&v)?, &mut out)?;
                let place = format!("{} on {}", stringify!($name), device.name());
                check_bound(&place, [n, width], &v, &out.download()?);
            })*};
        }
        check!(of_five 5, of_exact_sums 9, of_long_arrays 64, by_products 6);
    }
    Ok(())
}
