//! The kernels of the catalogue, as launches choose their variants and in each variant.

use td_kernel_tests::catalogue;

use super::{counts_of, each};
use crate::devices;

/// Compares each kernel with the oracle.
#[test]
fn kernels_of_the_catalogue() {
    for device in devices() {
        each(&catalogue::all(), |entry| {
            for run in entry.runs(&device, counts_of(&device)).unwrap() {
                entry.check_variants(&run).unwrap_or_else(|problem| panic!("{problem}"));
            }
        });
    }
}
