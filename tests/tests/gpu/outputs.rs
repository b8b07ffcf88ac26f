//! Outputs of every type, in every sweep.

use rayon::prelude::*;
use td_kernel_tests::outputs::{self, SIZES};

use crate::gpu;

fn check(sizes: &[usize]) {
    let device = gpu();
    let cases = outputs::cases();
    let failures: Vec<_> =
        cases.par_iter().filter_map(|(case, text)| case.failure(&device, *text, sizes)).collect();
    let count = failures.len();
    assert!(failures.is_empty(), "{count} of {} are wrong:\n{}", cases.len(), failures.join("\n"));
}

/// A tile and parts of others: all that a memory checker has time for.
#[test]
fn small_outputs_of_every_type() {
    check(&[33, 130]);
}

#[test]
fn outputs_of_every_type_at_every_size() {
    let sizes: Vec<usize> = SIZES.iter().copied().chain([512, 1000]).collect();
    check(&sizes);
}
