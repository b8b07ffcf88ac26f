//! Arguments of a launch that do not match the kernel's parameters.

use td_kernel::{Buffer, Device, DeviceType, Features, Target, td_kernel};

#[td_kernel]
unsafe fn all(#[each] x: &[f32], y: &mut [f32], p: &mut Packed<f32>, s: f32) {
    r#" p = x.i; y[i] = s; "#
}

#[td_kernel]
unsafe fn typed(
    #[each] a: &Features<f32>,
    #[fold] s: f32,
    list: &mut Pairs<f32>,
    #[each] c: &mut Sums<f32>,
    #[each] m: &mut Minima<(f32, u32)>,
) {
    let feature = r#" s += a.i; "#;
    let pair = r#" list.push(s); c.i += s; m.offer(s); "#;
}

/// No argument of this kernel has the number of elements, so a launch takes n first.
#[td_kernel]
unsafe fn count(weights: &[f32], total: &mut Sum<u32>) {
    r#" if (weights[i] < weights[j]) total += 1; "#
}

fn launches(device: &Device, a: &Features<f64>, x: &Buffer<f32>) -> td_kernel::Result<()> {
    let (host, mut list) = ([1.0_f32, 2.0], vec![0.0_f32; 2]);
    let mut packed = device.packed::<u32>(2)?;
    all::load(device)?.launch(&host[..], &mut list, &mut packed, 1.0)?;
    let (mut list, mut sum) = (device.pairs::<()>(4)?, device.sum::<f32>()?);
    typed::load(device)?.launch(a, &mut list, &mut sum, &mut device.minima::<f32>(2)?)?;
    count::load(device)?.launch(x, x, &mut device.sum()?)?;
    count::load(device)?.with_stream(&7).map(drop)
}

#[repr(C)]
#[derive(Clone, Copy, DeviceType)]
struct Force {
    x: f32,
}

fn main() {
    let _ = Target::pairs::<bool>;
    let _ = Target::sum::<u8>;
    let _ = Target::arrays::<u8>;
    let _ = Target::histogram::<u32>;
    let _ = Target::max::<Force>;
    let _ = Target::minima::<Force>;
    let _ = Target::maxima::<(f64, u32)>;
    let _ = Target::nearest::<f64, 10>;
}
