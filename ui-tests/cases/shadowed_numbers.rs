//! A user's type with a number's name is not that number.

use td_kernel::{Device, DeviceType, td_kernel};

#[allow(non_camel_case_types)]
type f32 = u8;

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Sphere {
    radius: f32,
    center: [f32; 3],
}

#[td_kernel]
unsafe fn shadowed(#[each] x: &[f32], total: &mut Sum<u32>) {
    r#" total += x.i; "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    let x = device.upload(&[1 as f32, 2])?;
    shadowed::load(&device)?.launch(&x, &mut device.sum()?)
}
