//! A sphere, as Rust and the kernels share it.

use td_kernel::DeviceType;

/// Centre and radius. In one dimension it is an interval on the x axis.
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
#[repr(C)]
pub(crate) struct Sphere {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) z: f32,
    pub(crate) radius: f32,
}
