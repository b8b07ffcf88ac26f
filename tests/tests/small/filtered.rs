//! Kernels of lists, sums and results of elements give the same results with the body `lower_bound` as without: the emulator runs the
//! source for tensor cores.

use td_kernel::{Device, Devices, Result, td_kernel};
use td_kernel_tests::covering::in_turn;
use td_kernel_tests::filtered::every::{find_of_one, find_of_two};
use td_kernel_tests::filtered::{find_alike, of_small_tiles, usual, with_diagonal};

use super::{and_large, simt};

/// Numbers from -0.5 to 0.5.
pub(crate) fn uniform(seed: u32, count: usize) -> Vec<f32> {
    numbers(seed).map(|x| x as f32 / (1 << 24) as f32 - 0.5).take(count).collect()
}

/// Pseudorandom numbers below 2^24.
fn numbers(seed: u32) -> impl Iterator<Item = u32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    })
}

/// The squared distance below which about one of `one_of` pairs of uniform numbers is.
fn within(values: &[f32], width: usize, one_of: usize) -> f32 {
    let rows: Vec<_> = values.chunks(width).collect();
    let mut all: Vec<f32> = (1..rows.len())
        .map(|i| rows[i].iter().zip(rows[i - 1]).map(|(x, y)| (x - y) * (x - y)).sum())
        .collect();
    all.sort_by(f32::total_cmp);
    all.get(all.len() / one_of).copied().unwrap_or(1.0)
}

#[test]
fn every_n_and_width() -> Result<()> {
    let device = simt();
    for n in and_large(&[0, 1, 2, 127, 128, 129, 257, 390], &[700]) {
        let values = uniform(n as u32 + 3, n * 5);
        let limit = within(&values, 5, 10);
        usual::compare("uniform", &device, &values, 5, limit)?;
        with_diagonal::compare("uniform", &device, &values, 5, limit)?;
        of_small_tiles::compare("uniform", &device, &values, 5, limit)?;
    }
    // Of one part and less, of two, which a block keeps, and of more, which it does not.
    for width in [1, 3, 4, 7, 64, 65, 128, 150, 200] {
        let values = uniform(width as u32, 300 * width);
        usual::compare("uniform", &device, &values, width, within(&values, width, 20))?;
    }
    Ok(())
}

/// With few pairs near each other, few are evaluated. With all near, a block evaluates them whenever its list is full.
#[test]
fn no_pairs_or_all_are_evaluated() -> Result<()> {
    let device = simt();
    let (n, width) = (600, 16);
    let values = uniform(5, n * width);
    let all = (n * (n - 1) / 2) as u64;
    let [found, evaluated] = usual::compare("near", &device, &values, width, 0.4)?;
    assert!(found > 0 && evaluated < found + all / 100, "{found}, {evaluated} of {all}");
    let [found, evaluated] = usual::compare("none", &device, &values, width, -1.0)?;
    assert!(found == 0 && evaluated < all / 100, "{evaluated} of {all}");
    assert_eq!(usual::compare("all", &device, &values, width, 1e9)?, [all, all]);
    assert_eq!(usual::compare("all", &device, &values, width, f32::INFINITY)?, [all, all]);
    Ok(())
}

/// A block has several columns if there are more tiles than the blocks that keep the GPU busy. Without the feature `every`
/// features have one part.
#[test]
fn blocks_meet_several_columns() -> Result<()> {
    let device = simt();
    for (n, width) in in_turn([(2900, 3), (1500, 150), (1500, 100)], 0) {
        let values = uniform(7, n * width);
        let limit = within(&values, width, 300);
        let [found, evaluated] = usual::compare("uniform", &device, &values, width, limit)?;
        assert!(found > 0 && evaluated < (n * n / 4) as u64, "{found} {evaluated}");
    }
    Ok(())
}

/// The limit is the distance of some pair, which is included; and the next number, with which it is not.
#[test]
fn pairs_at_the_limit() -> Result<()> {
    let device = simt();
    let (n, width) = (200, 12);
    // Half way between two `f16` numbers, all above or all below: products have the maximum rounding error.
    for (seed, base) in [(1, 0x3f80_1000_u32), (2, 0x3f80_0fff), (3, 0x3fff_f000)] {
        let values: Vec<f32> = numbers(seed)
            .take(n * width)
            .map(|x| f32::from_bits(base + x % 4) * if x % 8 < 4 { 1.0 } else { -1.0 })
            .collect();
        let (all, _) = usual::find(&device, Some(0), &values, width, f32::MAX, None)?;
        for k in (0..all.pairs.len()).step_by(all.pairs.len() / 5) {
            let limit = f32::from_bits(all.pairs[k].1);
            for limit in [limit, limit.next_down(), limit.next_up()] {
                usual::compare("half way", &device, &values, width, limit)?;
            }
        }
    }
    Ok(())
}

/// Norms from the smallest to the largest whose squares are floats, and past them; and NaN.
#[test]
fn numbers_of_every_size() -> Result<()> {
    let device = simt();
    let (n, width) = (200, 6);
    for scale in [1e-38, 1e-20, 1e-12, 1e-9, 1e-3, 1e3, 1e9, 1e15, 1e18, 1e20, 1e38] {
        let values: Vec<f32> = uniform(7, n * width).iter().map(|x| x * scale).collect();
        let limit = within(&values, width, 4);
        usual::compare(&format!("by {scale}"), &device, &values, width, limit)?;
    }
    let mixed: Vec<f32> = uniform(8, n * width)
        .iter()
        .enumerate()
        .map(|(at, x)| x * 10.0_f32.powi((at / width % 57) as i32 - 38))
        .collect();
    for limit in [1e-30, 1e-9, 1.0, 1e12, f32::NAN] {
        usual::compare("of all sizes", &device, &mixed, width, limit)?;
    }
    for odd in [0.0, f32::NAN, f32::INFINITY, f32::MAX, 1e-45] {
        let mut values = uniform(9, n * width);
        for at in (0..n).step_by(7) {
            values[at * width + at % width] = odd;
        }
        usual::compare(&format!("with {odd}"), &device, &values, width, 0.3)?;
    }
    Ok(())
}

#[test]
fn ranges_of_rows_and_several_devices() -> Result<()> {
    let one = simt();
    let (n, width) = (700, 9);
    let values = uniform(11, n * width);
    let limit = within(&values, width, 10);
    let (expected, _) = usual::find(&one, Some(0), &values, width, limit, None)?;
    assert!(expected.count > 1000);
    for rows in [0..700, 0..1, 100..100, 127..129, 3..400, 640..700] {
        let (found, _) = usual::find(&one, None, &values, width, limit, Some(rows.clone()))?;
        let is_in = |pair: &&([u32; 2], u32)| rows.contains(&(pair.0[0] as usize));
        let pairs: Vec<_> = expected.pairs.iter().filter(is_in).copied().collect();
        assert!(found.pairs == pairs, "{rows:?}");
    }
    let several = Devices::new([0, 1, 2].map(|_| one.clone()))?;
    let (found, _) = usual::find(&several, None, &values, width, limit, None)?;
    assert_eq!(found, expected);
    // The CPU's loops have no lower bound.
    let (found, _) = usual::find(&Device::cpu()?.into(), None, &values, width, limit, None)?;
    assert_eq!((found.count, found.degrees), (expected.count, expected.degrees));
    Ok(())
}

#[test]
fn pairs_of_two_sets() -> Result<()> {
    let device = simt();
    for (rows, columns, width) in
        [(1, 1, 1), (5, 300, 7), (300, 5, 7), (129, 257, 66), (300, 700, 130), (0, 9, 3)]
    {
        let (q, p) = (uniform(1, rows * width), uniform(2, columns * width));
        let least = 0.1 * (width as f32).sqrt();
        let find = |text, chunk| find_alike(&device, text, [&q, &p], width, least, chunk);
        let expected = find(Some(0), None)?;
        assert_eq!(find(None, None)?, expected, "{rows} x {columns} x {width}");
        let chunk = rows / 3..rows - rows / 4;
        assert_eq!(find(None, Some(chunk.clone()))?, find(Some(0), Some(chunk))?);
        let several = Devices::new([0, 1].map(|_| device.clone()))?;
        assert_eq!(find_alike(&several, None, [&q, &p], width, least, None)?, expected);
    }
    Ok(())
}

/// Lists with and without values, results of elements and of all, and memory that the body writes to; folds with a start value,
/// indices of features, and elements, numbers and slices in the bodies.
#[test]
fn every_kind_of_parameter() -> Result<()> {
    let device = simt();
    for (n, width) in [(300, 5), (290, 70)] {
        let values = uniform(21, n * width);
        let least = 0.1 * (width as f32).sqrt();
        let find = |text| find_of_one(&device, text, &values, width, least, n * n);
        let (found, expected) = (find(None)?, find(Some(0))?);
        assert!(expected.pairs.len() > 100, "{}", expected.pairs.len());
        assert_eq!(found, expected, "{n} x {width}");
        let cpu = find_of_one(&Device::cpu()?, None, &values, width, least, n * n)?;
        assert_eq!(cpu, expected, "{n} x {width}, on the CPU");
    }
    let (rows, columns, width) = (260, 400, 9);
    let (q, p) = (uniform(22, rows * width), uniform(23, columns * width));
    for chunk in [None, Some(0..1), Some(130..257)] {
        let find = |text| find_of_two(&device, text, [&q, &p], width, 0.6, chunk.clone());
        let (found, expected) = (find(None)?, find(Some(0))?);
        assert!(expected.count > 0 && found == expected, "{chunk:?}: {found:?}, not {expected:?}");
        let cpu = find_of_two(&Device::cpu()?, None, [&q, &p], width, 0.6, chunk.clone())?;
        assert_eq!(cpu, expected, "{chunk:?}, on the CPU");
    }
    Ok(())
}

/// The error has the number of pairs, as without the filter.
#[test]
fn full_list_is_an_error() -> Result<()> {
    let device = simt();
    let (n, width) = (300, 7);
    let values = uniform(24, n * width);
    let errors = [None, Some(0)].map(|text| {
        let error = find_of_one(&device, text, &values, width, 0.5, 10).unwrap_err();
        error.to_string()
    });
    assert_eq!(errors[0], errors[1]);
    assert!(errors[0].contains("the capacity is 10"), "{}", errors[0]);
    Ok(())
}

#[td_kernel]
unsafe fn errors(#[each] p: &Features<f32>, #[fold] sum: f32, least: f32, list: &mut Pairs) {
    let feature = r#" sum += p.i - p.j; "#;
    let pair = r#" list.push(); "#;
    // Pairs remain whose error is `least` or more.
    let lower_bound = r#" least - (dot_upper - dot_lower) / 2 "#;
}

/// The features are `f16` numbers, so only the sums of products have errors. With very many features, these exceed the rest of
/// the error bound. The error bound is the one that the guide proves, and little more.
#[test]
fn error_bound_covers_long_sums() -> Result<()> {
    let device = simt();
    let kernel = errors::load(&device)?.kernel;
    let kernel = errors { kernel: kernel.pin(errors::SOURCES.len() - 1) };
    let n = 3;
    for width in [64, 4096, 65_536] {
        let values: Vec<f32> = numbers(1).take(n * width).map(|x| (x % 5) as f32 - 2.0).collect();
        let squares: Vec<f64> =
            values.chunks(width).map(|row| row.iter().map(|x| f64::from(x * x)).sum()).collect();
        let p = device.features(&values, width)?;
        let errors = (1..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| {
            let of_sums = 4.0 * (width as f64 + 16.0) / f64::from(1 << 24);
            (squares[i] + squares[j]) * (1.5 / 8192.0 / 2.0 + of_sums)
        });
        let errors: Vec<f64> = errors.collect();
        let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
        let most = errors.iter().copied().fold(0.0, f64::max);
        let bounds = [(least * (1.0 - 1e-6), errors.len()), (most * (1.0 + 1e-5), 0)];
        // The second is slow with many features.
        for (error, expected) in bounds.into_iter().take(if width > 5000 { 1 } else { 2 }) {
            let mut list = device.pairs(errors.len())?;
            kernel.launch(&p, error as f32, &mut list)?;
            assert_eq!(list.download()?.len(), expected, "{width} features, {error}: {errors:?}");
        }
    }
    Ok(())
}

#[td_kernel]
unsafe fn close(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    limit: f32,
    list: &mut Pairs<f32>,
) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#" if (sum <= limit) list.push(sum); "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) - limit "#;
}

/// Equal rows, whose first product is 1 and all others less than half of its last bit: each is lost as it is added.
#[test]
fn lost_products_keep_every_pair() -> Result<()> {
    let device = simt();
    let kernel = close::load(&device)?.kernel;
    let kernel = close { kernel: kernel.pin(close::SOURCES.len() - 1) };
    let n = 3;
    for width in [4096, 65_536] {
        // Both are `f16` numbers.
        let row = std::iter::once(1.0).chain(std::iter::repeat_n(1.9375 / 8192.0, width - 1));
        let row: Vec<f32> = row.collect();
        let norm = row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() as f32;
        let (p, norm) = (device.features(&row.repeat(n), width)?, device.upload(&vec![norm; n])?);
        let mut list = device.pairs(n * n)?;
        kernel.launch(&p, &norm, 1e-4, &mut list)?;
        assert_eq!(list.download()?.len(), n * (n - 1) / 2, "{width} features");
    }
    Ok(())
}
