//! Outputs of every type, in every sweep: compiled by NVRTC, and run on the CPU. No GPU is needed, but
//! NVRTC is.
#![allow(clippy::unwrap_used, clippy::panic)]

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel::nvrtc;
use td_kernel_tests::outputs::{CASES, SIZES};

/// All that is wrong at once, each kernel on a line.
fn assert_none(what: &str, failures: &[String]) {
    let count = failures.len();
    assert!(failures.is_empty(), "{count} of {} {what}:\n{}", CASES.len(), failures.join("\n"));
}

#[test]
fn outputs_of_every_type_compile() {
    let of_case = |case: &td_kernel_tests::outputs::Case| {
        case.sources.iter().enumerate().find_map(|(variant, source)| {
            let wrong = match nvrtc::compile("kernel", source, 90) {
                Ok(compiled) if compiled.warnings.is_empty() => return None,
                Ok(compiled) => compiled.warnings,
                Err(error) => error.to_string(),
            };
            let line = wrong.lines().find(|line| line.contains("error")).unwrap_or(&wrong);
            Some(format!("{} of {}, text {variant}: {line}", case.kernel, case.output))
        })
    };
    let failures: Vec<_> = CASES.par_iter().filter_map(of_case).collect();
    assert_none("do not compile", &failures);
}

#[test]
fn outputs_of_every_type_are_stored_as_they_are() {
    let device = Device::cpu().unwrap();
    let failures: Vec<_> =
        CASES.par_iter().filter_map(|case| case.failure(&device, SIZES)).collect();
    assert_none("are wrong on the CPU", &failures);
}
