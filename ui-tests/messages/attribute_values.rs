//! Values that are unknown, out of range, or of the wrong kind.

#[td_kernel(map = "lmt")]
unsafe fn unknown_map(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(map = "LTM", sqrt = "rsqr", space = "threads", grid = "line", sweep = "row")]
unsafe fn near(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(map = "hilbert")]
unsafe fn near_nothing(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(map = rb, sqrt = 3, space = b"block", sweep = "rows"x)]
unsafe fn no_string(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(sqrt = "sqrt", epsilon = 0.5)]
unsafe fn epsilon_too_large(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(sqrt = "sqrt", epsilon = -1e-4)]
unsafe fn epsilon_below_zero(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(sqrt = "sqrt", epsilon = "small")]
unsafe fn epsilon_is_no_text(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(sqrt = "sqrt", epsilon = 1)]
unsafe fn epsilon_is_no_integer(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(sqrt = "sqrt", epsilon = 1e-4f64)]
unsafe fn epsilon_has_no_suffix(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(diagonal = 1)]
unsafe fn diagonal_is_no_number(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(block = 24, tile = 100)]
unsafe fn no_multiples(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(block = 8 * 2, tile = -32)]
unsafe fn no_literals(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(block = 16u8, tile = 64.0)]
unsafe fn no_plain_integers(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(crate = "td_kernel")]
unsafe fn crate_is_no_text(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(crate = td_kernel::Packed::<f32>)]
unsafe fn crate_is_no_type(out: &mut Packed<f32>) {
    r#" out = 1; "#
}

#[td_kernel(fmad = "off")]
unsafe fn no_boolean_fmad(#[each] p: &[f32], value: &mut Packed<f32>) {
    r#" value = p.i * p.j; "#
}
