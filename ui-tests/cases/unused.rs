//! Kernels, and folds, of which nothing would come.
use td_kernel::td_kernel;

#[td_kernel]
unsafe fn without_output(#[each] p: &[f32], scale: f32) {
    r#"
    const float distance = scale * fabsf(p.i - p.j);
    "#
}

#[td_kernel]
unsafe fn of_features(#[row] a: &Features<f32>, #[column] b: &Features<f32>, #[fold] s: f32) {
    let feature = r#" s += a * b; "#;
    let pair = r#" s = sqrtf(s); "#;
}

#[td_kernel]
unsafe fn left_out(
    #[each] p: &Features<f32>,
    #[fold] s: f32,
    #[fold(start = "INFINITY")] least: f32,
    #[fold] r#move: f32,
    out: &mut Packed<f32>,
) {
    let feature = r#"
    // The least one comes later.
    s += p.i * p.j;
    "#;
    let pair = r#" out = s + least; "#;
}

// What these do is seen, or may be.
#[td_kernel]
unsafe fn printed(#[each] p: &[f32]) {
    r#"
    if (!(p.i == p.i))
        printf("%u\n", i);
    "#
}

#[td_kernel]
unsafe fn right(
    #[each] p: &Features<f32>,
    #[fold] s0: f32,
    #[fold] s1: f32,
    out: &mut Packed<f32>,
) {
    let feature = r#"
#define ADD(which) s##which += p.i * p.j
    ADD(0);
    ADD(1);
#undef ADD
    "#;
    let pair = r#" out = s0 + s1; "#;
}

fn main() {}
