//! Folds over the features of elements: the bits and the accuracy of sums, and features that a launch rejects.

use td_kernel::{ErrorKind, Nearest, Result, Shape, td_kernel};
use td_kernel_tests::errors::assert_message;

use super::{and_large, devices, each, simt};

/// A kernel with a tile size: its inputs besides features, its `feature` body, and its `pair` body.
macro_rules! kernels {
    ($($name:ident: $tile:literal, ($($parameters:tt)*) $feature:literal $pair:literal;)*) => {
        $(#[td_kernel(tile = $tile)]
        unsafe fn $name(#[each] p: &Features<f32>, $($parameters)*) {
            let feature = $feature;
            let pair = $pair;
        })*
    };
}

// Bodies in which the compiler could fuse different products: once for all pairs, or for each.
kernels! {
    squares_128: 128, (#[each] _x: &[f32], #[fold] s: f32, out: &mut Packed<f32>) r#" s += p.i * p.i + p.j * p.j; "# r#" out = s; "#;
    squares_32: 32, (#[each] _x: &[f32], #[fold] s: f32, out: &mut Packed<f32>) r#" s += p.i * p.i + p.j * p.j; "# r#" out = s; "#;
    norms_128: 128, (#[each] x: &[f32], #[fold] s: f32, out: &mut Packed<f32>)
        r#" s += p.i * p.j; "# r#" out = x.j * x.j + x.i * x.i - 2.0f * s; "#;
    norms_32: 32, (#[each] x: &[f32], #[fold] s: f32, out: &mut Packed<f32>)
        r#" s += p.i * p.j; "# r#" out = x.j * x.j + x.i * x.i - 2.0f * s; "#;
    // Interior tiles evaluate this at one place of the source, queued pairs at another.
    near_128: 128, (#[each] x: &[f32], #[fold] s: f32, #[each] near: &mut Nearest<f32, 256>)
        r#" s += p.i * p.j; "# r#" near.push(x.j * x.j + x.i * x.i - 2.0f * s); "#;
    near_64: 64, (#[each] _x: &[f32], #[fold] s: f32, #[fold] t: f32, #[each] near: &mut Nearest<f32, 256>)
        r#" s += p.i * p.j; t += p.i + p.j; "# r#" near.push(s * s + t * t); "#;
}

/// A pair has the same bits in partial tiles, in interior ones, in chunks of rows, and when it is visited again; on the CPU as on a GPU,
/// whose tiles the emulator has.
#[test]
fn folds_agree_in_bits() -> Result<()> {
    for (device, width) in
        devices().into_iter().flat_map(|each| [1, 5, 67].map(|width| (each.clone(), width)))
    {
        // Numbers whose products are rounded. All elements are each other's neighbours.
        let number = |at: usize| 1.0 / (1.0 + (at * 7919 % 1009) as f32);
        let values: Vec<f32> = (0..257 * width).map(number).collect();
        let norms: Vec<f32> = (0..257).map(|at| 1.0 / (3.0 + at as f32)).collect();
        macro_rules! packed {
            ($($kernel:ident),*) => {$({
                let (kernel, mut whole) = ($kernel::load(&device)?, Vec::new());
                for n in [1, 200, 257] {
                    let p = device.features(&values[..n * width], width)?;
                    let x = device.upload(&norms[..n])?;
                    let mut all = Vec::new();
                    for rows in [0..n, 0..n / 3, n / 3..n / 2, n / 2..n] {
                        let mut slots = device.packed(Shape::triangle(n).of_rows(rows.clone()))?;
                        kernel.rows(rows).launch(&p, &x, &mut slots)?;
                        all.extend(slots.download()?.as_slice().iter().map(|value| value.to_bits()));
                    }
                    let chunks = all.split_off(n * (n - 1) / 2);
                    let place = format!("{}, {n} x {width}, {}", stringify!($kernel), device.name());
                    // The packed slots of fewer elements are the first ones.
                    assert!(all == chunks && all.starts_with(&whole), "{place}");
                    whole = all;
                }
            })*};
        }
        packed!(squares_128, squares_32, norms_128, norms_32);
        let p = device.features(&values[..200 * width], width)?;
        let x = device.upload(&norms[..200])?;
        macro_rules! nearest {
            ($($kernel:ident),*) => {$({
                let (kernel, mut near): (_, Nearest<f32, 256>) = ($kernel::load(&device)?, device.nearest(200)?);
                // Every pair is visited again with all bounds known: other bits would be other neighbours.
                for _ in 0..2 {
                    kernel.launch(&p, &x, &mut near)?;
                    let mut pairs = vec![None; 200 * 200];
                    for (element, others, values) in near.download()?.rows() {
                        assert_eq!(others.len(), 199, "{element} of {}", stringify!($kernel));
                        for (other, value) in others.iter().zip(values) {
                            pairs[element * 200 + *other as usize] = Some(value.to_bits());
                        }
                    }
                    // Both elements have the same bits.
                    let other = |at: usize| pairs[at % 200 * 200 + at / 200];
                    assert!((0..200 * 200).all(|at| pairs[at] == other(at)), "{}", stringify!($kernel));
                }
            })*};
        }
        nearest!(near_128, near_64);
    }
    Ok(())
}

#[td_kernel]
unsafe fn distance(#[each] p: &Features<f32>, #[fold] s: f32, distance: &mut Packed<f32>) {
    let feature = r#" const float d = p.i - p.j; s += d * d; "#;
    let pair = r#" distance = sqrtf(s); "#;
}

/// Distances compared with double precision, within their error bound, for many features.
#[test]
fn distances_are_accurate() {
    let device = simt();
    let variants: Vec<_> = (0..distance::SOURCES.len()).collect();
    for (n, width) in
        and_large(&[(70, 127), (35, 1000)], &[(2000, 1000), (300, 100_003), (10_000, 128)])
    {
        let number = |at: usize| ((at as u64 * 2_654_435_761) % 1_000_003) as f32 / 997.0 - 500.0;
        let values: Vec<f32> = (0..n * width).map(number).collect();
        let p = device.features(&values, width).unwrap();
        each(&variants, |&variant| {
            let kernel = distance { kernel: distance::load(&device).unwrap().kernel.pin(variant) };
            let mut slots = device.packed(n).unwrap();
            kernel.launch(&p, &mut slots).unwrap();
            let found = slots.download().unwrap();
            for (i, j) in
                (1..n).step_by(n / 20).flat_map(|i| (0..i).step_by(i / 10 + 1).map(move |j| (i, j)))
            {
                let row = |e: usize| values[e * width..][..width].iter();
                let terms =
                    row(i).zip(row(j)).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2));
                let expected = terms.sum::<f64>().sqrt();
                let value = found.get(i, j).copied().map_or(f64::NAN, f64::from);
                // Half the relative error of the sum of squares, and the rounding of the root.
                let most = (width + 5) as f64 * 2_f64.powi(-24) * expected;
                let place = format!("variant {variant}, n = {n}, width {width}: ({i}, {j})");
                assert!((value - expected).abs() <= most, "{place}: {value} for {expected}");
            }
        });
    }
}

#[td_kernel]
unsafe fn fold(
    #[each] a: &Features<f32>,
    #[each] x: &[f32],
    #[each] b: &Features<i32>,
    #[fold] s: f32,
    out: &mut Packed<f32>,
) {
    let feature = r#" s += a.i * b.j; "#;
    let pair = r#" out = s * x.i; "#;
}

#[td_kernel]
unsafe fn fold_of_sets(
    #[row] a: &Features<f32>,
    #[column] b: &Features<f32>,
    #[fold] s: f32,
    out: &mut Matrix<f32>,
) {
    let feature = r#" s += a * b; "#;
    let pair = r#" out = s; "#;
}

/// Features determine element counts like slices, and have one width.
#[test]
fn disagreeing_features_of_one_set() {
    let device = devices().remove(0);
    let kernel = fold::load(&device).unwrap();
    let (a, b) = (device.features(&[1.0; 12], 4).unwrap(), device.features(&[1; 12], 4).unwrap());
    let (x, mut out) = (device.upload(&[1.0; 3]).unwrap(), device.packed(3).unwrap());
    kernel.launch(&a, &x, &b, &mut out).unwrap();
    assert_eq!(out.download().unwrap().as_slice(), [4.0; 3]);

    let wide = device.features(&[1; 15], 5).unwrap();
    let error = kernel.launch(&a, &x, &wide, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("b")));
    assert_eq!(error.kernel(), Some("fold"));
    assert_message(&error, &["`fold`", "`b` has 5 features", "`a` has 4", "same width"]);

    let few = device.features(&[1; 8], 4).unwrap();
    let error = kernel.launch(&a, &x, &few, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("b")));
    assert_message(&error, &["fold", "`b` is for 2", "`a` requires", "3"]);

    let short = device.upload(&[1.0; 2]).unwrap();
    let error = kernel.launch(&a, &short, &b, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("x")));
    assert_message(&error, &["`x` is for 2", "`a` requires", "3"]);

    let mut small = device.packed(2).unwrap();
    let error = kernel.launch(&a, &x, &b, &mut small).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("out")));
    assert_eq!(small.download().unwrap().as_slice(), [0.0], "nothing has run");

    // Zero elements have a width, too.
    let (none, nothing) = (device.features(&[], 4).unwrap(), device.upload(&[]).unwrap());
    let others = device.features(&[], 3).unwrap();
    let mut empty = device.packed(0).unwrap();
    kernel.launch(&none, &nothing, &device.features(&[], 4).unwrap(), &mut empty).unwrap();
    let error = kernel.launch(&none, &nothing, &others, &mut empty).unwrap_err();
    assert_message(&error, &["`b` has 3 features", "`a` has 4"]);
}

#[test]
fn disagreeing_features_of_two_sets() {
    let device = devices().remove(0);
    let kernel = fold_of_sets::load(&device).unwrap();
    let (a, b) = (device.features(&[1.0; 12], 4).unwrap(), device.features(&[1.0; 8], 4).unwrap());
    let mut out = device.matrix((3, 2)).unwrap();
    kernel.launch(&a, &b, &mut out).unwrap();
    assert_eq!(out.download().unwrap().as_slice(), [4.0; 6]);
    let error = kernel.launch(&b, &a, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("out")));
    let narrow = device.features(&[1.0; 6], 3).unwrap();
    let error = kernel.launch(&a, &narrow, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("b")));
    assert_message(&error, &["`fold_of_sets`", "`b` has 3 features", "`a` has 4"]);
}
