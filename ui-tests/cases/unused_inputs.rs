//! Inputs that no body uses. They are warnings, which this crate denies.
#![deny(unused_variables)]

use td_kernel::td_kernel;

#[td_kernel]
unsafe fn forgotten(
    #[each] p: &[[f32; 3]],
    #[each] charge: &[f32],
    scale: f32,
    table: &[f32],
    r#move: f32,
    out: &mut Packed<f32>,
) {
    r#"
    // The scale is not used yet.
    float x = p.i.x - p.j.x;
    out = x < 2 ? x * p.i.table : 0;
    "#
}

#[td_kernel]
unsafe fn of_two_sets(
    #[row] a: &[f32],
    #[column] b: &[f32],
    #[row] mass: &[f32],
    #[column] weight: &[f32],
    out: &mut Matrix<f32>,
) {
    r#" out = a - b; "#
}

#[td_kernel]
unsafe fn of_features(
    #[each] p: &Features<f32>,
    #[each] radius: &[f32],
    #[each] other: &Features<f32>,
    weights: &[f32],
    #[fold] s: f32,
    out: &mut Packed<f32>,
) {
    let feature = r#" s += p.i * p.j; "#;
    let pair = r#" out = s; "#;
}

// These are valid: all inputs are used, may be used, or begin with an underscore.
#[td_kernel(prelude = r##"
#define SCALED(x) ((x) * scale)
inline float cut(float x) { return x < 3 ? x : 0; }
"##)]
unsafe fn used(
    #[each] p: &Features<f32>,
    #[each] _for_the_number: &[f32],
    table: &[f32],
    weights: &[f32],
    scale: f32,
    _kept: f32,
    #[fold] s: f32,
    out: &mut Packed<f32>,
) {
    let feature = r#" s += k < weights_length ? p.i * p.j : 0; "#;
    let pair = r#" out = SCALED(s) + cut(table[0]); "#;
}

#[td_kernel]
unsafe fn pasted(#[each] p: &[f32], scale_0: f32, scale_1: f32, out: &mut Packed<f32>) {
    r##"
#define SCALE(which) scale_##which
    out = SCALE(0) * p.i + SCALE(1) * p.j;
#undef SCALE
    "##
}

#[td_kernel]
unsafe fn included(#[each] p: &[f32], scale: f32, out: &mut Packed<f32>) {
    r##"
#include "terms.cuh"
    "##
}

#[td_kernel]
#[allow(unused_variables)]
unsafe fn allowed(#[each] p: &[f32], scale: f32, out: &mut Packed<f32>) {
    r#" out = p.i; "#
}

#[td_kernel]
#[cfg_attr(all(), allow(unused_variables))]
unsafe fn allowed_on_condition(#[each] p: &[f32], scale: f32, out: &mut Packed<f32>) {
    r#" out = p.i; "#
}

fn main() {}
