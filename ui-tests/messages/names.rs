//! Names that C++, CUDA or the generated kernel already uses.

#[td_kernel] unsafe fn of_every_body(i: f32, j: f32, n: u32) { r#" return; "# }

#[td_kernel] unsafe fn of_others(template: f32, NAN: f32, td_x: f32, td: f32, __y: f32, float4: f32, größe: f32, uint8_t: f32) {
    r#" return; "#
}

#[td_kernel] unsafe fn with_wrong_types(template: usize, r#struct: bool) { r#" return; "# }
#[td_kernel] unsafe fn auto(out: &mut Packed<f32>) { r#" out = 1; "# }
#[td_kernel] unsafe fn td_mine(out: &mut Packed<f32>) { r#" out = 1; "# }
#[derive(Clone, Copy, DeviceType)] #[repr(C)] struct double2 { template: f32, td_x: f32 }
#[derive(Clone, Copy, DeviceType)] #[repr(C)] struct row { x: f32 }
#[td_kernel] unsafe fn structs(x: &[row], y: &[double2]) { r#" return; "# }
#[td_kernel] unsafe fn numbers(two: &mut Sum<[f32; 2]>, two_1: &mut Sum<f32>) { r#" two += make_float2(i, j); two_1 += 1; "# }
