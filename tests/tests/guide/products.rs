//! The program of the chapter on products with kernel matrices.

// ANCHOR: program
use td_kernel::{Device, td_kernel};

/// The product K v, where K has exp(-scale |x_i - x_j|²) in row i and column j.
#[td_kernel(diagonal = true)]
unsafe fn product(
    #[each] x: &[[f32; 2]],
    #[each] v: &[f32],
    scale: f32,
    #[each] product: &mut Sums<f32>,
) {
    r#"
    float dx = x.i.x - x.j.x, dy = x.i.y - x.j.y;
    float k = expf(-scale * fmaf(dy, dy, dx * dx));
    product.i += k * v.j;
    product.j += k * v.i; // not for a pair (i, i)
    "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    let x = device.upload(&[[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])?;
    let v = device.upload(&[1.0, 2.0, 3.0])?;
    let mut product = device.sums(x.len())?;
    product::load(&device)?.launch(&x, &v, 0.5, &mut product)?;
    println!("{:.3?}", product.download()?);
    Ok(())
}
// ANCHOR_END: program
