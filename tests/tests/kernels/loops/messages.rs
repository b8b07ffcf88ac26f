//! The C++ compiler's messages about mistakes: with the user's lines, and explained like NVRTC's messages.

use td_kernel::{Device, ErrorKind, td_kernel};

#[td_kernel]
unsafe fn misplaced(
    #[row] p: &Features<f32>,
    #[row] mean: &[f32],
    #[fold(start = "nothing")] low: f32,
    out: &mut Matrix<f32>,
) {
    let feature = r#"
    low += sqrtf(p + (mean));
    low += (p).i;
    "#;
    let pair = r#" out = sqrtf(p) + (k); "#;
}

/// Like NVRTC's messages.
#[test]
fn misplaced_names_have_notes() {
    let error = misplaced::load(&Device::cpu().unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Compile);
    let log = error.compiler_log().unwrap();
    let mut lines = include_str!("messages.rs").lines();
    let line = lines.position(|line| line.contains("low += sqrtf")).unwrap() + 1;
    for part in [
        &format!("tests/kernels/loops/messages.rs:{line}:"),
        "\nnote: only parameters with `#[each]` have `.i` and `.j`",
        "\nnote: in a kernel over features, the body `feature` can use one feature of each element, `k`",
        "the body `pair` can use all of the kernel's parameters except features, but not `k`",
        "\nnote: the start value of `low`, `#[fold(start = \"nothing\")]`, is not valid",
        "\nnote: `misplaced.cpp` is the generated source, stored in `misplaced::CPU_SOURCE`",
    ] {
        assert!(log.contains(part), "{part:?} in {log}");
    }
    // g++ would add messages about unknown options.
    assert!(!log.contains("unrecognized"), "{log}");
}
