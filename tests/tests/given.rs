//! Preludes and constants: what they give on the CPU and in the GPU's text, and that NVRTC reads them.
#![allow(clippy::unwrap_used, clippy::panic)]

use td_kernel::{Device, nvrtc};
use td_kernel_tests::given;

#[test]
fn preludes_and_constants_are_there_on_the_cpu() {
    given::check(&Device::cpu().unwrap()).unwrap();
}

#[test]
fn preludes_and_constants_are_there_in_the_gpus_text() {
    given::check(&Device::emulator().unwrap()).unwrap();
}

#[test]
fn nvrtc_compiles_them_without_a_warning() {
    for (kernel, sources) in given::SOURCES {
        for source in *sources {
            let compiled = nvrtc::compile(kernel, source, 90).unwrap();
            assert_eq!(compiled.warnings, "", "{source}");
        }
    }
}
