//! Values that are unknown, out of range, or of the wrong kind.

mistakes! {
    #[td_kernel(MISTAKE)] unsafe fn kernel(#[each] p: &[f32], out: &mut Packed<f32>) { r#" out = p.i * p.j; "# }
    { map = "lmt" }
    { map = "LTM", sqrt = "rsqr", space = "threads", grid = "line", sweep = "row" }
    { map = "hilbert" }
    { map = rb, sqrt = 3, space = b"block", sweep = "rows"x }
    { sqrt = "sqrt", epsilon = 0.5 }
    { sqrt = "sqrt", epsilon = -1e-4 }
    { sqrt = "sqrt", epsilon = "small" }
    { sqrt = "sqrt", epsilon = 1 }
    { sqrt = "sqrt", epsilon = 1e-4f64 }
    { diagonal = 1 }
    { block = 24, tile = 100 }
    { block = 8 * 2, tile = -32 }
    { block = 16u8, tile = 64.0 }
    { crate = "td_kernel" }
    { crate = td_kernel::Packed::<f32> }
    { fmad = "off" }
}
