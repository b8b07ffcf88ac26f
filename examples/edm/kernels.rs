//! What happens to a pair of points, by their number of features.
//!
//! Each of these functions becomes a type that loads and launches a complete kernel: it visits
//! every pair i > j once, with both points staged in shared memory, and writes the distance to the
//! pair's slot.
//!
//! `unit` is a power of two, by which distances are multiplied: coordinates come in units in which no square leaves the range of
//! single precision.
//!
//! Those whose names end in `square` are for whole squares that are larger than memory: they visit the pairs of two sets, which
//! are both these points, and write whole rows.

use td_kernel::td_kernel;

/// The distance of points on a line.
#[td_kernel(map = "ltm")]
pub(crate) unsafe fn edm_1(#[each] p: &[f32], unit: f32, distance: &mut Packed<f32>) {
    r#"
    distance = unit * fabsf(p.i - p.j);
    "#
}

/// The distance of points in the plane.
#[td_kernel(map = "ltm")]
pub(crate) unsafe fn edm_2(#[each] p: &[[f32; 2]], unit: f32, distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = unit * sqrtf(fmaf(dy, dy, dx * dx));
    "#
}

/// The distance of points in space.
#[td_kernel(map = "ltm")]
pub(crate) unsafe fn edm_3(#[each] p: &[[f32; 3]], unit: f32, distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    distance = unit * sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#
}

/// The distance of points with four features.
#[td_kernel(map = "ltm")]
pub(crate) unsafe fn edm_4(#[each] p: &[[f32; 4]], unit: f32, distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = unit * sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

/// The same of all p and q, on a line.
#[td_kernel]
pub(crate) unsafe fn edm_1_square(
    #[row] p: &[f32],
    #[column] q: &[f32],
    unit: f32,
    distance: &mut Matrix<f32>,
) {
    r#"
    distance = unit * fabsf(p - q);
    "#
}

/// The same of all p and q, in the plane.
#[td_kernel]
pub(crate) unsafe fn edm_2_square(
    #[row] p: &[[f32; 2]],
    #[column] q: &[[f32; 2]],
    unit: f32,
    distance: &mut Matrix<f32>,
) {
    r#"
    float dx = p.x - q.x, dy = p.y - q.y;
    distance = unit * sqrtf(fmaf(dy, dy, dx * dx));
    "#
}

/// The same of all p and q, in space.
#[td_kernel]
pub(crate) unsafe fn edm_3_square(
    #[row] p: &[[f32; 3]],
    #[column] q: &[[f32; 3]],
    unit: f32,
    distance: &mut Matrix<f32>,
) {
    r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    distance = unit * sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#
}

/// The same of all p and q, with four features.
#[td_kernel]
pub(crate) unsafe fn edm_4_square(
    #[row] p: &[[f32; 4]],
    #[column] q: &[[f32; 4]],
    unit: f32,
    distance: &mut Matrix<f32>,
) {
    r#"
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, dw = p.w - q.w;
    distance = unit * sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}
