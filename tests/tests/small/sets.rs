//! One launch over the pairs within many sets gives what a launch for each set gives.

use td_kernel::Result;
use td_kernel_tests::sets::{compare, compare_gathered, sizes};

use super::and_large;
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
