//! Products and sums are rounded as they are written, in plain loops and on the emulator.

use td_kernel_tests::both::both;
use td_kernel_tests::rounding;

#[test]
fn only_fmaf_fuses() {
    for n in [37, 300] {
        both(|device| rounding::check(device, n));
    }
}
