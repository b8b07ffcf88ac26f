//! Kernels, outputs and folds without an effect.

#[td_kernel] unsafe fn without_output(#[each] p: &[f32], scale: f32) {
    r#"
    const float distance = scale * fabsf(p.i - p.j);
    "#
}

#[td_kernel] unsafe fn of_features(#[row] a: &Features<f32>, #[column] b: &Features<f32>, #[fold] s: f32) {
    let feature = r#" s += a * b; "#; let pair = r#" s = sqrtf(s); "#;
}

#[td_kernel]
unsafe fn left_out(
    #[each] p: &Features<f32>, #[fold] s: f32, #[fold(start = "INFINITY")] least: f32, #[fold] r#move: f32, out: &mut Packed<f32>,
) {
    let feature = r#"
    // The minimum is not written yet.
    s += p.i * p.j;
    "#;
    let pair = r#" out = s + least; "#;
}

#[td_kernel]
unsafe fn unused_outputs(
    #[each] p: &[f32], distance: &mut Packed<f32>, square: &mut Square<f32>, count: &mut Sum<u64>, list: &mut Pairs,
    values: &mut Pairs<f32>, hits: &mut [u32], #[each] sums: &mut Sums<f32>, #[each] least: &mut Minima<f32>,
    #[each] greatest: &mut Maxima<f32>,
) {
    r#"
    distance = p.i - p.j; // count += 1
    "#
}

#[td_kernel] unsafe fn unused_neighbours(#[each] p: &[f32], #[each] near: &mut Nearest<f32, 4>, cutoff: f32) {
    r#" float distance = fabsf(p.i - p.j); "#
}

#[td_kernel]
unsafe fn unused_by_texts(
    #[row] a: &Features<f32>, #[column] b: &Features<f32>, #[fold] s: f32, out: &mut Matrix<f32>, #[column] total: &mut Sums<f32>,
) {
    let feature = r#" s += a * b; "#; let pair = r#" s = sqrtf(s); "#;
}

// These are valid: all outputs and folds are used, or may be.
#[td_kernel(prelude = r##"
__device__ inline void put(float &slot, float x) { slot = x; }
#define COUNT() (count += 1)
"##)]
unsafe fn used_outputs(
    #[each] p: &[f32], slot: &mut Packed<f32>, count: &mut Sum<u64>, list: &mut Pairs, hits: &mut [u32], lengths: &mut [u32],
) {
    r##"
#define LIST list
    put(slot, p.i - p.j);
    COUNT();
    if (slot < 1.0f) LIST.push();
    atomicAdd(&hits[0], lengths_length);
#undef LIST
    "##
}

#[td_kernel] unsafe fn pasted(#[each] p: &[f32], total_0: &mut Sum<f32>, total_1: &mut Sum<f32>) {
    r##"
#define ADD(which) total_##which += p.i - p.j
    ADD(0);
    ADD(1);
#undef ADD
    "##
}

// These are valid: they have an effect, or may have one.
#[td_kernel] unsafe fn printed(#[each] p: &[f32]) {
    r#"
    if (!(p.i == p.i))
        printf("%u\n", i);
    "#
}

#[td_kernel] unsafe fn right(#[each] p: &Features<f32>, #[fold] s0: f32, #[fold] s1: f32, out: &mut Packed<f32>) {
    let feature = r#"
#define ADD(which) s##which += p.i * p.j
    ADD(0);
    ADD(1);
#undef ADD
    "#;
    let pair = r#" out = s0 + s1; "#;
}
