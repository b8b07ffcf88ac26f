//! Folds over the features of elements, run on the CPU: every type, width, output and tile, over all pairs and in chunks; and
//! features that a launch rejects.

use td_kernel::{Device, ErrorKind, td_kernel};
use td_kernel_tests::covering::EVERY;
use td_kernel_tests::errors::assert_message;
use td_kernel_tests::folds;

use super::{devices, each};

/// Each device with a turn of its own, unless it runs everything.
fn turns() -> Vec<(Option<usize>, Device)> {
    let turned = devices().into_iter().enumerate();
    turned.map(|(turn, device)| ((!EVERY).then_some(turn), device)).collect()
}

#[test]
fn folds_of_every_type() {
    for (turn, device) in turns() {
        folds::check_types(&device, turn, folds::SIZES, folds::SIZES_OF_SETS).unwrap();
    }
}

#[test]
fn slots_of_every_size() {
    let devices = turns();
    each(&(0..folds::SLOTS.len()).collect::<Vec<_>>(), |&case| {
        for (turn, device) in &devices {
            folds::check_slots(device, case, *turn, &[0, 1, 2, 31, 33, 97, 130]).unwrap();
        }
    });
}

#[test]
fn results_agree_at_every_width() {
    each(&devices(), |device| folds::check_widths(device, EVERY).unwrap());
}

#[test]
fn bodies_use_the_whole_language() {
    for device in devices() {
        folds::check_language(&device, &[0, 1, 2, 31, 33, 97, 130]).unwrap();
    }
}

/// On the CPU as on a GPU, whose tiles the emulator has.
#[test]
fn folds_agree_in_bits() {
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

/// Features determine element counts like slices, and have one width.
#[test]
fn disagreeing_features_of_one_set() {
    let device = devices().remove(0);
    let kernel = fold::load(&device).unwrap();
    let (a, b) = (device.features(&[1.0; 12], 4).unwrap(), device.features(&[1; 12], 4).unwrap());
    let (x, mut out) = (device.upload(&[1.0; 3]).unwrap(), device.packed(3).unwrap());
    kernel.launch(&a, &x, &b, &mut out).unwrap();
    assert_eq!(out.download().unwrap().as_slice(), [4.0; 3]);

    let wide = device.features(&[1; 15], 5).unwrap();
    let error = kernel.launch(&a, &x, &wide, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("b")));
    assert_eq!(error.kernel(), Some("fold"));
    assert_message(&error, &["`fold`", "`b` has 5 features", "`a` has 4", "same width"]);

    let few = device.features(&[1; 8], 4).unwrap();
    let error = kernel.launch(&a, &x, &few, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("b")));
    assert_message(&error, &["fold", "`b` is for 2", "`a` requires", "3"]);

    let short = device.upload(&[1.0; 2]).unwrap();
    let error = kernel.launch(&a, &short, &b, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("x")));
    assert_message(&error, &["`x` is for 2", "`a` requires", "3"]);

    let mut small = device.packed(2).unwrap();
    let error = kernel.launch(&a, &x, &b, &mut small).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("out")));
    assert_eq!(small.download().unwrap().as_slice(), [0.0], "nothing has run");

    // Zero elements have a width, too.
    let (none, nothing) = (device.features(&[], 4).unwrap(), device.upload(&[]).unwrap());
    let others = device.features(&[], 3).unwrap();
    let mut empty = device.packed(0).unwrap();
    kernel.launch(&none, &nothing, &device.features(&[], 4).unwrap(), &mut empty).unwrap();
    let error = kernel.launch(&none, &nothing, &others, &mut empty).unwrap_err();
    assert_message(&error, &["`b` has 3 features", "`a` has 4"]);
}

#[test]
fn disagreeing_features_of_two_sets() {
    let device = devices().remove(0);
    let kernel = fold_of_sets::load(&device).unwrap();
    let (a, b) = (device.features(&[1.0; 12], 4).unwrap(), device.features(&[1.0; 8], 4).unwrap());
    let mut out = device.matrix((3, 2)).unwrap();
    kernel.launch(&a, &b, &mut out).unwrap();
    assert_eq!(out.download().unwrap().as_slice(), [4.0; 6]);
    let error = kernel.launch(&b, &a, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("out")));
    let narrow = device.features(&[1.0; 6], 3).unwrap();
    let error = kernel.launch(&a, &narrow, &mut out).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::Arguments, Some("b")));
    assert_message(&error, &["`fold_of_sets`", "`b` has 3 features", "`a` has 4"]);
}
