//! `td_kernel::testing` in a crate with a kernel that does not compile. This test needs NVRTC and no GPU.
#![allow(clippy::unwrap_used, clippy::panic)]

use td_kernel::td_kernel;
use td_kernel::testing::{self, Failure};

#[td_kernel]
unsafe fn wrong(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#"
    out = x.i - x.k;
    "#
}

#[td_kernel(tile = 64)]
unsafe fn right(total: &mut Sum<u64>) {
    r#" total += 1; "#
}

#[td_kernel(tile = 64)]
unsafe fn inexact(total: &mut Sum<u64>) {
    r#"
    unsigned char small = 1000;
    total += small;
    "#
}

#[test]
fn failed_kernels_are_named_once() {
    let failure = testing::compile_all(&[75, 90]).unwrap_err();
    let Failure::Compile { errors, failed, compilations, warned, .. } = &failure else {
        panic!("{failure}")
    };
    // Each source is compiled for two architectures, also that for given pairs.
    let wrong = 2 * (wrong::SOURCES.len() + 1);
    assert_eq!((errors.len(), *failed, *compilations), (1, wrong, wrong + 2 * 2 * 2));
    assert_eq!(*warned, 4);
    let text = failure.to_string();
    // The failure also has the warnings of other kernels.
    for part in [
        "kernel `wrong`: it does not compile",
        "tests/tests/testing_failures.rs:10: error: ",
        "x.k",
        "warnings of 4 other compilations:",
        "tests/tests/testing_failures.rs:22: warning ",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
}
