//! Chunks of a kernel that has none, and files that their arguments do not identify.

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

#[td_kernel]
unsafe fn both(#[each] x: &[f32], scale: f32, distance: &mut Square<f32>) {
    r#" distance = scale * fabsf(x.i - x.j); "#
}

fn chunks(both: &both, x: &Buffer<f32>) -> td_kernel::Result<()> {
    both.chunks(x, 2.0)?.memory(1000).write_npy("both.npy")
}
