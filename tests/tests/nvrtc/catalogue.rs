//! Every source of the catalogue's kernels.

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel_tests::catalogue::{self, Code};
use td_kernel_tests::parallel::CheckEach;

use super::{by_turns, compiles_for};

#[test]
fn kernels_of_the_catalogue_compile() {
    let device = Device::cpu().unwrap();
    let all = catalogue::all().into_iter().flat_map(|entry| {
        let kernel = (entry.kernel)(&device).unwrap();
        let codes = catalogue::codes(kernel.info()).into_iter().filter(Code::is_for_gpu);
        codes.map(move |code| (entry.name, code)).collect::<Vec<_>>()
    });
    let all: Vec<_> = all.collect();
    all.par_iter().enumerate().check_each(|(turn, (name, code))| {
        let mut architectures = by_turns(turn);
        // The others have no tensor cores that multiply 16-bit floats in such parts.
        architectures.retain(|each| *each >= 80 || !code.text.contains("_prepare("));
        compiles_for(&format!("{name}, {}", code.way), &code.text, &architectures);
    });
}
