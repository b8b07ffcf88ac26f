//! A wrong path of the runtime crate, which rustc reports once.

use td_kernel::{DeviceType, td_kernel};

#[td_kernel(crate = ::gpu)]
unsafe fn no_such_crate(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i; "#
}

#[td_kernel(crate = td_kernel::gpu)]
unsafe fn no_such_module(#[each] x: &[f32], out: &mut Packed<f32>) {
    r#" out = x.i; "#
}

#[derive(Clone, Copy, DeviceType)]
#[device_type(crate = ::gpu)]
#[repr(C)]
struct Point {
    x: f32,
}

fn main() {}
