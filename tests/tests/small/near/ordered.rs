//! Launches over elements whose order is kept find what launches find that sort.

use td_kernel::{Buffer, Ordered, Result, Slice, Target};
use td_kernel_tests::near::{self, Ball, Way, host, ordered, sets, two};

use super::several::groups;
use super::ways;
use crate::devices;
use crate::small::{and_large, each};

/// Balls that touch a few others.
fn balls(seed: u32, n: usize) -> Vec<Ball> {
    sets::balls(sets::uniform(seed, n).into_iter(), sets::radius(n, 30.0))
}

#[test]
fn every_n() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[0, 1, 2, 31, 32, 33, 129, 1057], &[4099, 33_000]) {
            let mut p = Ordered::new(device.upload(&balls(3, n))?);
            let expect_same = |p: &Ordered<Buffer<Ball>>, margin| -> Result<()> {
                let find =
                    |p: &dyn Slice<Ball>| near::touching_of(&device, way, (p, n), margin, None);
                // The numbers of evaluated pairs are compared too.
                assert!(find(p)? == find(&**p)?, "{way:?} {n} {margin}");
                Ok(())
            };
            expect_same(&p, 0.0)?;
            expect_same(&p, 0.01)?;
            p.upload_into(&balls(4, n))?;
            expect_same(&p, 0.01)?;
        }
    }
    Ok(())
}

#[test]
fn every_set() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[400], &[6000]) {
            each(&sets::all(n), |(what, balls)| {
                let p = Ordered::new(device.upload(balls).unwrap());
                let find = |p: &dyn Slice<Ball>| {
                    near::touching_of(&device, way, (p, n), 0.0, None).unwrap()
                };
                let expected = find(&*p);
                assert!(find(&p) == expected && find(&p) == expected, "{way:?} {what}");
            });
        }
    }
    Ok(())
}

/// A kept order does not decide how pairs are visited.
#[test]
fn every_way() -> Result<()> {
    for device in devices() {
        let balls = balls(5, 700);
        let expected = host::counted(&balls);
        let p = Ordered::new(device.upload(&balls)?);
        for way in [Way::Usual, Way::Tested, Way::Always, Way::Near, Way::All, Way::Always] {
            assert_eq!(ordered::counted_of(&device, way, &p)?, expected, "{way:?}");
        }
    }
    Ok(())
}

/// Either set, or both, and one set with several arguments of which not all are ordered.
#[test]
fn two_sets() -> Result<()> {
    for (device, way) in ways() {
        for (n, m) in [(1, 1), (33, 700), (700, 33), (300, 301)] {
            let (balls, dots) = (balls(3, n), two::dots(&balls(4, m)));
            let indices: Vec<_> = (0..n as u32).collect();
            let expected = two::hit_dots(&device, way, &balls, &dots, 0.01, None)?;
            let (ball, index, dot) = (
                Ordered::new(device.upload(&balls)?),
                Ordered::new(device.upload(&indices)?),
                Ordered::new(device.upload(&dots)?),
            );
            type Arguments<'a> = (&'a dyn Slice<Ball>, &'a dyn Slice<u32>, &'a dyn Slice<two::Dot>);
            let all: [Arguments<'_>; 5] = [
                (&ball, &*index, &*dot),
                (&ball, &*index, &dot),
                (&ball, &index, &*dot),
                (&ball, &index, &dot),
                (&ball, &index, &dot),
            ];
            for arguments in all {
                let found = two::hits_of(&device, way, arguments, [n, m], 0.01, None)?;
                assert!(found == expected, "{way:?} {n} {m}");
            }
        }
    }
    Ok(())
}

/// Each device keeps its own order.
#[test]
fn several_devices() -> Result<()> {
    for (several, way, _) in groups()? {
        let balls = balls(6, 700);
        let p = Ordered::new(several.upload(&balls)?);
        let find = |p: &dyn Slice<Ball>, margin| {
            let several: &Target = &several;
            near::touching_of(several, way, (p, 700), margin, None)
        };
        for margin in [0.0, 0.02, -0.01] {
            assert!(find(&p, margin)? == find(&*p, margin)?, "{} {margin}", several.name());
        }
    }
    Ok(())
}
