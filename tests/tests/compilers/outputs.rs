//! Outputs of types of every size and alignment, in every sweep: compiled by NVRTC, and run on the CPU. These tests need NVRTC
//! and no GPU.

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel::nvrtc;
use td_kernel_tests::OPTIONS;
use td_kernel_tests::covering::{chosen, part};
use td_kernel_tests::outputs::{self, Case, SIZES};

/// Fails with all errors, each kernel on a line.
fn assert_none(
    cases: &[(Case, usize)],
    failure: impl Fn(usize, &Case, usize) -> Option<String> + Send + Sync,
) {
    let numbered = cases.par_iter().enumerate();
    let failures = numbered.filter_map(|(turn, (case, text))| failure(turn, case, *text));
    let failures: Vec<_> = failures.collect();
    let count = failures.len();
    assert!(count == 0, "{count} of {} are wrong:\n{}", cases.len(), failures.join("\n"));
}

/// Types of 64 one-byte fields, each of which the compiler keeps in a register: the four values of a thread need more registers
/// than it has.
const MAY_SPILL: &[&str] = &["A1S64", "A32S64"];

#[test]
fn outputs_of_every_type_compile() {
    let properties = |(case, text): &(Case, usize)| {
        vec![case.output.to_owned(), format!("{} {text}", case.kernel)]
    };
    assert_none(&chosen(&outputs::cases(), properties), |_, case, text| {
        let wrong = match nvrtc::compile("kernel", case.sources[text], OPTIONS, 90) {
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
        Some(format!("{} of {}, text {text}: {line}", case.kernel, case.output))
    });
}

/// Types of the same size and alignment are stored in the same way, and have the same tiles. By default, each case runs half of
/// the element counts, by turns.
#[test]
fn outputs_of_every_type() {
    let device = Device::emulator().unwrap();
    let properties = |(case, text): &(Case, usize)| {
        vec![
            case.output.to_owned(),
            format!("{} {text}", case.kernel),
            format!("{} of {:?}", case.kernel, case.layout),
        ]
    };
    let cases = chosen(&outputs::cases(), properties);
    assert_none(&cases, |turn, case, text| case.failure(&device, text, &part(SIZES, 2, turn)));
}
