//! All errors are reported at once, without follow-up errors: a wrong kernel still has a type, and a wrong struct a
//! definition, so the code around them compiles.

use td_kernel::{Device, DeviceType, td_kernel};

#[td_kernel(mop = "ltm", map = "rbb", diagonal)]
fn edm<'a>(#[each(1)] p: &'a [f32], template: usize, mut q: bool, distance: &mut Packed<f32>) -> f32 {
    r#" __syncthreads(); } "#
}

#[td_kernel(sweep = "columns")]
unsafe fn matrix(#[each] p: &[Point], out: &mut Square<f32>, list: &mut Pairs, total: &mut Sum<f32>) {
    r#" out = td_distance(p.i, p.j); "#
}

#[derive(Clone, Copy, DeviceType)]
struct Point {
    x: f32,
    size: usize,
}

#[td_kernel]
unsafe fn right(#[each] p: &[Point], out: &mut Square<f32>) {
    r#" out = p.i.x - p.j.x; "#
}

#[td_kernel]
unsafe fn inferred(
    template: &mut Packed<f32>,
    a: &mut Square<usize>,
    b: &mut Sum<u8>,
    c: &mut [bool],
    #[each] f: &mut [f32],
    n: f32,
    n: f32,
) {
    r#" return; "#
}

#[td_kernel(map = "nothing")]
#[cfg(any())]
unsafe fn not_compiled(wrong: usize) {}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    let p = device.upload(&[1.0, 2.0])?;
    let mut distance = device.packed(2)?;
    let kernel = edm::load(&device)?;
    kernel.launch(&p, 3, false, &mut distance)?;
    println!("{} {:?}", edm::SOURCE, edm::SOURCES);
    println!("{:?}", distance.download()?.get(1, 0));

    let points = device.upload(&[Point { x: 1.0, size: 2 }])?;
    let mut out = device.square(1)?;
    let (mut list, mut total) = (device.pairs(8)?, device.sum()?);
    matrix::load(&device)?.launch(&points, &mut out, &mut list, &mut total)?;
    println!("{:?}", matrix::load(&device)?.tune(&points, &mut out, &mut list, &mut total)?);
    println!("{:?}", kernel.clone().report(2)?);
    right::load(&device)?.launch(&points, &mut out)?;

    let (mut t, mut a, mut b) = (device.packed(2)?, device.square(2)?, device.sum()?);
    let (mut c, mut f) = (device.zeroed(2)?, device.upload(&[1.0, 2.0])?);
    let kernel = inferred::load(&device)?;
    kernel.launch(&mut t, &mut a, &mut b, &mut c, &mut f, 1.0, 2.0)
}
