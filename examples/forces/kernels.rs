//! The force and the energy of a pair of bodies.
//!
//! Each of these functions becomes a type that loads and launches a complete kernel. It visits every pair i > j once, adds
//! the pair's force to those of both bodies, with opposite signs, and the pair's energy to the total. Of each body, `p`
//! has the position in x, y and z.

use td_kernel::td_kernel;

/// Lennard-Jones forces, softened as T. C. Beutler and others did (Chem. Phys. Lett. 222 (1994), 529): where the
/// separation r is far below the distance σ of the law, the energy is not infinite but 360 times `depth`, so that no atoms
/// of any input overlap too much to be moved.
///
/// With u = 1 / (0.1 + (r / σ)⁶), the energy is 4 `depth` (u² - u). It is least, -`depth`, where (r / σ)⁶ = 1.9; and σ is
/// such that this is where the spheres, whose radii are in w, touch.
#[td_kernel]
pub(crate) unsafe fn lennard_jones(
    #[each] p: &[[f32; 4]],
    depth: f32,
    #[each] force: &mut Sum<[f32; 3]>,
    energy: &mut Sum<f32>,
) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    float touching = p.i.w + p.j.w;
    // 1 / σ²; the constant is the third root of 1.9.
    float inverse = 1.23856233f / (touching * touching);
    float square = fmaf(dz, dz, fmaf(dy, dy, dx * dx)) * inverse;
    float u = 1.0f / fmaf(square * square, square, 0.1f);
    energy += 4.0f * depth * fmaf(u, u, -u);
    float us = u * square;
    float factor = 24.0f * depth * fmaf(2.0f, u, -1.0f) * us * us * inverse;
    float3 f = make_float3(factor * dx, factor * dy, factor * dz);
    force.i += f;
    force.j -= f;
    "#
}

/// Gravity, softened as H. C. Plummer's spheres attract points: `softening` is the square of their radius. The masses are
/// in w, and G is 1.
#[td_kernel]
pub(crate) unsafe fn gravity(
    #[each] p: &[[f32; 4]],
    softening: f32,
    #[each] force: &mut Sum<[f32; 3]>,
    energy: &mut Sum<f32>,
) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z;
    float inverse = rsqrtf(fmaf(dz, dz, fmaf(dy, dy, fmaf(dx, dx, softening))));
    float depth = p.i.w * p.j.w * inverse;
    energy += -depth;
    float factor = -depth * inverse * inverse;
    float3 f = make_float3(factor * dx, factor * dy, factor * dz);
    force.i += f;
    force.j -= f;
    "#
}
