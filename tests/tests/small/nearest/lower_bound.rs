//! Kernels over features find the same neighbours with the body `lower_bound` as without, bit for bit, of numbers whose products tensor
//! cores round. The emulator runs the source for tensor cores.

use td_kernel::{Device, Devices, HostNearest, Result, Target, td_kernel};
use td_kernel_tests::covering::{in_turn, part};

use super::{IS_GPU, IS_LARGE, random, simt};

/// Kernels of one set and of two. A kernel with neighbours has no slice that it may write; the test itself owns the emulator's memory.
macro_rules! kernels {
    ($($name:ident($($features:tt)*) $difference:literal $($lower:literal)?;)*) => {
        $(#[td_kernel]
        unsafe fn $name($($features)* evaluated: &[u32], #[fold] sum: f32) {
            let feature = $difference;
            let pair = r#"
            atomicAdd((unsigned int *)evaluated, 1u);
            near.push(sum);
            "#;
            $(let lower_bound = $lower;)?
        })*
    };
}

kernels! {
    plain(#[each] p: &Features<f32>, #[each] _norm: &[f32], #[each] near: &mut Nearest<f32>,)
        r#" float d = p.i - p.j; sum += d * d; "#;
    with_lower(#[each] p: &Features<f32>, #[each] norm: &[f32], #[each] near: &mut Nearest<f32>,)
        r#" float d = p.i - p.j; sum += d * d; "# r#" norm.i + norm.j - 2.0f * dot_upper "#;
    plain_of_two(
        #[row] q: &Features<f32>, #[column] p: &Features<f32>, #[row] _of_q: &[f32], #[column] _of_p: &[f32], #[row] near: &mut Nearest<f32>,
    )
        r#" float d = q - p; sum += d * d; "#;
    with_lower_of_two(
        #[row] q: &Features<f32>, #[column] p: &Features<f32>, #[row] of_q: &[f32], #[column] of_p: &[f32], #[row] near: &mut Nearest<f32>,
    )
        r#" float d = q - p; sum += d * d; "# r#" of_q + of_p - 2.0f * dot_upper "#;
}

pub(crate) fn norms(values: &[f32], width: usize) -> Vec<f32> {
    values.chunks(width).map(|row| row.iter().map(|x| x * x).sum()).collect()
}

/// Loads one of these, with the variant that filters or with the first one. The CPU has no variants.
macro_rules! load {
    ($kernel:ident, $target:expr, $filters:expr) => {{
        let last = $kernel::SOURCES.len() - 1;
        assert!(!$filters || $kernel::SOURCES[last].contains("_refine"));
        $kernel { kernel: $kernel::load($target)?.kernel.pin(if $filters { last } else { 0 }) }
    }};
}

/// Neighbours, and the number of evaluated pairs.
type Found = (HostNearest<f32>, u32);

/// The k nearest by launches over each of these in turn.
fn found(target: &Target, filters: bool, all: &[&[f32]], width: usize, k: usize) -> Result<Found> {
    let mut near = target.nearest_k(all[0].len() / width, k)?;
    let evaluated = target.upload(&[0_u32])?;
    for values in all {
        let (p, norm) = (target.features(values, width)?, target.upload(&norms(values, width))?);
        match filters {
            true => load!(with_lower, target, true).launch(&p, &norm, &mut near, &evaluated)?,
            false => load!(plain, target, false).launch(&p, &norm, &mut near, &evaluated)?,
        }
    }
    Ok((near.download()?, evaluated.download()?[0]))
}

/// The same of two sets.
fn found_of_two(
    target: &Target,
    filters: bool,
    [queries, points]: [&[f32]; 2],
    width: usize,
    k: usize,
) -> Result<Found> {
    let (q, p) = (target.features(queries, width)?, target.features(points, width)?);
    let (of_q, of_p) =
        (target.upload(&norms(queries, width))?, target.upload(&norms(points, width))?);
    let (mut near, evaluated) = (target.nearest_k(q.len(), k)?, target.upload(&[0_u32])?);
    match filters {
        true => load!(with_lower_of_two, target, true)
            .launch(&q, &p, &of_q, &of_p, &mut near, &evaluated)?,
        false => load!(plain_of_two, target, false)
            .launch(&q, &p, &of_q, &of_p, &mut near, &evaluated)?,
    }
    Ok((near.download()?, evaluated.download()?[0]))
}

/// Compares indices, and values by their bits.
fn same(what: &str, found: &HostNearest<f32>, expected: &HostNearest<f32>) {
    for ((i, indices, values), (_, of_expected, expected)) in found.rows().zip(expected.rows()) {
        let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(indices, of_expected, "{what}, element {i}: {values:?}, {expected:?}");
        assert_eq!(bits(values), bits(expected), "{what}, element {i}");
    }
}

/// Compares the neighbours; returns the number of evaluated pairs. The blocks of a GPU run in another order each time.
pub(crate) fn compare(
    device: &Device,
    what: &str,
    values: &[f32],
    width: usize,
    k: usize,
) -> Result<u32> {
    let (expected, _) = found(device, false, &[values], width, k)?;
    let mut count = 0;
    for _ in 0..if IS_GPU { 2 } else { 1 } {
        let (near, evaluated) = found(device, true, &[values], width, k)?;
        same(&format!("{what}, {} x {width}, K = {k}", near.len()), &near, &expected);
        count = evaluated;
    }
    Ok(count)
}

/// The same of two sets.
pub(crate) fn compare_of_two(
    device: &Device,
    what: &str,
    sets: [&[f32]; 2],
    width: usize,
    k: usize,
) -> Result<u32> {
    let (expected, _) = found_of_two(device, false, sets, width, k)?;
    let (near, evaluated) = found_of_two(device, true, sets, width, k)?;
    same(&format!("two sets, {what}, {width}, K = {k}"), &near, &expected);
    Ok(evaluated)
}

/// Numbers from -0.5 to 0.5, all different.
pub(crate) fn uniform(seed: usize, count: usize) -> Vec<f32> {
    random(seed as u32, 1 << 24).map(|x| x as f32 / (1 << 24) as f32 - 0.5).take(count).collect()
}

/// Most pairs are never evaluated, also if features are very large or small, or those of one row are.
#[test]
fn most_pairs_are_filtered() -> Result<()> {
    let device = simt();
    let (n, width) = (600, 16);
    // The first round has 4 whole tiles of 128 x 127 / 2 pairs and a smaller one. Without a filter it would be all.
    let (first, all) = (4 * 128 * 127 / 2 + 88 * 87 / 2, n as u32 * (n as u32 - 1) / 2);
    let usual = uniform(5, n * width);
    let rows = [1e-11, 1e-3, 1.0, 300.0, 1e5, 1e14].map(|size| (size, 1.0));
    for (size, odd) in
        rows.into_iter().chain([(1.0, 0.0), (1.0, 1e-11), (1.0, 1e-3), (300.0, 300.0)])
    {
        let mut values: Vec<f32> = usual.iter().map(|x| x * size).collect();
        values[299 * width..300 * width].iter_mut().for_each(|x| *x *= odd);
        let evaluated = compare(&device, "filtered", &values, width, 8)?;
        assert!(
            evaluated > first && evaluated < first + (all - first) / 4,
            "by {size}, a row by {odd}: {evaluated} of {all}"
        );
    }
    // In the first round each row meets one tile of columns, and without a filter all of them.
    let (q, p) = (uniform(1, 200 * width), uniform(2, 2000 * width));
    let evaluated = compare_of_two(&device, "filtered", [&q, &p], width, 8)?;
    assert!((200 * 128..200 * (128 + 1872 / 4)).contains(&evaluated), "{evaluated}");
    Ok(())
}

/// Norms from the smallest to the largest whose squares are floats, and past them; NaN; ties; and rows whose products have the maximum
/// rounding error: half way between two `f16` numbers, all above or all below.
#[test]
fn hard_numbers() -> Result<()> {
    let device = simt();
    let (n, width) = (if IS_LARGE { 700 } else { 300 }, 6);
    let mut cases: Vec<(String, Vec<f32>)> = Vec::new();
    let scales = [1e-38, 1e-30, 1e-20, 1e-12, 1e-9, 1e-3, 1.0, 1e3, 1e9, 1e15, 1e18, 1e20, 1e38];
    for scale in part(&scales, 2, 0) {
        let values = uniform(7, n * width).iter().map(|x| x * scale).collect();
        cases.push((format!("by {scale}"), values));
    }
    let mixed = uniform(8, n * width).into_iter().enumerate();
    let mixed = mixed.map(|(at, x)| x * 10.0_f32.powi((at / width % 57) as i32 - 38));
    cases.push(("of all sizes".to_owned(), mixed.collect()));
    for odd in [0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-45]
    {
        let mut values = uniform(9, n * width);
        for at in (0..n).step_by(7) {
            values[at * width + at % width] = odd;
        }
        for at in (3..n).step_by(11) {
            values[at * width..(at + 1) * width].fill(odd);
        }
        cases.push((format!("with {odd}"), values));
    }
    for away in [0.0, 1000.0] {
        let lattice = random(2, 2).map(|x| x as f32 + away).take(n * width).collect();
        cases.push((format!("a lattice, {away} away"), lattice));
    }
    for (seed, base) in [(1, 0x3f80_1000_u32), (2, 0x3f80_0fff), (3, 0x3fff_f000)] {
        let number = |x: u32| f32::from_bits(base + x % 4) * if x < 4 { 1.0 } else { -1.0 };
        cases.push(("half way".to_owned(), random(seed, 8).take(n * width).map(number).collect()));
    }
    for (turn, (what, values)) in cases.iter().enumerate() {
        compare(&device, what, values, width, if turn % 4 == 0 { 256 } else { 10 })?;
        let (own, usual) = (&values[..n / 2 * width], uniform(4, n * width));
        for sets in in_turn([[own, values], [own, &usual], [&usual, values]], turn) {
            compare_of_two(&device, what, sets, width, 10)?;
        }
    }
    Ok(())
}

/// All nearer pairs come later: queues fill, and rounds are repeated.
#[test]
fn data_in_the_worst_order() -> Result<()> {
    let device = simt();
    let n = if IS_LARGE { 4000 } else { 1300 };
    for (sign, away) in [(1.0, 0.0), (-1.0, 1e6)] {
        // Each is nearer to later ones than to earlier ones.
        let value = |at: usize| away + (sign * 14.0 * at as f32 / n as f32).exp();
        compare(&device, "exponential", &(0..n).map(value).collect::<Vec<f32>>(), 1, 10)?;
    }
    let nearer: Vec<f32> = (0..n).rev().map(|at| at as f32).collect();
    compare_of_two(&device, "worst order", [&[0.0; 130], &nearer], 1, 10)?;
    Ok(())
}

/// In the last rounds a block has a row of tiles with several columns, if there are more tiles than the blocks that keep the GPU busy, as
/// the report shows. Features have one part, two, which the block keeps, and three, which it does not. Without the feature `every`, one set
/// has three, two sets have two, and lists have one.
#[test]
fn blocks_meet_several_columns() -> Result<()> {
    if IS_GPU {
        // It runs so many blocks at a time that no block has several columns here.
        return Ok(());
    }
    let (emulator, cpu) = (simt(), Device::cpu()?);
    // Their squared differences, and sums of these, are exact in any order.
    let numbers = |count| random(9, 200).map(|x| x as f32).take(count).collect::<Vec<_>>();
    for (n, width) in in_turn([(2900, 150), (5120, 3), (2900, 100)], 0) {
        let (values, rows) = (numbers(n * width), n.div_ceil(128) as u32);
        let grids = load!(with_lower, &emulator, true).report(n)?.grids;
        // With h columns per block, a grid is h - 1 blocks wider.
        assert!(grids.iter().any(|&[x, _]| x > rows), "{n} x {width}: {grids:?}");
        let expected = found(&cpu, false, &[&values], width, 10)?.0;
        same("columns", &found(&emulator, true, &[&values], width, 10)?.0, &expected);
    }
    let (rows, columns) = (700_usize, 5000_usize);
    for width in in_turn([100, 10, 150], 0) {
        let grids = load!(with_lower_of_two, &emulator, true).report(rows, columns)?.grids;
        // A row of blocks for some of the columns of a round.
        let blocks: u32 = grids.iter().map(|[x, y]| x * y).sum();
        assert!(blocks < (rows.div_ceil(128) * columns.div_ceil(128)) as u32, "{grids:?}");
        let all = numbers((rows + columns) * width);
        let (queries, points) = all.split_at(rows * width);
        let expected = found_of_two(&cpu, false, [queries, points], width, 10)?.0;
        let found = found_of_two(&emulator, true, [queries, points], width, 10)?.0;
        same("columns of two sets", &found, &expected);
    }
    Ok(())
}

/// A launch continues from another one's neighbours, and several devices find the same: they share rows, or columns if there are few rows.
#[test]
fn launches_continue_and_devices_agree() -> Result<()> {
    let (one, several) = (simt(), Devices::new(vec![simt(); 3])?);
    let (first, second) = (uniform(1, 600 * 7), uniform(2, 600 * 7));
    let all = [&first[..], &second, &first];
    let expected = found(&one, false, &all, 7, 10)?.0;
    same("one device", &found(&one, true, &all, 7, 10)?.0, &expected);
    same("three devices", &found(&several, true, &all, 7, 10)?.0, &expected);
    for (rows, columns) in [(768, 900), (20, 900)] {
        let (q, p) = (uniform(1, rows * 7), uniform(2, columns * 7));
        let expected = found_of_two(&one, false, [&q, &p], 7, 10)?.0;
        same("three devices", &found_of_two(&several, true, [&q, &p], 7, 10)?.0, &expected);
    }
    Ok(())
}

/// It is chosen by the number of pairs, if there are enough rows. `tune` times the filter, too.
#[test]
fn filter_is_one_of_the_variants() -> Result<()> {
    let device = simt();
    let (kernel, of_two) = (with_lower::load(&device)?, with_lower_of_two::load(&device)?);
    let name = |n| Ok::<_, td_kernel::Error>(kernel.report(n)?.sweep.name());
    assert_eq!((name(5023)?, name(5024)?), ("fold", "filter"));
    let sizes = [
        (256, 49_297, "fold"),
        (256, 49_298, "filter"),
        (121, 1_000_000, "fold"),
        (9000, 1400, "fold"),
        (9000, 1410, "filter"),
    ];
    for (rows, columns, name) in sizes {
        assert_eq!(of_two.report(rows, columns)?.sweep.name(), name, "{rows} x {columns}");
    }
    let values = uniform(1, 140);
    let (p, norm) = (device.features(&values, 1)?, device.upload(&norms(&values, 1))?);
    let (mut near, evaluated) = (device.nearest_k(140, 1)?, device.upload(&[0])?);
    let (same_p, zeros) = (device.features(&[0.0; 140], 1)?, device.upload(&[0.0; 140])?);
    kernel.launch(&same_p, &zeros, &mut near, &evaluated)?;
    let tuned = kernel.tune(&p, &norm, &mut near, &evaluated)?;
    assert_eq!(tuned.times.len(), with_lower::SOURCES.len());
    assert!(tuned.times.iter().any(|(name, _)| name.contains("sweep filter")), "{tuned}");
    // Each launch has searched for all neighbours, and kept none of those at distance 0.
    same("tuned", &near.download()?, &found(&device, true, &[&values], 1, 1)?.0);
    Ok(())
}
