//! What the attribute gives a text: preludes, and constants with the values that rustc puts there.

use td_kernel_tests::given::{bits, energies, histogram};

use super::text;

/// Beside a struct of Rust's, whose definition comes before all else.
#[test]
fn prelude_and_constants() {
    text("given", histogram::SOURCE);
}

#[test]
fn prelude_on_the_cpu() {
    text("given_loops", energies::CPU_SOURCE);
}

/// Constants of every type, also those that are no literals in C++.
#[test]
fn constants() {
    text("given_constants", bits::SOURCE);
}
