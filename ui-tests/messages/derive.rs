//! Structs without a definition in C++.

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
struct Bound<'a, const N: usize> {
    x: &'a [f32; N],
}

#[derive(Clone, Copy, DeviceType)]
enum Choice {
    A,
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
union Either {
    x: f32,
    y: u32,
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Unnamed(f32);

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Empty {}

const LENGTH: usize = 3;

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Fields {
    length: [f32; LENGTH],
    size: usize,
    flag: bool,
    tuple: (f32, f32),
    optional: Option<f32>,
    #[device_type(skip)]
    skipped: f32,
}

#[derive(Clone, Copy, DeviceType)]
#[device_type(create = ::td_kernel)]
#[repr(C)]
struct Key {
    x: f32,
}

#[derive(Clone, Copy, DeviceType)]
#[device_type(crate = "td_kernel")]
#[repr(C)]
struct Value {
    x: f32,
}

#[derive(Clone, Copy, DeviceType)]
#[device_type(crate = ::td_kernel)]
#[device_type(crate = td_kernel)]
#[repr(C)]
struct Twice {
    x: f32,
}
