//! Keys that are unknown, repeated, without a value, or without a meaning for the map.

use td_kernel::td_kernel;

#[td_kernel(mpa = "ltm")]
unsafe fn unknown_key(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(colour = "blue")]
unsafe fn unknown_key_near_nothing(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(block = 16, block = 32)]
unsafe fn repeated_key(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(diagonal)]
unsafe fn key_without_value(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(map = "bb", sqrt = "rsqrt", epsilon = 1e-4)]
unsafe fn root_without_a_use(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(map = "ltm", epsilon = 1e-4)]
unsafe fn epsilon_without_a_use(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(map = "walk", space = "thread")]
unsafe fn no_thread_space(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(map = "rb", grid = "linear")]
unsafe fn one_grid(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(map = "ltm", space = "thread", grid = "balanced")]
unsafe fn a_line_in_thread_space(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(tile = 128, block = 16)]
unsafe fn block_beside_tile(total: &mut Sum<u64>) {
    r#" total += 1; "#
}

#[td_kernel(tile = 128, space = "thread")]
unsafe fn tile_in_thread_space(total: &mut Sum<u64>) {
    r#" total += 1; "#
}

#[td_kernel(tile = 128)]
unsafe fn tile_with_packed_slots(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel("ltm")]
unsafe fn no_key(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

fn main() {}
