//! Files of chunks that their arguments do not identify.

use td_kernel::{Buffer, DeviceType, td_kernel};

#[td_kernel]
unsafe fn once(#[each] x: &[f32], distance: &mut Packed<f32>) {
    r#" distance = fabsf(x.i - x.j); "#
}

#[repr(C)]
#[derive(Clone, Copy, DeviceType)]
struct Point {
    x: f32,
    y: f32,
}

fn resume(once: &once, x: &Buffer<f32>, points: &[Point]) -> td_kernel::Result<()> {
    once.chunks(x)?.resume_npy("once.npy", points)?;
    once.chunks(x)?.resume_npy("once.npy", 7)
}

fn main() {}
