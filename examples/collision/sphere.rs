//! A sphere: as it was read, and as the kernels get it.

use td_kernel::DeviceType;
use td_kernel_examples::memory::collected;
use td_kernel_examples::{Frame, Result};

/// Centre and radius in double precision. In one dimension it is an interval on the x axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ball {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) z: f64,
    pub(crate) radius: f64,
}

/// The same in single precision and in the units of a [`Frame`], as Rust and the kernels share it.
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
#[repr(C)]
pub(crate) struct Sphere {
    x: f32,
    y: f32,
    z: f32,
    radius: f32,
}

impl Sphere {
    /// All of these. Which of them overlap does not depend on the frame.
    pub(crate) fn all(balls: &[Ball]) -> Result<Vec<Sphere>> {
        let centres = balls.iter().flat_map(|ball| [ball.x, ball.y, ball.z]);
        let centres = collected(balls.len().saturating_mul(3), centres)?;
        let frame = Frame::of(&[&centres], 3)?.with_lengths(balls.iter().map(|ball| ball.radius));
        let (scale, centres) = (frame.scale(), frame.singles(&centres)?);
        let spheres = balls.iter().zip(centres.as_chunks::<3>().0);
        let spheres = spheres.map(|(ball, &[x, y, z])| Sphere {
            x,
            y,
            z,
            radius: (ball.radius * scale) as f32,
        });
        collected(balls.len(), spheres)
    }
}
