//! Preludes and constants are on a GPU what they are on the CPU.

use td_kernel_tests::given;

use crate::gpu;

#[test]
fn preludes_and_constants_are_there() {
    given::check(&gpu()).unwrap();
}
