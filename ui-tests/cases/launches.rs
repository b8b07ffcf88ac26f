//! Arguments of a launch that are not what the kernel's parameters say.

use td_kernel::{Device, td_kernel};

#[td_kernel]
unsafe fn all(#[each] x: &[f32], y: &mut [f32], p: &mut Packed<f32>, q: &mut Square<f32>, s: f32) {
    r#" p = x.i; q = x.j; y[i] = s; "#
}

#[td_kernel]
unsafe fn listed(#[each] x: &[f32], plain: &mut Pairs, valued: &mut Pairs<f32>) {
    r#" plain.push(); valued.push(x.i); "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    let numbers = device.upload(&[1_u32, 2])?;
    let (mut packed, mut square) = (device.packed::<u32>(2)?, device.square::<u32>(2)?);
    let mut list = vec![0.0_f32; 2];
    all::load(&device)?.launch(&numbers, &mut list, &mut packed, &mut square, 1_u32)?;
    // Elements of the host's own, which are not on any device.
    let (host, mut slots) = ([1.0_f32, 2.0], [0.0_f32; 1]);
    let mut square = device.square(2)?;
    all::load(&device)?.launch(&host[..], &mut list[..], &mut slots[..], &mut square, 1.0)?;
    let (mut plain, mut valued) = (device.pairs::<()>(4)?, device.pairs::<u32>(4)?);
    listed::load(&device)?.launch(&device.upload(&[1.0])?, &mut valued, &mut plain)?;
    let _ = (Device::pairs::<bool>, Device::sum::<u8>);
    Ok(())
}
