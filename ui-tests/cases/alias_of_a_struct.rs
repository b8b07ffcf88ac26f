//! C++ knows a struct by its own name only.

use td_kernel::{DeviceType, td_kernel};

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Sphere {
    radius: f32,
}

type Ball = Sphere;

#[td_kernel]
unsafe fn aliased(x: &[Ball]) {
    r#" return; "#
}

fn main() {}
