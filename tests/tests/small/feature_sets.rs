//! One launch over the elements with features of many sets gives what a launch for each set gives.

use td_kernel::Result;
use td_kernel_tests::sets::features::{
    check_sides, compare, compare_gathered, compare_rectangles, distances,
};
use td_kernel_tests::sets::sizes;

use super::{and_large, simt};
use crate::devices;

/// Features of a part of a word, of a word and one more, of whole panels, and of several panels and a part.
const WIDTHS: [usize; 4] = [1, 5, 64, 130];

/// Sets without pairs at both ends and side by side, and sets of a tile and one element more or less.
#[test]
fn special_sizes() -> Result<()> {
    let special: &[&[usize]] = &[
        &[1],
        &[0, 1, 0],
        &[2],
        &[0, 2, 1, 0, 3, 1],
        &[2; 100],
        &[31, 32, 33, 0, 63, 64, 65],
        &[127, 1, 128, 129],
    ];
    for device in devices() {
        for (sizes, width) in special.iter().zip(WIDTHS.iter().cycle()) {
            compare(&device, sizes, *width)?;
            compare_gathered(&device, sizes, *width)?;
        }
    }
    Ok(())
}

#[test]
fn random_partitions() -> Result<()> {
    for device in devices() {
        for (seed, width) in (0..).zip(WIDTHS) {
            for (count, most) in and_large(&[(20, 8), (12, 60), (3, 300)], &[(2000, 300)]) {
                compare(&device, &sizes(seed, count, most), width)?;
                compare_gathered(&device, &sizes(seed + 10, count, most), width)?;
            }
        }
    }
    Ok(())
}

#[test]
fn rectangles() -> Result<()> {
    let special: &[[&[usize]; 2]] = &[
        [&[1], &[1]],
        [&[2, 0, 1, 4], &[0, 5, 1, 2]],
        [&[1; 100], &[1; 100]],
        [&[31, 32, 33, 1], &[33, 64, 1, 130]],
    ];
    for device in devices() {
        for (sizes, width) in special.iter().zip(WIDTHS) {
            compare_rectangles(&device, *sizes, width)?;
            check_sides(&device, *sizes, width)?;
        }
        for (seed, width) in (0..).zip(WIDTHS) {
            let [rows, columns] = [20, 30].map(|first| sizes(seed + first, 6, 100));
            compare_rectangles(&device, [&rows, &columns], width)?;
            check_sides(&device, [&rows, &columns], width)?;
        }
    }
    Ok(())
}
