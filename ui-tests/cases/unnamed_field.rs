//! A field named `_`: rustc rejects it too, and then checks little of the rest of the file.

use td_kernel::DeviceType;

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Unnamed {
    _: f32,
}

fn main() {}
