//! The error of sums of arrays, of kernel matrices over features times several columns, compared with its bound.

use td_kernel::{Result, td_kernel};

use super::devices;

/// The feature k of an element: a small integer, so that products are exact.
fn feature(element: usize, k: usize) -> f32 {
    ((element * 5 + k * 3) % 4) as f32 - 1.0
}

/// The number k of an element's array.
fn number(element: usize, k: usize) -> f32 {
    ((element * 7 + k * 3) % 11) as f32 * 0.1 - 0.499
}

macro_rules! kernels {
    ($($name:ident($($keys:tt)*) $width:literal $mark:ident $body:tt;)*) => {
        $(#[td_kernel($($keys)*)]
        unsafe fn $name(
            #[each] p: &Features<f32>,
            #[$mark] dot: f32,
            #[each] v: &[[f32; $width]],
            #[each] out: &mut Sums<[f32; $width]>,
        ) $body)*

        #[test]
        fn errors_are_within_their_bound() -> Result<()> {
            let (n, width) = (193, 5);
            let rows: Vec<Vec<f32>> = (0..n).map(|i| (0..width).map(|k| feature(i, k)).collect()).collect();
            let dot = |i: usize, j: usize| rows[i].iter().zip(&rows[j]).map(|(x, y)| x * y).sum::<f32>();
            let weight = |i: usize, j: usize| f64::from(dot(i, j) % 7.0);
            for device in devices() {
                let p = device.features_from_rows(&rows)?;
                $({
                    let v: Vec<[f32; $width]> = (0..n).map(|j| std::array::from_fn(|k| number(j, k))).collect();
                    let mut out = device.sums(n)?;
                    $name::load(&device)?.launch(&p, &device.upload(&v)?, &mut out)?;
                    let found: Vec<[f32; $width]> = out.download()?;
                    for (i, k) in (0..n).flat_map(|i| (0..$width).map(move |k| (i, k))) {
                        let others = || (0..n).filter(|j| *j != i);
                        let terms = || others().map(|j| weight(i, j) * f64::from(v[j][k]));
                        let (sum, most) = (terms().sum::<f64>(), 2e-5 * terms().map(f64::abs).sum::<f64>());
                        let error = (f64::from(found[i][k]) - sum).abs();
                        let place = format!("{} on {}: number {k} of {i}", stringify!($name), device.name());
                        assert!(error <= most, "{place}: {error} > {most}");
                    }
                })*
            }
            Ok(())
        }
    };
}

kernels! {
    of_five() 5 fold {
        let feature = r#" dot += p.i * p.j; "#;
        let pair = r#" float w = fmodf(dot, 7); out.i += w * v.j; out.j += w * v.i; "#;
    };
    of_exact_sums(deterministic = true) 9 fold {
        let feature = r#" dot += p.i * p.j; "#;
        let pair = r#" float w = fmodf(dot, 7); out.i += w * v.j; out.j += w * v.i; "#;
    };
    of_long_arrays(map = "ltm") 64 fold {
        let feature = r#" dot += p.i * p.j; "#;
        let pair = r#" float w = fmodf(dot, 7); out.i += w * v.j; out.j += w * v.i; "#;
    };
    by_products() 6 dot { r#" float w = fmodf(dot, 7); out.i += w * v.j; out.j += w * v.i; "# };
}
