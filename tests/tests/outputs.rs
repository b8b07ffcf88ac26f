//! Outputs of types of every size and alignment, in every sweep: compiled by NVRTC, and run on the CPU. These tests
//! need NVRTC and no GPU.
#![allow(clippy::unwrap_used, clippy::panic)]

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel::nvrtc;
use td_kernel_tests::covering::{chosen, in_turn};
use td_kernel_tests::outputs::{self, Case, SIZES};

fn cases() -> Vec<Case> {
    outputs::cases().copied().collect()
}

/// Fails with everything that is wrong, each kernel on a line.
fn assert_none(cases: &[Case], failure: impl Fn(&Case) -> Option<String> + Send + Sync) {
    let failures: Vec<_> = cases.par_iter().filter_map(failure).collect();
    let count = failures.len();
    assert!(count == 0, "{count} of {} are wrong:\n{}", cases.len(), failures.join("\n"));
}

/// Types of 64 fields of a byte, each of which the compiler keeps in a register: the four values that a thread has at a
/// time need more registers than there are.
const MAY_SPILL: &[&str] = &["A32S64"];

#[test]
fn outputs_of_every_type_compile() {
    let turn = |case: &Case| case.output.len() + case.kernel.len();
    let cases = chosen(&cases(), |case| vec![case.output, case.kernel]);
    assert_none(&cases, |case| {
        in_turn(case.sources, turn(case)).into_iter().find_map(|(variant, source)| {
            let wrong = match nvrtc::compile("kernel", source, 90) {
                Ok(compiled) if compiled.warnings.is_empty() => return None,
                Ok(compiled)
                    if MAY_SPILL.contains(&case.output)
                        && compiled.warnings.lines().all(|line| line.contains("spilled")) =>
                {
                    return None;
                }
                Ok(compiled) => compiled.warnings,
                Err(error) => error.to_string(),
            };
            let line = wrong.lines().find(|line| line.contains("error")).unwrap_or(&wrong);
            Some(format!("{} of {}, text {variant}: {line}", case.kernel, case.output))
        })
    });
}

#[test]
fn outputs_of_every_type_are_stored_as_they_are() {
    let device = Device::emulator().unwrap();
    assert_none(&cases(), |case| case.failure(&device, SIZES));
}
