//! After an error the kernel's type still exists, so that the code around it adds none of its own.

use td_kernel::{Device, td_kernel};

#[td_kernel(mop = "ltm")]
unsafe fn edm(#[each] p: &[f32], distance: &mut Packed<f32>, size: usize) {
    r#" distance = p.i - p.j; "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    let p = device.upload(&[1.0, 2.0])?;
    let mut distance = device.packed(2)?;
    let kernel = edm::load(&device)?;
    kernel.launch(&p, &mut distance, 3)?;
    println!("{}", edm::SOURCE);
    println!("{:?}", distance.download()?.get(1, 0));
    Ok(())
}
