//! The question on renaming the dependency. `main.rs` renames the crate.

use gpu::Device;

// ANCHOR: renamed
use gpu::{DeviceType, td_kernel};

#[repr(C)]
#[derive(Clone, Copy, DeviceType)]
#[device_type(crate = ::gpu)]
struct Charge {
    at: [f32; 3],
    charge: f32,
}

#[td_kernel(crate = ::gpu)]
unsafe fn product(#[each] q: &[Charge], sum: &mut Sum<f64>) {
    r#" sum += q.i.charge * q.j.charge; "#
}
// ANCHOR_END: renamed

#[test]
fn renamed_dependency() -> gpu::Result<()> {
    let device = Device::cpu()?;
    let charges = [1.0, 2.0, 3.0].map(|charge| Charge { at: [0.0; 3], charge });
    let mut sum = device.sum()?;
    product::load(&device)?.launch(&device.upload(&charges)?, &mut sum)?;
    assert_eq!(sum.download()?, 11.0);
    Ok(())
}
