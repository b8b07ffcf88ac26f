//! Structs without a twin in C++.

use td_kernel::DeviceType;

#[derive(Clone, Copy, DeviceType)]
struct NotC {
    x: f32,
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C, packed)]
struct TooTight {
    x: f32,
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Generic<T> {
    x: T,
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
enum Choice {
    A,
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Unnamed(f32);

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Empty {}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Names {
    template: f32,
    td_x: f32,
}

const LENGTH: usize = 3;

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Fields {
    length: [f32; LENGTH],
    size: usize,
    flag: bool,
    tuple: (f32, f32),
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Inner {
    x: f32,
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Outer {
    inner: Inner,
}

#[derive(Clone, Copy, DeviceType)]
#[device_type(create = ::td_kernel)]
#[repr(C)]
struct Key {
    x: f32,
}

fn main() {}
