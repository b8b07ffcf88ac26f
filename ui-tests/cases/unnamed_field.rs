//! A field called `_`: rustc refuses it too, and then says little about the rest of a file.

use td_kernel::DeviceType;

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Unnamed {
    _: f32,
}

fn main() {}
