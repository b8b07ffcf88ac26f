//! Arguments that are not lists of pairs.
use td_kernel::{Device, Result, td_kernel};

#[td_kernel]
unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    r#" distance = x.i - x.j; "#
}

fn main() -> Result<()> {
    let device = Device::cpu()?;
    let pairs = [[1, 0], [2, 0]];
    device.given_pairs(pairs)?;
    device.given_pairs(&device.pairs::<f32>(9)?)?;
    distance::load(&device)?.pairs(&pairs);
    Ok(())
}
