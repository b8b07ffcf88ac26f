//! Kernels of lists and results of elements find with the body `lower_bound` what they find without, of numbers whose products tensor cores
//! round: the emulator runs their source. The pairs that are evaluated are few.

use td_kernel::{Device, Result, td_kernel};
use td_kernel_tests::covering::in_turn;

use super::nearest::lower_bound::{norms, uniform};
use super::nearest::random;
use super::simt;

#[td_kernel]
pub(super) unsafe fn close(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    limit: f32,
    list: &mut Pairs<f32>,
    #[each] degree: &mut Sums<u32>,
    evaluated: &mut Sum<u64>,
) {
    let feature = r#" float d = p.i - p.j; sum += d * d; "#;
    let pair = r#"
    evaluated += 1;
    if (sum <= limit) {
        list.push(sum);
        degree.i += 1;
        degree.j += 1;
    }
    "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) - limit "#;
}

/// The kernel's first variant, or the last one, which filters.
pub(super) fn pinned(device: &Device, filters: bool) -> Result<close> {
    let last = close::SOURCES.len() - 1;
    assert!(close::SOURCES[last].contains("_prepare("));
    Ok(close { kernel: close::load(device)?.kernel.pin(if filters { last } else { 0 }) })
}

/// The pairs with the bits of their values, the degrees, and the number of evaluated pairs.
type Found = (Vec<([u32; 2], u32)>, Vec<u32>, u64);

/// Those that this variant finds, with room for as many pairs, or for all.
fn find(
    device: &Device,
    filters: bool,
    values: &[f32],
    width: usize,
    limit: f32,
    room: Option<usize>,
) -> Result<Found> {
    let (p, norm) = (device.features(values, width)?, device.upload(&norms(values, width))?);
    let (n, kernel) = (p.len(), pinned(device, filters)?);
    let mut list = device.pairs(room.unwrap_or(n * n.saturating_sub(1) / 2))?;
    let (mut degree, mut evaluated) = (device.sums(n)?, device.sum()?);
    kernel.launch(&p, &norm, limit, &mut list, &mut degree, &mut evaluated)?;
    let list = list.download()?;
    let mut pairs: Vec<_> = list.iter().map(|(pair, value)| (pair, value.to_bits())).collect();
    pairs.sort_unstable();
    Ok((pairs, degree.download()?, evaluated.download()?))
}

/// Compares the results with the filter and without. Returns the numbers of pairs that are found and evaluated with it.
pub(crate) fn compare(
    device: &Device,
    what: &str,
    values: &[f32],
    width: usize,
    limit: f32,
) -> Result<[u64; 2]> {
    let expected = find(device, false, values, width, limit, None)?;
    let (pairs, degrees, evaluated) = find(device, true, values, width, limit, None)?;
    let count = pairs.len();
    assert!(
        (pairs, degrees) == (expected.0, expected.1),
        "{what}, width {width}, within {limit}: {count} pairs"
    );
    Ok([count as u64, evaluated])
}

/// The squared distance below which about one of `one_of` pairs of uniform numbers is.
fn within(values: &[f32], width: usize, one_of: usize) -> f32 {
    let rows: Vec<_> = values.chunks(width).collect();
    let square = |two: &[&[f32]]| two[0].iter().zip(two[1]).map(|(x, y)| (x - y) * (x - y)).sum();
    let mut all: Vec<f32> = rows.windows(2).map(square).collect();
    all.sort_by(f32::total_cmp);
    all[all.len() / one_of]
}

/// With few pairs near each other, few are evaluated. With all near, a block evaluates them whenever its list is full.
#[test]
fn no_pairs_or_all_are_evaluated() -> Result<()> {
    let device = simt();
    let (n, width) = (600, 16);
    let values = uniform(5, n * width);
    let all = (n * (n - 1) / 2) as u64;
    let [found, evaluated] = compare(&device, "near", &values, width, 0.4)?;
    assert!(found > 0 && evaluated < found + all / 100, "{found}, {evaluated} of {all}");
    let [found, evaluated] = compare(&device, "none", &values, width, -1.0)?;
    assert!(found == 0 && evaluated < all / 100, "{evaluated} of {all}");
    for limit in [1e9, f32::INFINITY] {
        assert_eq!(compare(&device, "all", &values, width, limit)?, [all, all]);
    }
    // A full list is the same error.
    let errors = [true, false].map(|filters| {
        find(&device, filters, &values, width, 1e9, Some(10)).unwrap_err().to_string()
    });
    assert_eq!(errors[0], errors[1]);
    assert!(errors[0].contains("the capacity is 10"), "{}", errors[0]);
    Ok(())
}

/// A block has several columns if there are more tiles than the blocks that keep the GPU busy. Without the feature `every`
/// features have one part.
#[test]
fn blocks_meet_several_columns() -> Result<()> {
    let device = simt();
    for (n, width) in in_turn([(2900, 3), (1500, 150), (1500, 100)], 0) {
        let values = uniform(7, n * width);
        let [found, evaluated] =
            compare(&device, "uniform", &values, width, within(&values, width, 300))?;
        assert!(found > 0 && evaluated < (n * n / 4) as u64, "{found} {evaluated}");
        // Every second tile has rows so small that they have a scale.
        let is_small = |at: usize| at / width / 128 % 2 == 1;
        let some =
            values.iter().enumerate().map(|(at, x)| if is_small(at) { x * 1e-3 } else { *x });
        compare(&device, "some are small", &some.collect::<Vec<_>>(), width, 0.02)?;
    }
    Ok(())
}

/// The limit is the distance of some pair, which is included; and the next number, with which it is not. Numbers are half way between two
/// `f16` numbers, all above or all below: products have the maximum rounding error.
#[test]
fn pairs_at_the_limit() -> Result<()> {
    let device = simt();
    let (n, width) = (200, 12);
    for (seed, base) in [(1, 0x3f80_1000_u32), (2, 0x3f80_0fff), (3, 0x3fff_f000)] {
        let number = |x: u32| f32::from_bits(base + x % 4) * if x < 4 { 1.0 } else { -1.0 };
        let values: Vec<f32> = random(seed, 8).take(n * width).map(number).collect();
        let (all, ..) = find(&device, false, &values, width, f32::MAX, None)?;
        for k in (0..all.len()).step_by(all.len() / 5) {
            let limit = f32::from_bits(all[k].1);
            for limit in [limit, limit.next_down(), limit.next_up()] {
                compare(&device, "half way", &values, width, limit)?;
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
        compare(&device, &format!("by {scale}"), &values, width, within(&values, width, 4))?;
    }
    let mixed = uniform(8, n * width).into_iter().enumerate();
    let mixed = mixed.map(|(at, x)| x * 10.0_f32.powi((at / width % 57) as i32 - 38));
    let mixed: Vec<f32> = mixed.collect();
    for limit in [1e-30, 1e-9, 1.0, 1e12, f32::NAN] {
        compare(&device, "of all sizes", &mixed, width, limit)?;
    }
    for odd in [0.0, f32::NAN, f32::INFINITY, f32::MAX, 1e-45] {
        let mut values = uniform(9, n * width);
        for at in (0..n).step_by(7) {
            values[at * width + at % width] = odd;
        }
        compare(&device, &format!("with {odd}"), &values, width, 0.3)?;
    }
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
        let values: Vec<f32> = random(1, 5).take(n * width).map(|x| x as f32 - 2.0).collect();
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

/// Equal rows, whose first product is 1 and all others less than half of its last bit: each is lost as it is added.
#[test]
fn lost_products_keep_every_pair() -> Result<()> {
    let device = simt();
    for width in [4096, 65_536] {
        // Both are `f16` numbers.
        let row = std::iter::once(1.0).chain(std::iter::repeat_n(1.9375 / 8192.0, width - 1));
        let row: Vec<f32> = row.collect();
        let (pairs, ..) = find(&device, true, &row.repeat(3), width, 1e-4, None)?;
        assert_eq!(pairs.len(), 3, "{width} features");
    }
    Ok(())
}
