//! Kernels find the same neighbours with the body `lower_bound` as without, bit for bit: the emulator runs the source for tensor
//! cores.

use td_kernel::{Device, HostNearest, Result, Target, td_kernel};
use td_kernel_tests::covering::{in_turn, part};

use super::{IS_GPU, IS_LARGE, and_large, random, simt};

/// The number of neighbours, and modules of kernels with and without the body.
macro_rules! kernels {
    ($($module:ident: $k:literal, $keys:tt;)*) => {$(
        pub(crate) mod $module {
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
            pub(super) unsafe fn with_lower(
                #[each] p: &Features<f32>,
                #[fold] sum: f32,
                #[each] norm: &[f32],
                evaluated: &[u32],
                #[each] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = p.i - p.j; sum += d * d; "#;
                // A kernel with neighbours has no slice that it may write; the test itself owns the emulator's memory.
                let pair = r#"
                atomicAdd((unsigned int *)evaluated, 1u);
                near.push(sum);
                "#;
                let lower_bound = r#" norm.i + norm.j - 2.0f * dot_upper "#;
            }

            /// The kernel with one of its variants.
            pub(super) fn pinned(kernel: with_lower, text: usize) -> with_lower {
                with_lower { kernel: kernel.kernel.pin(text) }
            }

            /// Compares the neighbours; returns the number of evaluated pairs.
            pub(crate) fn compare(
                what: &str,
                device: &Device,
                values: &[f32],
                width: usize,
            ) -> Result<u32> {
                let p = device.features(values, width)?;
                let norm = device.upload(&norms(values, width))?;
                let mut near = device.nearest(p.len())?;
                let kernel = plain { kernel: plain::load(device)?.kernel.pin(0) };
                kernel.launch(&p, &mut near)?;
                let expected = near.download()?;
                let filter = with_lower::SOURCES.len() - 1;
                assert!(with_lower::SOURCES[filter].contains("with_lower_refine"));
                let kernel = pinned(with_lower::load(device)?, filter);
                let mut count = 0;
                // The blocks of a GPU run in another order each time.
                for _ in 0..if IS_GPU { 2 } else { 1 } {
                    near.clear()?;
                    let evaluated = device.upload(&[0_u32])?;
                    kernel.launch(&p, &norm, &evaluated, &mut near)?;
                    let what = format!("{what}, {} x {width}, K = {}", p.len(), $k);
                    same(&what, &near.download()?, &expected);
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
    most: 256, ();
    with_diagonal: 3, (diagonal = true);
    // Without the filter's tile size for rounds in which all pairs are evaluated.
    of_small_tiles: 10, (tile = 32);
}

pub(super) fn norms(values: &[f32], width: usize) -> Vec<f32> {
    values.chunks(width).map(|row| row.iter().map(|x| x * x).sum()).collect()
}

/// Compares indices, and values by their bits.
pub(super) fn same(what: &str, found: &HostNearest<f32>, expected: &HostNearest<f32>) {
    for ((i, indices, values), (_, of_expected, expected)) in found.rows().zip(expected.rows()) {
        let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(indices, of_expected, "{what}, element {i}: {values:?}, {expected:?}");
        assert_eq!(bits(values), bits(expected), "{what}, element {i}");
    }
}

/// Numbers from -0.5 to 0.5, all different.
pub(crate) fn uniform(seed: usize, count: usize) -> Vec<f32> {
    random(seed as u32, 1 << 24).map(|x| x as f32 / (1 << 24) as f32 - 0.5).take(count).collect()
}

#[test]
fn features_of_every_width() -> Result<()> {
    let device = simt();
    let widths = [1, 3, 4, 5, 31, 32, 33, 64, 127, 1000];
    for (turn, width) in widths.into_iter().enumerate() {
        for n in in_turn([300, 140], turn) {
            if width < 500 || n < 200 {
                ten::compare("uniform", &device, &uniform(width, n * width), width)?;
            }
        }
    }
    Ok(())
}

/// Compares the neighbours of a module's kernels.
type Compare = fn(&str, &Device, &[f32], usize) -> Result<u32>;

#[test]
fn every_n_and_k() -> Result<()> {
    let device = simt();
    for n in and_large(&[0, 1, 2, 128, 129, 257, 520], &[1000]) {
        let values = uniform(n + 3, n * 5);
        ten::compare("uniform", &device, &values, 5)?;
        let others: [Compare; 3] = [one::compare, with_diagonal::compare, of_small_tiles::compare];
        for compare in in_turn(others, n) {
            compare("uniform", &device, &values, 5)?;
        }
    }
    // More than 32 are merged in the same way, whatever their number.
    let many = [(300, 3, most::compare as Compare), (200, 33, hundred::compare)];
    for (n, width, compare) in in_turn(many, 0) {
        compare("uniform", &device, &uniform(n, n * width), width)?;
    }
    Ok(())
}

/// Of 1000 elements, most pairs are never evaluated.
#[test]
fn most_pairs_are_filtered() -> Result<()> {
    let device = simt();
    let (n, width) = (1000, 16);
    let evaluated = ten::compare("uniform", &device, &uniform(5, n * width), width)?;
    // The first round has 7 whole tiles of 128 x 127 / 2 pairs and a smaller one. Without a filter it would be all.
    let (first, all) = (7 * 128 * 127 / 2 + 104 * 103 / 2, n as u32 * (n as u32 - 1) / 2);
    assert!(evaluated > first && evaluated < first + (all - first) / 5, "{evaluated} of {all}");
    Ok(())
}

/// The features of a row are scaled if they are very large or very small.
#[test]
fn most_pairs_of_every_size_are_filtered() -> Result<()> {
    let device = simt();
    let (n, width) = (600, 16);
    let (first, all) = (4 * 128 * 127 / 2 + 88 * 87 / 2, n as u32 * (n as u32 - 1) / 2);
    let filtered = |what: &str, values: &[f32]| {
        let evaluated = ten::compare(what, &device, values, width)?;
        assert!(evaluated < first + (all - first) / 4, "{what}: {evaluated} of {all}");
        Ok::<_, td_kernel::Error>(())
    };
    let usual = uniform(5, n * width);
    for scale in [1e-11, 1e-3, 300.0, 1e5, 1e14] {
        let values: Vec<f32> = usual.iter().map(|x| x * scale).collect();
        filtered(&format!("by {scale}"), &values)?;
    }
    // One row has another size than the others.
    for (size, odd) in [(1.0, 0.0), (1.0, 1e-11), (1.0, 1e-3), (300.0, 300.0)] {
        let mut values: Vec<f32> = usual.iter().map(|x| x * size).collect();
        for x in &mut values[299 * width..300 * width] {
            *x *= odd;
        }
        filtered(&format!("by {size}, a row by {odd}"), &values)?;
    }
    Ok(())
}

/// Rows of few different values, with many equal distances; equal rows; and zeros.
#[test]
fn ties() -> Result<()> {
    let device = simt();
    for (turn, (end, width)) in [(1, 3), (2, 5), (3, 8), (3, 40)].into_iter().enumerate() {
        let n = if IS_LARGE { 1500 } else { 300 };
        let lattice: Vec<f32> = random(end, end).map(|x| x as f32).take(n * width).collect();
        let far: Vec<f32> = lattice.iter().map(|x| x + 1000.0).collect();
        let cases: [(_, _, Compare); 3] = [
            ("lattice", &lattice, ten::compare),
            ("lattice far away", &far, ten::compare),
            ("lattice", &lattice, most::compare),
        ];
        for (what, values, compare) in part(&cases, 2, turn) {
            compare(what, &device, values, width)?;
        }
    }
    // Pairs of equal rows, far from each other.
    let some = uniform(9, 150 * 7);
    ten::compare("twice", &device, &[some.clone(), some].concat(), 7)?;
    Ok(())
}

/// Norms from the smallest to the largest whose squares are floats, and past them; and NaN.
#[test]
fn numbers_of_every_size() -> Result<()> {
    let device = simt();
    let (n, width) = (if IS_LARGE { 700 } else { 300 }, 6);
    // Without the feature `every`, every second one, including the first and the last.
    let scales = [1e-38, 1e-30, 1e-20, 1e-12, 1e-9, 1e-3, 1.0, 1e3, 1e9, 1e15, 1e18, 1e20, 1e38];
    for scale in part(&scales, 2, 0) {
        let values: Vec<f32> = uniform(7, n * width).iter().map(|x| x * scale).collect();
        ten::compare(&format!("by {scale}"), &device, &values, width)?;
    }
    // All of these beside each other.
    let mixed: Vec<f32> = uniform(8, n * width)
        .iter()
        .enumerate()
        .map(|(at, x)| x * 10.0_f32.powi((at / width % 57) as i32 - 38))
        .collect();
    ten::compare("of all sizes", &device, &mixed, width)?;
    // Some rows are zero, or contain a NaN or an extreme value.
    for odd in [0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-45]
    {
        let mut values = uniform(9, n * width);
        for at in (0..n).step_by(7) {
            values[at * width + at % width] = odd;
        }
        for at in (3..n).step_by(11) {
            values[at * width..(at + 1) * width].fill(odd);
        }
        ten::compare(&format!("with {odd}"), &device, &values, width)?;
    }
    Ok(())
}

/// Rows whose product has the maximum rounding error, and pairs on both sides of the bound: the values are half way between two
/// `f16` numbers, all above or all below, and some differ by a last bit.
#[test]
fn pairs_at_the_margin() -> Result<()> {
    let device = simt();
    let n = if IS_LARGE { 1500 } else { 300 };
    for width in and_large(&[1, 16, 64], &[200]) {
        let bases = [(1, 0x3f80_1000_u32), (2, 0x3f80_0fff), (3, 0x3fff_f000)];
        for (turn, (seed, base)) in bases.into_iter().enumerate() {
            let values: Vec<f32> = random(seed, 8)
                .take(n * width)
                .map(|x| f32::from_bits(base + x % 4) * if x < 4 { 1.0 } else { -1.0 })
                .collect();
            let near: Vec<f32> = values.iter().map(|x| x.abs()).collect();
            let cases = [("half way", &values), ("half way, all near", &near)];
            for (what, values) in in_turn(cases, turn + width) {
                ten::compare(what, &device, values, width)?;
            }
        }
    }
    Ok(())
}

/// All nearer pairs come later: queues fill, and rounds are repeated.
#[test]
fn data_in_the_worst_order() -> Result<()> {
    let device = simt();
    let n = if IS_LARGE { 4000 } else { 1300 };
    for sign in [1.0, -1.0] {
        // Each is nearer to later ones than to earlier ones.
        for away in in_turn([0.0, 1e6], usize::from(sign < 0.0)) {
            let value = |at: usize| away + (sign * 14.0 * at as f32 / n as f32).exp();
            let values: Vec<f32> = (0..n).map(value).collect();
            ten::compare(&format!("exponential, {away} away"), &device, &values, 1)?;
        }
    }
    Ok(())
}

/// In the last rounds a block has a row of tiles with several columns, if there are more tiles than the blocks that keep the
/// GPU busy, as the report shows. Features have one part, two, which the block keeps, and three, which it does not. Without the
/// feature `every`, only three are tested here; two sets and lists test the others.
#[test]
fn blocks_meet_several_columns() -> Result<()> {
    if IS_GPU {
        // It runs so many blocks at a time that no block has several columns here.
        return Ok(());
    }
    let (emulator, cpu) = (simt(), Device::cpu()?);
    for (n, width) in in_turn([(2900, 150), (5120, 3), (2900, 100)], 0) {
        // Their squared differences, and sums of these, are exact in any order.
        let values: Vec<f32> = random(9, 200).map(|x| x as f32).take(n * width).collect();
        let filter = ten::with_lower::SOURCES.len() - 1;
        let kernel = ten::pinned(ten::with_lower::load(&emulator)?, filter);
        let rows = n.div_ceil(128) as u32;
        let grids = kernel.report(n)?.grids;
        // With h columns per block, a grid is h - 1 blocks wider.
        assert!(grids.iter().any(|&[x, _]| x > rows), "{n} x {width}: {grids:?}");
        let find = |device: &Device, kernel: ten::with_lower| {
            let (p, norm) =
                (device.features(&values, width)?, device.upload(&norms(&values, width))?);
            let mut near = device.nearest(n)?;
            kernel.launch(&p, &norm, &device.upload(&[0_u32])?, &mut near)?;
            near.download()
        };
        let expected = find(&cpu, ten::with_lower::load(&cpu)?)?;
        same(&format!("{n} x {width}"), &find(&emulator, kernel)?, &expected);
    }
    Ok(())
}

#[td_kernel]
unsafe fn cosines(
    #[each] p: &Features<f32>,
    #[fold] dot: f32,
    #[fold(start = "1")] one: u32,
    #[each] norm: &[[f32; 2]],
    scale: f32,
    weights: &[f32],
    #[each] near: &mut Nearest<f32, 5>,
) {
    let feature = r#" dot = fmaf(p.i, p.j, dot); one += k == features; "#;
    let pair = r#"
    if ((i + j) % 3)
        near.push(-scale * weights[0] * dot * norm.i.y * norm.j.y * one);
    "#;
    let lower_bound = r#"
        (i + j) % 3 == 0
            ? INFINITY // never pushed
            : -scale * weights[weights_length - 1] * (1 + 1e-6f) * fmaxf(dot_upper, 0) * norm.i.y * norm.j.y
              - (n + features) * 1e-9f
    "#;
}

/// Everything that the body can use, with a `pair` body that pushes some pairs only.
#[test]
fn lower_uses_every_input() -> Result<()> {
    let device = simt();
    let (n, width) = (400, 9);
    let values: Vec<f32> = uniform(4, n * width).iter().map(|x| x + 0.5).collect();
    let p = device.features(&values, width)?;
    let norms: Vec<[f32; 2]> =
        norms(&values, width).iter().map(|norm| [*norm, 1.0 / norm.sqrt()]).collect();
    let (norms, weights) = (device.upload(&norms)?, device.upload(&[1.0_f32])?);
    let mut found = Vec::new();
    for text in [0, cosines::SOURCES.len() - 1] {
        let mut near = device.nearest(n)?;
        let kernel = cosines { kernel: cosines::load(&device)?.kernel.pin(text) };
        kernel.launch(&p, &norms, 2.0, &weights, &mut near)?;
        found.push(near.download()?);
    }
    same("cosines", &found[1], &found[0]);
    // The CPU's loops ignore it, and compile.
    let mut near = Device::cpu()?.nearest(0)?;
    let device = Device::cpu()?;
    let empty: [f32; 0] = [];
    let nothing = device.features(&empty, width)?;
    let (norms, weights) = (device.upload::<[f32; 2]>(&[])?, device.upload(&[1.0_f32])?);
    cosines::load(&device)?.launch(&nothing, &norms, 2.0, &weights, &mut near)?;
    assert!(near.is_empty());
    Ok(())
}

/// A launch continues from another one's neighbours, and several devices find the same.
#[test]
fn relaunch_and_several_devices() -> Result<()> {
    let (n, width) = (600, 7);
    let (first, second) = (uniform(1, n * width), uniform(2, n * width));
    let run = |device: &Target, text: usize| {
        let mut near = device.nearest(n)?;
        for values in [&first, &second, &first] {
            let evaluated = device.upload(&[0])?;
            let norm = device.upload(&norms(values, width))?;
            let kernel = ten::with_lower::load(device)?;
            let kernel = ten::pinned(kernel, text);
            kernel.launch(&device.features(values, width)?, &norm, &evaluated, &mut near)?;
        }
        near.download()
    };
    let one = simt();
    let expected = run(&one, 0)?;
    let filter = ten::with_lower::SOURCES.len() - 1;
    same("one device", &run(&one, filter)?, &expected);
    let several = td_kernel::Devices::new([0, 1, 2].map(|_| one.clone()))?;
    same("three devices", &run(&several, filter)?, &expected);
    Ok(())
}

/// `tune` times the filter, too; a report names it.
#[test]
fn filter_is_one_of_the_variants() -> Result<()> {
    let device = simt();
    let kernel = one::with_lower::load(&device)?;
    assert_eq!(kernel.report(5024)?.sweep.name(), "filter");
    assert_eq!(kernel.report(5023)?.sweep.name(), "fold");
    let values = uniform(1, 140);
    let (p, norm) = (device.features(&values, 1)?, device.upload(&norms(&values, 1))?);
    let (evaluated, zeros) = (device.upload(&[0])?, [0.0; 140]);
    let (mut near, mut expected) = (device.nearest(140)?, device.nearest(140)?);
    let (same_p, same_norm) = (device.features(&zeros, 1)?, device.upload(&zeros)?);
    kernel.launch(&same_p, &same_norm, &evaluated, &mut near)?;
    let tuned = kernel.tune(&p, &norm, &evaluated, &mut near)?;
    assert_eq!(tuned.times.len(), one::with_lower::SOURCES.len());
    assert!(tuned.times.iter().any(|(name, _)| name.contains("sweep filter")), "{tuned}");
    // Each launch has searched for all neighbours, and kept none of those at distance 0.
    kernel.launch(&p, &norm, &evaluated, &mut expected)?;
    same("tuned", &near.download()?, &expected.download()?);
    Ok(())
}
