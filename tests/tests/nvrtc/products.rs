//! The catalogue's sources for tensor cores, on each kind of GPU that has them: their instructions depend on the architecture.

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel_tests::catalogue::{self, Code};
use td_kernel_tests::covering::in_turn;
use td_kernel_tests::parallel::CheckEach;

use super::{compiles_for, nvrtc};

/// Besides Hopper, for which they compile with all others; by default each source for one of these, by turns.
#[test]
fn products_compile_without_spills() {
    let (device, known) = (Device::cpu().unwrap(), nvrtc::architectures().unwrap());
    let others: Vec<_> =
        [80, 86, 89, 100, 120].into_iter().filter(|each| known.contains(each)).collect();
    let all = catalogue::all().into_iter().flat_map(|entry| {
        let kernel = (entry.kernel)(&device).unwrap();
        let codes = catalogue::codes(kernel.info()).into_iter().filter(Code::is_for_gpu);
        codes.map(move |code| (entry.name, code)).collect::<Vec<_>>()
    });
    let all: Vec<_> = all.filter(|(_, code)| code.text.contains("_prepare(")).collect();
    assert!(all.len() > 20, "{}", all.len());
    all.par_iter().enumerate().check_each(|(turn, (name, code))| {
        compiles_for(&format!("{name}, {}", code.way), &code.text, &in_turn(others.clone(), turn));
    });
}
