//! The items that the macros write. The kernels' sources in them are left out: the other snapshots show those.

use proc_macro2::TokenStream;
use td_kernel_codegen::{device_type, td_kernel};
use td_kernel_tests::{NoFiles, tokens};

use super::Snapshots;

fn items(expansion: TokenStream) -> String {
    let text = prettyplease::unparse(&syn::parse2(expansion).unwrap());
    let lines = text.lines().map(|line| match line.trim_start() {
        literal if literal.starts_with('"') && literal.len() > 300 => {
            let indent = &line[..line.len() - literal.len()];
            format!("{indent}\"(source)\",\n")
        }
        _ => format!("{line}\n"),
    });
    lines.collect()
}

#[test]
fn expansion() {
    let kernel = |keys: &str, item: &str| items(td_kernel(tokens(keys), tokens(item), &NoFiles));
    let mut shown = Snapshots::new();
    let touch = r##"
    /// Counts the spheres that touch.
    pub unsafe fn touch(#[each] s: &[Sphere], scale: f32, out: &mut Packed<u8>, count: &mut Sum<u32>, list: &mut Pairs) {
        r#" if (scale * s.i.r > s.j.r) { count += 1; list.push(); out = 1; } "#
    }"##;
    shown.whole("touch", &kernel("crate = ::my::td, tile = 64", touch));
    shown.new_lines("tiles of every size", &kernel("crate = ::my::td", touch));
    // Two sets, the columns without an argument that gives their number.
    let rectangle = r##"
    pub unsafe fn touch(#[row] s: &[Sphere], scale: f32, count: &mut Sum<u32>) { r#" if (scale * s.r < j) count += 1; "# }"##;
    shown.new_lines("rectangle", &kernel("crate = ::my::td, tile = 64", rectangle));
    // Rustc puts the constants' values into the sources.
    let constants = r##"
    pub unsafe fn touch(#[row] s: &[Sphere], scale: f32, out: &mut Matrix<u8>) { r#" out = scale * s.r < CUTOFF && j % PERIOD == 0; "# }"##;
    let keys = "crate = ::my::td, tile = 64, constants(CUTOFF: f32 = super::CUTOFF * 2.0, PERIOD: u32 = 3)";
    shown.new_lines("constants", &kernel(keys, constants));
    let body = "#[repr(C, align(16))] struct Body { center: [f32; 3], parts: [inner::Part; 2], mass: f64 }";
    shown.whole("derive", &items(device_type(tokens(body))));
    shown.compare("expansion");
}
