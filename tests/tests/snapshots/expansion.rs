//! The items that the macros write, and the definition of a struct.

use td_kernel_tests::{NoFiles, tokens};

use super::text;

/// Compares a Rust expansion with its snapshot.
fn rust(name: &str, expansion: proc_macro2::TokenStream) {
    let file = syn::parse2(expansion).unwrap();
    text(name, &prettyplease::unparse(&file));
}

/// The text that a struct's definition is joined to, when rustc evaluates the constant.
#[test]
fn structs() {
    text("structs", td_kernel_tests::structs::mixed::SOURCE);
}

#[test]
fn expansion() {
    let item = r##"
    /// Counts the spheres that touch.
    pub unsafe fn touch(#[each] s: &[Sphere], scale: f32, out: &mut Packed<u8>, count: &mut Sum<u32>, list: &mut Pairs) {
        r#" if (scale * s.i.r > s.j.r) { count += 1; list.push(); out = 1; } "#
    }"##;
    rust(
        "expansion",
        td_kernel_codegen::td_kernel(tokens("crate = ::my::td"), tokens(item), &NoFiles),
    );
}

/// The items of a kernel over the pairs of two sets, of which one is not told by an argument.
#[test]
fn expansion_of_rectangle() {
    let item = r##"
    unsafe fn degree(#[row] query: &[[f32; 2]], limit: f32, total: &mut Sum<u32>) {
        r#" if (query.x * j < limit) total += 1; "#
    }"##;
    rust("expansion_rectangle", td_kernel_codegen::td_kernel(tokens(""), tokens(item), &NoFiles));
}

/// The items of a kernel with constants, whose lines rustc puts into the texts.
#[test]
fn expansion_of_constants() {
    let item = r##"
    unsafe fn near(#[row] x: &[f32], out: &mut Matrix<u8>) { r#" out = x < CUTOFF && j % PERIOD == 0; "# }"##;
    let keys = "tile = 0, constants(CUTOFF: f32 = super::CUTOFF * 2.0, PERIOD: u32 = 3)";
    rust("expansion_constants", td_kernel_codegen::td_kernel(tokens(keys), tokens(item), &NoFiles));
}

#[test]
fn derive() {
    let item = "#[repr(C, align(16))] struct Body { center: [f32; 3], parts: [inner::Part; 2], mass: f64 }";
    rust("derive", td_kernel_codegen::device_type(tokens(item)));
}
