//! Types that a GPU does not share with Rust.

#[td_kernel]
unsafe fn machine_dependent(x: &[usize], s: isize) {
    r#" return; "#
}

#[td_kernel]
unsafe fn not_every_bit_pattern(x: &[bool], c: char) {
    r#" return; "#
}

#[td_kernel]
unsafe fn too_wide(x: &[u128], y: i128, z: f128) {
    r#" return; "#
}

#[td_kernel]
unsafe fn text(x: &str, y: String) {
    r#" return; "#
}

#[td_kernel]
unsafe fn references(x: &f32, y: &&[f32], z: &[&f32], w: &[f32; 3], v: &mut [[f32; 4]; 4]) {
    r#" return; "#
}

#[td_kernel]
unsafe fn containers(x: Vec<f32>, y: &td_kernel::Buffer<f32>, z: Box<[f32]>, w: [f32]) {
    r#" return; "#
}

#[td_kernel]
unsafe fn others(a: (f32, f32), b: fn(), c: *const f32, d: !, e: Self, f: impl Copy, g: Option<f32>) {
    r#" return; "#
}

#[td_kernel]
unsafe fn by_paths(x: <f32 as std::ops::Neg>::Output, y: &dyn Copy, z: type_of!(f32)) {
    r#" return; "#
}

#[td_kernel]
unsafe fn no_vectors(a: &[[f32; 5]], b: &[[[f32; 2]; 2]], c: [f32; LENGTH], d: [usize; 2]) {
    r#" return; "#
}

#[td_kernel]
unsafe fn outputs(a: &mut Packed<Packed<f32>>, b: &mut Square<bool>, c: &mut Packed<&f32>) {
    r#" return; "#
}

#[td_kernel]
unsafe fn no_sums(a: &mut Sum<u8>, b: &mut Sum<[f32; 2]>) {
    r#" return; "#
}
