//! The generated CUDA, and one Rust expansion, for people to review as text.
//!
//! `cargo xtask bless` accepts a change; the change is then in the commit, for its reviewer to read.
#![allow(clippy::unwrap_used, clippy::panic)]

mod cpu;
mod expansion;
mod given;
mod maps;
mod parameters;
mod rectangles;
mod sweeps;

use td_kernel_tests::{loops, source};

const EDM: &str = r##"
/// Euclidean distance of every pair of points.
pub unsafe fn edm(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(dx * dx + dy * dy + dz * dz + dw * dw);
    "#
}
"##;

const COUNT: &str = r##"
unsafe fn contacts(#[each] s: &[[f32; 4]], total: &mut Sum<u64>) {
    r#"
    float dx = s.i.x - s.j.x, dy = s.i.y - s.j.y, dz = s.i.z - s.j.z, r = s.i.w + s.j.w;
    if (dx * dx + dy * dy + dz * dz <= r * r)
        total += 1;
    "#
}
"##;

const ENERGY: &str = r##"
unsafe fn energy(#[each] q: &[[f32; 4]], total: &mut Sum<f32>) {
    r#"
    float dx = q.i.x - q.j.x, dy = q.i.y - q.j.y, dz = q.i.z - q.j.z;
    total += q.i.w * q.j.w * rsqrtf(dx * dx + dy * dy + dz * dz);
    "#
}
"##;

/// Compares the CUDA of a kernel with its snapshot.
fn cuda(name: &str, attribute: &str, item: &str) {
    text(name, &source(attribute, item));
}

/// Compares a text with its snapshot.
fn text(name: &str, text: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "../../snapshots" }, {
        insta::assert_snapshot!(name, text);
    });
}

/// The text for the CPU.
fn cpu(name: &str, attribute: &str, item: &str) {
    text(name, &loops(attribute, item));
}

#[test]
fn edm() {
    cuda("edm", r#"map = "ltm", sqrt = "rsqrt""#, EDM);
}

#[test]
fn the_same_input_gives_the_same_text() {
    assert_eq!(source("", EDM), source("", EDM));
}
