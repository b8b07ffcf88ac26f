//! Structs that have the same name, or an alias, in Rust, which C++ cannot distinguish.

use td_kernel::{DeviceType, td_kernel};

mod a {
    #[derive(Clone, Copy, super::DeviceType)]
    #[repr(C)]
    pub struct Part {
        x: f32,
    }

    #[derive(Clone, Copy, super::DeviceType)]
    #[repr(C)]
    pub struct Whole {
        part: Part,
    }
}

mod b {
    #[derive(Clone, Copy, super::DeviceType)]
    #[repr(C)]
    pub struct Part {
        y: f32,
    }

    #[derive(Clone, Copy, super::DeviceType)]
    #[repr(C)]
    pub struct Whole {
        part: Part,
    }
}

/// The two structs have the same name and the same field.
#[td_kernel]
unsafe fn nested(x: &[a::Whole], y: &[b::Whole], total: &mut Sum<f32>) {
    r#" total += x_length + y_length; "#
}

type Alias = a::Part;

#[td_kernel]
unsafe fn aliased(x: &[Alias], total: &mut Sum<f32>) {
    r#" total += x_length; "#
}

macro_rules! of_parts {
    ($($part:ident)*) => {
        $(
            #[derive(Clone, Copy, DeviceType)]
            #[repr(C)]
            struct $part {
                x: f32,
            }
        )*

        #[derive(Clone, Copy, DeviceType)]
        #[repr(C)]
        struct Many {
            $($part: $part,)*
        }
    };
}

of_parts! {
    A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 B0 B1 B2 B3 B4 B5 B6 B7 B8 B9 C0 C1 C2 C3 C4 C5 C6 C7 C8 C9
    D0 D1 D2 D3 D4 D5 D6 D7 D8 D9 E0 E1 E2 E3 E4 E5 E6 E7 E8 E9 F0 F1 F2 F3 F4 F5 F6 F7 F8 F9
    G0 G1 G2 G3
}

#[td_kernel]
unsafe fn too_many(x: &[Many], total: &mut Sum<f32>) {
    r#" total += x_length; "#
}

fn main() {}
