//! Generated code in scopes with few names and strict lints.
#![no_implicit_prelude]
#![allow(unreachable_pub, clippy::non_minimal_cfg)]
#![deny(missing_docs, unsafe_op_in_unsafe_fn, unused, nonstandard_style, rust_2018_idioms)]

/// Names that generated code must not pick up.
#[allow(non_camel_case_types, dead_code, missing_docs, clippy::upper_case_acronyms)]
mod core {
    pub struct Result;
}

/// The runtime crate under another name.
mod renamed {
    pub use ::td_kernel as gpu;
}

/// A user's struct, through the renamed crate.
#[derive(::core::clone::Clone, ::core::marker::Copy, crate::renamed::gpu::DeviceType)]
#[device_type(crate = crate::renamed::gpu)]
#[repr(C)]
pub struct Point {
    /// Metres.
    pub x: f32,
}

/// A kernel, through the renamed crate, with a raw identifier as its name.
#[crate::renamed::gpu::td_kernel(crate = crate::renamed::gpu)]
pub unsafe fn r#match(#[each] r#type: &[Point], launch: f32, out: &mut Packed<f32>) {
    r#" out = (type.i.x - type.j.x) * launch; "#
}

macro_rules! kernel {
    ($name:ident, $element:ty, $body:expr, $map:literal) => {
        /// A kernel whose name, type, body and map come from a macro.
        #[::td_kernel::td_kernel(map = $map)]
        unsafe fn $name(#[each] x: &[$element], out: &mut Packed<$element>) {
            $body
        }
    };
}

#[::core::prelude::v1::test]
fn kernels_in_functions_and_macros() {
    kernel!(add, u32, r#" out = x.i + x.j; "#, "rb");

    #[::td_kernel::td_kernel]
    #[cfg(any())]
    unsafe fn never(missing: &[NoSuchType], total: &mut Sum<u32>) {
        r#" return; "#
    }

    #[::td_kernel::td_kernel]
    #[cfg(all())]
    unsafe fn included(out: &mut Packed<u32>) {
        include_str!("hygiene.cu")
    }

    let device = ::td_kernel::Device::cpu().unwrap();
    let x = device.upload(&[1_u32, 2, 4]).unwrap();
    let mut out = device.packed(3).unwrap();
    add::load(&device).unwrap().launch(&x, &mut out).unwrap();
    ::core::assert_eq!(out.download().unwrap().as_slice(), [3, 5, 6]);

    included::load(&device).unwrap().launch(&mut out).unwrap();
    ::core::assert_eq!(out.download().unwrap().as_slice(), [10, 20, 21]);
    ::core::assert!(
        included::SOURCE.contains("#line 1 \"tests/tests/hygiene.cu\""),
        "{}",
        included::SOURCE
    );

    let points = device.upload(&[Point { x: 1.0 }, Point { x: 3.0 }]).unwrap();
    let mut out = device.packed(2).unwrap();
    r#match::load(&device).unwrap().launch(&points, 10.0, &mut out).unwrap();
    ::core::assert_eq!(out.download().unwrap().as_slice(), [20.0]);
}
