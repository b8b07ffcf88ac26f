//! Launches whose arguments are not in the kernel's order, or of which one is missing.

use td_kernel::{Device, td_kernel};

/// Nothing tells this kernel's launch how many elements there are: n comes first.
#[td_kernel]
unsafe fn count(weights: &[f32], total: &mut Sum<u32>) {
    r#" if (weights[i] < weights[j]) total += 1; "#
}

#[td_kernel]
unsafe fn distance(#[each] x: &[f32], label: &[u32], out: &mut Packed<f32>) {
    r#" out = label[i] == label[j] ? fabsf(x.i - x.j) : 0; "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    let (x, label) = (device.upload(&[1.0_f32, 2.0])?, device.upload(&[1_u32, 2])?);
    let (mut out, mut total) = (device.packed(2)?, device.sum()?);
    count::load(&device)?.launch(&x, &mut total)?;
    distance::load(&device)?.launch(&label, &x, &mut out)?;
    distance::load(&device)?.launch(&x, &mut out)
}
