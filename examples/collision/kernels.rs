//! What happens to a pair of spheres.
//!
//! Each of these functions becomes a type that loads and launches a complete kernel, which visits
//! every pair i > j once. Squares are compared, because that needs no root; spheres that only touch
//! count as overlapping.

use td_kernel::td_kernel;

use crate::sphere::Sphere;

/// Counts the spheres that overlap.
#[td_kernel(map = "ltm")]
pub(crate) unsafe fn count_in_space(#[each] s: &[Sphere], overlapping: &mut Sum<u64>) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z;
    float r = s.i.radius + s.j.radius;
    if (fmaf(dz, dz, fmaf(dy, dy, dx * dx)) <= r * r) overlapping += 1;
    "#
}

/// Lists the spheres that overlap.
#[td_kernel(map = "ltm")]
pub(crate) unsafe fn list_in_space(#[each] s: &[Sphere], overlapping: &mut Pairs) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z;
    float r = s.i.radius + s.j.radius;
    if (fmaf(dz, dz, fmaf(dy, dy, dx * dx)) <= r * r) overlapping.push();
    "#
}

/// Counts the intervals that overlap.
#[td_kernel(map = "ltm")]
pub(crate) unsafe fn count_on_line(#[each] s: &[Sphere], overlapping: &mut Sum<u64>) {
    r#"
    float dx = s.i.x - s.j.x, r = s.i.radius + s.j.radius;
    if (dx * dx <= r * r) overlapping += 1;
    "#
}

/// Lists the intervals that overlap.
#[td_kernel(map = "ltm")]
pub(crate) unsafe fn list_on_line(#[each] s: &[Sphere], overlapping: &mut Pairs) {
    r#"
    float dx = s.i.x - s.j.x, r = s.i.radius + s.j.radius;
    if (dx * dx <= r * r) overlapping.push();
    "#
}
