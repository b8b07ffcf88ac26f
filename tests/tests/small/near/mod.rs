//! Kernels with the body `lower_bound` over boxes find in near tiles what the host finds among all pairs.

mod choice;
mod exact;
mod nearest;
mod ordered;
mod several;
mod sphere;

use std::collections::BTreeSet;

use td_kernel::{Device, Devices, Result};
use td_kernel_tests::near::{self, Way, host, rounded, sets, two};

use super::{and_large, each, simt};
use crate::devices;

/// The GPU's source for near tiles, and the first device, which is the CPU with its loops or a GPU.
fn ways() -> [(Device, Way); 2] {
    [(simt(), Way::Near), (devices().swap_remove(0), Way::Always)]
}

/// No elements, one, two, and numbers around those of a tile, a block, a group and the keys of a block.
#[test]
fn every_n() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[0, 1, 2, 31, 32, 33, 100, 129, 1057], &[4099, 33_000]) {
            let balls = sets::balls(sets::uniform(3, n).into_iter(), sets::radius(n, 30.0));
            // Each element is in a pair, so those at the ends of tiles decide.
            let degrees = host::touching_pairs(&balls, 0.0).degrees;
            assert!(n < 31 || !degrees.contains(&0), "{n}");
            near::compare("uniform", &device, way, &balls, 0.0)?;
        }
    }
    Ok(())
}

#[test]
fn every_set() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[400], &[2500, 6000]) {
            each(&sets::all(n), |(what, balls)| {
                for margin in [0.0, -0.01] {
                    near::compare(what, &device, way, balls, margin).unwrap();
                }
            });
        }
    }
    Ok(())
}

#[test]
fn doubles_that_bodies_round() -> Result<()> {
    for (device, way) in ways() {
        [2, 200].iter().try_for_each(|n| rounded::check(&device, way, *n))?;
    }
    Ok(())
}

/// Every pair counts, or none does.
#[test]
fn limits_that_are_not_finite() -> Result<()> {
    let balls = sets::balls(sets::uniform(3, 150).into_iter(), 0.1);
    for (device, way) in ways() {
        for margin in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN] {
            near::compare("uniform", &device, way, &balls, margin)?;
        }
    }
    Ok(())
}

#[test]
fn histograms_and_extremes() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[2, 700], &[20_000]) {
            let balls = sets::balls(sets::uniform(4, n).into_iter(), 0.1);
            let all = host::gap_histograms(&balls, 0.2);
            assert!(n < 700 || all.0.iter().all(|count| *count > 0), "{all:?}");
            assert_eq!(near::gap_histograms(&device, way, &balls, 0.2)?, all, "{n}");
        }
    }
    Ok(())
}

/// Few pairs are evaluated where elements are spread: those that pass, and hardly any others.
#[test]
fn far_pairs_are_skipped() -> Result<()> {
    let n = 3000;
    let balls = sets::balls(sets::uniform(5, n).into_iter(), sets::radius(n, 5.0));
    let device = simt();
    let [found, evaluated] = near::compare("uniform", &device, Way::Near, &balls, 0.0)?;
    assert!(found > 5000 && evaluated <= found + 10, "{found}, {evaluated}");
    let [found, evaluated] = near::compare("none", &device, Way::Near, &balls, -1.0)?;
    assert_eq!([found, evaluated], [0, 0]);
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
                let (found, degrees, evaluated) =
                    near::periodic_pairs(&device, way, &points, edges, limit)?;
                let expected = host::periodic_pairs(&points, edges, limit);
                assert!((found, degrees) == expected, "{n} {edges:?} {limit}");
                assert!(evaluated <= (n * (n + 1) / 2) as u64);
            }
        }
        let mut odd = sets::uniform(4, 200);
        odd[7] = [f32::NAN; 3];
        odd[100] = [f32::INFINITY, 0.0, 0.5];
        odd[101] = [0.0, 0.0, f32::NEG_INFINITY];
        let (found, degrees, _) = near::periodic_pairs(&device, way, &odd, [1.0, 0.5], 0.01)?;
        assert!((found, degrees) == host::periodic_pairs(&odd, [1.0, 0.5], 0.01));
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
                assert!(found == host::close_pairs(&numbers, limit), "{n} {limit}");
                assert!(evaluated <= (n * n.saturating_sub(1) / 2) as u64);
            }
        }
    }
    Ok(())
}

/// On the CPU, ranges of rows visit near tiles too; on a GPU they visit all pairs.
#[test]
fn ranges_of_rows() -> Result<()> {
    let n = 700;
    let balls = sets::balls(sets::uniform(6, n).into_iter(), sets::radius(n, 10.0));
    for device in devices() {
        let several = Devices::new([0, 1].map(|_| device.clone()))?;
        let expected = host::touching_pairs(&balls, 0.0);
        for (target, rows) in [0..700, 0..1, 100..100, 3..400, 640..700]
            .into_iter()
            .flat_map(|rows| [(&*device, rows.clone()), (&*several, rows)])
        {
            let is_in = |pair: &&[u32; 2]| rows.contains(&(pair[0] as usize));
            let pairs: Vec<_> = expected.plain.iter().filter(is_in).copied().collect();
            for way in [Way::Always, Way::Tested, Way::Usual] {
                let find = near::touching_pairs(target, way, &balls, 0.0, Some(rows.clone()));
                assert!(find?.0.plain == pairs, "{way:?} {rows:?}");
            }
        }
    }
    Ok(())
}

/// Launches at the same time have memory of their own, and one with another n has another plan.
#[test]
fn launches_at_the_same_time() -> Result<()> {
    let device = simt();
    let sets: Vec<_> = [300, 301, 300, 40]
        .into_iter()
        .map(|n| sets::balls(sets::uniform(n as u32, n).into_iter(), 0.05))
        .collect();
    each(&sets, |balls| {
        for _ in 0..3 {
            near::compare("uniform", &device, Way::Near, balls, 0.0).unwrap();
        }
    });
    Ok(())
}

#[test]
fn two_sets() -> Result<()> {
    for (device, way) in ways() {
        for (n, m) in [(1, 1), (33, 700), (700, 33), (0, 40), (40, 0), (300, 301)] {
            let balls = sets::balls(sets::uniform(3, n).into_iter(), 0.25);
            let dots = two::dots(&sets::balls(sets::uniform(4, m).into_iter(), 0.0));
            let find = |way, rows| two::hit_dots(&device, way, &balls, &dots, 0.01, rows);
            let expected = |rows| host::hit_dots(&balls, &dots, 0.01, rows);
            assert!(find(way, None)? == expected(None), "{way:?} {n} {m}");
            // Each element of the smaller set is in a pair, so the one past the end of a tile decides.
            let ends = expected(None).pairs.into_iter().map(|(pair, _)| pair[usize::from(n > m)]);
            let count = ends.collect::<BTreeSet<_>>().len();
            assert!(n.abs_diff(m) < 100 || count == n.min(m), "{n} {m}: {count}");
            let rows = Some(n / 3..n - n / 4);
            let all = expected(rows.clone());
            assert!(find(Way::Always, rows.clone())? == all, "{n} {m}");
            assert!(find(Way::All, rows)? == all, "all pairs, {n} {m}");
        }
    }
    Ok(())
}

#[test]
fn two_of_every_set() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[300], &[2500]) {
            each(&sets::all(n), |(what, balls)| {
                let dots = two::dots(&balls[n / 3..]);
                let found = two::hit_dots(&device, way, balls, &dots, 0.0, None).unwrap();
                assert!(found == host::hit_dots(balls, &dots, 0.0, None), "{way:?} {what} {n}");
                let points: Vec<_> = balls.iter().map(|ball| ball.center).collect();
                let two_sets = [&points[..n / 2], &points[n / 4..]];
                let (found, values) = two::nearest_few(&device, way, two_sets, 0.7).unwrap();
                let (all, expected) = host::nearest_of_two(two_sets, 0.7, 4);
                let is_same = values.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(found == all && is_same, "{way:?} {what} {n}");
            });
        }
    }
    Ok(())
}

#[test]
fn numbers_of_two_sets() -> Result<()> {
    for (device, way) in ways() {
        let numbers: Vec<f32> = sets::numbers(8).take(900).collect();
        let columns: Vec<_> = numbers[150..].iter().copied().map(f64::from).collect();
        for limit in [0.0, 0.003, 2.0, f64::NAN] {
            let found = two::close_pairs(&device, way, &numbers[..200], &columns, limit)?;
            assert!(
                found == host::close_of_two(&numbers[..200], &columns, limit),
                "{way:?} {limit}"
            );
        }
    }
    Ok(())
}
