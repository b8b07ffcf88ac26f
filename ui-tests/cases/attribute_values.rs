//! Values that are unknown, out of range, or of the wrong kind.

use td_kernel::td_kernel;

#[td_kernel(map = "lmt")]
unsafe fn unknown_map(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(map = 3)]
unsafe fn map_is_no_number(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(sqrt = "rsqr")]
unsafe fn unknown_root(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(sqrt = "sqrt", epsilon = 0.5)]
unsafe fn epsilon_too_large(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(sqrt = "sqrt", epsilon = "small")]
unsafe fn epsilon_is_no_text(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(space = "threads")]
unsafe fn unknown_space(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(grid = "line")]
unsafe fn unknown_grid(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(diagonal = 1)]
unsafe fn diagonal_is_no_number(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(block = 24)]
unsafe fn block_is_no_power(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(tile = 100)]
unsafe fn tile_is_no_multiple(total: &mut Sum<u64>) {
    r#" total += 1; "#
}

#[td_kernel(crate = "td_kernel")]
unsafe fn crate_is_no_text(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(crate = td_kernel::Packed::<f32>::new)]
unsafe fn crate_has_no_arguments(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

fn main() {}
