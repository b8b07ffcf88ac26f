//! Products and sums are rounded as they are written.

use td_kernel_tests::rounding;

use crate::{gpu, share_memory};

#[test]
fn small_only_fmaf_fuses() {
    let _memory = share_memory();
    for n in [37, 300, 5000] {
        rounding::check(&gpu(), n).unwrap();
    }
}
