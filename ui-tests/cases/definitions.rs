//! Types of kernels and fields that lack a definition in C++, or whose definition has another name.

use td_kernel::{DeviceType, td_kernel};

struct Plain {
    x: f32,
}

#[td_kernel]
unsafe fn no_definition(x: &[Plain], list: &mut Pairs) {
    r#" if (x_length > 3) list.push(); "#
}

type Real = f32;

#[td_kernel]
unsafe fn alias(x: Real, out: &mut Packed<f32>) {
    r#" out = x; "#
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

#[derive(DeviceType)]
#[repr(C)]
struct NotCopy {
    x: f32,
}

mod own {
    use td_kernel::DeviceType;

    /// A struct, and not the number of the crate half.
    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, DeviceType)]
    #[repr(C)]
    pub struct f16 {
        pub bits: u16,
    }

    #[allow(non_camel_case_types)]
    #[derive(Clone, Copy, DeviceType)]
    #[repr(C)]
    pub struct bf16 {
        pub bits: u16,
    }
}

#[td_kernel]
unsafe fn named_alike(#[each] x: &[own::f16], total: &mut Sum<f32>) {
    r#" total += x.i; "#
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Fields {
    some: [[own::bf16; 3]; 2],
}

fn main() {}
