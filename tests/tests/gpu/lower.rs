//! Nearest neighbours with the text `lower`: tensor cores filter the pairs, and the neighbours are those without the text, to the
//! last bit.

use td_kernel::{Buffer, Device, Neighbours, Result, td_kernel};

use crate::{gpu, share_memory};

/// Modules of kernels with and without the text, by the number of neighbours.
macro_rules! kernels {
    ($($module:ident: $k:literal, $keys:tt;)*) => {$(
        mod $module {
            use super::*;

            #[td_kernel $keys]
            unsafe fn plain(
                #[each] p: &Features<f32>,
                #[fold] sum: f32,
                #[each] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = p.i - p.j; sum += d * d; "#;
                let pair = r#" near.push(sum); "#;
            }

            #[td_kernel $keys]
            unsafe fn with_lower(
                #[each] p: &Features<f32>,
                #[fold] sum: f32,
                #[each] norm: &[f32],
                evaluated: &[u32],
                #[each] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = p.i - p.j; sum += d * d; "#;
                // Only the test reads it, and only afterwards.
                let pair = r#"
                atomicAdd((unsigned int *)evaluated, 1u);
                near.push(sum);
                "#;
                let lower = r#" fmaf(-2.0f, dot + dot_error, norm.i + norm.j) "#;
            }

            /// Compares the neighbours of two runs with those without the text; returns how many pairs were evaluated in one.
            pub(super) fn compare(what: &str, values: &[f32], width: usize) -> Result<u32> {
                let device = gpu();
                let p = device.features(values, width)?;
                let norm = norms(&device, values, width)?;
                let mut near = device.nearest(p.len())?;
                // The same tiles as in the rounds in which all pairs are evaluated.
                let kernel = plain { kernel: plain::load(&device)?.kernel.pin(0) };
                kernel.launch(&p, &mut near)?;
                let expected = near.download()?;
                let kernel = with_lower::load(&device)?;
                let filter = with_lower::SOURCES.len() - 1;
                let kernel = with_lower { kernel: kernel.kernel.pin(filter) };
                let mut count = 0;
                for run in ["first", "second"] {
                    near.clear()?;
                    let evaluated = device.upload(&[0_u32])?;
                    kernel.launch(&p, &norm, &evaluated, &mut near)?;
                    let found = near.download()?;
                    same(&format!("{what}, {} x {width}, K = {}, {run} run", p.len(), $k), &found, &expected);
                    count = evaluated.download()?[0];
                }
                Ok(count)
            }
        }
    )*};
}

kernels! {
    one: 1, ();
    ten: 10, ();
    hundred: 100, ();
    most: 256, (diagonal = true);
}

/// The nearest points of each query, with and without the text.
mod of_two {
    use super::*;

    #[td_kernel]
    unsafe fn plain(
        #[row] q: &Features<f32>,
        #[column] p: &Features<f32>,
        #[fold] sum: f32,
        #[row] near: &mut Nearest<f32, 10>,
    ) {
        let feature = r#" float d = q - p; sum += d * d; "#;
        let pair = r#" near.push(sum); "#;
    }

    #[td_kernel]
    unsafe fn with_lower(
        #[row] q: &Features<f32>,
        #[column] p: &Features<f32>,
        #[fold] sum: f32,
        #[row] q_norm: &[f32],
        #[column] p_norm: &[f32],
        #[row] near: &mut Nearest<f32, 10>,
    ) {
        let feature = r#" float d = q - p; sum += d * d; "#;
        let pair = r#" near.push(sum); "#;
        let lower = r#" fmaf(-2.0f, dot + dot_error, q_norm + p_norm) "#;
    }

    /// Compares the neighbours.
    pub(super) fn compare(what: &str, queries: &[f32], points: &[f32], width: usize) -> Result<()> {
        let device = gpu();
        let (q, p) = (device.features(queries, width)?, device.features(points, width)?);
        let (q_norm, p_norm) = (norms(&device, queries, width)?, norms(&device, points, width)?);
        let mut near = device.nearest(q.len())?;
        let kernel = plain { kernel: plain::load(&device)?.kernel.pin(0) };
        kernel.launch(&q, &p, &mut near)?;
        let expected = near.download()?;
        near.clear()?;
        let filter = with_lower::SOURCES.len() - 1;
        let kernel = with_lower { kernel: with_lower::load(&device)?.kernel.pin(filter) };
        kernel.launch(&q, &p, &q_norm, &p_norm, &mut near)?;
        let what = format!("{what}, {} x {} of {width}", q.len(), p.len());
        same(&what, &near.download()?, &expected);
        Ok(())
    }
}

fn norms(device: &Device, values: &[f32], width: usize) -> Result<Buffer<f32>> {
    let norms: Vec<f32> = values.chunks(width).map(|row| row.iter().map(|x| x * x).sum()).collect();
    device.upload(&norms)
}

fn same(what: &str, found: &Neighbours<f32>, expected: &Neighbours<f32>) {
    let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    for ((i, indices, values), (_, of_expected, expected)) in found.rows().zip(expected.rows()) {
        assert_eq!(indices, of_expected, "{what}, element {i}: {values:?}, {expected:?}");
        assert_eq!(bits(values), bits(expected), "{what}, element {i}");
    }
}

/// Numbers from 0 to below 2^24.
fn random(seed: u32) -> impl Iterator<Item = u32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state >> 8
    })
}

/// Numbers from -0.5 to 0.5.
fn uniform(seed: usize, count: usize) -> Vec<f32> {
    random(seed as u32).map(|x| x as f32 / (1 << 24) as f32 - 0.5).take(count).collect()
}

#[test]
fn small_sets_have_the_same_neighbours() -> Result<()> {
    for n in [0, 1, 2, 127, 128, 129, 257, 300, 520, 1000] {
        ten::compare("uniform", &uniform(n, n * 9), 9)?;
    }
    for width in [1, 3, 4, 5, 31, 32, 33, 64, 127, 1000] {
        one::compare("uniform", &uniform(width, 400 * width), width)?;
        most::compare("uniform", &uniform(width, 600 * width), width)?;
    }
    Ok(())
}

#[test]
fn large_sets_have_the_same_neighbours() -> Result<()> {
    let _memory = share_memory();
    for (n, width) in
        [(20_000, 64), (5000, 100), (3000, 1000), (40_000, 16), (20_000, 128), (20_000, 160)]
    {
        let evaluated = ten::compare("uniform", &uniform(n, n * width), width)?;
        // In the first round all pairs of n / 128 tiles are.
        let all = n as u64 * (n as u64 - 1) / 2;
        assert!(u64::from(evaluated) < all / 5, "{n} x {width}: {evaluated} of {all}");
        hundred::compare("uniform", &uniform(n + 1, n * width), width)?;
    }
    most::compare("uniform", &uniform(1, 6000 * 40), 40)?;
    Ok(())
}

#[test]
fn small_sets_have_the_same_neighbours_in_another() -> Result<()> {
    let sizes = [(0, 5), (5, 0), (1, 1), (3, 4000), (4000, 3), (129, 257), (128, 384), (700, 2000)];
    for (rows, columns) in sizes {
        let (q, p) = (uniform(rows, rows * 9), uniform(columns + 1, columns * 9));
        of_two::compare("uniform", &q, &p, 9)?;
    }
    for width in [1, 3, 4, 5, 31, 32, 33, 64, 127, 1000] {
        let (q, p) = (uniform(width, 300 * width), uniform(width + 1, 500 * width));
        of_two::compare("uniform", &q, &p, width)?;
    }
    let lattice: Vec<f32> = random(4).map(|x| (x % 3) as f32).take(1500 * 6).collect();
    of_two::compare("lattice", &lattice[..900], &lattice, 6)?;
    let nearer: Vec<f32> = (0..4000).rev().map(|at| at as f32).collect();
    of_two::compare("worst order", &[0.0; 130], &nearer, 1)
}

#[test]
fn large_sets_have_the_same_neighbours_in_another() -> Result<()> {
    let _memory = share_memory();
    for (rows, columns, width) in
        [(20_000, 30_000, 64), (100, 200_000, 128), (50_000, 5000, 20), (20_000, 9000, 160)]
    {
        let (q, p) = (uniform(rows, rows * width), uniform(columns + 1, columns * width));
        of_two::compare("uniform", &q, &p, width)?;
    }
    Ok(())
}

#[test]
fn small_data_at_the_margin_has_the_same_neighbours() -> Result<()> {
    let n = 1500;
    for width in [1, 16, 64, 200] {
        for (seed, base) in [(1, 0x3f80_8000_u32), (2, 0x3f80_7fff), (3, 0x3fff_8000)] {
            let values: Vec<f32> = random(seed)
                .take(n * width)
                .map(|x| f32::from_bits(base + x % 4) * if x & 4 == 0 { 1.0 } else { -1.0 })
                .collect();
            ten::compare("half way", &values, width)?;
            let near: Vec<f32> = values.iter().map(|x| x.abs()).collect();
            ten::compare("half way, all near", &near, width)?;
        }
        let lattice: Vec<f32> = random(4).map(|x| (x % 3) as f32).take(n * width).collect();
        ten::compare("lattice", &lattice, width)?;
        let far: Vec<f32> = lattice.iter().map(|x| x + 1000.0).collect();
        hundred::compare("lattice far away", &far, width)?;
    }
    Ok(())
}

#[test]
fn small_numbers_of_every_size_have_the_same_neighbours() -> Result<()> {
    let (n, width) = (700, 20);
    for scale in [1e-38, 1e-30, 1e-20, 1e-12, 1e-9, 1e-3, 1e3, 1e9, 1e15, 1e18, 1e20, 1e38] {
        let values: Vec<f32> = uniform(7, n * width).iter().map(|x| x * scale).collect();
        ten::compare(&format!("by {scale}"), &values, width)?;
    }
    let mixed: Vec<f32> = uniform(8, n * width)
        .iter()
        .enumerate()
        .map(|(at, x)| x * 10.0_f32.powi((at / width % 57) as i32 - 38))
        .collect();
    ten::compare("of all sizes", &mixed, width)?;
    for odd in [0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-45]
    {
        let mut values = uniform(9, n * width);
        for at in (0..n).step_by(7) {
            values[at * width + at % width] = odd;
        }
        for at in (3..n).step_by(11) {
            values[at * width..(at + 1) * width].fill(odd);
        }
        ten::compare(&format!("with {odd}"), &values, width)?;
    }
    Ok(())
}

#[test]
fn small_data_in_the_worst_order_has_the_same_neighbours() -> Result<()> {
    let n = 4000;
    for sign in [1.0, -1.0] {
        let values: Vec<f32> = (0..n).map(|at| (sign * at as f32 / 300.0).exp()).collect();
        ten::compare("exponential", &values, 1)?;
        let far: Vec<f32> = values.iter().map(|x| 1e6 + x).collect();
        ten::compare("exponential, far away", &far, 1)?;
    }
    Ok(())
}
