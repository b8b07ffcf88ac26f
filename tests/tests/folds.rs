//! Folds over the features of elements, run on the CPU: every type, width, output and tile, over all pairs and in bands.
#![allow(clippy::unwrap_used, clippy::panic)]

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel_tests::folds;

/// The CPU, whose plain loops run what no variant is asked of, and the emulator of a GPU.
fn devices() -> [Device; 2] {
    [Device::cpu(), Device::emulator()].map(Result::unwrap)
}

#[test]
fn features_of_every_type_are_folded_to_what_the_host_gives() {
    for device in devices() {
        folds::check_types(&device, false, folds::SIZES, folds::SIZES_OF_SETS).unwrap();
    }
}

#[test]
fn values_of_every_size_are_stored_in_their_own_slots() {
    let devices = devices();
    (0..folds::SLOTS.len()).into_par_iter().for_each(|case| {
        for device in &devices {
            folds::check_slots(device, case, false, &[0, 1, 2, 31, 33, 97, 130]).unwrap();
        }
    });
}

#[test]
fn both_texts_say_what_they_can() {
    for device in devices() {
        folds::check_language(&device, &[0, 1, 2, 31, 33, 97, 130]).unwrap();
    }
}
