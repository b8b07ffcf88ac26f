//! Safe code cannot call the functions that are for generated code, with arguments that fit no source.
#![forbid(unsafe_code)]

use td_kernel::__private::KernelInfo;
use td_kernel::{Device, Kernel, td_kernel};

#[td_kernel]
unsafe fn first(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i; "#
}

fn without_arguments(device: &Device) -> td_kernel::Result<()> {
    first::load(device)?.kernel.launch().run()
}

fn of_any_text(device: &Device, info: &'static KernelInfo) -> td_kernel::Result<Kernel> {
    Kernel::load(device, info)
}

fn main() {}
