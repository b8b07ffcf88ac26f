//! Preludes that are not strings, close what they did not open, or use names of the generated source.

mistakes! {
    #[td_kernel(MISTAKE)] unsafe fn kernel(out: &mut Packed<f32>) { r#" out = f(i); "# }
    { prelude = TEXT }
    { prelude = 3 }
    { prelude }
    { prelude("functions.cuh") }
    { prelude = "inline float f(float x) { return x; }" }
    { prelude = "shapes/torus.cuh" }
    { prelude = include_str!("no_such_file.cuh") }
    { prelude = r"// nothing but a comment" }
    { prelude = r#"
    #if LARGE
    __shared__ float shared;
    inline float f(float x) { __syncthreads(); return td_row(std::sqrt(x)); }
    }
"# }
    { prelude = r#"
    #endif
    struct S { float x; }
"# }
}

#[repr(C)] #[derive(Clone, Copy, DeviceType)] pub struct Sphere { radius: f32 }

#[td_kernel(prelude = include_str!("files/names.cuh"), constants(LIMIT: f32 = 1.0))]
unsafe fn names(#[each] s: &[Sphere], sigma: f32, weights: &[f32], out: &mut Packed<f32>) {
    r#" out = s.i.radius + sigma + weights[weights_length - 1] + LIMIT; "#
}

#[td_kernel(prelude = r#"
    constexpr float k = 1, rows = 2;
    constexpr float sum = 3;
"#)]
unsafe fn names_of_folds(#[each] p: &Features<f32>, #[fold] sum: f32, out: &mut Packed<f32>) {
    let feature = r#" sum += p.i * k; "#; let pair = r#" out = sum; "#;
}

// These are valid: a macro that the prelude undefines, and names of the kernel's own variables.
#[td_kernel(prelude = r#"
    #define row 3
    constexpr float lambda = row;
    #undef row
    inline float slot(float tile) { return tile * lambda; }
"#)]
unsafe fn right(#[each] p: &[f32], out: &mut Packed<f32>) {
    r#" out = slot(p.i); "#
}
