//! Kernels run on the CPU: in its loops, and as a GPU's source on the emulator. These tests need a C++ compiler. They can share
//! a process, so they are one program, which is linked once.
#![allow(clippy::unwrap_used, clippy::panic)]

#[macro_use(assert_errors)]
extern crate td_kernel_tests;

mod chunked;
mod chunks;
mod errors;
mod generic;
mod kept;
mod launch;
mod loops;
mod near_list;
mod near_sections;
mod nearest_devices;
mod nearest_rounds;
mod parted;
mod ranges;
mod rectangle;
mod several;
#[path = "../small/mod.rs"]
mod small;

use std::sync::LazyLock;

use td_kernel::Device;

/// Whether `small` runs on a GPU.
const IS_GPU: bool = false;

/// The CPU, which has no variants, and the emulator of a GPU. Tests share what they have compiled.
static SHARED: LazyLock<[Device; 2]> =
    LazyLock::new(|| [Device::cpu(), Device::emulator()].map(Result::unwrap));

fn devices() -> Vec<Device> {
    SHARED.to_vec()
}
