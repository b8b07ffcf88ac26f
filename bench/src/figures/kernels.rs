//! The kernels of the papers' works: one that does nothing, distances with 1 to 4 features, and collisions in one and in
//! three dimensions. Each has one for every choice of keys.

use super::choices::{one_thread_a_pair, with_tiles};

/// The maps alone.
pub(crate) mod dummy {
    super::one_thread_a_pair! {{ crate::subject::Looks,
        (wanted: u32, found: &mut [u32])
        r#"
    if (i + j == wanted)
        atomicAdd(&found[0], 1u);
    "#
    }}
}

/// Distances of points: a kernel for each choice, and as other experiments have it, `packed` and `square`.
macro_rules! edm {
    ($($name:ident $($square:ident)?: $point:ty, $body:literal;)+) => {$(
        pub(crate) mod $name {
            use crate::subject::{Distances, InPacked};

            #[td_kernel::td_kernel(map = "auto")]
            pub(crate) unsafe fn packed(#[each] p: &[$point], distance: &mut Packed<f32>) {
                $body
            }

            $(#[td_kernel::td_kernel]
            pub(crate) unsafe fn $square(#[each] p: &[$point], distance: &mut Square<f32>) {
                $body
            })?

            super::with_tiles! {{ Distances<$point, InPacked>,
                (#[each] p: &[$point], distance: &mut Packed<f32>)
                $body
            }}
        }
    )+};
}

edm! {
    edm_1: f32, r#"
    float dx = p.i - p.j;
    distance = sqrtf(dx * dx);
    "#;
    edm_2 square: [f32; 2], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#;
    edm_3: [f32; 3], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#;
    edm_4 square: [f32; 4], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#;
}

/// Balls that touch: a kernel that counts them for each choice, and as other experiments have it.
macro_rules! collision {
    ($($name:ident $($auto:ident)?: $ball:ty, $body:tt;)+) => {$(
        pub(crate) mod $name {
            $(#[td_kernel::td_kernel(map = "auto")]
            pub(crate) unsafe fn $auto(#[each] s: &[$ball], touching: &mut Sum<u64>) {
                $body
            })?

            super::with_tiles! {{ crate::subject::Counts<$ball>,
                (#[each] s: &[$ball], touching: &mut Sum<u64>)
                $body
            }}
        }
    )+};
}

collision! {
    collision_1: [f32; 2], r#"
    float dx = s.i.x - s.j.x, r = s.i.y + s.j.y;
    if (dx * dx <= r * r)
        touching += 1;
    "#;
    collision_3 count: [f32; 4], r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (fmaf(dz, dz, fmaf(dy, dy, dx * dx)) <= r * r)
        touching += 1;
    "#;
}

/// The same spheres, listed.
#[td_kernel::td_kernel(map = "auto")]
pub(crate) unsafe fn list(#[each] s: &[[f32; 4]], touching: &mut Pairs) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (fmaf(dz, dz, fmaf(dy, dy, dx * dx)) <= r * r)
        touching.push();
    "#
}
