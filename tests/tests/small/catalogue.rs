//! The kernels of the catalogue, as launches choose their variants and in each variant.

use td_kernel::Device;
use td_kernel_tests::catalogue;
use td_kernel_tests::covering::in_turn;

use super::{IS_GPU, counts_of, each, simt};
use crate::devices;

/// Compares each kernel with the oracle. Where the sources for GPUs run, each variant is launched over all pairs of many elements.
/// On a GPU, or with the feature `every`, each is in all other launches, too; otherwise one of them by turns.
fn check(device: &Device) {
    let has_variants = device.name() == simt().name();
    each(&catalogue::all(), |entry| {
        let count = (entry.kernel)(device).unwrap().variants().count();
        let pinned = (0..count).filter(|_| has_variants).map(Some);
        let variants: Vec<_> = [None].into_iter().chain(pinned).collect();
        for (turn, run) in entry.runs(device, counts_of(device)).unwrap().into_iter().enumerate() {
            let variants = match run.is_several {
                true => vec![None],
                false if IS_GPU || run.is_large() => variants.clone(),
                false => in_turn(variants.clone(), turn),
            };
            if let Err(problem) = entry.check(&run, &variants) {
                panic!("{problem}");
            }
        }
    });
}

#[test]
fn kernels_of_the_catalogue() {
    devices().iter().for_each(check);
}
