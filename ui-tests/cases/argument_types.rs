//! Launches and results of other types than the kernel's.

use td_kernel::{Buffer, Device, DeviceType, Features, td_kernel};

#[repr(C)]
#[derive(Clone, Copy, DeviceType)]
struct Force {
    x: f32,
}

#[td_kernel]
unsafe fn folds(#[each] a: &Features<f32>, #[fold] s: f32, out: &mut Packed<f32>) {
    let feature = r#" s += a.i; "#;
    let pair = r#" out = s; "#;
}

#[td_kernel]
unsafe fn results(#[each] p: &[f32], #[each] c: &mut Sum<f32>, #[each] m: &mut Min<(f32, u32)>) {
    r#" c.i += p.j; c.j += p.i; m.offer(p.i - p.j); "#
}

#[td_kernel]
unsafe fn neighbours(#[each] p: &[f32], #[each] near: &mut Nearest<f32, 10>) {
    r#" near.push(p.i); "#
}

#[td_kernel]
unsafe fn rectangle(#[row] a: &[f32], #[column] b: &[f64], d: &mut Matrix<f32>) {
    r#" d = a - b; "#
}

fn launches(
    device: &Device,
    a: &Features<f64>,
    p: &Buffer<f32>,
    q: &Buffer<f64>,
) -> td_kernel::Result<()> {
    folds::load(device)?.launch(a, &mut device.packed::<f32>(3)?)?;
    folds::load(device)?.launch(&[1.0_f32], &mut device.packed::<f32>(3)?)?;
    results::load(device)?.launch(p, &mut device.sum::<f32>()?, &mut device.minima::<f32>(2)?)?;
    neighbours::load(device)?.launch(p, &mut device.nearest::<f32, 9>(2)?)?;
    rectangle::load(device)?.launch(p, q, &mut device.packed::<f32>(1)?)?;
    rectangle::load(device)?.report(5)?;
    Ok(())
}

fn main() {
    let _ = Device::sums::<u8>;
    let _ = Device::minima::<Force>;
    let _ = Device::maxima::<(f64, u32)>;
    let _ = Device::nearest::<f64, 10>;
}
