//! Sums of arrays: wrong types, too many numbers, and features.

#[td_kernel]
unsafe fn types(
    #[each] a: &mut Sums<[f32; 65]>,
    #[each] b: &mut Sums<[f64; 33]>,
    #[each] c: &mut Sums<[i32; 5]>,
    #[each] d: &mut Sums<[f32; COUNT]>,
    #[each] e: &mut Maxima<[f32; 16]>,
    f: &mut Packed<[f32; 16]>,
    g: [f32; 16],
    h: &[[i32; 16]],
    k: &mut [[f32; 16]],
) {
    r#" a.i += 1; "#
}

#[td_kernel]
unsafe fn too_many(
    #[row] v: &[[f32; 40]],
    #[row] a: &mut Sums<[f32; 40]>,
    #[column] b: &mut Sums<[f32; 40]>,
) {
    r#" a += 2.0f * v; b += 2.0f * v; "#
}

#[td_kernel]
unsafe fn features(
    #[each] x: &Features<f32>,
    #[fold] s: f32,
    #[each] v: &[[f32; 16]],
    #[each] out: &mut Sums<[f32; 16]>,
) {
    let feature = r#" s += x.i * x.j; "#;
    let pair = r#" out.i += s * v.j; out.j += s * v.i; "#;
}

#[td_kernel]
unsafe fn unmarked(#[row] v: &[[f32; 16]], out: &mut Sums<[f32; 16]>) {
    r#" out += 2.0f * v; "#
}
