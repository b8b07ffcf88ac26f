//! Folds over the features of elements: the accuracy of sums, and features that a launch rejects.

use td_kernel::td_kernel;

use super::{and_large, devices, each, simt};

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
    assert_errors! {
        kernel.launch(&a, &x, &wide, &mut out) => ["`fold`", "`b` has 5 features", "`a` has 4", "same width"], Arguments "b" in "fold";
    }

    let few = device.features(&[1; 8], 4).unwrap();
    assert_errors! { kernel.launch(&a, &x, &few, &mut out) => ["fold", "`b` is for 2", "`a` requires", "3"], Arguments "b"; }

    let short = device.upload(&[1.0; 2]).unwrap();
    assert_errors! { kernel.launch(&a, &short, &b, &mut out) => ["`x` is for 2", "`a` requires", "3"], Arguments "x"; }

    let mut small = device.packed(2).unwrap();
    assert_errors! { kernel.launch(&a, &x, &b, &mut small) => "", Arguments "out"; }
    assert_eq!(small.download().unwrap().as_slice(), [0.0], "nothing has run");

    // Zero elements have a width, too.
    let (none, nothing) = (device.features(&[], 4).unwrap(), device.upload(&[]).unwrap());
    let others = device.features(&[], 3).unwrap();
    let mut empty = device.packed(0).unwrap();
    kernel.launch(&none, &nothing, &device.features(&[], 4).unwrap(), &mut empty).unwrap();
    assert_errors! { kernel.launch(&none, &nothing, &others, &mut empty) => ["`b` has 3 features", "`a` has 4"]; }
}

#[test]
fn disagreeing_features_of_two_sets() {
    let device = devices().remove(0);
    let kernel = fold_of_sets::load(&device).unwrap();
    let (a, b) = (device.features(&[1.0; 12], 4).unwrap(), device.features(&[1.0; 8], 4).unwrap());
    let mut out = device.matrix((3, 2)).unwrap();
    kernel.launch(&a, &b, &mut out).unwrap();
    assert_eq!(out.download().unwrap().as_slice(), [4.0; 6]);
    assert_errors! { kernel.launch(&b, &a, &mut out) => "", Arguments "out"; }
    let narrow = device.features(&[1.0; 6], 3).unwrap();
    assert_errors! { kernel.launch(&a, &narrow, &mut out) => ["`fold_of_sets`", "`b` has 3 features", "`a` has 4"], Arguments "b"; }
}
