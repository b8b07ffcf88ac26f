//! Every source of the catalogue's kernels.

use rayon::prelude::*;
use td_kernel::Device;
use td_kernel_tests::catalogue::{self, Code};
use td_kernel_tests::covering::in_turn;
use td_kernel_tests::parallel::CheckEach;

use super::{HOPPER, by_turns, compiles_with_spills, nvrtc};

/// The bytes that a thread may spill on tensor cores and with sums of arrays: the catalogue's kernels fill the registers, and each version
/// of NVRTC lacks some for a few of them.
const FEW_BYTES: u32 = 32;

/// Each for Hopper or by turns another GPU. What runs on tensor cores depends on the architecture, and so is compiled for both.
#[test]
fn kernels_of_the_catalogue_compile() {
    let (device, known) = (Device::cpu().unwrap(), nvrtc::architectures().unwrap());
    let others: Vec<_> =
        [80, 86, 89, 100, 120].into_iter().filter(|each| known.contains(each)).collect();
    let all = catalogue::all().into_iter().flat_map(|entry| {
        let kernel = (entry.kernel)(&device).unwrap();
        let codes = catalogue::codes(kernel.info()).into_iter().filter(Code::is_for_gpu);
        codes.map(move |code| (entry.name, code)).collect::<Vec<_>>()
    });
    let (products, plain): (Vec<_>, Vec<_>) =
        all.partition(|(_, code)| code.text.contains("_prepare("));
    assert!(products.len() > 20, "{}", products.len());
    let plain = plain.iter().enumerate().map(|(turn, each)| {
        (each, by_turns(turn), if each.0.starts_with("wide") { FEW_BYTES } else { 0 })
    });
    let products = products.iter().enumerate().map(|(turn, each)| {
        (each, [vec![HOPPER], in_turn(others.clone(), turn)].concat(), FEW_BYTES)
    });
    let all: Vec<_> = plain.chain(products).collect();
    all.par_iter().check_each(|((name, code), architectures, bytes)| {
        compiles_with_spills(&format!("{name}, {}", code.way), &code.text, architectures, *bytes);
    });
}
