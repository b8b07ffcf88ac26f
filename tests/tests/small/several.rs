//! Several devices as one give the same results as one of them.

use td_kernel::{Device, Result};
use td_kernel_tests::devices::{
    SMALL, Sizes, USUAL, check_deterministic, check_neighbours, check_results,
};

use super::{devices, simt};

/// Each device, repeated, and how often.
fn cases() -> Vec<([Device; 1], &'static [usize], Sizes)> {
    let case = |device: Device| match device.is_cpu() {
        true if !device.name().contains("emulator") => ([device], &[1, 2, 3, 7][..], USUAL),
        _ => ([device], &[2, 3][..], SMALL),
    };
    devices().into_iter().map(case).collect()
}

#[test]
fn several_devices_agree() -> Result<()> {
    for (devices, counts, sizes) in cases() {
        check_results(&devices, counts, &sizes)?;
        check_deterministic(&devices, counts, &sizes)?;
    }
    Ok(())
}

#[test]
fn several_devices_agree_on_neighbours() -> Result<()> {
    cases().iter().try_for_each(|(devices, counts, sizes)| check_neighbours(devices, counts, sizes))
}

/// A CPU among others. It runs the same source; cells move from a GPU's memory to the host's, and back.
#[test]
fn mixed_devices_agree() -> Result<()> {
    let both = [simt(), Device::cpu()?];
    let sizes = Sizes {
        listed: &[2, 300],
        elements: &[2, 300],
        features: &[[2, 3], [200, 9]],
        sets: &[[200, 30], [3, 300]],
        features_of_sets: &[[200, 30, 9]],
        nearest: &[2, 130],
        in_order: &[40],
    };
    check_results(&both, &[2, 3], &sizes)?;
    check_neighbours(&both, &[2, 3], &sizes)
}
