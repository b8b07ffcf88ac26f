//! Constants of Rust's that are wrong, or whose names are taken.

const CUTOFF: f64 = 2.5;

#[td_kernel(constants = 3)]
unsafe fn no_list(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(constants())]
unsafe fn empty(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(constants(CUTOFF, A = 3, B: f32, 4: f32 = 1.0, C: f32 = 1.0 D: u32 = 1))]
unsafe fn unwritten(out: &mut Packed<f32>) {
    r#" out = C + D; "#
}

#[td_kernel(constants(A: [f32; 2] = [1.0, 2.0], B: &str = "b", C: u128 = 1, D: std::primitive::f32 = 1.0))]
unsafe fn types(out: &mut Packed<f32>) {
    r#" out = A + B + C + D; "#
}

#[td_kernel(constants(A: f32 = 1.0, A: f32 = 2.0), constants(B: f32 = 1.0))]
unsafe fn twice(out: &mut Packed<f32>) {
    r#" out = A; "#
}

#[td_kernel(constants(float: f32 = 1.0, td_x: f32 = 1.0, M_PI: f32 = 3.0, i: u32 = 1, uint32_t: u32 = 1))]
unsafe fn reserved(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(constants(shift: f32 = 1.0, row: f32 = 1.0, rsqrtf: f32 = 1.0))]
unsafe fn taken(shift: f32, out: &mut Packed<f32>) {
    r#" out = shift + row; "#
}

#[td_kernel(constants(A: f32 = 1.0, B: f32 = 1.0))]
unsafe fn unused(out: &mut Packed<f32>) {
    r#" out = A; // and not B "#
}

#[td_kernel(prelude = r"inline float f() { return A; }", constants(A: f32 = 1.0, B: f32 = 1.0))]
unsafe fn unused_beside_a_prelude(out: &mut Packed<f32>) {
    r#" out = f(); "#
}
