//! Safe code cannot call the functions that are for generated code, with arguments that fit no source.
#![forbid(unsafe_code)]

use td_kernel::__private::{Loops, Refused, Source};
use td_kernel::{Device, Kernel, td_kernel};

#[td_kernel]
unsafe fn first(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i; "#
}

fn without_arguments(device: &Device) -> td_kernel::Result<()> {
    first::load(device)?.kernel.launch().run()
}

fn of_any_text(device: &Device) -> td_kernel::Result<Kernel> {
    static INFO: td_kernel::__private::KernelInfo = td_kernel::__private::KernelInfo {
        name: "any",
        entry: "any_kernel",
        diagonal: false,
        has_square: false,
        has_packed: false,
        loops: Loops { source: Source::whole(&""), takes_n: false, options: &[] },
        is_rectangle: false,
        is_exchanged: false,
        is_nearest: false,
        near: None,
        joins: &[],
        entries: Err("it is written by hand"),
        refused: Refused::NONE,
        options: &[],
        warnings: &[],
        columns: &[],
        variants: &[],
    };
    Kernel::load(device, &INFO)
}

fn main() {}
