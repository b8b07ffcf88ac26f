//! Types that have a number's name and dereference to that number are not that number. Zeroed, these would be a
//! null reference and a variant that does not exist.
#![forbid(unsafe_code)]

use std::ops::Deref;

use td_kernel::DeviceType;

mod others {
    #[allow(non_camel_case_types)]
    pub type u64 = &'static ::core::primitive::u64;

    #[allow(non_camel_case_types)]
    pub type i32 = super::Choice;
}

use others::*;

#[derive(Clone, Copy)]
#[repr(i32)]
pub enum Choice {
    One = 1,
}

impl Deref for Choice {
    type Target = ::core::primitive::i32;

    fn deref(&self) -> &Self::Target {
        const { &1 }
    }
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Reference {
    number: u64,
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Variants {
    choice: i32,
}

fn main() {}
