//! The generated kernels that several experiments measure.

use td_kernel::td_kernel;

/// Kernels of distances, each of its type of points: packed, and where it is measured, square.
macro_rules! distances {
    ($($packed:ident $($square:ident)?: $point:ty, $body:literal;)+) => {$(
        #[td_kernel(map = "auto")]
        pub(crate) unsafe fn $packed(#[each] p: &[$point], distance: &mut Packed<f32>) {
            $body
        }

        $(#[td_kernel]
        pub(crate) unsafe fn $square(#[each] p: &[$point], distance: &mut Square<f32>) {
            $body
        })?
    )+};
}

distances! {
    edm_1: f32, r#"
    float dx = p.i - p.j;
    distance = sqrtf(dx * dx);
    "#;
    edm_2 square_2: [f32; 2], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#;
    edm_3: [f32; 3], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#;
    edm_4 square_4: [f32; 4], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#;
}

#[td_kernel(map = "auto")]
pub(crate) unsafe fn count(#[each] s: &[[f32; 4]], touching: &mut Sum<u64>) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (dx * dx + dy * dy + dz * dz <= r * r)
        touching += 1;
    "#
}

#[td_kernel(map = "auto")]
pub(crate) unsafe fn list(#[each] s: &[[f32; 4]], touching: &mut Pairs) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (dx * dx + dy * dy + dz * dz <= r * r)
        touching.push();
    "#
}
