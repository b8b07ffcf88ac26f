//! Structs that look alike from outside, and are made of parts that have a name in common.

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
        x: i32,
    }

    #[derive(Clone, Copy, super::DeviceType)]
    #[repr(C)]
    pub struct Whole {
        part: Part,
    }
}

#[td_kernel]
unsafe fn nested(x: &[a::Whole], y: &[b::Whole]) {
    r#" return; "#
}

fn main() {}
