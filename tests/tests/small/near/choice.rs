//! A test of some pairs chooses between near tiles and all pairs. In near tiles only pairs that pass are evaluated, which are fewer
//! than all pairs unless all pass.

use td_kernel::{Devices, Result};
use td_kernel_tests::near::{self, Ball, Way, host, sets, two};

use super::ways;
use crate::devices;
use crate::small::each;

/// The elements of a set.
const N: usize = 700;

/// Balls of which hardly any touch.
fn few() -> Vec<Ball> {
    sets::balls(sets::uniform(3, N).into_iter(), sets::radius(N, 0.05))
}

/// The same, changed.
fn with(change: impl Fn(usize, &mut Ball)) -> Vec<Ball> {
    let mut balls = few();
    balls.iter_mut().enumerate().for_each(|(k, ball)| change(k, ball));
    balls
}

/// Balls of which every second one is in one point.
fn many() -> Vec<Ball> {
    with(|k, ball| {
        if k % 2 == 0 {
            ball.center = [0.5; 3];
        }
    })
}

#[test]
fn sets_decide() -> Result<()> {
    let pairs = (N * (N - 1) / 2) as u64;
    let far = |k: usize, ball: &mut Ball| {
        if k == N / 3 {
            ball.center = [1e30, -1e30, 3.0];
        }
    };
    for device in devices() {
        for (what, balls) in [("few", few()), ("outlier", with(far))] {
            let (found, evaluated) = near::counted(&device, Way::Tested, &balls)?;
            assert_eq!(found, host::counted(&balls), "{what}");
            assert!(evaluated < pairs / 100, "{what}: {evaluated}");
        }
        // A NaN and an infinite radius pass with all others.
        let odd =
            |value: f32| with(move |k, ball| ball.radius = if k % 2 == 0 { value } else { 0.0 });
        let sets = [
            ("many", many()),
            ("one point", sets::balls(vec![[0.3, -2.0, 5e6]; N].into_iter(), 0.1)),
            ("NaN", odd(f32::NAN)),
            ("infinity", odd(f32::INFINITY)),
            ("all", with(|_, ball| ball.radius = 1.0)),
        ];
        for (what, balls) in sets {
            let (found, evaluated) = near::counted(&device, Way::Tested, &balls)?;
            assert_eq!((found, evaluated), (host::counted(&balls), pairs), "{what}");
            // So does a launch of the variant for all pairs.
            assert_eq!(near::counted(&device, Way::All, &balls)?, (found, pairs), "{what}");
        }
    }
    Ok(())
}

#[test]
fn results_are_those_of_all_pairs() -> Result<()> {
    for device in devices() {
        each(&sets::all(400), |(what, balls)| {
            near::compare(what, &device, Way::Tested, balls, 0.0).unwrap();
        });
        for n in [0, 1, 2, 15, 16, 17, 129] {
            let balls = sets::balls(sets::uniform(3, n).into_iter(), sets::radius(n, 8.0));
            near::compare("uniform", &device, Way::Tested, &balls, 0.0)?;
        }
    }
    Ok(())
}

/// Each launch of a kernel decides by its own elements, and always in the same way by the same ones.
#[test]
fn launches_decide() -> Result<()> {
    for device in devices() {
        let (few, many) = (few(), many());
        let all = [&few[..], &many, &few, &many, &many, &few];
        let found = near::counted_in_turn(&device, Way::Tested, &all)?;
        let is_many: Vec<_> = found.iter().map(|(_, evaluated)| *evaluated > 100_000).collect();
        assert_eq!(is_many, [false, true, false, true, true, false]);
        assert!(found[0] == found[2] && found[2] == found[5]);
        assert!(found[1] == found[3] && found[3] == found[4]);
    }
    Ok(())
}

/// Several devices take the choice of the first one.
#[test]
fn devices_decide_together() -> Result<()> {
    for device in devices() {
        for count in [2, 3] {
            let several = Devices::new(vec![device.clone(); count])?;
            for balls in [few(), many()] {
                let expected = near::counted(&device, Way::Tested, &balls)?;
                assert_eq!(near::counted(&several, Way::Tested, &balls)?, expected);
            }
        }
    }
    Ok(())
}

#[test]
fn two_sets_decide() -> Result<()> {
    for device in devices() {
        let (few, many) = (few(), many());
        let others = sets::balls(sets::uniform(4, N).into_iter(), 0.0);
        for (rows, columns) in [(N, N), (130, N), (N, 130)] {
            let pairs = (rows * columns) as u64;
            let count = |way, balls: &[Ball], dots: &[Ball]| {
                two::counted(&device, way, &balls[..rows], &two::dots(&dots[..columns]))
            };
            let expected = |balls: &[Ball], dots: &[Ball]| {
                host::hit_dots(&balls[..rows], &two::dots(&dots[..columns]), 0.0, None).count
            };
            let (found, evaluated) = count(Way::Tested, &few, &others)?;
            assert_eq!(found, expected(&few, &others));
            assert!(evaluated < pairs / 100, "{rows} {columns}: {evaluated}");
            let (found, evaluated) = count(Way::Tested, &many, &many)?;
            assert_eq!((found, evaluated), (expected(&many, &many), pairs));
        }
    }
    Ok(())
}

/// A launch of a pinned kernel or of one that always visits near tiles does not decide.
#[test]
fn others_do_not_decide() -> Result<()> {
    let balls = many();
    for (device, way) in ways() {
        let (_, evaluated) = near::counted(&device, way, &balls)?;
        assert!(evaluated < 100_000, "{way:?}: {evaluated}");
    }
    Ok(())
}
