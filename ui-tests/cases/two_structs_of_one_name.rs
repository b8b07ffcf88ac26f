//! Rust can tell two structs of one name apart; C++ cannot.

use td_kernel::{DeviceType, td_kernel};

mod a {
    #[derive(Clone, Copy, super::DeviceType)]
    #[repr(C)]
    pub struct Part {
        x: f32,
    }
}

mod b {
    #[derive(Clone, Copy, super::DeviceType)]
    #[repr(C)]
    pub struct Part {
        y: f32,
    }
}

#[td_kernel]
unsafe fn direct(x: &[a::Part], y: &[b::Part]) {
    r#" return; "#
}

fn main() {}
