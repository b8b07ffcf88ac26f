//! Sums of arrays for each element: a matrix of weights times several columns, of one set and of two, in every sweep and tile, in
//! ranges of rows, and on several devices.

use td_kernel::{Devices, Result, Target, td_kernel};

use super::{and_large, devices};

/// The weight of row i and column j.
fn weight(i: usize, j: usize) -> f64 {
    ((i + 2 * j) % 5) as f64 - 1.0
}

/// The number k of an element. All sums are integers, so they are exact in any order.
fn number(element: usize, k: usize) -> f64 {
    ((element * 7 + k * 3) % 11) as f64 - 5.0
}

/// The sums of what `weight(i, j) * number(j, k)` gives for each of `rows`, over the columns that `has_pair` has.
fn expected(
    [rows, columns]: [usize; 2],
    width: usize,
    weight: impl Fn(usize, usize) -> f64,
) -> Vec<Vec<f64>> {
    let of = |i, k| (0..columns).map(|j| weight(i, j) * number(j, k)).sum();
    (0..rows).map(|i| (0..width).map(|k| of(i, k)).collect()).collect()
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

/// Kernels of one set, with their keys and arrays.
macro_rules! of_one_set {
    ($($name:ident: ($($keys:tt)*) [$number:ty; $width:literal] $is_diagonal:literal;)*) => {
        $(#[td_kernel($($keys)*)]
        unsafe fn $name(#[each] v: &[[$number; $width]], #[each] out: &mut Sums<[$number; $width]>) {
            r#"
            out.i += ((i + 2 * j) % 5 - 1.0f) * v.j;
            if (i % 2) {
                out.j -= v.i * (1.0f - (i + 2 * j) % 5);
            } else {
                out.j += v.i;
                out.j += ((i + 2 * j) % 5 - 2.0f) * v.i;
            }
            "#
        })*

        /// Compares every variant, in one launch and in ranges of rows.
        fn check_one_set(target: &Target, n: usize) -> Result<()> {
            $({
                const WIDTH: usize = $width;
                let v: Vec<[$number; WIDTH]> =
                    (0..n).map(|j| std::array::from_fn(|k| number(j, k) as $number)).collect();
                let v = target.upload(&v)?;
                let own = |i: usize, j: usize| weight(i.max(j), i.min(j));
                let expected = expected([n, n], WIDTH, |i, j| {
                    if i != j || $is_diagonal { own(i, j) } else { 0.0 }
                });
                for text in 0..$name::SOURCES.len() {
                    let kernel = $name { kernel: $name::load(target)?.kernel.pin(text) };
                    let place = format!("{} {text}, n = {n}, on {}", stringify!($name), target.name());
                    let mut out = target.sums(n)?;
                    kernel.launch(&v, &mut out)?;
                    compare(&place, &out.download()?, &expected);
                    out.clear()?;
                    for rows in [0..n / 3, n / 3..n] {
                        kernel.rows(rows).launch(&v, &mut out)?;
                    }
                    compare(&format!("{place}, in ranges"), &out.download()?, &expected);
                }
            })*
            Ok(())
        }
    };
}

of_one_set! {
    of_tiles: () [f32; 16] false;
    of_pairs_with_themselves: (diagonal = true) [f32; 5] true;
    of_odd_arrays: (diagonal = true, deterministic = true) [f32; 7] true;
    of_doubles: (deterministic = true) [f64; 6] false;
    of_long_arrays: (map = "walk") [f32; 64] false;
    of_long_doubles: (diagonal = true) [f64; 32] true;
    of_blocks: (tile = 0, diagonal = true) [f32; 8] true;
    of_another_map: (map = "rb") [f64; 5] false;
}

#[test]
fn one_set() {
    for device in devices() {
        for n in and_large(&[0, 1, 2, 33, 131], &[1000]) {
            check_one_set(&device, n).unwrap();
        }
        let several = Devices::new([device.clone(), device.clone(), device]).unwrap();
        check_one_set(&several, 150).unwrap();
    }
}

/// Kernels of two sets: results of rows, of columns, and of both.
macro_rules! of_two_sets {
    ($($name:ident: ($($keys:tt)*) $number:ty, $rows:literal, $columns:literal;)*) => {
        $(#[td_kernel($($keys)*)]
        unsafe fn $name(
            #[row] u: &[[$number; $columns]],
            #[column] v: &[[$number; $rows]],
            #[row] out: &mut Sums<[$number; $rows]>,
            #[column] back: &mut Sums<[$number; $columns]>,
        ) {
            r#"
            float w = (i + 2 * j) % 5 - 1.0f;
            out += w * v;
            back += u * w;
            "#
        })*

        fn check_two_sets(target: &Target, [rows, columns]: [usize; 2]) -> Result<()> {
            $({
                let u: Vec<[$number; $columns]> =
                    (0..rows).map(|i| std::array::from_fn(|k| number(i, k) as $number)).collect();
                let v: Vec<[$number; $rows]> =
                    (0..columns).map(|j| std::array::from_fn(|k| number(j, k) as $number)).collect();
                let (u, v) = (target.upload(&u)?, target.upload(&v)?);
                let of_rows = expected([rows, columns], $rows, weight);
                let of_columns = expected([columns, rows], $columns, |j, i| weight(i, j));
                for text in 0..$name::SOURCES.len() {
                    let kernel = $name { kernel: $name::load(target)?.kernel.pin(text) };
                    let place = format!(
                        "{} {text}, {rows} x {columns}, on {}", stringify!($name), target.name()
                    );
                    let (mut out, mut back) = (target.sums(rows)?, target.sums(columns)?);
                    for part in [0..rows / 2, rows / 2..rows] {
                        kernel.rows(part).launch(&u, &v, &mut out, &mut back)?;
                    }
                    compare(&place, &out.download()?, &of_rows);
                    compare(&place, &back.download()?, &of_columns);
                }
            })*
            Ok(())
        }
    };
}

of_two_sets! {
    of_both: () f32, 16, 5;
    of_both_exactly: (deterministic = true) f32, 8, 12;
    of_doubles_of_both: () f64, 16, 16;
    of_both_in_blocks: (tile = 0) f32, 6, 16;
}

/// Results of rows alone, which the sweep `columns` keeps; some terms for one number of the array.
#[td_kernel]
unsafe fn of_rows(#[column] v: &[[f32; 32]], #[row] out: &mut Sums<[f32; 32]>) {
    r#"
    float w = (i + 2 * j) % 5 - 1.0f;
    out += w * v;
    out[3] += w * v[3];
    out[3] -= (w * v)[3];
    "#
}

/// Sums of another type than the array's numbers.
#[td_kernel]
unsafe fn of_other_types(
    #[column] v: &[[f32; 8]],
    #[row] out: &mut Sums<[f64; 8]>,
    #[row] again: &mut Sums<[f64; 8]>,
) {
    r#"
    float w = (i + 2 * j) % 5 - 1.0f;
    out += w * v;
    again += v;
    again -= v * (1.0f - w);
    "#
}

#[test]
fn other_types() -> Result<()> {
    for device in devices() {
        let [rows, columns] = [70, 33];
        let v: Vec<[f32; 8]> =
            (0..columns).map(|j| std::array::from_fn(|k| number(j, k) as f32)).collect();
        let (mut out, mut again) = (device.sums(rows)?, device.sums(rows)?);
        let v = device.upload(&v)?;
        of_other_types::load(&device)?.launch(&v, &mut out, &mut again)?;
        for sums in [out, again] {
            let expected = expected([rows, columns], 8, weight);
            compare(device.name(), &sums.download()?, &expected);
        }
    }
    Ok(())
}

#[test]
fn two_sets() -> Result<()> {
    for device in devices() {
        let several = Devices::new([device.clone(), device.clone(), device.clone()])?;
        for [rows, columns] in and_large(&[[0, 5], [1, 1], [33, 130], [257, 66]], &[[3000, 2000]]) {
            check_two_sets(&device, [rows, columns])?;
            check_two_sets(&several, [rows, columns])?;
            let v: Vec<[f32; 32]> =
                (0..columns).map(|j| std::array::from_fn(|k| number(j, k) as f32)).collect();
            let v = device.upload(&v)?;
            for text in 0..of_rows::SOURCES.len() {
                let kernel = of_rows { kernel: of_rows::load(&device)?.kernel.pin(text) };
                let mut out = device.sums(rows)?;
                kernel.launch(&v, &mut out)?;
                let place = format!("{text}, {rows} x {columns}, on {}", device.name());
                compare(&place, &out.download()?, &expected([rows, columns], 32, weight));
            }
        }
    }
    Ok(())
}
