//! One launch over the pairs within many sets gives what a launch for each set gives.

use td_kernel::{Device, Devices, Result, Target, td_kernel};
use td_kernel_tests::sets::{
    check_extremes, check_extremes_of_rectangles, check_named, check_named_rectangles,
    check_several, check_several_nearest, check_several_rectangles, compare, compare_gathered,
    compare_gathered_rectangles, compare_nearest, compare_nearest_rows, compare_ranked,
    compare_rectangles, cross, distances, nearest_10, sizes,
};

use super::{and_large, counts_of, simt};
use crate::devices;

/// Sets without pairs at both ends and side by side, sets of whole runs, and a single set.
#[test]
fn special_sizes() -> Result<()> {
    let special: &[&[usize]] = &[
        &[],
        &[0],
        &[1],
        &[0, 1, 0],
        &[2],
        &[0, 2, 1, 0, 3, 1],
        // 2016 + 28 + 4 pairs fill a block's runs, and one more.
        &[64, 8, 2, 2, 3],
        // 32 pairs at a time pass 32 sets.
        &[2; 600],
        &[23; 3],
        &[300],
        &[1, 0, 257, 0, 0, 2],
    ];
    for device in devices() {
        for sizes in special {
            for large in [u32::MAX, 250, 20] {
                compare(&device, sizes, large)?;
                compare_gathered(&device, sizes, large)?;
            }
        }
    }
    Ok(())
}

#[test]
fn random_partitions() -> Result<()> {
    for device in devices() {
        for seed in 0..3 {
            for (count, most) in
                and_large(&[(40, 8), (12, 60), (6, 300)], &[(2000, 300), (300, 2000)])
            {
                let large = if seed % 2 == 0 { u32::MAX } else { most as u32 / 2 };
                compare(&device, &sizes(seed, count, most), large)?;
                compare_gathered(&device, &sizes(seed + 10, count, most), large)?;
            }
        }
    }
    Ok(())
}

/// A launch has all sets.
#[test]
fn parts_are_refused() -> Result<()> {
    let device = devices().swap_remove(0);
    let sets = device.sets(&[[0.0_f32; 3]; 5], &[0, 2, 5])?;
    let mut values = device.packed_sets(&sets)?;
    let kernel = distances::load(&device)?;
    let error = kernel.rows(0..2).launch(&sets, &mut values).unwrap_err().to_string();
    assert!(error.contains("a kernel over `Sets` has no ranges of rows"), "{error}");
    let error = kernel.launch(&sets, &mut device.zeroed(5)?).unwrap_err().to_string();
    assert!(error.contains("has 5 slots, but the sets have 4 pairs"), "{error}");
    // As many pairs, of other sets.
    let others = device.sets(&[[0.0_f32; 3]; 5], &[0, 3, 5])?;
    let mut of_others = device.packed_sets(&others)?;
    let error = kernel.launch(&sets, &mut of_others).unwrap_err().to_string();
    assert!(
        error.contains("is for sets of other sizes: make it with `device.packed_sets("),
        "{error}"
    );
    kernel.launch(&device.sets(&[[0.0_f32; 3]; 5], &[0, 3, 5])?, &mut of_others)?;
    for (offsets, words) in [
        (&[][..], "there are no offsets: offsets begin with 0"),
        (&[1, 5], "offset 0 is 1: offsets begin with 0"),
        (&[0, 3, 2, 5], "offset 2 is 2, but offset 1 is 3: offsets begin with 0"),
        (&[0, 4], "the last offset is 4, but there are 5 elements"),
    ] {
        let error = device.sets(&[0.0; 5], offsets).unwrap_err().to_string();
        assert!(error.starts_with(words), "{error}");
    }
    Ok(())
}

/// Reports are for a single set, and there is nothing to tune.
#[test]
fn reports() -> Result<()> {
    let kernel = distances::load(&simt())?;
    let report = kernel.report(100)?;
    assert_eq!((report.map, report.pairs_per_thread, report.grids), ("sets", 8, vec![[8, 1]]));
    assert_eq!(kernel.report(10_000)?.map, "ltm");
    let report = distances::load(&Device::cpu()?)?.report(100)?.to_string();
    assert_eq!(report, "n = 100: plain loops on the CPU, 64 runs of 256 pairs at a time; parts: 1");
    let sets = simt().sets(&[[0.0_f32; 3]; 3], &[0, 3])?;
    let error = kernel.tune(&sets, &mut simt().packed_sets(&sets)?).unwrap_err().to_string();
    assert!(error.contains("cannot be tuned"), "{error}");
    Ok(())
}

/// Rows and columns of many sets: without pairs, narrower than a run, and longer.
#[test]
fn special_rectangles() -> Result<()> {
    let special: &[[&[usize]; 2]] = &[
        [&[], &[]],
        [&[0], &[3]],
        [&[2, 0, 1], &[0, 5, 1]],
        [&[0, 2, 1, 0, 3, 1], &[4, 2, 0, 0, 1, 6]],
        // The pairs fill a block's runs, and one more.
        [&[64, 2, 1], &[32, 1, 1]],
        // 32 pairs at a time pass 32 sets.
        [&[1; 600], &[1; 600]],
        [&[1, 600, 3, 2], &[600, 1, 257, 256]],
        [&[300, 7], &[301, 40]],
    ];
    for device in devices() {
        for sizes in special {
            compare_rectangles(&device, *sizes)?;
            compare_gathered_rectangles(&device, *sizes)?;
        }
    }
    Ok(())
}

#[test]
fn random_rectangles() -> Result<()> {
    for device in devices() {
        for seed in 0..3 {
            for (count, most) in
                and_large(&[(40, 8), (12, 60), (4, 300)], &[(2000, 300), (300, 2000)])
            {
                let [rows, columns] = [20, 30].map(|first| sizes(seed + first, count, most));
                compare_rectangles(&device, [&rows, &columns])?;
                compare_gathered_rectangles(&device, [&rows, &columns])?;
            }
        }
    }
    Ok(())
}

/// A launch has all sets, and as many of rows as of columns.
#[test]
fn parts_of_rectangles_are_refused() -> Result<()> {
    let device = devices().swap_remove(0);
    let points = [[0.0_f32; 3]; 5];
    let (rows, columns) = (device.sets(&points, &[0, 2, 5])?, device.sets(&points, &[0, 1, 5])?);
    let mut values = device.matrix_sets(&rows, &columns)?;
    assert_eq!(values.len(), 14);
    let kernel = cross::load(&device)?;
    let error = kernel.rows(0..2).launch(&rows, &columns, &mut values).unwrap_err().to_string();
    assert!(error.contains("a kernel over `Sets` has no ranges of rows"), "{error}");
    let error = kernel.launch(&rows, &columns, &mut device.zeroed(5)?).unwrap_err().to_string();
    assert!(
        error.contains("has 5 slots, but the sets have 14 pairs: use `device.matrix_sets("),
        "{error}"
    );
    let three = device.sets(&points, &[0, 1, 1, 5])?;
    let words =
        "a `Sets` of 2 sets does not match one of 3: write as many sets of rows as of columns";
    let error = kernel.launch(&rows, &three, &mut values).unwrap_err().to_string();
    assert!(error.starts_with(&format!("kernel `cross`: {words}")), "{error}");
    let error = device.matrix_sets::<f32, _, _>(&rows, &three).unwrap_err().to_string();
    assert!(error.starts_with(words), "{error}");
    // Other columns replace the tables, also while there are launches.
    for _ in 0..3 {
        kernel.launch(&rows, &columns, &mut values)?;
        kernel.launch(&rows, &rows, &mut device.matrix_sets(&rows, &rows)?)?;
    }
    let report = cross::load(&simt())?.report(100, 30)?;
    assert_eq!((report.map, report.pairs_per_thread, report.grids), ("sets", 8, vec![[8, 1]]));
    Ok(())
}

/// Random partitions of sizes 0 to 300, and a huge set among small ones, on several devices.
#[test]
fn several_devices_share_sets() -> Result<()> {
    for device in devices() {
        let counts = counts_of(&device);
        let devices = [device];
        for (sizes, large) in [
            (vec![], u32::MAX),
            (vec![1, 0, 2], u32::MAX),
            (sizes(5, 40, 300), u32::MAX),
            (sizes(6, 30, 300), 150),
            // One large set among small ones is cut, and its slots begin at any address.
            ([vec![3; 50], vec![801], vec![7; 60]].concat(), 400),
        ] {
            check_several(&devices, counts, &sizes, large)?;
        }
        for [rows, columns] in [
            [vec![], vec![]],
            [vec![0, 3], vec![1, 2]],
            [sizes(7, 20, 300), sizes(8, 20, 300)],
            [vec![3, 500, 2], vec![9, 300, 4]],
        ] {
            check_several_rectangles(&devices, counts, [&rows, &columns])?;
        }
    }
    // Values of pairs are divided: no kernel reads all of them, and other memory does not fit.
    let two = Devices::cpu(2)?;
    let kernel = distances::load(&two)?;
    let sets = two.sets(&[[0.0_f32; 3]; 400], &[0, 200, 400])?;
    let mut values = two.packed_sets(&sets)?;
    kernel.launch(&sets, &mut values)?;
    assert_eq!(values.len(), 39_800);
    let error = kernel.launch(&sets, &mut two.zeroed(39_800)?).unwrap_err().to_string();
    assert!(error.contains("use `devices.packed_sets(&sets)`"), "{error}");
    let error = kernel.launch(&sets, &mut Device::cpu()?.zeroed(39_800)?).unwrap_err().to_string();
    assert!(error.contains("use `devices.packed_sets(&sets)`"), "{error}");
    let error = read::load(&two)?.launch(&sets, &values, &mut two.sum()?).unwrap_err().to_string();
    assert!(error.contains("is on several devices, a part on each"), "{error}");
    let part = two.part_of(0, 3)?;
    let error = part.packed_sets::<f32, _>(&sets).unwrap_err().to_string();
    assert!(error.contains("share each launch with other processes"), "{error}");
    let report = kernel.report(400)?;
    assert_eq!(report.grids, [[2, 1], [3, 1]]);
    Ok(())
}

/// Reads values of pairs.
#[td_kernel]
unsafe fn read(#[each] _p: &Sets<[f32; 3]>, values: &[f32], total: &mut Sum<f32>) {
    r#" total += values[0]; "#
}

/// The least and the greatest value of each set, and their pairs.
#[test]
fn extremes_of_sets() -> Result<()> {
    for device in devices() {
        for large in [u32::MAX, 40, 2] {
            check_extremes(&device, &[], large)?;
            check_extremes(&device, &[0, 1, 2, 0, 3, 100, 64, 5], large)?;
            check_extremes(&device, &sizes(40, 30, 90), large)?;
        }
        check_extremes_of_rectangles(&device, [&[0, 1, 3, 600, 20], &[2, 0, 4, 3, 90]])?;
    }
    let device = devices().swap_remove(0);
    let sets = device.sets(&[1_u32, 2, 3], &[0, 1, 3])?;
    let kernel = greatest::load(&device)?;
    let error = kernel.launch(&sets, &mut device.maxima(3)?).unwrap_err().to_string();
    assert!(
        error.contains("is for 3 sets, but the launch has 2: write `device.maxima(2)`"),
        "{error}"
    );
    // The fewest elements with more than 2^32 pairs.
    let wide = device.sets(&vec![0_u32; 92_683], &[0, 92_683])?;
    let error = greatest_pair::load(&device)?.launch(&wide, &mut device.maxima(1)?).unwrap_err();
    let words = "a set has more than 4294967295 pairs: leave out the index";
    assert!(error.to_string().contains(words), "{error}");
    Ok(())
}

/// The greatest and the least value of all sets and lists of pairs, with the set of each pair.
#[test]
fn pairs_have_their_sets() -> Result<()> {
    for device in devices() {
        let several = Devices::new(vec![device.clone(); 3])?;
        for target in [Target::from(device), several.into()] {
            for large in [u32::MAX, 40, 2] {
                check_named(&target, &[], large)?;
                check_named(&target, &[0, 1, 2, 0, 3, 130, 64, 5, 1], large)?;
                check_named(&target, &sizes(40, 30, 90), large)?;
            }
            check_named_rectangles(&target, [&[], &[]])?;
            check_named_rectangles(&target, [&[0, 1, 3, 600, 20], &[2, 0, 4, 3, 90]])?;
        }
    }
    Ok(())
}

#[td_kernel]
unsafe fn greatest_pair(#[each] x: &Sets<u32>, #[set] most: &mut Maxima<(u32, u32)>) {
    r#" most.offer(x.i + x.j); "#
}

#[td_kernel]
unsafe fn greatest(#[each] x: &Sets<u32>, #[set] most: &mut Maxima<u32>) {
    r#" most.offer(x.i + x.j); "#
}

/// A CPU's plain loops visit a large set, too, and not the source for its tiles.
#[test]
fn loops_visit_large_sets() -> Result<()> {
    let device = Device::cpu()?;
    let sizes = [3, 30_000, 5];
    let offsets = [0, 3, 30_003, 30_008];
    let sets = device.sets(&vec![0_u8; 30_008], &offsets)?;
    let (mut count, mut total) = (device.sum()?, device.sum()?);
    let kernel = counts::load(&device)?;
    kernel.launch(&sets, &mut count, &mut total)?;
    assert_eq!(count.download()?, sets.pair_count() as u64);
    let of_row = |set: u64, i: u64| i * (3 * i + 7 * set) + i * i.saturating_sub(1) / 2;
    let rows = (0..).zip(sizes).flat_map(|(set, size)| (0..size).map(move |i| of_row(set, i)));
    assert_eq!(total.download()?, rows.sum::<u64>());
    assert_eq!(kernel.report(30_000)?.map, "sets");
    Ok(())
}

/// The number of pairs, and a sum of their indices.
#[td_kernel]
unsafe fn counts(#[each] _x: &Sets<u8>, count: &mut Sum<u64>, total: &mut Sum<u64>) {
    r#"
    count += 1;
    total += 3ull * i + j + 7 * set;
    "#
}

/// Sets smaller and larger than the rows of a warp, than a window of columns, and than K, at both ends of warps and blocks.
#[test]
fn neighbours_of_special_sizes() -> Result<()> {
    let special: &[&[usize]] = &[
        &[],
        &[0],
        &[1],
        &[2],
        &[0, 2, 1, 0, 3, 1],
        &[31, 1, 32, 0, 33, 8, 7, 9],
        &[1; 70],
        &[1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
        &[0, 300, 5, 0],
        &[1, 128, 127, 65],
    ];
    for device in devices() {
        for sizes in special {
            compare_nearest(&device, sizes)?;
            compare_ranked(&device, sizes)?;
            compare_nearest_rows(&device, [sizes, &vec![1; sizes.len()]])?;
            compare_nearest_rows(&device, [&vec![40; sizes.len()], sizes])?;
        }
    }
    Ok(())
}

#[test]
fn neighbours_in_random_partitions() -> Result<()> {
    for device in devices() {
        for seed in 0..2 {
            for (count, most) in
                and_large(&[(30, 10), (8, 60), (3, 300)], &[(1000, 300), (100, 2000)])
            {
                let [rows, columns] = [40, 50].map(|first| sizes(seed + first, count, most));
                compare_nearest(&device, &rows)?;
                compare_ranked(&device, &rows)?;
                compare_nearest_rows(&device, [&rows, &columns])?;
            }
        }
    }
    Ok(())
}

/// Each device has some rows: none if there are few, and those of a huge set among small ones.
#[test]
fn several_devices_share_neighbours() -> Result<()> {
    for device in devices() {
        let counts = counts_of(&device);
        let devices = [device];
        for sizes in [
            vec![],
            vec![1, 0, 2],
            vec![255, 1, 256, 2, 0, 300],
            sizes(41, 20, 300),
            [vec![3; 150], vec![901], vec![7; 60]].concat(),
        ] {
            check_several_nearest(&devices, counts, &sizes)?;
        }
    }
    let report = nearest_10::load(&Devices::cpu(2)?)?.report(1000)?;
    assert_eq!(report.grids, [[2, 1], [2, 1]]);
    Ok(())
}

/// A launch has all sets, and neighbours for the elements of all sets.
#[test]
fn parts_of_neighbours_are_refused() -> Result<()> {
    let device = devices().swap_remove(0);
    let sets = device.sets(&[[0.0_f32; 3]; 5], &[0, 2, 5])?;
    let kernel = nearest_10::load(&device)?;
    let error = kernel.launch(&sets, &mut device.nearest(4)?).unwrap_err().to_string();
    assert!(error.contains("`near` is for 4 elements, but `p` requires 5"), "{error}");
    let error = kernel.rows(0..2).launch(&sets, &mut device.nearest(5)?).unwrap_err().to_string();
    assert!(error.contains("a kernel over `Sets` has no ranges of rows"), "{error}");
    assert!(error.ends_with("pass a `Sets` with fewer sets"), "{error}");
    let mut near = device.nearest(5)?;
    kernel.launch(&sets, &mut near)?;
    let error = near.download()?.to_csr(5).unwrap_err().to_string();
    assert!(error.starts_with("a kernel over `Sets` found the neighbours"), "{error}");
    let report = nearest_10::load(&simt())?.report(1000)?;
    assert_eq!(
        (report.map, report.sweep.name(), report.grids),
        ("set_rows", "set_rows", vec![[8, 1]])
    );
    let report = nearest_10::load(&Device::cpu()?)?.report(1000)?.to_string();
    assert_eq!(report, "n = 1000: plain loops on the CPU, 256 rows at a time; parts: 4");
    Ok(())
}
