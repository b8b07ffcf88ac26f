//! The kernels of the catalogue, as launches choose their variants and in each variant.

use td_kernel::__private::NearTiles;
use td_kernel::Device;
use td_kernel_tests::catalogue;

use super::{counts_of, each, simt};
use crate::devices;

/// Compares each kernel with the oracle. Where the sources for GPUs run, each variant is launched.
fn check(device: &Device) {
    let has_variants = device.name() == simt().name();
    each(&catalogue::all(), |entry| {
        let count = (entry.kernel)(device).unwrap().variants().count();
        let pinned = (0..count).filter(|_| has_variants).map(Some);
        let variants: Vec<_> = [None].into_iter().chain(pinned).collect();
        for run in entry.runs(device, counts_of(device)).unwrap() {
            // Near tiles have a variant of their own.
            let is_chosen = run.is_several || run.is_tuned || run.near != NearTiles::Usual;
            let variants = if is_chosen { &variants[..1] } else { &variants };
            if let Err(problem) = entry.check(&run, variants) {
                panic!("{problem}");
            }
        }
    });
}

#[test]
fn kernels_of_the_catalogue() {
    devices().iter().for_each(check);
}
