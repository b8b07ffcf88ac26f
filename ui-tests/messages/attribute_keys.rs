//! Keys that are unknown, repeated, without a value, or in conflict with others.

mistakes! {
    #[td_kernel(MISTAKE)] unsafe fn kernel(out: &mut Packed<f32>) { r#" out = 1; "# }
    { mpa = "ltm", Tile = 64 }
    { colour = "blue" }
    { block = 16, block = 32 }
    { map, sqrt, epsilon, space, grid, diagonal, sweep, block, tile, crate }
    { map("ltm"), sqrt: "rsqrt", tile = , block == 8 }
    { fmad, deterministic }
    { "ltm" }
    { map = "ltm" sqrt = "rsqrt" tile = 7 }
    { map = "bb", sqrt = "rsqrt", epsilon = 1e-4 }
    { map = "ltm", epsilon = 1e-4 }
    { map = "walk", space = "thread" }
    { map = "rb", grid = "linear" }
    { map = "ltm", space = "thread", grid = "balanced" }
}
