//! Folds over the features of elements.
#![allow(clippy::unwrap_used, clippy::panic)]

use td_kernel::{Device, Features, td_kernel};

#[td_kernel]
unsafe fn squared(#[each] p: &Features<f32>, #[fold] sum: f32, distance: &mut Packed<f32>) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#" distance = sum; "#;
}

#[td_kernel]
unsafe fn product(
    #[row] a: &Features<f64>,
    #[column] b: &Features<f64>,
    #[fold] dot: f64,
    #[row] norm: &[f64],
    w: &[f64],
    out: &mut Matrix<f64>,
) {
    let feature = r#" dot += w[k] * a * b; "#;
    let pair = r#" out = dot + norm * features; "#;
}

#[test]
fn first() {
    let device = Device::cpu().unwrap();
    for (n, width) in [(2, 1), (5, 3), (33, 5), (130, 31), (257, 64)] {
        let values: Vec<f32> = (0..n * width).map(|k| ((k * 7919) % 101) as f32 * 0.25).collect();
        let p = device.features(&values, width).unwrap();
        let mut distance = device.packed(n).unwrap();
        squared::load(&device).unwrap().launch(&p, &mut distance).unwrap();
        let found = distance.download().unwrap();
        for i in 0..n {
            for j in 0..i {
                let expected: f32 = (0..width)
                    .map(|k| (values[i * width + k] - values[j * width + k]).powi(2))
                    .sum();
                assert_eq!(found.as_slice()[i * (i - 1) / 2 + j], expected, "{n} {width} {i} {j}");
            }
        }
    }
}

#[test]
fn second() {
    let device = Device::cpu().unwrap();
    for (rows, columns, width) in [(1, 1, 1), (5, 7, 3), (33, 100, 5), (130, 31, 127), (257, 64, 9)]
    {
        let a: Vec<f64> = (0..rows * width).map(|k| ((k * 7919) % 101) as f64 * 0.25).collect();
        let b: Vec<f64> = (0..columns * width).map(|k| ((k * 7333) % 103) as f64 * 0.25).collect();
        let w: Vec<f64> = (0..width).map(|k| k as f64).collect();
        let norm: Vec<f64> = (0..rows).map(|k| k as f64).collect();
        let (pa, pb): (Features<f64>, _) =
            (device.features(&a, width).unwrap(), device.features(&b, width).unwrap());
        let mut out = device.matrix(rows, columns).unwrap();
        product::load(&device)
            .unwrap()
            .launch(&pa, &pb, &device.upload(&norm).unwrap(), &device.upload(&w).unwrap(), &mut out)
            .unwrap();
        let found = out.download().unwrap();
        for i in 0..rows {
            for j in 0..columns {
                let expected: f64 =
                    (0..width).map(|k| w[k] * a[i * width + k] * b[j * width + k]).sum::<f64>()
                        + norm[i] * width as f64;
                assert_eq!(found[(i, j)], expected, "{rows} {columns} {width} {i} {j}");
            }
        }
    }
}
