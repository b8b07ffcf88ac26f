//! What happens to a pair of points, by their number of features.
//!
//! Each of these functions becomes a type that loads and launches a complete kernel: it visits
//! every pair i > j once, with both points staged in shared memory, and writes the distance to the
//! pair's slot.

use td_kernel::td_kernel;

/// The distance of points on a line.
#[td_kernel(map = "ltm")]
pub(crate) unsafe fn edm_1(#[each] p: &[f32], distance: &mut Packed<f32>) {
    r#"
    distance = fabsf(p.i - p.j);
    "#
}

/// The distance of points in the plane.
#[td_kernel(map = "ltm")]
pub(crate) unsafe fn edm_2(#[each] p: &[[f32; 2]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#
}

/// The distance of points in space.
#[td_kernel(map = "ltm")]
pub(crate) unsafe fn edm_3(#[each] p: &[[f32; 3]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#
}

/// The distance of points with four features.
#[td_kernel(map = "ltm")]
pub(crate) unsafe fn edm_4(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}
