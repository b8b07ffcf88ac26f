//! Folds over the features of elements, run on the CPU: every type, width, output and tile, over all pairs and in bands.
#![allow(clippy::unwrap_used, clippy::panic)]

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel_tests::folds;

#[test]
fn features_of_every_type_are_folded_to_what_the_host_gives() {
    let device = Device::cpu().unwrap();
    folds::check_types(&device, false, folds::SIZES, folds::SIZES_OF_SETS).unwrap();
}

#[test]
fn values_of_every_size_are_stored_in_their_own_slots() {
    let device = Device::cpu().unwrap();
    (0..folds::SLOTS.len()).into_par_iter().for_each(|case| {
        folds::check_slots(&device, case, false, &[0, 1, 2, 31, 33, 97, 130]).unwrap();
    });
}

#[test]
fn both_texts_say_what_they_can() {
    folds::check_language(&Device::cpu().unwrap(), &[0, 1, 2, 31, 33, 97, 130]).unwrap();
}
