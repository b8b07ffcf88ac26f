//! Rust constants that are wrong, or whose names are already used.

mistakes! {
    #[td_kernel(MISTAKE)] unsafe fn kernel(shift: f32, out: &mut Packed<f32>) {
        r#" out = A + shift + row; // and not B "#
    }

    { constants = 3 }
    { constants() }
    { constants(CUTOFF, A = 3, B: f32, 4: f32 = 1.0, C: f32 = 1.0 D: u32 = 1) }
    { constants(A: [f32; 2] = [1.0, 2.0], B: &str = "b", C: u128 = 1, D: std::primitive::f32 = 1.0) }
    { constants(A: f32 = 1.0, A: f32 = 2.0), constants(B: f32 = 1.0) }
    { constants(float: f32 = 1.0, td_x: f32 = 1.0, M_PI: f32 = 3.0, i: u32 = 1, uint32_t: u32 = 1) }
    { constants(shift: f32 = 1.0, row: f32 = 1.0, rsqrtf: f32 = 1.0) }
    { constants(A: f32 = 1.0, B: f32 = 1.0) }
}

#[td_kernel(prelude = r"inline float f() { return A; }", constants(A: f32 = 1.0, B: f32 = 1.0))]
unsafe fn unused_beside_a_prelude(out: &mut Packed<f32>) {
    r#" out = f(); "#
}
