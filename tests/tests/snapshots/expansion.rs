//! The items that the macros generate, without the kernels' sources, which the other snapshots show.

use proc_macro2::TokenStream;
use td_kernel_codegen::{device_type, td_kernel};
use td_kernel_tests::{NoFiles, tokens};

use super::compare;

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
    let touch = r##"
    /// Counts the spheres that touch.
    pub unsafe fn touch(#[each] s: &[Sphere], count: &mut Sum<u32>) { r#" if (s.i.r > s.j.r) count += 1; "# }"##;
    let kernel = td_kernel(tokens("crate = ::my::td, tile = 64"), tokens(touch), &NoFiles);
    let body = "#[repr(C, align(16))] struct Body { parts: [inner::Part; 2], mass: f64 }";
    let body = device_type(tokens(body));
    compare("expansion", &format!("{}\n{}", items(kernel), items(body)));
}
