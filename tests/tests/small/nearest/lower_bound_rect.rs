//! The nearest neighbours in another set, with and without the body `lower_bound`: the same, bit for bit.

use td_kernel::{Device, Devices, HostNearest, Result, Target, td_kernel};
use td_kernel_tests::covering::{in_turn, part};

use super::lower_bound::{norms, same, uniform};
use super::{IS_GPU, IS_LARGE, and_large, random, simt};

macro_rules! kernels {
    ($($module:ident: $k:literal, $keys:tt;)*) => {$(
        pub(crate) mod $module {
            use super::*;

            #[td_kernel $keys]
            pub(super) unsafe fn plain(
                #[row] q: &Features<f32>,
                #[column] p: &Features<f32>,
                #[fold] sum: f32,
                #[row] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = q - p; sum += d * d; "#;
                let pair = r#" near.push(sum); "#;
            }

            #[td_kernel $keys]
            pub(super) unsafe fn with_lower(
                #[row] q: &Features<f32>,
                #[column] p: &Features<f32>,
                #[fold] sum: f32,
                #[row] q_norm: &[f32],
                #[column] p_norm: &[f32],
                evaluated: &[u32],
                #[row] near: &mut Nearest<f32, $k>,
            ) {
                let feature = r#" float d = q - p; sum += d * d; "#;
                // A kernel with neighbours has no slice that it may write; the test itself owns the emulator's memory.
                let pair = r#"
                atomicAdd((unsigned int *)evaluated, 1u);
                near.push(sum);
                "#;
                let lower_bound = r#" q_norm + p_norm - 2.0f * dot_upper "#;
            }

            /// The kernel with the filtering variant.
            pub(super) fn filtering(device: &Target) -> Result<with_lower> {
                let filter = with_lower::SOURCES.len() - 1;
                assert!(with_lower::SOURCES[filter].contains("with_lower_refine"));
                Ok(with_lower { kernel: with_lower::load(device)?.kernel.pin(filter) })
            }

            /// The neighbours on `device` with the body `lower_bound`, and the number of evaluated pairs.
            pub(super) fn found(
                device: &Target,
                [queries, points]: [&[f32]; 2],
                width: usize,
            ) -> Result<(HostNearest<f32>, u32)> {
                let (q, p) = (device.features(queries, width)?, device.features(points, width)?);
                let norms = [queries, points].map(|values| device.upload(&norms(values, width)));
                let [q_norm, p_norm] = norms;
                let evaluated = device.upload(&[0_u32])?;
                let mut near = device.nearest(q.len())?;
                filtering(device)?.launch(&q, &p, &q_norm?, &p_norm?, &evaluated, &mut near)?;
                Ok((near.download()?, evaluated.download()?[0]))
            }

            /// Compares the neighbours; returns the number of evaluated pairs.
            pub(crate) fn compare(
                what: &str,
                device: &Device,
                [queries, points]: [&[f32]; 2],
                width: usize,
            ) -> Result<u32> {
                let (q, p) = (device.features(queries, width)?, device.features(points, width)?);
                let mut near = device.nearest(q.len())?;
                let kernel = plain { kernel: plain::load(device)?.kernel.pin(0) };
                kernel.launch(&q, &p, &mut near)?;
                let (found, evaluated) = found(device, [queries, points], width)?;
                let what = format!("{what}, {} x {} of {width}, K = {}", q.len(), p.len(), $k);
                same(&what, &found, &near.download()?);
                Ok(evaluated)
            }
        }
    )*};
}

kernels! {
    one: 1, ();
    ten: 10, ();
    most: 256, ();
    of_small_tiles: 10, (tile = 32);
}

#[test]
fn every_shape() -> Result<()> {
    let device = simt();
    let sizes = [(0, 5), (5, 0), (1, 1), (3, 400), (400, 3), (129, 257), (128, 384), (300, 130)];
    let sizes = and_large(&sizes, &[(3, 4000), (4000, 3), (700, 2000)]);
    for (turn, (rows, columns)) in sizes.into_iter().enumerate() {
        let width = 5;
        let (q, p) = (uniform(rows, rows * width), uniform(columns + 7, columns * width));
        ten::compare("uniform", &device, [&q, &p], width)?;
        let others = [one::compare, most::compare, of_small_tiles::compare];
        for compare in in_turn(others, turn) {
            compare("uniform", &device, [&q, &p], width)?;
        }
    }
    Ok(())
}

#[test]
fn features_of_every_width() -> Result<()> {
    let device = simt();
    for width in [1, 3, 4, 31, 32, 33, 64, 127, 1000] {
        let (q, p) = (uniform(width, 140 * width), uniform(width + 1, 290 * width));
        ten::compare("uniform", &device, [&q, &p], width)?;
    }
    Ok(())
}

/// Of 2000 points most are never evaluated.
#[test]
fn most_pairs_are_filtered() -> Result<()> {
    let device = simt();
    let (rows, columns, width) = (200, 2000, 16);
    let (q, p) = (uniform(1, rows * width), uniform(2, columns * width));
    let evaluated = ten::compare("uniform", &device, [&q, &p], width)?;
    // In the first round each row meets one tile of columns, and without a filter all of them.
    let (first, all) = (rows as u32 * 128, (rows * columns) as u32);
    assert!(evaluated >= first && evaluated < first + (all - first) / 4, "{evaluated} of {all}");
    Ok(())
}

/// Repeated values, queries that are points too, numbers of every magnitude, and columns in the worst order, each nearer than
/// earlier ones.
#[test]
fn every_kind_of_data() -> Result<()> {
    let device = simt();
    let (rows, columns, width) = (150, 400, 6);
    let lattice: Vec<f32> = random(3, 3).map(|x| x as f32).take(columns * width).collect();
    ten::compare("lattice", &device, [&lattice[..rows * width], &lattice], width)?;
    most::compare("lattice", &device, [&lattice[..rows * width], &lattice], width)?;
    let scales = part(&[1e-38, 1e-20, 1e-9, 1e9, 1e18, 1e20, 1e38], 2, 0);
    for (turn, scale) in scales.into_iter().enumerate() {
        let values = |seed, count| -> Vec<f32> {
            uniform(seed, count * width).iter().map(|x| x * scale).collect()
        };
        let (q, p) = (values(4, rows), values(5, columns));
        let usual = uniform(6, columns * width);
        let cases = [("", [&q, &p]), ("rows ", [&q, &usual]), ("columns ", [&usual, &q])];
        for (which, [q, p]) in in_turn(cases, turn) {
            ten::compare(&format!("{which}by {scale}"), &device, [q, p], width)?;
        }
    }
    for odd in [0.0, f32::NAN, f32::INFINITY, f32::MAX] {
        let (mut q, mut p) = (uniform(7, rows * width), uniform(8, columns * width));
        for values in [&mut q, &mut p] {
            values.iter_mut().step_by(23).for_each(|value| *value = odd);
        }
        ten::compare(&format!("with {odd}"), &device, [&q, &p], width)?;
    }
    let columns = if IS_LARGE { 4000 } else { 1300 };
    let nearer: Vec<f32> = (0..columns).rev().map(|at| at as f32).collect();
    ten::compare("worst order", &device, [&[0.0; 130], &nearer], 1)?;
    Ok(())
}

/// Everything that the body can use.
#[td_kernel]
unsafe fn cosines(
    #[row] q: &Features<f32>,
    #[column] p: &Features<f32>,
    #[fold] dot: f32,
    #[row] of_q: &[[f32; 2]],
    #[column] of_p: &[f32],
    weights: &[f32],
    #[row] near: &mut Nearest<f32, 5>,
) {
    let feature = r#" dot = fmaf(q, p, dot); "#;
    let pair = r#"
    if ((i + j) % 3)
        near.push(-weights[0] * dot * of_q.y * of_p);
    "#;
    let lower_bound = r#"
        (i + j) % 3 == 0
            ? INFINITY // never pushed
            : -weights[weights_length - 1] * (1 + 1e-6f) * fmaxf(dot_upper, 0) * of_q.y * of_p
              - (rows + columns + features) * 1e-9f
    "#;
}

#[test]
fn lower_uses_every_input() -> Result<()> {
    let (rows, columns, width) = (140, 300, 9);
    let positive = |seed, count| -> Vec<f32> {
        uniform(seed, count * width).iter().map(|x| x + 0.5).collect()
    };
    let (q, p) = (positive(4, rows), positive(5, columns));
    let roots = |values: &[f32]| norms(values, width).into_iter().map(|norm| 1.0 / norm.sqrt());
    let of_q: Vec<[f32; 2]> = roots(&q).map(|root| [0.0, root]).collect();
    let of_p: Vec<f32> = roots(&p).collect();
    let run = |device: &Device, text: Option<usize>| {
        let kernel = cosines::load(device)?;
        let kernel = match text {
            Some(text) => cosines { kernel: kernel.kernel.pin(text) },
            None => kernel,
        };
        let (q, p) = (device.features(&q, width)?, device.features(&p, width)?);
        let (of_q, of_p) = (device.upload(&of_q)?, device.upload(&of_p)?);
        let mut near = device.nearest(rows)?;
        kernel.launch(&q, &p, &of_q, &of_p, &device.upload(&[1.0])?, &mut near)?;
        near.download()
    };
    let device = simt();
    let expected = run(&device, Some(0))?;
    same("cosines", &run(&device, Some(cosines::SOURCES.len() - 1))?, &expected);
    // The CPU's loops ignore it, and round differently from the emulator's source.
    for ((i, found, _), (_, expected, _)) in run(&Device::cpu()?, None)?.rows().zip(expected.rows())
    {
        assert_eq!(found.len(), expected.len(), "element {i}");
    }
    Ok(())
}

/// The smallest products, where those above 1 are equal, with the columns' parameters first.
#[td_kernel]
unsafe fn products(
    #[column] p: &Features<f32>,
    #[column] weight: &[f32],
    #[fold] dot: f32,
    #[row] q: &Features<f32>,
    #[row] near: &mut Nearest<f32, 4>,
) {
    let feature = r#" dot = fmaf(q, p, dot); "#;
    let pair = r#" near.push(fminf(dot, 1) * weight); "#;
    let lower_bound = r#" fminf(dot_lower, 1) * weight "#;
}

/// A later launch finds the nearest of both launches.
#[test]
fn columns_first_and_relaunch() -> Result<()> {
    let device = simt();
    let (rows, columns, width) = (140, 600, 6);
    let mut q = uniform(1, rows * width);
    // The norm of one row is past the limit: its products have no bounds.
    q[..width].iter_mut().for_each(|x| *x *= 1e16);
    let q = device.features(&q, width)?;
    let weights: Vec<f32> = (0..columns).map(|j| 1.0 + (j % 5) as f32).collect();
    let weights = device.upload(&weights)?;
    let run = |text: usize| {
        let kernel = products { kernel: products::load(&device)?.kernel.pin(text) };
        let mut near = device.nearest(rows)?;
        for seed in [2, 3] {
            let p = device.features(&uniform(seed, columns * width), width)?;
            kernel.launch(&p, &weights, &q, &mut near)?;
        }
        near.download()
    };
    same("products", &run(products::SOURCES.len() - 1)?, &run(0)?);
    Ok(())
}

/// Several devices share the rows, or the columns if there are few rows.
#[test]
fn several_devices_agree() -> Result<()> {
    let one = simt();
    let several = Devices::new([0, 1, 2].map(|_| one.clone()))?;
    let width = 7;
    for (rows, columns) in [(768, 900), (20, 900)] {
        let (q, p) = (uniform(1, rows * width), uniform(2, columns * width));
        let (expected, _) = ten::found(&one, [&q, &p], width)?;
        let (found, _) = ten::found(&several, [&q, &p], width)?;
        same(&format!("three devices, {rows} x {columns}"), &found, &expected);
    }
    Ok(())
}

/// In the last rounds a block has a row of tiles with several columns: with features of one part, of two and of three. Without
/// the feature `every`, these tests use two parts, those of one set three, and those of lists one.
#[test]
fn blocks_meet_several_columns() -> Result<()> {
    if IS_GPU {
        // It runs so many blocks at a time that no block has several columns here.
        return Ok(());
    }
    let (emulator, cpu, rows, columns) = (simt(), Device::cpu()?, 700, 5000);
    for width in in_turn([100, 10, 150], 0) {
        // Their squared differences, and sums of these, are exact in any order.
        let mut numbers = random(9, 200).map(|x| x as f32);
        let [queries, points] =
            [rows, columns].map(|count| numbers.by_ref().take(count * width).collect::<Vec<_>>());
        let grids = ten::filtering(&emulator)?.report(rows, columns)?.grids;
        let of_rows = rows.div_ceil(128) as u32;
        // A row of blocks for some of the columns of a round.
        let blocks: u32 = grids.iter().map(|[x, y]| x * y).sum();
        assert!(blocks < of_rows * columns.div_ceil(128) as u32, "{grids:?}");
        let mut near = cpu.nearest(rows)?;
        let (q, p) = (cpu.features(&queries, width)?, cpu.features(&points, width)?);
        ten::plain::load(&cpu)?.launch(&q, &p, &mut near)?;
        let (found, _) = ten::found(&emulator, [&queries, &points], width)?;
        same(&format!("{rows} x {columns} of {width}"), &found, &near.download()?);
    }
    Ok(())
}

/// It is chosen by the number of pairs, if there are enough rows.
#[test]
fn many_columns_are_filtered() -> Result<()> {
    let kernel = cosines::load(&simt())?;
    let sizes = [
        (256, 49_297, "fold"),
        (256, 49_298, "filter"),
        (121, 1_000_000, "fold"),
        (9000, 1400, "fold"),
        (9000, 1410, "filter"),
    ];
    for (rows, columns, name) in sizes {
        assert_eq!(kernel.report(rows, columns)?.sweep.name(), name, "{rows} x {columns}");
    }
    Ok(())
}
