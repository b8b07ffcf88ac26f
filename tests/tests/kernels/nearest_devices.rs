//! Devices of kernels with nearest neighbours: the CPU, in rounds or in its loops, and several devices, which find the same as
//! one.

use td_kernel::{Device, Devices, Result, Target};

use crate::nearest_rounds::{of_order, orders};
use crate::small::nearest::{
    check, of_large_tiles, queries, queries_of_small_tiles, queries_one_by_one, random,
};

/// A launch continues from the neighbours of earlier launches, on whichever devices they are.
#[test]
fn launches_continue_on_several_devices() -> Result<()> {
    for devices in [Devices::cpu(3)?, Devices::new(vec![Device::emulator()?; 2])?] {
        let kernel = orders::load(&devices)?;
        let mut near = devices.nearest(170)?;
        let of = |order| move |i: usize, j: usize| (i != j).then(|| of_order(order, i, j));
        for order in [3, 3, 4, 2] {
            kernel.launch(order, &mut near)?;
            check("on and on", &near.download()?, 170, of(order));
            // Each neighbour is stored once, and nearer ones replace it: here every pair is nearer, except for a repetition.
            if order == 4 {
                near.clear()?;
                assert_eq!(near.download()?.counts(), [0; 170]);
            }
        }
    }
    Ok(())
}

/// Rows move from device to device: between kernels of other tiles, and from launches with few columns to launches with many.
#[test]
fn rows_merge_from_any_device() -> Result<()> {
    let rows = 100;
    let a: Vec<i32> = random(7, 500).map(|x| x as i32).take(rows).collect();
    for devices in [Devices::cpu(2)?, Devices::cpu(3)?, Devices::cpu(7)?] {
        let on_a = devices.upload(&a)?;
        let (mut near, mut seen) = (devices.nearest(rows)?, Vec::new());
        for (text, columns) in [(0, 40), (1, 300), (0, 5), (2, 700), (1, 3), (1, 3), (0, 900)] {
            // Only values distinguish columns, and each value is new.
            let b: Vec<i32> = (0..columns).map(|j| (j * 37 + text) % 997).collect();
            let on_b = devices.upload(&b)?;
            match text {
                0 => queries::load(&devices)?.launch(&on_a, &on_b, 0, &mut near)?,
                1 => queries_of_small_tiles::load(&devices)?.launch(&on_a, &on_b, 0, &mut near)?,
                _ => queries_one_by_one::load(&devices)?.launch(&on_a, &on_b, 0, &mut near)?,
            }
            seen.push(b);
            let found = near.download()?;
            for (i, indices, values) in found.rows() {
                let pairs = seen.iter().flat_map(|b| b.iter().enumerate());
                let mut all: Vec<_> =
                    pairs.map(|(j, value)| ((a[i] - value).abs(), j as u32)).collect();
                all.sort_unstable();
                all.dedup();
                all.truncate(7);
                let found: Vec<_> = values.iter().copied().zip(indices.iter().copied()).collect();
                assert_eq!(found, all, "row {i}, {} sets, {} devices", seen.len(), devices.len());
            }
        }
        near.clear()?;
        let b: Vec<i32> = (0..50).collect();
        queries::load(&devices)?.launch(&on_a, &devices.upload(&b)?, 1, &mut near)?;
        for (_, indices, values) in near.download()?.rows() {
            assert_eq!(indices, [49, 48, 47, 46, 45, 44, 43]);
            assert_eq!(values, [-49, -48, -47, -46, -45, -44, -43]);
        }
    }
    Ok(())
}

/// Each device has about the same number of blocks of the rounds, and its own part of a report.
#[test]
fn devices_share_the_rounds() -> Result<()> {
    let devices = Devices::new(vec![Device::emulator()?; 3])?;
    // 64 tiles of 32 elements, which meet at 33 offsets.
    let report = orders::load(&devices)?.report(2048)?;
    let share = [[64, 1], [64, 1], [64, 2], [64, 4], [64, 3]];
    assert_eq!((report.map, report.grids), ("rounds", share.repeat(3)));
    // 4 rows of tiles, one or two for each device, with 9 columns.
    let report = queries_of_small_tiles::load(&devices)?.report(128, 288)?;
    let height: Vec<u32> = report.grids.iter().map(|grid| grid[1]).collect();
    assert_eq!(height.iter().sum::<u32>(), 9, "{report}");
    let report = queries_of_small_tiles::load(&devices)?.report(6 * 32, 288)?;
    let rounds = [[2, 1], [2, 1], [2, 2], [2, 4], [2, 1]];
    assert_eq!(report.grids, rounds.repeat(3));
    let numbers = |seed, count| random(seed, 100_000).map(|x| x as i32).take(count).collect();
    let [query, data]: [Vec<i32>; 2] = [numbers(3, 6 * 32), numbers(4, 288)];
    let (query, data) = (devices.upload(&query)?, devices.upload(&data)?);
    let (mut near, before) = (devices.nearest(6 * 32)?, devices.progress().blocks);
    queries_of_small_tiles::load(&devices)?.launch(&query, &data, 0, &mut near)?;
    let blocks = devices.progress().blocks - before;
    // The tiles, and on each device merges of its own 64 rows, four in a block: before the five rounds, and after each.
    assert_eq!(blocks, 6 * 9 + 3 * 6 * 16);
    // The tiles are those of one device, so that values have the same bits.
    let tiles = |device: &Target| Ok(of_large_tiles::load(device)?.report(5000)?.tile);
    assert_eq!(tiles(&devices)?, tiles(&Device::emulator()?.into())?);
    let tuned = orders::load(&devices)?.tune(3, &mut devices.nearest(40)?)?;
    assert_eq!(tuned.times.len(), orders::SOURCES.len());
    Ok(())
}

/// A launch on one of the devices alone, with some of the rows.
#[test]
fn one_of_several_devices_with_some_rows() -> Result<()> {
    let devices = Devices::new([Device::cpu()?, Device::emulator()?])?;
    for device in devices.iter() {
        let (query, data) = (device.upload(&[5, 1, 9])?, device.upload(&[2, 4, 8])?);
        let mut near = device.nearest(2)?;
        queries::load(device)?.launch(&query.slice(1..3)?, &data, 0, &mut near)?;
        let near = near.download()?;
        assert_eq!(near.row(0), Some((&[0, 1, 2][..], &[1, 3, 7][..])));
        assert_eq!(near.row(1), Some((&[2, 1, 0][..], &[1, 5, 7][..])));
    }
    // Memory of one device does not belong to the group.
    let one = devices.iter().next().unwrap();
    let (x, mut near) = (devices.upload(&[1, 2])?, one.nearest(2)?);
    assert_errors! { of_large_tiles::load(&devices)?.launch(&x, &mut near) => "", WrongDevice "near"; }
    assert_errors! { devices.nearest::<f32, 300>(1) => "1 to 256"; }
    Ok(())
}
