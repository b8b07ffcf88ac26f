//! A missing comma between parameters, which rustc reports: the launch still takes both.

use td_kernel::{Device, td_kernel};

#[td_kernel]
unsafe fn forgotten(#[each] p: &[f32] scale: f32 #[each] q: &[f32] out: &mut Packed<f32>) {
    r#" out = scale * (p.i - q.j); "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    let p = device.upload(&[1.0, 2.0])?;
    let mut out = device.packed(2)?;
    forgotten::load(&device)?.launch(&p, 2.0, &p, &mut out)
}
