//! Kernels with the body `lower_bound` over boxes find the same pairs in near tiles as among all pairs.

use td_kernel::{Device, Result};
use td_kernel_tests::near::{self, Way, sets};

use super::{and_large, each, simt};
use crate::devices;

/// The GPU's source for near tiles, and what the first device does without being asked: the CPU runs loops.
fn ways() -> [(Device, Way); 2] {
    [(simt(), Way::Near), (devices().swap_remove(0), Way::Usual)]
}

/// No elements, one, two, and numbers around those of a tile, a block, a group and the keys of a block.
#[test]
fn every_n() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[0, 1, 2, 31, 32, 33, 100, 129, 1025], &[4099, 33_000]) {
            let balls = sets::balls(sets::uniform(3, n).into_iter(), sets::radius(n, 8.0));
            near::compare("uniform", &device, way, &balls, 0.0)?;
        }
    }
    Ok(())
}

#[test]
fn every_set() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[600], &[2500, 6000]) {
            each(&sets::all(n), |(what, balls)| {
                for margin in [0.0, -0.01, f32::NAN, f32::INFINITY] {
                    near::compare(what, &device, way, balls, margin).unwrap();
                }
            });
        }
    }
    Ok(())
}

/// Few pairs are evaluated where elements are spread: those that pass, and hardly any others.
#[test]
fn far_pairs_are_skipped() -> Result<()> {
    let n = 3000;
    let balls = sets::balls(sets::uniform(5, n).into_iter(), sets::radius(n, 5.0));
    for (device, way) in [(simt(), Way::Near)] {
        let [found, evaluated] = near::compare("uniform", &device, way, &balls, 0.0)?;
        assert!(found > 5000 && evaluated <= found + 10, "{found}, {evaluated}");
        let [found, evaluated] = near::compare("none", &device, way, &balls, -1.0)?;
        assert_eq!([found, evaluated], [0, 0]);
    }
    Ok(())
}

/// Wrapped at the faces, also for points that are many cells away, and with the pairs of elements with themselves.
#[test]
fn periodic_cells() -> Result<()> {
    for (device, way) in ways() {
        for (n, scale, shift) in
            [(500, 1.0, 0.0), (700, 1.0, -0.4), (300, 40.0, 1000.0), (33, 1.0, 0.0)]
        {
            let points: Vec<_> =
                sets::uniform(9, n).iter().map(|x| x.map(|x| x * scale + shift)).collect();
            for (edges, limit) in
                [([1.0, 1.0], 0.002), ([0.7, 2.0], 0.01), ([1.0, 1e30], 0.001), ([1.0, 1.0], 3.0)]
            {
                let find = |way| near::periodic_pairs(&device, way, &points, edges, limit);
                let ((found, degrees, evaluated), (expected, all_degrees, all)) =
                    (find(way)?, find(Way::All)?);
                assert!(found == expected && degrees == all_degrees, "{n} {edges:?} {limit}");
                assert!(evaluated <= all);
            }
        }
        let mut odd = sets::uniform(4, 200);
        odd[7] = [f32::NAN; 3];
        odd[100] = [f32::INFINITY, 0.0, 0.5];
        odd[101] = [0.0, 0.0, f32::NEG_INFINITY];
        let find = |way| near::periodic_pairs(&device, way, &odd, [1.0, 0.5], 0.01);
        assert!(find(way)?.0 == find(Way::All)?.0);
    }
    Ok(())
}

/// Doubles on a line, beside elements without boxes.
#[test]
fn numbers() -> Result<()> {
    for (device, way) in ways() {
        for n in [0, 1, 2, 700, 1500] {
            let numbers: Vec<f64> = sets::numbers(8).map(f64::from).take(n).collect();
            for limit in [0.0, 0.003, 2.0, f64::NAN] {
                let (found, evaluated) = near::close_pairs(&device, way, &numbers, limit)?;
                let (expected, all) = near::close_pairs(&device, Way::All, &numbers, limit)?;
                assert!(found == expected && evaluated <= all, "{n} {limit}");
            }
        }
    }
    Ok(())
}
