//! Kernels with results of every size of type, packed and square.

use td_kernel::cudarc::driver::DeviceRepr;
use td_kernel::{DeviceType, td_kernel};

/// A result of 8 bytes that is aligned to 4 only.
#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
pub(super) struct Two {
    a: f32,
    b: f32,
}

// SAFETY: a DeviceType is laid out for a GPU as for Rust.
unsafe impl DeviceRepr for Two {}

/// A result of 24 bytes.
#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
pub(super) struct Six {
    words: [f32; 6],
}

// SAFETY: a DeviceType is laid out for a GPU as for Rust.
unsafe impl DeviceRepr for Six {}

macro_rules! values {
    ($($module:ident: $type:ty, $body:literal;)+) => {
        $(pub(super) mod $module {
            #[allow(unused_imports)]
            use super::*;

            #[td_kernel(map = "auto")]
            pub(crate) unsafe fn packed(#[each] x: &[f32], out: &mut Packed<$type>) {
                $body
            }

            #[td_kernel(map = "auto")]
            pub(crate) unsafe fn square(#[each] x: &[f32], out: &mut Square<$type>) {
                $body
            }
        })+
    };
}

values! {
    byte: u8, r#" out = fabsf(x.i - x.j) < 0.25f; "#;
    short: i16, r#" out = (short)(1000 * fabsf(x.i - x.j)); "#;
    float: f32, r#" out = fabsf(x.i - x.j); "#;
    double: f64, r#" out = fabsf(x.i - x.j); "#;
    float2: [f32; 2], r#" float d = fabsf(x.i - x.j); out = make_float2(d, d + 1); "#;
    two: Two, r#" float d = fabsf(x.i - x.j); out.a = d; out.b = d + 1; "#;
    float3: [f32; 3], r#" float d = fabsf(x.i - x.j); out = make_float3(d, d + 1, d + 2); "#;
    float4: [f32; 4], r#" float d = fabsf(x.i - x.j); out = make_float4(d, d + 1, d + 2, d + 3); "#;
    six: Six, r#" float d = fabsf(x.i - x.j); for (unsigned int k = 0; k < 6; ++k) out.words[k] = d + k; "#;
}
