//! Sums of arrays whose width a launch gives: of one set and of two, in every tile, in ranges of rows, and on several devices.

use td_kernel::{
    ArraySums, Devices, HostMatrix, PartialResult, Result, SumElement, SumScalar, Target, td_kernel,
};

use super::{and_large, devices};

/// The number k of an element. All sums are integers, so they are exact in any order.
fn number(element: usize, k: usize) -> f64 {
    ((element * 7 + k * 3) % 11) as f64 - 5.0
}

/// The weight of row i and column j.
fn weight(i: usize, j: usize) -> f64 {
    ((i + 2 * j) % 5) as f64 - 1.0
}

/// The sums of `weight(i, j) * number(j, k)` for each row i and each k.
fn expected([rows, columns, width]: [usize; 3], weight: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let of = |i, k| (0..columns).map(|j| weight(i, j) * number(j, k)).sum();
    (0..rows).flat_map(|i| (0..width).map(move |k| (i, k))).map(|(i, k)| of(i, k)).collect()
}

fn numbers(elements: usize, width: usize) -> Vec<f64> {
    (0..elements).flat_map(|j| (0..width).map(move |k| number(j, k))).collect()
}

/// Compares, and names the first number that is wrong.
fn compare<T: Copy + Into<f64>>(place: &str, found: &HostMatrix<T>, expected: &[f64]) {
    assert_eq!(found.as_slice().len(), expected.len(), "{place}");
    for (at, (found, expected)) in found.as_slice().iter().zip(expected).enumerate() {
        assert_eq!((*found).into(), *expected, "{place}: value {at}");
    }
}

/// Kernels of one set, with their keys and numbers.
macro_rules! of_one_set {
    ($($name:ident: ($($keys:tt)*) $number:ty, $is_diagonal:literal;)*) => {
        $(#[td_kernel($($keys)*)]
        unsafe fn $name(#[each] v: &Arrays<$number>, #[each] out: &mut ArraySums<$number>) {
            r#"
            float w = (i + 2 * j) % 5 - 1.0f;
            out.i += w * v.j;
            out.j -= v.i;
            out.j += v.i * (w + 1);
            "#
        })*

        /// Compares every variant, in one launch and in ranges of rows.
        fn check_one_set(target: &Target, n: usize, width: usize) -> Result<()> {
            $({
                let v: Vec<_> = numbers(n, width).iter().map(|each| *each as $number).collect();
                let v = target.arrays(&v, width)?;
                assert_eq!((v.len(), v.width()), (n, width));
                let expected = expected([n, n, width], |i, j| match i == j && !$is_diagonal {
                    true => 0.0,
                    false => weight(i.max(j), i.min(j)),
                });
                for text in 0..$name::SOURCES.len() {
                    let kernel = $name { kernel: $name::load(target)?.kernel.pin(text) };
                    let place = format!(
                        "{} {text}, {n} of {width}, on {}", stringify!($name), target.name()
                    );
                    let mut out = target.array_sums(n, width)?;
                    kernel.launch(&v, &mut out)?;
                    compare(&place, &out.download()?, &expected);
                    let mut words = out.to_bits()?;
                    compare(&place, &out.finish(&words)?, &expected);
                    out.clear()?;
                    for rows in [0..n / 3, n / 3..n] {
                        kernel.rows(rows).launch(&v, &mut out)?;
                    }
                    compare(&format!("{place}, in ranges"), &out.download()?, &expected);
                    out.join(&mut words, &out.to_bits()?)?;
                    let twice: Vec<_> = expected.iter().map(|each| 2.0 * each).collect();
                    compare(&place, &out.finish(&words)?, &twice);
                }
            })*
            Ok(())
        }
    };
}

of_one_set! {
    of_tiles: () f32, false;
    of_pairs_with_themselves: (diagonal = true) f32, true;
    exact: (diagonal = true, deterministic = true) f32, true;
    of_doubles: (deterministic = true) f64, false;
    of_blocks: (tile = 0) f64, false;
}

#[test]
fn one_set() -> Result<()> {
    for device in devices() {
        let several = Devices::new([device.clone(), device.clone(), device.clone()])?;
        for width in and_large(&[1, 29, 36], &[16, 100]) {
            check_one_set(&device, 67, width)?;
        }
        for n in and_large(&[0, 1, 131], &[1000]) {
            check_one_set(&device, n, 20)?;
        }
        check_one_set(&several, 150, 24)?;
    }
    Ok(())
}

#[td_kernel]
unsafe fn of_both(
    #[row] u: &Arrays<f32>,
    #[row] scale: &[f32],
    #[column] v: &Arrays<f64>,
    #[row] out: &mut ArraySums<f64>,
    #[column] back: &mut ArraySums<f32>,
) {
    r#"
    float w = (i + 2 * j) % 5 - 1.0f;
    out += scale * w * v;
    back += u * w;
    "#
}

#[td_kernel]
unsafe fn of_rows(#[column] v: &Arrays<f32>, #[row] out: &mut ArraySums<f32>) {
    r#" out += ((i + 2 * j) % 5 - 1.0f) * v; "#
}

fn check_two_sets(target: &Target, [rows, columns, width]: [usize; 3]) -> Result<()> {
    let u: Vec<_> = numbers(rows, width).iter().map(|each| *each as f32).collect();
    let v = numbers(columns, width);
    let v_of_rows: Vec<_> = v.iter().map(|each| *each as f32).collect();
    let (u, v) = (target.arrays(&u, width)?, target.arrays(&v, width)?);
    let v_of_rows = target.arrays(&v_of_rows, width)?;
    let scale = target.upload(&vec![1.0; rows])?;
    let of_rows_expected = expected([rows, columns, width], weight);
    let of_columns = expected([columns, rows, width], |j, i| weight(i, j));
    let place = format!("{rows} x {columns} of {width}, on {}", target.name());
    for text in 0..of_both::SOURCES.len() {
        let kernel = of_both { kernel: of_both::load(target)?.kernel.pin(text) };
        let mut out = target.array_sums(rows, width)?;
        let mut back = target.array_sums(columns, width)?;
        for part in [0..rows / 2, rows / 2..rows] {
            kernel.rows(part).launch(&u, &scale, &v, &mut out, &mut back)?;
        }
        compare(&format!("{place}, {text}"), &out.download()?, &of_rows_expected);
        compare(&format!("{place}, {text}"), &back.download()?, &of_columns);
    }
    for text in 0..of_rows::SOURCES.len() {
        let kernel = of_rows { kernel: of_rows::load(target)?.kernel.pin(text) };
        let mut out = target.array_sums(rows, width)?;
        kernel.launch(&v_of_rows, &mut out)?;
        compare(&format!("{place}, rows alone, {text}"), &out.download()?, &of_rows_expected);
    }
    Ok(())
}

#[test]
fn two_sets() -> Result<()> {
    for device in devices() {
        let several = Devices::new([device.clone(), device.clone(), device.clone()])?;
        let sizes = [[0, 5, 3], [1, 1, 16], [33, 130, 21], [257, 66, 8]];
        for size in and_large(&sizes, &[[3000, 2000, 100]]) {
            check_two_sets(&device, size)?;
        }
        check_two_sets(&several, [150, 70, 18])?;
    }
    Ok(())
}

/// Arrays are the same after they were uploaded, replaced and downloaded.
#[test]
fn arrays_keep_their_values() -> Result<()> {
    for device in devices() {
        for (n, width) in [(0, 3), (1, 1), (3, 16), (5, 17), (4, 43)] {
            let values = numbers(n, width);
            let mut arrays = device.arrays(&values, width)?;
            assert_eq!(arrays.download()?, HostMatrix::from_vec((n, width), values.clone())?);
            let others: Vec<_> = values.iter().map(|each| each + 1.0).collect();
            arrays.upload_into(&others)?;
            assert_eq!(arrays.download()?.as_slice(), others);
        }
    }
    Ok(())
}

fn problem<T: SumScalar + SumElement>(
    target: &Target,
    v: [usize; 2],
    out: [usize; 2],
    launch: impl Fn(&td_kernel::Arrays<T>, &mut ArraySums<T>) -> Result<()>,
    zero: T,
) -> Result<String> {
    let v = target.arrays(&vec![zero; v[0] * v[1]], v[1])?;
    Ok(launch(&v, &mut target.array_sums(out[0], out[1])?).unwrap_err().to_string())
}

#[test]
fn wrong_widths_are_refused() -> Result<()> {
    let device = devices().remove(0);
    let kernel = of_tiles::load(&device)?;
    let launch = |v: &_, out: &mut _| kernel.launch(v, out);
    let error = problem(&device, [3, 5], [3, 4], launch, 0.0)?;
    let words = "`out` has arrays of width 4, but `v` has 5: make both with the same width";
    assert!(error.contains(words), "{error}");
    let error = problem(&device, [3, 5], [4, 5], launch, 0.0)?;
    assert!(error.contains("write `device.array_sums(3, width)`"), "{error}");
    let error = device.arrays::<f32>(&[], 0).unwrap_err().to_string();
    assert!(error.contains("pass at least 1"), "{error}");
    assert!(device.array_sums::<f32>(3, 0).is_err());
    assert!(device.arrays(&[1.0, 2.0], 2)?.upload_into(&[1.0]).is_err());
    Ok(())
}

#[td_kernel]
unsafe fn reads_a_number(#[column] v: &Arrays<f32>, #[row] out: &mut ArraySums<f32>) {
    r#" out += v[3] * v; "#
}

#[td_kernel]
unsafe fn adds_a_number(#[column] v: &Arrays<f32>, #[row] out: &mut ArraySums<f32>) {
    r#"
    out += v;
    out[3] += 1;
    "#
}

/// A body has a block of the numbers, so an index would mean another number in each block.
#[test]
fn indices_do_not_compile() {
    for device in devices() {
        let errors = [reads_a_number::load(&device).err(), adds_a_number::load(&device).err()];
        for error in errors {
            let error = error.unwrap().to_string();
            assert!(error.contains("whole, as in x += weight * v"), "{error}");
        }
    }
}

/// The pairs of a list do not have rows that a thread keeps.
#[test]
fn given_pairs_are_refused() -> Result<()> {
    let device = devices().remove(0);
    let kernel = of_tiles::load(&device)?;
    let list = device.given_pairs(&[[1, 0]])?;
    let (v, mut out) = (device.arrays(&[0.0; 6], 2)?, device.array_sums(3, 2)?);
    let error = kernel.pairs(&list).launch(&v, &mut out).unwrap_err().to_string();
    assert!(error.contains("write `Sums` of 2, 3 or 4 numbers"), "{error}");
    Ok(())
}
