//! Arguments, values and sums.

use td_kernel_tests::{
    accuracy, dialect, halves, lengths, parameters, preludes, rounding, structs, sums,
};

use super::{devices, simt};

#[test]
fn f16_and_bf16_convert_as_in_rust() {
    devices().iter().for_each(|device| halves::check(device).unwrap());
}

#[test]
fn structs_have_the_same_fields() {
    devices().iter().for_each(|device| structs::check(device).unwrap());
}

#[test]
fn bodies_know_slice_lengths() {
    devices().iter().for_each(|device| lengths::check(device).unwrap());
}

#[test]
fn bodies_have_every_documented_name() {
    devices().iter().for_each(|device| dialect::check(device).unwrap());
}

#[test]
fn preludes_and_constants() {
    devices().iter().for_each(|device| preludes::check(device).unwrap());
}

#[test]
fn code_with_other_parameters_is_refused() {
    parameters::check(&simt());
}

#[test]
fn totals_that_overflow_are_errors() {
    devices().iter().for_each(|device| sums::check(device).unwrap());
}

#[test]
fn float_sums_are_within_their_bounds() {
    for device in devices() {
        accuracy::check(&device, 1000).unwrap();
        accuracy::check_large_total(&device).unwrap();
    }
}

#[test]
fn only_fmaf_fuses() {
    for device in devices() {
        for n in [37, 300] {
            rounding::check(&device, n).unwrap();
        }
    }
}
