//! Kernels with the body `lower_bound` over boxes find the same pairs in near tiles as among all pairs.

use td_kernel::{Device, Devices, Result, Target};
use td_kernel_tests::near::{self, Way, nearest, sets, two};

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
            let all = near::gap_histograms(&device, Way::All, &balls, 0.2)?;
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

/// On the CPU, ranges of rows visit near tiles too; on a GPU they visit all pairs.
#[test]
fn ranges_of_rows() -> Result<()> {
    let n = 700;
    let balls = sets::balls(sets::uniform(6, n).into_iter(), sets::radius(n, 10.0));
    for device in devices() {
        let several = Devices::new([0, 1].map(|_| device.clone()))?;
        let (expected, _) = near::touching_pairs(&device, Way::All, &balls, 0.0, None)?;
        for (target, rows) in [0..700, 0..1, 100..100, 3..400, 640..700]
            .into_iter()
            .flat_map(|rows| [(&*device, rows.clone()), (&*several, rows)])
        {
            let find = near::touching_pairs(target, Way::Usual, &balls, 0.0, Some(rows.clone()));
            let is_in = |pair: &&[u32; 2]| rows.contains(&(pair[0] as usize));
            let pairs: Vec<_> = expected.plain.iter().filter(is_in).copied().collect();
            assert!(find?.0.plain == pairs, "{rows:?}");
        }
    }
    Ok(())
}

/// Several devices, how they visit pairs, and one device that does the same.
fn groups() -> Result<Vec<(Devices, Way, Device)>> {
    let mut groups = Vec::new();
    let [(gpu, near), (other, usual)] = ways();
    for (device, way, count) in [(gpu, near, 3), (other.clone(), usual, 2), (other, usual, 7)] {
        groups.push((Devices::new(vec![device.clone(); count])?, way, device));
    }
    Ok(groups)
}

/// Each pair is evaluated on one of the devices, also if some are without work.
#[test]
fn several_devices() -> Result<()> {
    for (several, way, one) in groups()? {
        for n in and_large(&[0, 1, 2, 129, 700], &[33_000]) {
            let balls = sets::balls(sets::uniform(6, n).into_iter(), sets::radius(n, 10.0));
            let find = |device: &Target| near::touching_pairs(device, way, &balls, 0.0, None);
            let ((found, evaluated), (expected, of_one)) = (find(&several)?, find(&one)?);
            assert!(found == expected, "{} {n}", several.name());
            assert!(evaluated == of_one, "{} {n}: {evaluated}, {of_one}", several.name());
            let find = |device: &Target| near::gap_histograms(device, way, &balls, 0.2);
            assert!(find(&several)? == find(&one)?, "{} {n}", several.name());
            let dots = two::dots(&balls[n / 3..]);
            let find = |device: &Target| two::hit_dots(device, way, &balls, &dots, 0.01, None);
            assert!(find(&several)? == find(&one)?, "{} {n}", several.name());
        }
    }
    Ok(())
}

/// Devices of three processes, of which one has two: together they find each pair once.
#[test]
fn processes_share_blocks() -> Result<()> {
    for (device, n) in [(Device::cpu()?, 1500), (simt(), 17_000)] {
        let balls = sets::balls(sets::uniform(6, n).into_iter(), sets::radius(n, 4.0));
        let (all, evaluated) = near::counted(&device, Way::Usual, &balls)?;
        let mut counts = Vec::new();
        for (count, first) in [(1, 0), (2, 1), (1, 3)] {
            let part = Devices::new(vec![device.clone(); count])?.part_of(first, 4)?;
            counts.push(near::counted(&part, Way::Usual, &balls)?);
        }
        assert!(counts.iter().all(|(count, _)| *count > all / 8), "{counts:?} of {all}");
        assert_eq!(counts.iter().map(|(count, _)| count).sum::<u64>(), all);
        assert_eq!(counts.iter().map(|(_, evaluated)| evaluated).sum::<u64>(), evaluated);
    }
    Ok(())
}

/// A GPU beside the CPU visits all pairs of its rows, and the CPU near tiles.
#[test]
fn mixed_devices() -> Result<()> {
    let several = Devices::new([simt(), Device::cpu()?])?;
    assert_eq!(near::report(&several, 20_000)?.map, "ltm");
    let balls = sets::balls(sets::uniform(6, 700).into_iter(), sets::radius(700, 10.0));
    let find =
        |device: &Target| near::touching_pairs(device, Way::Usual, &balls, 0.0, None).unwrap().0;
    assert!(find(&several) == find(&simt()));
    let points = sets::uniform(6, 700);
    let find = |device: &Target| nearest::nearest_few(device, Way::Usual, &points, [1.0; 3]);
    assert!(find(&several)? == find(&simt())?);
    Ok(())
}

/// From the threshold on, GPUs choose near tiles by themselves, and each takes some of the blocks.
#[test]
fn several_devices_share_blocks() -> Result<()> {
    let devices = Devices::new(vec![simt(); 3])?;
    let report = near::report(&devices, 20_000)?;
    assert_eq!((report.map, report.rows), ("near", None));
    // 625 rows of tiles are 157 blocks.
    let widths: Vec<_> = report.grids.iter().map(|grid| grid[0]).collect();
    assert_eq!(widths, [53, 52, 52]);
    assert_eq!(near::report(&devices, 10_000)?.map, "ltm");
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
fn nearest_of_every_n() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[0, 1, 2, 32, 33, 300], &[1025, 4099, 33_000]) {
            let points = sets::uniform(3, n);
            let edges = [1e30; 3];
            type Search = fn(&Target, Way, &[[f32; 3]], [f32; 3]) -> Result<nearest::Found<f32>>;
            let searches: [Search; 4] = [
                nearest::nearest_one,
                nearest::nearest_few,
                nearest::nearest_some,
                nearest::nearest_many,
            ];
            for (at, search) in searches.into_iter().enumerate() {
                let (all, found) = (
                    search(&device, Way::All, &points, edges)?,
                    search(&device, way, &points, edges)?,
                );
                assert!(found == all && all.1.len() + 1 >= n, "{way:?} {n} {at}");
            }
        }
    }
    Ok(())
}

#[test]
fn nearest_of_every_set() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[400], &[2500, 6000]) {
            each(&sets::all(n), |(what, balls)| {
                let find = |way| nearest::near_balls(&device, way, balls).unwrap();
                let (found, all) = (find(way), find(Way::All));
                let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert!(found.0 == all.0 && bits(&found.1) == bits(&all.1), "{way:?} {what} {n}");
            });
        }
    }
    Ok(())
}

/// Wrapped at the faces, with ties, and with points that are not finite.
#[test]
fn nearest_in_periodic_cells() -> Result<()> {
    let lattice = (0..400).map(|k| [k % 8, k / 8 % 8, k / 64].map(|x| x as f32 * 0.25));
    let mut odd = sets::uniform(4, 200);
    odd[7] = [f32::NAN; 3];
    odd[100] = [f32::INFINITY, 0.0, 0.5];
    odd[101] = [0.0, 0.0, f32::NEG_INFINITY];
    let far = sets::uniform(9, 300).into_iter().map(|x| x.map(|x| 40.0 * x + 1000.0));
    let far: Vec<_> = far.collect();
    for (device, way) in ways() {
        for points in [sets::uniform(9, 400), lattice.clone().collect(), odd.clone(), far.clone()] {
            for edges in [[2.0, 2.0, 0.5], [1e30, 1.0, 1e30]] {
                let find = |way| nearest::nearest_few(&device, way, &points, edges);
                assert!(find(way)? == find(Way::All)?, "{way:?} {edges:?}");
            }
            let find = |way| nearest::nearest_many(&device, way, &points, [0.7; 3]);
            assert!(find(way)? == find(Way::All)?, "{way:?}");
        }
    }
    Ok(())
}

/// A number of neighbours that the launch sets: in registers, in one merge by lanes, and in shared memory.
#[test]
fn nearest_of_any_number() -> Result<()> {
    let points = sets::uniform(9, 300);
    for (device, way) in ways() {
        for k in [5, 16, 20, 40] {
            let find = |way| nearest::nearest_any(&device, way, &points, k);
            assert!(find(way)? == find(Way::All)?, "{way:?} {k}");
        }
    }
    Ok(())
}

/// Unsigned values, an integer as lower bound, and elements with fewer neighbours than they could have.
#[test]
fn nearest_numbers() -> Result<()> {
    for (device, way) in ways() {
        for n in [2, 700] {
            let numbers: Vec<i32> =
                sets::numbers(8).map(|x| (x * 30_000.0) as i32).take(n).collect();
            for limit in [0, 20, 65_535] {
                let find = |way| nearest::near_numbers(&device, way, &numbers, limit);
                assert!(find(way)? == find(Way::All)?, "{way:?} {n} {limit}");
            }
        }
    }
    Ok(())
}

/// Each device finds the neighbours of some elements, and then merges those of its own part. The second launch of a search
/// continues from there.
#[test]
fn nearest_on_several_devices() -> Result<()> {
    let edges = [0.9, 1.0, 1.1];
    for (several, way, one) in groups()? {
        for n in [1, 40, 500] {
            let points = sets::uniform(6, n);
            let find = |device: &Target| nearest::nearest_few(device, way, &points, edges);
            assert!(find(&several)? == find(&one)?, "{} {n}", several.name());
            let find = |device: &Target| nearest::nearest_any(device, way, &points, 20);
            assert!(find(&several)? == find(&one)?, "{} {n}", several.name());
            let two_sets = [&points[..n / 2], &points[n / 4..]];
            let find = |device: &Target| two::nearest_few(device, way, two_sets, 0.9);
            assert!(find(&several)? == find(&one)?, "{} {n}", several.name());
        }
        let points = sets::uniform(7, 300);
        let find = |device: &Target| nearest::nearest_many(device, way, &points, edges);
        assert!(find(&several)? == find(&one)?, "{}", several.name());
    }
    Ok(())
}

#[test]
fn two_sets() -> Result<()> {
    for (device, way) in ways() {
        for (n, m) in [(1, 1), (33, 700), (700, 33), (0, 40), (40, 0), (300, 301)] {
            let balls = sets::balls(sets::uniform(3, n).into_iter(), 0.1);
            let dots = two::dots(&sets::balls(sets::uniform(4, m).into_iter(), 0.0));
            let find = |way, rows| two::hit_dots(&device, way, &balls, &dots, 0.01, rows);
            assert!(find(way, None)? == find(Way::All, None)?, "{way:?} {n} {m}");
            let rows = n / 3..n - n / 4;
            assert!(
                find(Way::Usual, Some(rows.clone()))? == find(Way::All, Some(rows))?,
                "{n} {m}"
            );
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
                let find = |way| two::hit_dots(&device, way, balls, &dots, 0.0, None).unwrap();
                assert!(find(way) == find(Way::All), "{way:?} {what} {n}");
                let points: Vec<_> = balls.iter().map(|ball| ball.center).collect();
                let two_sets = [&points[..n / 2], &points[n / 4..]];
                let find = |way| two::nearest_few(&device, way, two_sets, 0.7).unwrap();
                let ((found, values), (all, expected)) = (find(way), find(Way::All));
                let is_same = values.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(found == all && is_same, "{way:?} {what} {n}");
            });
        }
    }
    Ok(())
}

#[test]
fn nearest_of_two_sets() -> Result<()> {
    for (device, way) in ways() {
        for (n, m) in and_large(&[(1, 1), (40, 700), (500, 33), (70, 1100)], &[(5000, 40_000)]) {
            // Queries are farther spread than the points.
            let queries: Vec<_> =
                sets::uniform(3, n).into_iter().map(|x| x.map(|x| 4.0 * x - 1.0)).collect();
            let points = sets::uniform(4, m);
            let sets = [&queries[..], &points];
            let all = two::nearest_few(&device, Way::All, sets, 1e30)?;
            let found = two::nearest_few(&device, way, sets, 1e30)?;
            assert!(found == all && all.1.len() >= n, "{way:?} {n} {m}");
            let find = |way| two::nearest_many(&device, way, sets, 1.1);
            assert!(find(way)? == find(Way::All)?, "{way:?} {n} {m}");
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
            let find = |way| two::close_pairs(&device, way, &numbers[..200], &columns, limit);
            assert!(find(way)? == find(Way::All)?, "{way:?} {limit}");
        }
    }
    Ok(())
}
