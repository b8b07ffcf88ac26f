//! Kernels inside functions, methods, constants and closures, where even generated code may not allow forbidden lints.
#![forbid(
    missing_docs,
    missing_debug_implementations,
    unused,
    clippy::all,
    clippy::pedantic,
    clippy::nursery
)]
// In tests `inventory` lists the kernels; its code allows one of these lints for itself.
#![cfg_attr(not(test), forbid(nonstandard_style))]

use ::gpu::{Device, Packed};

/// A struct of one number.
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::gpu::DeviceType)]
#[device_type(crate = ::gpu)]
#[repr(C)]
pub struct Point {
    /// Metres.
    pub place: f32,
}

impl Point {
    /// The number of pairs whose first element has the larger `place`.
    ///
    /// # Errors
    ///
    /// The errors of the device.
    pub fn descents(device: &Device, points: &[Self]) -> ::gpu::Result<u64> {
        #[::gpu::td_kernel(crate = ::gpu)]
        unsafe fn count(#[each] points: &[Point], count: &mut Sum<u64>) {
            r#" count += points.i.place < points.j.place; "#
        }

        let total = device.sum();
        let elements = device.upload(points);
        let launched = |uploaded, mut sum| {
            let loaded = count::load(device);
            loaded.and_then(|kernel| kernel.launch(&uploaded, &mut sum)).map(|()| sum)
        };
        elements
            .and_then(|slice| total.and_then(|zero| launched(slice, zero)))
            .and_then(|sum| sum.download())
    }
}

/// The differences of all pairs.
///
/// # Errors
///
/// The errors of the device.
pub fn differences<T>(device: &Device, points: &[f32], _: &T) -> ::gpu::Result<Packed<f32>> {
    #[::gpu::td_kernel(crate = ::gpu)]
    unsafe fn difference(#[each] points: &[f32], out: &mut Packed<f32>) {
        r#" out = points.i - points.j; "#
    }

    let launched = |elements, mut slots| {
        let loaded = difference::load(device);
        loaded.and_then(|kernel| kernel.launch(&elements, &mut slots)).map(|()| slots)
    };
    let slots = device.packed(points.len());
    device.upload(points).and_then(|elements| slots.and_then(|out| launched(elements, out)))
}

/// The source of a kernel that is defined inside this function.
#[must_use]
pub const fn inside() -> &'static str {
    const TEXT: &str = {
        #[::gpu::td_kernel(crate = ::gpu)]
        unsafe fn hidden(count: &mut Sum<u64>) {
            r#" count += 1; "#
        }
        hidden::SOURCE
    };
    TEXT
}
