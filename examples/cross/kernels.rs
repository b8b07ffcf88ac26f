//! What happens to a pair of points of two sets.
//!
//! Each of these functions becomes a type that loads and launches a complete kernel, which visits every pair of a point of
//! the first set and one of the second once. Points with fewer features than four have zeros for the others, which change
//! no distance, so that one kernel serves all; `edm` has one for each number of features, which saves work.
//!
//! `unit` is a power of two, by which distances are multiplied: coordinates come in units in which no square leaves the range of
//! single precision.
//!
//! All three compute a distance by the same operations, in the same order, so that they find the same one.

use td_kernel::td_kernel;

/// The least distance of each point of the first set, and the point of the second set that has it.
#[td_kernel]
pub(crate) unsafe fn nearest(
    #[row] query: &[[f32; 4]],
    #[column] point: &[[f32; 4]],
    unit: f32,
    #[row] least: &mut Min<(f32, u32)>,
) {
    r#"
    float dx = query.x - point.x, dy = query.y - point.y;
    float dz = query.z - point.z, dw = query.w - point.w;
    least.offer(unit * sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx)))));
    "#
}

/// The pairs no farther apart than `radius`, with their distances.
#[td_kernel]
pub(crate) unsafe fn within(
    #[row] query: &[[f32; 4]],
    #[column] point: &[[f32; 4]],
    unit: f32,
    radius: f32,
    close: &mut Pairs<f32>,
) {
    r#"
    float dx = query.x - point.x, dy = query.y - point.y;
    float dz = query.z - point.z, dw = query.w - point.w;
    float distance = unit * sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    if (distance <= radius) close.push(distance);
    "#
}

/// The distances of all pairs.
#[td_kernel]
pub(crate) unsafe fn distances(
    #[row] query: &[[f32; 4]],
    #[column] point: &[[f32; 4]],
    unit: f32,
    distance: &mut Matrix<f32>,
) {
    r#"
    float dx = query.x - point.x, dy = query.y - point.y;
    float dz = query.z - point.z, dw = query.w - point.w;
    distance = unit * sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}
