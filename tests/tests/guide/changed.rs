//! The kernel of the chapter on reviewing, with another root.

use td_kernel::td_kernel;

// ANCHOR: changed
/// Euclidean distance of every pair of points.
#[td_kernel(map = "ltm")]
unsafe fn edm(#[each] p: &[[f32; 2]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#
}
// ANCHOR_END: changed

pub(super) const SOURCE: &str = edm::SOURCE;
