//! One launch over the pairs within many sets gives what a launch for each set gives.

use td_kernel::{Device, Devices, Result};
use td_kernel_tests::sets::{
    compare, compare_gathered, compare_gathered_rectangles, compare_nearest, compare_nearest_rows,
    compare_ranked, compare_rectangles, cross, distances, nearest_10, sizes,
};

use super::{and_large, simt};
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

/// A launch has all sets, on one device.
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
    let two = Devices::cpu(2)?;
    let error = distances::load(&two).unwrap_err().to_string();
    assert!(error.contains("a kernel over `Sets` has no ranges of rows"), "{error}");
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

/// A launch has all sets, on one device, and as many of rows as of columns.
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
    let words = "2 sets of rows do not match 3 sets of columns";
    let error = kernel.launch(&rows, &three, &mut values).unwrap_err().to_string();
    assert!(error.starts_with(&format!("kernel `cross`: `q` {words}")), "{error}");
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

/// A launch has all sets, on one device, and neighbours for the elements of all sets.
#[test]
fn parts_of_neighbours_are_refused() -> Result<()> {
    let device = devices().swap_remove(0);
    let sets = device.sets(&[[0.0_f32; 3]; 5], &[0, 2, 5])?;
    let kernel = nearest_10::load(&device)?;
    let error = kernel.launch(&sets, &mut device.nearest(4)?).unwrap_err().to_string();
    assert!(error.contains("`near` is for 4 elements, but `p` requires 5"), "{error}");
    let error = kernel.rows(0..2).launch(&sets, &mut device.nearest(5)?).unwrap_err().to_string();
    assert!(error.contains("a kernel over `Sets` has no ranges of rows"), "{error}");
    let error = nearest_10::load(&Devices::cpu(2)?).unwrap_err().to_string();
    assert!(error.contains("a kernel over `Sets` has no ranges of rows"), "{error}");
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
