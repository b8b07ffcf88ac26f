//! Preludes that are no text, that leave their file, or whose names mean something else.

const TEXT: &str = "inline float f(float x) { return x; }";

#[td_kernel(prelude = TEXT)]
unsafe fn a_constant(out: &mut Packed<f32>) {
    r#" out = f(i); "#
}

#[td_kernel(prelude = 3)]
unsafe fn a_number(out: &mut Packed<f32>) {
    r#" out = f(i); "#
}

#[td_kernel(prelude)]
unsafe fn nothing(out: &mut Packed<f32>) {
    r#" out = f(i); "#
}

#[td_kernel(prelude("functions.cuh"))]
unsafe fn a_list(out: &mut Packed<f32>) {
    r#" out = f(i); "#
}

#[td_kernel(prelude = "inline float f(float x) { return x; }")]
unsafe fn escaped(out: &mut Packed<f32>) {
    r#" out = f(i); "#
}

#[td_kernel(prelude = "shapes/torus.cuh")]
unsafe fn a_path(out: &mut Packed<f32>) {
    r#" out = f(i); "#
}

#[td_kernel(prelude = include_str!("no_such_file.cuh"))]
unsafe fn no_such_file(out: &mut Packed<f32>) {
    r#" out = f(i); "#
}

#[td_kernel(prelude = r"// nothing but a comment")]
unsafe fn empty(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(prelude = r#"
    #if LARGE
    __shared__ float shared;
    inline float f(float x) { __syncthreads(); return td_row(std::sqrt(x)); }
    }
"#)]
unsafe fn leaves(out: &mut Packed<f32>) {
    r#" out = f(i); "#
}

#[td_kernel(prelude = r#"
    #endif
    struct S { float x; }
"#)]
unsafe fn unended(out: &mut Packed<f32>) {
    r#" out = S{1}.x; "#
}

#[repr(C)]
#[derive(Clone, Copy, DeviceType)]
pub struct Sphere {
    radius: f32,
}

#[td_kernel(prelude = include_str!("files/names.cuh"), constants(LIMIT: f32 = 1.0))]
unsafe fn names(
    #[each] s: &[Sphere],
    sigma: f32,
    weights: &[f32],
    out: &mut Packed<f32>,
) {
    r#" out = s.i.radius + sigma + weights[weights_length - 1] + LIMIT; "#
}

#[td_kernel(prelude = r#"
    constexpr float k = 1, rows = 2;
    constexpr float sum = 3;
"#)]
unsafe fn names_of_folds(#[each] p: &Features<f32>, #[fold] sum: f32, out: &mut Packed<f32>) {
    let feature = r#" sum += p.i * k; "#;
    let pair = r#" out = sum; "#;
}

// Macros that end in the prelude, and what a body's own variables are called.
#[td_kernel(prelude = r#"
    #define row 3
    constexpr float lambda = row;
    #undef row
    inline float slot(float tile) { return tile * lambda; }
"#)]
unsafe fn right(#[each] p: &[f32], out: &mut Packed<f32>) {
    r#" out = slot(p.i); "#
}
