//! The listings of the guide, `guide/src`: each chapter includes the parts between anchors of its module here, and the
//! tests run them on the CPU. Two chapters are targets of their own: `reviewing.rs`, on reviewing generated code, so that snapshots
//! can be checked without the rest, and `testing.rs`, on tests without a GPU, whose test compiles every kernel of its program.
#![allow(clippy::unwrap_used, clippy::panic)]

// As if `Cargo.toml` renamed it, for `renamed`.
extern crate td_kernel as gpu;

mod chunks;
mod columns;
mod comparison;
#[allow(dead_code)]
mod cudarc_slices;
mod devices;
mod elements;
mod errors;
mod feature_sets;
mod folds;
mod interop;
mod machine;
mod maps;
mod nearest;
mod preludes;
mod program;
mod readme;
mod reductions;
mod renamed;

// Programs, which the tests in `program` run. Their kernels are compiled with the others.
#[allow(dead_code)]
mod histogram;
#[allow(dead_code)]
mod lists;
#[allow(dead_code)]
mod many_sets;
#[allow(dead_code)]
mod near;
#[allow(dead_code)]
mod products;
#[allow(dead_code)]
mod two_sets;

/// For a GPU, without a warning.
#[test]
fn every_kernel_compiles() {
    let checked = td_kernel::testing::compile_all(&[90]).unwrap();
    assert!(checked.len() > 20, "only {} texts", checked.len());
}
