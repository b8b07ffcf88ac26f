//! Launches that keep a list of near pairs.

use td_kernel::{Device, Devices, Result};
use td_kernel_tests::near::kept;

use crate::devices;

#[test]
fn steps_are_those_of_all_pairs() -> Result<()> {
    for device in devices() {
        for n in [0, 1, 2, 3, 33, 130, 700] {
            kept::check_steps(&device, n)?;
        }
    }
    Ok(())
}

#[test]
fn lists_grow() -> Result<()> {
    devices().iter().try_for_each(|device| kept::check_room(device))
}

#[test]
fn periodic_cells() -> Result<()> {
    devices().iter().try_for_each(|device| kept::check_cell(device, 200))
}

#[test]
fn pairs_with_themselves_and_other_members() -> Result<()> {
    devices().iter().try_for_each(|device| kept::check_diagonal(device))
}

#[test]
fn two_sets() -> Result<()> {
    for device in devices() {
        for counts in [[0, 5], [5, 0], [1, 1], [40, 300]] {
            kept::check_two(&device, counts)?;
        }
    }
    Ok(())
}

#[test]
fn wrong_launches_are_refused() -> Result<()> {
    let other = Devices::cpu(2)?;
    devices().iter().try_for_each(|device| kept::check_errors(device, &other))
}

#[test]
fn several_devices_list_the_same_pairs() -> Result<()> {
    let emulators = Devices::new([Device::emulator()?, Device::emulator()?])?;
    for devices in [Devices::cpu(3)?, emulators] {
        for n in [1, 2, 700] {
            kept::check_steps(&devices, n)?;
        }
        kept::check_two(&devices, [300, 400])?;
        kept::check_room(&devices)?;
    }
    Ok(())
}

#[test]
fn mixed_devices_and_processes_are_refused() -> Result<()> {
    let mixed = Devices::new([Device::cpu()?, Device::emulator()?])?;
    let part = Devices::cpu(1)?.part_of(0, 2)?;
    for (devices, words) in [(mixed, "GPUs beside a CPU"), (part, "shared with other processes")] {
        kept::expect_refused(&devices, words)?;
    }
    Ok(())
}
