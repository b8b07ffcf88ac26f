//! The listings of the guide, `guide/src`: each chapter includes the parts between anchors of its module here, and the
//! tests run them on the CPU. Two chapters are targets of their own: `reviewing.rs`, on reviewing generated code, so that snapshots
//! can be checked without the rest, and `testing.rs`, on tests without a GPU, whose test compiles every kernel of its program.
#![allow(clippy::unwrap_used, clippy::panic)]

mod bands;
mod devices;
mod elements;
mod errors;
mod folds;
mod machine;
mod maps;
mod nearest;
mod preludes;
mod program;

use td_kernel::__private::{Registered, inventory};
use td_kernel::nvrtc;
use td_kernel_tests::covering::in_turn;

/// For a GPU, without a warning. With default features, each kernel is compiled in one of its texts, by turns.
#[test]
fn every_kernel_compiles() {
    let mut kernels: Vec<_> = inventory::iter::<Registered>.into_iter().collect();
    assert!(kernels.len() > 20, "only {} kernels", kernels.len());
    // A linker's list has no order.
    kernels.sort_unstable_by_key(|each| (each.kernel, each.variants[0].source));
    for (turn, Registered { kernel, variants, warnings, .. }) in kernels.into_iter().enumerate() {
        assert!(warnings.is_empty(), "{kernel}");
        let texts = variants.iter().map(|each| each.source);
        let texts = texts.chain(variants.iter().filter_map(|each| each.rows));
        for (at, text) in in_turn(texts, turn) {
            let compiled = nvrtc::compile(kernel, text, 90).unwrap();
            assert_eq!(compiled.warnings, "", "{kernel}, text {at}");
        }
    }
}
