//! What bodies have means on a GPU what it means on the CPU.

use td_kernel_tests::dialect;

use crate::gpu;

#[test]
fn small_bodies_have_the_values_of_all_names() {
    dialect::check(&gpu()).unwrap();
}
