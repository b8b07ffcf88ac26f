//! Sums of floats over many pairs.

use td_kernel_tests::{accuracy, beside};

use super::{gpu, share_memory};

/// 8.6 billion pairs, with small blocks in 134 million blocks.
#[test]
fn sums_of_floats_are_near_the_sum_of_their_terms() {
    accuracy::check(&gpu(), 131_072).unwrap();
}

#[test]
fn sums_beside_slots_are_near_the_sum_of_their_terms() {
    let _memory = share_memory();
    accuracy::check_beside_slots(&gpu(), 30_000).unwrap();
}

#[test]
fn small_sums_of_floats_are_near_the_sum_of_their_terms() {
    accuracy::check(&gpu(), 500).unwrap();
    accuracy::check_beside_slots(&gpu(), 500).unwrap();
    accuracy::check_large_total(&gpu()).unwrap();
}

#[test]
fn small_outputs_of_different_sizes_beside_each_other_are_right() {
    beside::check(&gpu(), &[0, 1, 2, 33, 96, 131, 400]).unwrap();
}
