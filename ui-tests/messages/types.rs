//! Rust types that a kernel cannot use.

mistakes! {
    #[td_kernel] unsafe fn kernel(MISTAKE) { r#" return; "# }
    { x: &[usize], s: isize }
    { x: &[bool], c: char }
    { x: &[u128], y: i128, z: f128 }
    { x: &str, y: String }
    { x: &f32, y: &&[f32], z: &[&f32], w: &[f32; 3], v: &mut [[f32; 4]; 4] }
    { x: Vec<f32>, y: &td_kernel::Buffer<f32>, z: Box<[f32]>, w: [f32], v: &mut Vec<f32> }
    { a: (f32, f32), b: fn(), c: *const f32, d: !, e: Self, f: impl Copy, g: Option<f32> }
    { x: <f32 as std::ops::Neg>::Output, y: &dyn Copy, z: type_of!(f32) }
    { a: &[[f32; 5]], b: &[[[f32; 2]; 2]], c: [f32; LENGTH], d: [usize; 2] }
    { a: &mut Packed<Packed<f32>>, b: &mut Square<bool>, c: &mut Packed<&f32> }
    { a: &mut Sum<u8>, b: &mut Sum<[u32; 5]> }
    { a: &[Vec<f32>], b: &[[f32]] }
}

// 16-bit floats where they are not supported, and other types of the same names.
#[td_kernel] unsafe fn of_rust(x: &[core::primitive::f16], y: std::primitive::f128) { r#" return; "# }
#[td_kernel] unsafe fn sums(total: &mut Sum<half::f16>) { r#" total += 1; "# }
#[td_kernel] unsafe fn sums_of_elements(#[each] a: &mut Sums<bf16>, #[each] b: &mut Sums<[half::bf16; 3]>) { r#" a.i += 1; "# }
#[td_kernel] unsafe fn lengths(x: &[[half::f16; 8]]) { r#" return; "# }
