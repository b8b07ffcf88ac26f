//! Folds over the features of elements, run on the CPU: every type, width, output and tile, over all pairs and in bands; and
//! features that a launch refuses.

use rayon::prelude::*;
use td_kernel::{Device, ErrorKind, td_kernel};
use td_kernel_tests::covering::EVERY;
use td_kernel_tests::folds;
use td_kernel_tests::said::names;

/// The CPU, whose plain loops run what no variant is asked of, and the emulator of a GPU.
fn devices() -> [Device; 2] {
    [Device::cpu(), Device::emulator()].map(Result::unwrap)
}

/// Each with a turn of its own, where it does not run everything.
fn turns() -> [(Option<usize>, Device); 2] {
    let [cpu, emulator] = devices();
    let turn = |own| (!EVERY).then_some(own);
    [(turn(0), cpu), (turn(1), emulator)]
}

#[test]
fn features_of_every_type_are_folded_to_what_the_host_gives() {
    for (turn, device) in turns() {
        folds::check_types(&device, turn, folds::SIZES, folds::SIZES_OF_SETS).unwrap();
    }
}

#[test]
fn values_of_every_size_are_stored_in_their_own_slots() {
    let devices = turns();
    (0..folds::SLOTS.len()).into_par_iter().for_each(|case| {
        for (turn, device) in &devices {
            folds::check_slots(device, case, *turn, &[0, 1, 2, 31, 33, 97, 130]).unwrap();
        }
    });
}

#[test]
fn results_of_every_kind_agree_at_every_width() {
    devices().par_iter().for_each(|device| folds::check_widths(device, EVERY).unwrap());
}

#[test]
fn both_texts_say_what_they_can() {
    for device in devices() {
        folds::check_language(&device, &[0, 1, 2, 31, 33, 97, 130]).unwrap();
    }
}

/// On the CPU as on a GPU, whose tiles the emulator has.
#[test]
fn values_have_the_same_bits_in_every_place() {
    for device in devices() {
        folds::check_bits(&device).unwrap();
    }
}

#[td_kernel]
unsafe fn fold(
    #[each] a: &Features<f32>,
    #[each] x: &[f32],
    #[each] b: &Features<i32>,
    #[fold] s: f32,
    out: &mut Packed<f32>,
) {
    let feature = r#" s += a.i * b.j; "#;
    let pair = r#" out = s * x.i; "#;
}

#[td_kernel]
unsafe fn fold_of_sets(
    #[row] a: &Features<f32>,
    #[column] b: &Features<f32>,
    #[fold] s: f32,
    out: &mut Matrix<f32>,
) {
    let feature = r#" s += a * b; "#;
    let pair = r#" out = s; "#;
}

/// Features tell numbers of elements like slices do, and have one width.
#[test]
fn features_that_disagree_are_named() {
    let device = Device::cpu().unwrap();
    let kernel = fold::load(&device).unwrap();
    let (a, b) = (device.features(&[1.0; 12], 4).unwrap(), device.features(&[1; 12], 4).unwrap());
    let (x, mut out) = (device.upload(&[1.0; 3]).unwrap(), device.packed(3).unwrap());
    kernel.launch(&a, &x, &b, &mut out).unwrap();
    assert_eq!(out.download().unwrap().as_slice(), [4.0; 3]);

    let wide = device.features(&[1; 15], 5).unwrap();
    let error = kernel.launch(&a, &x, &wide, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("b")));
    assert_eq!(error.kernel(), Some("fold"));
    names(&error, &["`fold`", "`b` has 5 features", "`a` has 4", "same width"]);

    let few = device.features(&[1; 8], 4).unwrap();
    let error = kernel.launch(&a, &x, &few, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("b")));
    names(&error, &["fold", "`b` has 2", "`a` says", "3"]);

    let short = device.upload(&[1.0; 2]).unwrap();
    let error = kernel.launch(&a, &short, &b, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("x")));
    names(&error, &["`x` has 2", "`a` says", "3"]);

    let mut small = device.packed(2).unwrap();
    let error = kernel.launch(&a, &x, &b, &mut small).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("out")));
    assert_eq!(small.download().unwrap().as_slice(), [0.0], "nothing has run");

    // No elements have a width, too.
    let (none, nothing) = (device.features(&[], 4).unwrap(), device.upload(&[]).unwrap());
    let others = device.features(&[], 3).unwrap();
    let mut empty = device.packed(0).unwrap();
    kernel.launch(&none, &nothing, &device.features(&[], 4).unwrap(), &mut empty).unwrap();
    let error = kernel.launch(&none, &nothing, &others, &mut empty).unwrap_err();
    names(&error, &["`b` has 3 features", "`a` has 4"]);
}

#[test]
fn features_of_two_sets_that_disagree_are_named() {
    let device = Device::cpu().unwrap();
    let kernel = fold_of_sets::load(&device).unwrap();
    let (a, b) = (device.features(&[1.0; 12], 4).unwrap(), device.features(&[1.0; 8], 4).unwrap());
    let mut out = device.matrix(3, 2).unwrap();
    kernel.launch(&a, &b, &mut out).unwrap();
    assert_eq!(out.download().unwrap().as_slice(), [4.0; 6]);
    let error = kernel.launch(&b, &a, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("out")));
    let narrow = device.features(&[1.0; 6], 3).unwrap();
    let error = kernel.launch(&a, &narrow, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("b")));
    names(&error, &["`fold_of_sets`", "`b` has 3 features", "`a` has 4"]);
}
