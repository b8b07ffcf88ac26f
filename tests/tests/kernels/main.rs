//! Kernels run on the CPU: in its loops, and as a GPU's source on the emulator. These tests need a C++ compiler. They can share
//! a process, so they are one program, which is linked once.
#![allow(clippy::unwrap_used, clippy::panic)]

mod bounds;
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
mod ranges;
mod rectangle;
#[path = "../small/mod.rs"]
mod small;

use td_kernel::Device;

/// Whether `small` runs on a GPU.
const IS_GPU: bool = false;

/// The CPU, which has no variants, and the emulator of a GPU.
fn devices() -> Vec<Device> {
    [Device::cpu(), Device::emulator()].into_iter().map(Result::unwrap).collect()
}
