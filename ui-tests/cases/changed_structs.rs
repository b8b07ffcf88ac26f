//! Structs that an attribute below the derive changes after the derive has read them.
#![forbid(unsafe_code)]

use td_kernel::DeviceType;
use td_kernel_ui_tests_attributes::{add, replace};

#[derive(Clone, Copy, DeviceType)]
#[add(flag: bool)]
#[repr(C)]
struct Padded {
    large: u32,
    small: u8,
}

#[derive(Clone, Copy, DeviceType)]
#[replace(large: char)]
#[repr(C)]
struct Replaced {
    large: u32,
}

fn main() {}
