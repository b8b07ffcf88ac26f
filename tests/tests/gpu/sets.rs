//! Kernels over the pairs within many sets, with as many sets and pairs as a GPU needs to be busy.

use td_kernel::{Device, Devices, Result};
use td_kernel_geometry::sets::LARGE;
use td_kernel_tests::sets::{
    check_extremes, check_extremes_of_rectangles, check_named, check_named_rectangles,
    check_several, check_several_nearest, check_several_rectangles, compare, compare_gathered,
    compare_gathered_rectangles, compare_nearest, compare_nearest_rows, compare_ranked,
    compare_rectangles, distances, exact, features, nearest_10, sizes,
};

use crate::{gpu, share_memory};

#[test]
fn many_sets() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    compare_gathered(&device, &sizes(1, 100_000, 30), LARGE)?;
    compare_gathered(&device, &vec![8; 1_000_000], LARGE)?;
    // All pairs of a run's largest set: the root depends on the GPU's reciprocal root.
    compare_gathered(&device, &[LARGE as usize - 1], LARGE)?;
    // Large sets have tiles. Their values begin at any slot: after 10,000 pairs, which are not a multiple of 32.
    for large in [LARGE, 1000] {
        compare_gathered(&device, &[vec![5; 1000], vec![4096], vec![5; 1000]].concat(), large)?;
    }
    compare(&device, &[3, LARGE as usize, 2, 20_001, 60, LARGE as usize - 1], LARGE)
}

/// Rows and columns of many sets: small ones, and some with many millions of pairs among them.
#[test]
fn many_rectangles() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    compare_gathered_rectangles(&device, [&sizes(1, 100_000, 30), &sizes(2, 100_000, 40)])?;
    compare_gathered_rectangles(&device, [&[8; 300_000], &[3; 300_000]])?;
    // Rows of 2^k - 1, 2^k and 2^k + 1 columns, which depend on the GPU's floor of a product.
    let columns: Vec<_> = (1..13).flat_map(|bit| (1 << bit) - 1..(1 << bit) + 2).collect();
    compare_gathered_rectangles(&device, [&vec![300; columns.len()], &columns])?;
    compare_gathered_rectangles(&device, [&[1, 3_000_000, 2], &[5_000_000, 1, 3]])?;
    let large: [&[usize]; 2] = [&[3, 20_001, 0, 40, 60], &[300, 10_007, 7, 5000, 0]];
    compare_rectangles(&device, large)?;
    compare_rectangles(&device, [&sizes(3, 2000, 300), &sizes(4, 2000, 300)])
}

/// Sets without elements are on no device, but their tables are on that of the latest launch.
#[test]
fn empty_sets_are_launched_on_any_device() -> Result<()> {
    let _shared = share_memory();
    let sets = gpu().sets::<[f32; 3]>(&[], &[0, 0])?;
    for device in [gpu(), Device::cpu()?, gpu()] {
        distances::load(&device)?.launch(&sets, &mut device.packed_sets(&sets)?)?;
        nearest_10::load(&device)?.launch(&sets, &mut device.nearest(0)?)?;
    }
    Ok(())
}

/// Elements with features: many small sets, some of tiles of each side, and a large one among small ones.
#[test]
fn features_of_many_sets() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    for (sizes, width) in [
        (sizes(1, 20_000, 30), 64),
        (sizes(2, 300, 200), 130),
        (sizes(3, 20, 2000), 33),
        ([vec![5; 1000], vec![4096], vec![5; 1000]].concat(), 16),
    ] {
        features::compare(&device, &sizes, width)?;
    }
    features::compare_gathered(&device, &sizes(4, 300, 200), 33)?;
    features::exact::check(&device, &device, &sizes(3, 20, 2000))?;
    let [rows, columns] = [5, 6].map(|seed| sizes(seed, 200, 300));
    features::check_sides(&device, [&rows, &columns], 20)?;
    features::compare_rectangles(&device, [&rows, &columns], 130)
}

/// All GPUs share many sets, and a huge one among small ones.
#[test]
fn several_gpus_share_sets() -> Result<()> {
    let _shared = share_memory();
    let gpus: Vec<Device> = Devices::all()?.iter().cloned().collect();
    check_on(&gpus, &[1, 2, 3, 2 * gpus.len() + 1])
}

/// Two different GPUs, in either order.
#[test]
#[ignore = "needs two GPUs"]
fn two_gpus_share_sets() -> Result<()> {
    let _shared = share_memory();
    let gpus = [0, 1].map(|ordinal| Device::cuda(ordinal).unwrap());
    check_on(&gpus, &[2, 3])?;
    check_on(&[gpus[1].clone(), gpus[0].clone()], &[2, 3])
}

fn check_on(gpus: &[Device], counts: &[usize]) -> Result<()> {
    check_several(gpus, counts, &sizes(9, 2000, 300), LARGE)?;
    check_several(gpus, counts, &sizes(10, 2000, 300), 200)?;
    let huge = [vec![5; 1000], vec![LARGE as usize + 3001], vec![7; 1000]].concat();
    check_several(gpus, counts, &huge, LARGE)?;
    exact::check(gpus, counts, &sizes(14, 2000, 100), 60)?;
    exact::check(gpus, counts, &huge, LARGE)?;
    exact::check_rectangles(gpus, counts, [&sizes(15, 200, 300), &sizes(16, 200, 300)])?;
    check_several_rectangles(gpus, counts, [&sizes(11, 2000, 300), &sizes(12, 2000, 300)])?;
    check_several_rectangles(gpus, counts, [&[3, 20_001, 0, 40], &[300, 1007, 7, 5000]])?;
    check_several_nearest(gpus, counts, &sizes(13, 300, 300))?;
    check_several_nearest(gpus, counts, &[vec![5; 1000], vec![4001], vec![7; 1000]].concat())
}

/// Many small sets, few large ones, and both: pairs of a set meet at one cell.
#[test]
fn extremes_of_many_sets() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    check_extremes(&device, &sizes(13, 20_000, 60), LARGE)?;
    check_extremes(&device, &sizes(14, 500, 300), 100)?;
    check_extremes(&device, &[5000, 2, LARGE as usize + 100], LARGE)?;
    check_extremes_of_rectangles(&device, [&sizes(15, 2000, 200), &sizes(16, 2000, 300)])?;
    check_extremes_of_rectangles(&device, [&[3, 3001, 5], &[10, 4007, 7]])?;
    check_named(&device, &sizes(13, 5000, 60), LARGE)?;
    check_named(&device, &sizes(14, 100, 300), 100)?;
    check_named_rectangles(&device, [&[3, 301, 5], &[10, 4007, 7]])
}

/// Nearest neighbours within many sets: small ones, large ones, and both.
#[test]
fn neighbours_of_many_sets() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    compare_ranked(&device, &sizes(5, 20_000, 30))?;
    compare_nearest(&device, &sizes(6, 300, 2000))?;
    compare_nearest(&device, &[3, 20_001, 0, 40, 1, 8192])?;
    let [rows, columns] = [7, 8].map(|seed| sizes(seed, 2000, 300));
    compare_nearest_rows(&device, [&rows, &columns])?;
    compare_nearest_rows(&device, [&[1, 5000, 2], &[7000, 1, 3]])
}
