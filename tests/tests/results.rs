//! Results of elements, run on the CPU: sums, least and greatest values, of every sweep, map and tile, over all pairs and
//! in bands.
#![allow(clippy::unwrap_used, clippy::panic)]

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel_tests::rectangle::SIZES;
use td_kernel_tests::results::{check, check_exact, check_rectangle, choices, rectangle_choices};

#[test]
fn results_of_one_set_are_what_the_host_gathers() {
    let device = Device::cpu().unwrap();
    let sizes = [0, 1, 2, 31, 33, 97, 257];
    choices().par_iter().for_each(|choice| check(&device, choice, &sizes).unwrap());
}

#[test]
fn results_of_two_sets_are_what_the_host_gathers() {
    let device = Device::cpu().unwrap();
    let choices = rectangle_choices();
    choices.par_iter().for_each(|choice| check_rectangle(&device, choice, SIZES).unwrap());
}

/// The CPU device runs blocks on as many threads as the machine has, in an order that changes.
#[test]
fn exact_sums_have_the_same_bits_in_every_run() {
    let device = Device::cpu().unwrap();
    for n in [1, 2, 33, 1000] {
        check_exact(&device, n, 5).unwrap();
    }
}
