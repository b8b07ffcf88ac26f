//! 16-bit floats: where they cannot be, and what only has their names.

use td_kernel::{DeviceType, td_kernel};

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
unsafe fn named_alike(#[each] x: &[own::f16], y: own::bf16, total: &mut Sum<f32>) {
    r#" total += x.i + y; "#
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Fields {
    one: own::f16,
    some: [[own::bf16; 3]; 2],
}

#[td_kernel]
unsafe fn of_rust(x: &[core::primitive::f16], y: std::primitive::f128) {
    r#" return; "#
}

#[td_kernel]
unsafe fn sums(total: &mut Sum<half::f16>) {
    r#" total += 1; "#
}

#[td_kernel]
unsafe fn sums_of_elements(#[each] a: &mut Sum<bf16>, #[each] b: &mut Sum<[half::bf16; 3]>) {
    r#" a.i += 1; "#
}

#[td_kernel]
unsafe fn lengths(x: &[[half::f16; 8]]) {
    r#" return; "#
}

fn main() {}
