//! Keys that are unknown, repeated, without a value, or without a meaning beside the others.

#[td_kernel(mpa = "ltm", Tile = 64)]
unsafe fn unknown(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(colour = "blue")]
unsafe fn unknown_near_nothing(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(block = 16, block = 32)]
unsafe fn repeated(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(map, sqrt, epsilon, space, grid, diagonal, sweep, block, tile, crate)]
unsafe fn without_values(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(map("ltm"), sqrt: "rsqrt", tile = , block == 8)]
unsafe fn other_forms(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(fmad)]
unsafe fn no_value(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel("ltm")]
unsafe fn no_key(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(map = "ltm" sqrt = "rsqrt" tile = 7)]
unsafe fn no_commas(out: &mut Packed<f32>) {
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
