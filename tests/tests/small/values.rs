//! Arguments, values and sums.

use td_kernel_tests::{accuracy, dialect, halves, lengths, parameters, preludes, structs, sums};

use super::{devices, simt};

/// Tests of shared checks, on every device.
macro_rules! on_devices {
    ($($name:ident: $check:expr;)*) => {$(
        #[test]
        fn $name() {
            devices().iter().for_each(|device| $check(device).unwrap());
        }
    )*};
}

on_devices! {
    f16_and_bf16_convert_as_in_rust: halves::check;
    structs_have_the_same_fields: structs::check;
    bodies_know_slice_lengths: lengths::check;
    bodies_have_every_documented_name: dialect::check;
    preludes_and_constants: preludes::check;
    totals_that_overflow_are_errors: sums::check;
}

#[test]
fn code_with_other_parameters_is_refused() {
    parameters::check(&simt());
}

#[test]
fn float_sums_are_within_their_bounds() {
    for device in devices() {
        accuracy::check(&device, 1000).unwrap();
        accuracy::check_large_total(&device).unwrap();
    }
}
