//! What happens to a pair of rows.
//!
//! Each of these functions becomes a type that loads and launches a complete kernel. It goes along the features of both
//! rows of every pair i > j, does what `feature` says with each, and then what `pair` says once. What a `#[fold]` parameter
//! holds, it holds for one pair: it starts at zero with the pair's first feature.
//!
//! `unit` is a power of two, by which distances are multiplied: features come in units in which no square leaves the range of
//! single precision.
//!
//! A compiler may fuse a product with a sum or not, and `fmaf` says that it is fused. Metrics of squared differences have
//! one text for a feature, in a file of its own.

use td_kernel::td_kernel;

/// The Euclidean distance.
#[td_kernel]
pub(crate) unsafe fn euclidean(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    unit: f32,
    distance: &mut Packed<f32>,
) {
    let feature = include_str!("squares.cu");
    let pair = r#" distance = unit * sqrtf(sum); "#;
}

/// The squared Euclidean distance.
#[td_kernel]
pub(crate) unsafe fn squared(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    unit: f32,
    distance: &mut Packed<f32>,
) {
    let feature = include_str!("squares.cu");
    let pair = r#" distance = unit * sum * unit; "#;
}

/// The sum of absolute differences.
#[td_kernel]
pub(crate) unsafe fn manhattan(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    unit: f32,
    distance: &mut Packed<f32>,
) {
    let feature = r#" sum += fabsf(p.i - p.j); "#;
    let pair = r#" distance = unit * sum; "#;
}

/// The cosine of the angle between two rows of length 1: half their squared difference is what it is below 1. At small angles,
/// that loses no digits. A row without a direction is NaN, and so are its cosines.
#[td_kernel]
pub(crate) unsafe fn cosine(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    unit: f32,
    similarity: &mut Packed<f32>,
) {
    let feature = include_str!("squares.cu");
    let pair = r#"
    float cosine = fmaf(-0.5f * unit * sum, unit, 1.0f);
    // Rounding may take it a little past the end.
    similarity = cosine < -1.0f ? -1.0f : cosine;
    "#;
}

/// The share of features that differ in any bit.
#[td_kernel]
pub(crate) unsafe fn hamming(
    #[each] p: &Features<u64>,
    #[fold] different: u32,
    share: &mut Packed<f32>,
) {
    let feature = r#" different += p.i != p.j; "#;
    let pair = r#" share = (float)different / (float)features; "#;
}

/// The radial basis function.
#[td_kernel]
pub(crate) unsafe fn rbf(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    gamma: f32,
    similarity: &mut Packed<f32>,
) {
    let feature = include_str!("squares.cu");
    let pair = r#" similarity = expf(-gamma * sum); "#;
}
