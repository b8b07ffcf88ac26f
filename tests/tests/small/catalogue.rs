//! The kernels of the catalogue, as launches choose their variants and in each variant.

use td_kernel::{Device, Result};
use td_kernel_tests::catalogue::{self, Entry, Run};

use super::{counts_of, each};
use crate::devices;

/// A kernel in one of its variants.
#[derive(Clone, Copy, Debug)]
struct Case(Entry, Option<usize>);

fn check(device: &Device) -> Result<()> {
    let mut cases = Vec::new();
    for entry in catalogue::all() {
        let variants = (entry.kernel)(device)?.variants().count();
        cases.extend([None].into_iter().chain((0..variants).map(Some)).map(|v| Case(entry, v)));
    }
    each(&cases, |Case(entry, variant)| {
        let counts = if variant.is_none() { counts_of(device) } else { &[] };
        for run in entry.runs(device, counts).unwrap() {
            if let Err(problem) = entry.check(&Run { variant: *variant, ..run }) {
                panic!("{problem}");
            }
        }
    });
    Ok(())
}

#[test]
fn kernels_of_the_catalogue() -> Result<()> {
    devices().iter().try_for_each(check)
}
