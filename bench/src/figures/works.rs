//! The papers' works: one that does nothing, distances with 1 to 4 features, and collisions in one and in
//! three dimensions. Each has a kernel for every choice.

use super::choices::{one_thread_a_pair, with_tiles};

/// The maps alone. The papers' kernel writes i + j to one place in memory; this one looks at i + j and
/// writes only where a check wants to see it, because so many writes to one place would be what is timed.
/// The compiler cannot know that, so it finds i and j all the same.
pub(crate) mod dummy {
    use td_kernel::cudarc::driver::CudaSlice;

    super::one_thread_a_pair! {{
        [n: usize, wanted: u32, found: &mut CudaSlice<u32>]
        [wanted: u32, found: &mut [u32]]
        r#"
    if (i + j == wanted)
        atomicAdd(&found[0], 1u);
    "#
    }}
}

macro_rules! edm {
    ($($name:ident: $point:ty, $body:tt;)+) => {$(
        pub(crate) mod $name {
            use td_kernel::cudarc::driver::CudaSlice;

            super::with_tiles! {{
                [points: &CudaSlice<$point>, distance: &mut CudaSlice<f32>]
                [#[each] p: &[$point], distance: &mut Packed<f32>]
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
    edm_2: [f32; 2], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#;
    edm_3: [f32; 3], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    distance = sqrtf(fmaf(dz, dz, fmaf(dy, dy, dx * dx)));
    "#;
    edm_4: [f32; 4], r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#;
}

macro_rules! collision {
    ($($name:ident: $ball:ty, $body:tt;)+) => {$(
        pub(crate) mod $name {
            use td_kernel::Sum;
            use td_kernel::cudarc::driver::CudaSlice;

            super::with_tiles! {{
                [balls: &CudaSlice<$ball>, touching: &mut Sum<u64>]
                [#[each] s: &[$ball], touching: &mut Sum<u64>]
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
    collision_3: [f32; 4], r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (dx * dx + dy * dy + dz * dz <= r * r)
        touching += 1;
    "#;
}

#[cfg(test)]
mod tests {
    use td_kernel::nvrtc;

    use super::*;

    #[test]
    fn a_kernel_of_every_choice_compiles() {
        for (choices, sources) in [
            (dummy::CHOICES, dummy::SOURCES),
            (edm_1::CHOICES, edm_1::SOURCES),
            (edm_2::CHOICES, edm_2::SOURCES),
            (edm_3::CHOICES, edm_3::SOURCES),
            (edm_4::CHOICES, edm_4::SOURCES),
            (collision_1::CHOICES, collision_1::SOURCES),
            (collision_3::CHOICES, collision_3::SOURCES),
        ] {
            assert_eq!(choices.len(), sources.len());
            for (choice, source) in choices.iter().zip(sources) {
                let compiled = nvrtc::compile(choice.name, source, 90).unwrap();
                assert_eq!(compiled.warnings, "", "{choice:?}");
            }
        }
    }
}
