//! Kernels whose blocks need more shared memory than a GPU has.

use td_kernel::{DeviceType, td_kernel};

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Large {
    values: [f32; 128],
}

#[td_kernel]
unsafe fn tiles(#[each] x: &[Large], total: &mut Sum<f32>) {
    r#" total += x.i.values[0]; "#
}

#[td_kernel(tile = 64)]
unsafe fn smaller_tiles_fit(#[each] x: &[Large], total: &mut Sum<f32>) {
    r#" total += x.i.values[0]; "#
}

#[derive(Clone, Copy, DeviceType)]
#[repr(C)]
struct Larger {
    values: [f32; 512],
}

#[td_kernel]
unsafe fn not_in_the_smallest_tile(#[each] x: &[Larger], out: &mut Packed<f32>) {
    r#" out = x.i.values[0]; "#
}

#[td_kernel(block = 32)]
unsafe fn both_sides_of_a_block_fit(#[each] x: &[Large], total: &mut Sum<f32>) {
    r#" total += x.i.values[0]; "#
}

#[td_kernel(block = 32)]
unsafe fn not_with_another(#[each] x: &[Large], #[each] y: &[Large], total: &mut Sum<f32>) {
    r#" total += x.i.values[0] + y.j.values[0]; "#
}

fn main() {}
