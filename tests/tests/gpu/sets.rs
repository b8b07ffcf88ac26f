//! Kernels over the pairs within many sets, with as many sets and pairs as a GPU needs to be busy.

use td_kernel::Result;
use td_kernel_maps::sets::LARGE;
use td_kernel_tests::sets::{compare, compare_gathered, sizes};

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
