//! Several devices, and those of several processes, find what one device does in near tiles.

use td_kernel::{Device, Devices, Result, Target};
use td_kernel_tests::near::{self, Way, nearest, sets, two};

use super::ways;
use crate::small::{and_large, simt};

/// Several devices, how they visit pairs, and one device that does the same.
pub(super) fn groups() -> Result<Vec<(Devices, Way, Device)>> {
    let mut groups = Vec::new();
    let [(gpu, near), (other, always)] = ways();
    for (device, way, count) in [(gpu, near, 3), (other.clone(), always, 2), (other, always, 7)] {
        groups.push((Devices::new(vec![device.clone(); count])?, way, device));
    }
    Ok(groups)
}

/// Several devices find what one finds.
#[track_caller]
fn same<T: PartialEq>(several: &Devices, one: &Device, find: impl Fn(&Target) -> Result<T>) {
    assert!(find(several).unwrap() == find(one).unwrap(), "{}", several.name());
}

/// Each pair is evaluated on one of the devices, also if some are without work.
#[test]
fn pairs() -> Result<()> {
    for (several, way, one) in groups()? {
        for n in and_large(&[0, 1, 2, 129, 700], &[33_000]) {
            let balls = sets::balls(sets::uniform(6, n).into_iter(), sets::radius(n, 10.0));
            let dots = two::dots(&balls[n / 3..]);
            // With the number of evaluated pairs.
            same(&several, &one, |device| near::touching_pairs(device, way, &balls, 0.0, None));
            same(&several, &one, |device| near::gap_histograms(device, way, &balls, 0.2));
            same(&several, &one, |device| two::hit_dots(device, way, &balls, &dots, 0.01, None));
        }
    }
    Ok(())
}

/// Devices of three processes, of which one has two: together they find each pair once.
#[test]
fn processes_share_blocks() -> Result<()> {
    for (device, n) in [(Device::cpu()?, 1500), (simt(), 2000)] {
        let balls = sets::balls(sets::uniform(6, n).into_iter(), sets::radius(n, 4.0));
        let (all, evaluated) = near::counted(&device, Way::Always, &balls)?;
        assert!(evaluated < 2 * all, "{evaluated} for {all}");
        let mut counts = Vec::new();
        for (count, first) in [(1, 0), (2, 1), (1, 3)] {
            let part = Devices::new(vec![device.clone(); count])?.part_of(first, 4)?;
            counts.push(near::counted(&part, Way::Always, &balls)?);
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
    assert_eq!(near::report(&several, 70_000)?.map, "ltm");
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
fn blocks_are_shared() -> Result<()> {
    let devices = Devices::new(vec![simt(); 3])?;
    assert_eq!(near::report(&devices, 4000)?.map, "ltm");
    // The threshold counts the multiprocessors of all three.
    let mut sizes = (0..8).map(|k| 8750 << k);
    let (n, report) = loop {
        let n = sizes.next().unwrap();
        let report = near::report(&devices, n)?;
        if report.map == "near" {
            break (n, report);
        }
        assert_eq!((report.map, report.or_all_pairs), ("ltm", false));
    };
    assert_eq!((report.rows, report.or_all_pairs), (None, true));
    // A block has four rows of tiles, of 32 elements each.
    let blocks = n.div_ceil(4 * 32) as u64;
    let widths: Vec<_> = report.grids.iter().map(|grid| u64::from(grid[0])).collect();
    assert_eq!(widths, [2, 1, 0].map(|k| (blocks + k) / 3));
    Ok(())
}

/// Each device finds the neighbours of some elements, and then merges those of its own part. The second launch of a search
/// continues from there.
#[test]
fn nearest_neighbours() -> Result<()> {
    let edges = [0.9, 1.0, 1.1];
    for (several, way, one) in groups()? {
        for n in [1, 40, 500] {
            let points = sets::uniform(6, n);
            let two_sets = [&points[..n / 2], &points[n / 4..]];
            same(&several, &one, |device| nearest::nearest_few(device, way, &points, edges));
            same(&several, &one, |device| nearest::nearest_any(device, way, &points, 20));
            same(&several, &one, |device| two::nearest_few(device, way, two_sets, 0.9));
        }
        let points = sets::uniform(7, 300);
        same(&several, &one, |device| nearest::nearest_many(device, way, &points, edges));
    }
    Ok(())
}
