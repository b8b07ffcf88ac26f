//! Kernels with the body `lower_bound` over boxes, of hard elements; the choice between near tiles and all pairs; and how devices share
//! near tiles.

use td_kernel::{Device, Devices, Ordered, Result, Slice, Target};
use td_kernel_tests::near::sets::{self, balls, spread};
use td_kernel_tests::near::{self, Ball, Way, rounded, sphere};

use super::{and_large, each, simt};
use crate::devices;

/// The GPU's source for near tiles, and the first device, which is the CPU with its loops or a GPU.
fn ways() -> [(Device, Way); 2] {
    [(simt(), Way::Near), (devices().swap_remove(0), Way::Always)]
}

/// Also as a launch decides, and with an order that is kept.
#[test]
fn hard_elements() {
    let (gpu, mut all) = (simt(), ways().to_vec());
    all.extend(devices().into_iter().map(|device| (device, Way::Tested)));
    for n in and_large(&[400], &[2500, 6000]) {
        each(&sets::all(n), |(what, balls)| {
            let expected = near::results(&gpu, Way::All, balls, false).unwrap();
            for (device, way) in &all {
                let found = near::results(device, *way, balls, *way != Way::Tested).unwrap();
                assert!(found == expected, "{way:?} {what} {n} on {}", device.name());
            }
        });
    }
}

/// Every pair counts, or none does.
#[test]
fn limits_that_are_not_finite() -> Result<()> {
    let (balls, device) = (spread(3, 150, 30.0), simt());
    for margin in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN] {
        let find = |device: &Device, way| {
            near::touching_pairs(device, way, &device.upload(&balls)?, balls.len(), margin)
        };
        let expected = find(&device, Way::All)?;
        for (device, way) in ways() {
            let found = find(&device, way)?;
            assert!((found.0, found.1) == (expected.0.clone(), expected.1.clone()), "{margin}");
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

/// Each launch sorts elements that are new, and another one finds the same, with as many evaluated pairs.
#[test]
fn kept_orders_follow_their_elements() -> Result<()> {
    let ([(gpu, near), (cpu, always)], several) = (ways(), Devices::new(vec![simt(); 3])?);
    let targets: [(&Target, Way); 3] = [(&gpu, near), (&cpu, always), (&several, near)];
    for (target, way) in targets {
        for n in [0, 1, 33, 700] {
            let mut p = Ordered::new(target.upload(&spread(3, n, 30.0))?);
            for seed in [4, 5] {
                let find = |p: &dyn Slice<Ball>| near::touching_pairs(target, way, p, n, 0.01);
                let expected = find(&*p)?;
                assert!(find(&p)? == expected && find(&p)? == expected, "{way:?} {n}");
                p.upload_into(&spread(seed, n, 30.0))?;
            }
        }
    }
    Ok(())
}

/// Few pairs are evaluated where elements are spread: those that pass, and hardly any others.
#[test]
fn far_pairs_are_skipped() -> Result<()> {
    let (balls, device) = (spread(5, 3000, 5.0), simt());
    let p = device.upload(&balls)?;
    let (found, _, evaluated) = near::touching_pairs(&device, Way::Near, &p, 3000, 0.0)?;
    let count = found.len() as u64;
    assert!(count > 5000 && evaluated <= count + 10, "{count}, {evaluated}");
    let (found, _, evaluated) = near::touching_pairs(&device, Way::Near, &p, 3000, -1.0)?;
    assert_eq!((found.len(), evaluated), (0, 0));
    let points = sphere::points(700);
    for ((device, way), find) in
        ways().into_iter().zip([sphere::within_floats, sphere::within_doubles])
    {
        let (found, evaluated) = find(&device, way, &points, 0.05)?;
        let count = found.len() as u64;
        assert!(count > 700 && evaluated <= count + 10, "{way:?}: {evaluated}, {count}");
    }
    Ok(())
}

/// The limits are angles of pairs, of which those at the limit are in. A NaN may have either sign.
#[test]
fn angles() {
    let gpu = simt();
    for (device, way) in ways() {
        for n in and_large(&[1, 2, 33, 200], &[2500]) {
            each(&sphere::all(n), |(what, points)| {
                for find in [sphere::within_floats, sphere::within_doubles] {
                    let (all, _) = find(&gpu, Way::All, points, 4.0).unwrap();
                    assert_eq!(all.len(), n * (n - 1) / 2);
                    let mut angles: Vec<_> = all.iter().map(|(_, angle)| *angle).collect();
                    angles.sort_unstable_by(f64::total_cmp);
                    for part in [0.0, 0.003, 0.03, 0.4, 0.97, 1.0] {
                        let at = (part * all.len().saturating_sub(1) as f64) as usize;
                        let limit = angles.get(at).copied().unwrap_or_default();
                        let (found, _) = find(&device, way, points, limit).unwrap();
                        let bits = |angle: f64| if angle.is_nan() { 0 } else { angle.to_bits() };
                        let is_in = |angle: f64| angle <= limit || angle.is_nan() || limit.is_nan();
                        let bits = |all: Vec<([u32; 2], f64)>| {
                            let all = all.into_iter().filter(|(_, angle)| is_in(*angle));
                            all.map(|(pair, angle)| (pair, bits(angle))).collect::<Vec<_>>()
                        };
                        let count = found.len();
                        let found = bits(found);
                        assert!(
                            found.len() == count && found == bits(all.clone()),
                            "{way:?} {what} {n} {limit}"
                        );
                    }
                }
                let two = [&points[..n / 2], &points[n / 3..]];
                let expected = sphere::nearest(&gpu, Way::All, two[0], two[1]).unwrap();
                assert!(
                    sphere::nearest(&device, way, two[0], two[1]).unwrap() == expected,
                    "{what}"
                );
            });
        }
    }
}

/// Balls of which hardly any touch, and changed ones: of which every second one is in one point.
fn few_and_many(n: usize) -> [Vec<Ball>; 2] {
    let few = spread(3, n, 0.05);
    let mut many = few.clone();
    many.iter_mut().step_by(2).for_each(|ball| ball.center = [0.5; 3]);
    [few, many]
}

/// A test of some pairs chooses between near tiles and all pairs: for each launch by its own elements, and for several devices as the first
/// one does.
#[test]
fn elements_decide() -> Result<()> {
    const N: usize = 700;
    let pairs = (N * (N - 1) / 2) as u64;
    let [few, many] = few_and_many(N);
    let with = |change: &dyn Fn(usize, &mut Ball)| {
        let mut balls = few.clone();
        balls.iter_mut().enumerate().for_each(|(k, ball)| change(k, ball));
        balls
    };
    // A NaN and an infinite radius pass with all others.
    let odd = |value: f32| with(&|k, ball| ball.radius = if k % 2 == 0 { value } else { 0.0 });
    let sets = [
        (few.clone(), true),
        (many.clone(), false),
        (
            with(&|k, ball| {
                if k == N / 3 {
                    ball.center = [1e30, -1e30, 3.0];
                }
            }),
            true,
        ),
        (balls(vec![[0.3, -2.0, 5e6]; N].into_iter(), 0.1), false),
        (odd(f32::NAN), false),
        (few.clone(), true),
        (odd(f32::INFINITY), false),
        (with(&|_, ball| ball.radius = 1.0), false),
    ];
    let all: Vec<_> = sets.iter().map(|(balls, _)| &balls[..]).collect();
    for device in devices() {
        let several = Devices::new(vec![device.clone(); 3])?;
        let found = near::counted(&device, Way::Tested, &all)?;
        assert!(near::counted(&several, Way::Tested, &all)? == found);
        for ((balls, is_near), (degrees, evaluated)) in sets.iter().zip(found) {
            near::check_degrees(balls, &degrees);
            let is_right = if *is_near { evaluated < pairs / 100 } else { evaluated == pairs };
            assert!(is_right, "{evaluated} of {pairs}: {:?}", balls[2]);
        }
    }
    // Other launches do not decide.
    for (device, way) in ways() {
        let evaluated = near::counted(&device, way, &[&many])?[0].1;
        assert!(evaluated < 100_000, "{way:?}: {evaluated}");
    }
    Ok(())
}

#[test]
fn two_sets_decide() -> Result<()> {
    let [few, many] = few_and_many(700);
    let dots = spread(4, 700, 0.0);
    for device in devices() {
        for (rows, columns) in [(700, 700), (130, 700), (700, 130)] {
            for (balls, dots, is_near) in [(&few, &dots, true), (&many, &many, false)] {
                let p = (device.upload(&balls[..rows])?, device.upload(&dots[..columns])?);
                let found = near::hit_dots(&device, Way::Tested, [&p.0, &p.1], [rows, columns])?;
                let all = (rows * columns) as u64;
                let is_right = if is_near { found.2 < all / 20 } else { found.2 == all };
                assert!(is_right, "{rows} x {columns}: {}", found.2);
            }
        }
    }
    Ok(())
}

/// Devices of three processes, of which one has two: together they find each pair once.
#[test]
fn processes_share_blocks() -> Result<()> {
    for (device, n) in [(Device::cpu()?, 1500), (simt(), 2000)] {
        let balls = spread(6, n, 4.0);
        let count = |target: &_| -> Result<[u64; 2]> {
            let (degrees, evaluated) = near::counted(target, Way::Always, &[&balls])?.remove(0);
            Ok([degrees.iter().map(|degree| u64::from(*degree)).sum::<u64>() / 2, evaluated])
        };
        let all = count(&device)?;
        assert!(all[1] < 2 * all[0], "{all:?}");
        let mut sum = [0, 0];
        for (devices, first) in [(1, 0), (2, 1), (1, 3)] {
            let part = Devices::new(vec![device.clone(); devices])?.part_of(first, 4)?;
            let found = count(&part)?;
            assert!(found[0] > all[0] / 8, "{found:?} of {all:?}");
            sum = [sum[0] + found[0], sum[1] + found[1]];
        }
        assert_eq!(sum, all);
    }
    Ok(())
}

/// A GPU beside the CPU visits all pairs of its rows, and the CPU near tiles.
#[test]
fn mixed_devices() -> Result<()> {
    let several = Devices::new([simt(), Device::cpu()?])?;
    assert_eq!(near::report(&several, 70_000)?.map, "ltm");
    let balls = spread(6, 700, 10.0);
    let expected = near::results(&simt(), Way::All, &balls, false)?;
    assert!(near::results(&several, Way::Usual, &balls, false)? == expected);
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
