//! 16-bit floats where they are not supported, and other types of the same names.

#[td_kernel] unsafe fn of_rust(x: &[core::primitive::f16], y: std::primitive::f128) { r#" return; "# }
#[td_kernel] unsafe fn sums(total: &mut Sum<half::f16>) { r#" total += 1; "# }
#[td_kernel] unsafe fn sums_of_elements(#[each] a: &mut Sums<bf16>, #[each] b: &mut Sums<[half::bf16; 3]>) { r#" a.i += 1; "# }
#[td_kernel] unsafe fn lengths(x: &[[half::f16; 8]]) { r#" return; "# }
