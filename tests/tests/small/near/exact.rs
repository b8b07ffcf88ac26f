//! Deterministic sums of near pairs have the bits of exact sums, however pairs are visited.

use td_kernel::{Device, Devices, Result, Target};
use td_kernel_tests::near::exact::{Elements, expected_of_one, expected_of_sets, of_one, of_sets};
use td_kernel_tests::near::{Way, sets};

use super::ways;
use crate::small::{and_large, simt};

/// A limit with which about `neighbours` of n uniform points are near.
fn limit(n: usize, neighbours: f32) -> f32 {
    (2.0 * sets::radius(n, neighbours)).powi(2)
}

/// Compares with sums on the host, and all launches with each other.
#[track_caller]
fn check(device: &Target, way: Way, n: usize, neighbours: f32, specials: bool) {
    let (points, limit) = (sets::uniform(8, n), limit(n, neighbours));
    let (rows, columns) =
        (Elements::new(&points, specials), Elements::new(&points[n / 3..], specials));
    let context = format!("{way:?}, {n}, {neighbours}, {specials}, on {}", device.name());
    for diagonal in [false, true] {
        let found = of_one(device, way, &rows, limit, diagonal, &[]).unwrap();
        assert_eq!(found, expected_of_one(&rows, limit, diagonal), "{diagonal}, {context}");
    }
    let found = of_sets(device, way, &rows, &columns, limit).unwrap();
    assert!(found == expected_of_sets(&rows, &columns, limit), "two sets, {context}");
}

#[test]
fn every_n() {
    for (device, way) in ways() {
        for n in and_large(&[0, 1, 2, 33, 129, 600], &[5000]) {
            check(&device, way, n, 10.0, n == 129);
        }
        check(&device, way, 300, 1e5, false);
        check(&device, way, 300, 20.0, true);
    }
}

/// All pairs, and those that a launch chooses: near tiles if few pairs are near, and otherwise all pairs.
#[test]
fn all_pairs_have_the_same_bits() -> Result<()> {
    let cpu = Device::cpu()?;
    for neighbours in [10.0, 1e5] {
        check(&simt(), Way::All, 300, neighbours, true);
        check(&simt(), Way::Tested, 300, neighbours, true);
        check(&cpu, Way::Usual, 400, neighbours, true);
    }
    Ok(())
}

/// Beside each other, devices of two kinds visit all pairs and near tiles. One device of three has no work.
#[test]
fn several_devices() -> Result<()> {
    for (device, way) in ways() {
        for count in [2, 3] {
            let several = Devices::new(vec![device.clone(); count])?;
            check(&several, way, 260, 10.0, true);
            check(&several, way, 40, 10.0, false);
        }
    }
    let mixed = Devices::new([simt(), Device::cpu()?])?;
    check(&mixed, Way::Usual, 260, 10.0, true);
    Ok(())
}

#[test]
fn ranges_of_rows() -> Result<()> {
    let (points, limit) = (sets::uniform(3, 300), limit(300, 12.0));
    let elements = Elements::new(&points, true);
    for (device, way) in [(simt(), Way::Usual), (Device::cpu()?, Way::Usual)] {
        for diagonal in [false, true] {
            let found =
                of_one(&device, way, &elements, limit, diagonal, &[0..77, 77..78, 78..300])?;
            assert!(found == expected_of_one(&elements, limit, diagonal), "{}", device.name());
        }
    }
    Ok(())
}
