//! The extremes of all pairs in every map and sweep, of one set and of two, and on several devices.

use td_kernel::{Devices, Result};
use td_kernel_geometry::Root;
use td_kernel_tests::covering::{chosen, part};
use td_kernel_tests::{Choice, extremes};

use super::{IS_GPU, and_large, devices, each, simt};

const SIZES: &[usize] = &[0, 1, 2, 3, 33, 97, 131, 300];

#[test]
fn every_map_and_sweep() {
    let device = simt();
    let of_ltm = |choice: &Choice| choice.map == "ltm" && !choice.linear;
    let tiles = Choice::tiles().into_iter().filter(of_ltm);
    let all = Choice::maps().into_iter().chain(tiles);
    let all: Vec<_> = all.filter(|choice| choice.root == Root::Exact).collect();
    let choices = chosen(&all, |Choice { map, space, sweep, square, diagonal, .. }| {
        vec![format!("{map} {space:?}"), format!("{sweep:?} {square} {diagonal}")]
    });
    assert!(choices.iter().filter_map(extremes::item).count() > 15);
    let of_turn: Vec<_> = choices.iter().enumerate().collect();
    each(&of_turn, |(turn, choice)| {
        let sizes = if IS_GPU { SIZES.to_vec() } else { part(SIZES, 3, turn % 3) };
        extremes::check(&device, choice, &sizes).unwrap();
    });
    // The CPU's loops are the same for every choice.
    assert!(extremes::item(&choices[0]).is_some());
    extremes::check(&devices()[0], &choices[0], SIZES).unwrap();
}

/// Rows and columns.
const SETS: &[[usize; 2]] = &[[0, 5], [1, 1], [2, 130], [33, 2], [129, 257], [300, 40]];

#[test]
fn one_set_and_two() -> Result<()> {
    let sizes = and_large(SETS, &[[3000, 2000], [5000, 700], [2000, 9000]]);
    devices().iter().try_for_each(|device| extremes::check_sets(device, &sizes))
}

#[test]
fn several_devices() -> Result<()> {
    for device in devices() {
        let several = Devices::new([0, 1, 2].map(|_| device.clone()))?;
        extremes::check_sets(&several, &[[2, 3], [300, 140], [140, 300]])?;
    }
    Ok(())
}

#[test]
fn ends_of_ranges() -> Result<()> {
    devices().iter().try_for_each(extremes::check_ends)
}
