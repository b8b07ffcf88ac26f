//! An empty array, which C++ does not have.

use td_kernel::DeviceType;

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Nothing {
    number: f32,
    none: [f32; 0],
    nested: [[u8; 2]; 0],
}

fn main() {}
