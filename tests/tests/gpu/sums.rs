//! Sums of floats over many pairs.

use td_kernel_tests::accuracy;

use super::{gpu, share_memory};

/// 8.6 billion pairs, with small blocks in 134 million blocks.
#[test]
fn float_sums_are_accurate() {
    accuracy::check(&gpu(), 131_072).unwrap();
}

#[test]
fn float_sums_beside_slots_are_accurate() {
    let _memory = share_memory();
    accuracy::check_beside_slots(&gpu(), 30_000).unwrap();
}
