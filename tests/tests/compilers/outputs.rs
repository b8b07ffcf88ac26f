//! Outputs of types of every size and alignment, in every sweep: compiled by NVRTC, and run on the CPU. These tests need NVRTC
//! and no GPU.

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel::nvrtc;
use td_kernel_tests::OPTIONS;
use td_kernel_tests::catalogue::{self, Domain, Run, Sizes};
use td_kernel_tests::covering::in_turn;
use td_kernel_tests::parallel::CheckEach;

/// A type of 64 one-byte fields, each of which the compiler keeps in a register: the four values of a thread need more registers
/// than it has.
const MAY_SPILL: &str = "a32s64";

#[test]
fn outputs_of_every_type_compile() {
    catalogue::of_types().par_iter().enumerate().check_each(|(turn, entry)| {
        for source in in_turn(entry.sources, turn) {
            let compiled = nvrtc::compile(entry.name, source, OPTIONS, 90);
            let warnings =
                compiled.unwrap_or_else(|error| panic!("{}: {error}", entry.name)).warnings;
            let is_spilled = warnings.lines().all(|line| line.contains("spilled"));
            let is_right = warnings.is_empty() || entry.name.contains(MAY_SPILL) && is_spilled;
            assert!(is_right, "{}: {warnings}", entry.name);
        }
    });
}

/// All pairs of few and of many elements. By default, each kernel runs one of its variants, by turns.
#[test]
fn outputs_of_every_type() {
    let device = Device::emulator().unwrap();
    catalogue::of_types().par_iter().enumerate().check_each(|(turn, entry)| {
        let count = (entry.kernel)(&device).unwrap().variants().count();
        let variants: Vec<_> = in_turn(0..count, turn).into_iter().map(Some).collect();
        for (seed, n) in (0..).zip([1, 2, 31, 33, 65, 129]) {
            let sizes = match entry.domain {
                Domain::Two => Sizes::Two(n, 3 * n / 2),
                _ => Sizes::One(n),
            };
            if let Err(problem) = entry.check(&Run::new(&device, sizes, seed), &variants) {
                panic!("{problem}");
            }
        }
    });
}
