//! Products of features from a GPU's tensor cores, at large sizes, and whether these round as the error bound assumes.

use td_kernel::Result;
use td_kernel_tests::products;

use crate::{gpu, share_memory};

#[test]
fn large_sizes() -> Result<()> {
    let _shared = share_memory();
    let sizes = [[3000, 1000, 128], [1500, 4000, 333], [700, 130, 4097], [5000, 300, 3]];
    products::check_uniform_rows(&gpu(), &sizes)
}

#[test]
fn hard_rows_at_every_width() -> Result<()> {
    let _shared = share_memory();
    products::check_hard_rows(&gpu(), 400, &[1, 2, 3, 31, 32, 33, 63, 64, 65, 100, 1000])
}

/// Rows whose sums are truncated most. Tensor cores of a new GPU that add with fewer bits would exceed the bound.
#[test]
fn sums_are_as_exact_as_assumed() -> Result<()> {
    let _shared = share_memory();
    products::check_worst_rows(&gpu(), &[1, 16, 32, 33, 64, 100, 4096, 65_536])
}
