//! Kernels with the body `lower_bound` over boxes, at large sizes: near tiles find what a launch over all pairs finds, or the host for
//! some of the elements.

use td_kernel::{Device, Devices, Result, Target};
use td_kernel_tests::near::sets::{balls, spread, uniform};
use td_kernel_tests::near::{self, Way, kept, sets};

use crate::{gpu, share_memory};

#[test]
fn large_sets() -> Result<()> {
    let (_shared, device) = (share_memory(), gpu());
    for (what, balls) in sets::all(20_000) {
        // All touch all, or hardly any does: neither list fits or tests anything.
        if !["one point", "infinities", "NaN", "overflow", "tiny", "huge offset"].contains(&what) {
            let p = device.upload(&balls)?;
            let find = |way| near::touching_pairs(&device, way, &p, balls.len(), 0.0);
            let (found, expected) = (find(Way::Near)?, find(Way::All)?);
            assert!((found.0, found.1) == (expected.0, expected.1), "{what}");
        }
    }
    Ok(())
}

/// A launch tests some pairs: near tiles evaluate only pairs that pass, and a visit of all pairs evaluates each.
#[test]
fn sets_decide() -> Result<()> {
    let (_shared, device, n) = (share_memory(), gpu(), 70_000);
    let report = near::report(&device, n)?;
    assert_eq!((report.map, report.or_all_pairs), ("near", true));
    let few = spread(1, n, 30.0);
    let half = |value: f32| {
        let mut balls = few.clone();
        balls.iter_mut().step_by(2).for_each(|ball| ball.radius = value);
        balls
    };
    let (all_touch, some_touch) = (half(1e3), half(0.4));
    let sets = [&few[..], &all_touch, &few, &some_touch, &half(f32::NAN), &half(f32::INFINITY)];
    let found = near::counted(&device, Way::Usual, &sets)?;
    let several = Devices::new(vec![device; 3])?;
    // Near tiles of several devices evaluate other pairs.
    for (at, (shared, found)) in
        near::counted(&several, Way::Usual, &sets)?.iter().zip(&found).enumerate()
    {
        assert!(shared.0 == found.0, "{at}");
        assert!(at != 1 || shared.1 == found.1, "{at}");
    }
    let pairs = (n * (n - 1) / 2) as u64;
    for (at, (balls, (degrees, evaluated))) in sets.iter().zip(found).enumerate() {
        near::check_degrees(balls, &degrees);
        let is_near = at == 0 || at == 2;
        assert!(if is_near { evaluated < pairs / 100 } else { evaluated == pairs }, "{at}");
    }
    Ok(())
}

#[test]
fn lists_are_kept() -> Result<()> {
    let (_shared, device) = (share_memory(), gpu());
    [0, 1, 2, 33, 700, 5000].into_iter().try_for_each(|n| kept::check_steps(&device, n))?;
    kept::check_room(&device)?;
    kept::check_cell(&device, 3000)?;
    kept::check_diagonal(&device)?;
    kept::check_two(&device, [300, 4000])?;
    kept::check_errors(&device, &Device::cpu()?.into())?;
    kept::check_steps(&Devices::new(vec![device; 3])?.into(), 700)
}

/// Several sections, more than a warp compares at a time, and more keys than one block scans at a time. All GPUs of the machine, each twice,
/// share the blocks, and find the same.
#[test]
fn many_elements() -> Result<()> {
    let (_shared, device) = (share_memory(), gpu());
    let gpus: Vec<_> = Devices::all()?.iter().cloned().collect();
    let several = Devices::new([gpus.clone(), gpus].concat())?;
    for n in [100_000, 400_001, 1_100_000] {
        let balls = spread(1, n, 30.0);
        let found = near::counted(&device, Way::Usual, &[&balls, &balls])?;
        assert!(
            found[0] == found[1] && near::counted(&several, Way::Usual, &[&balls])?[0] == found[0]
        );
        let (degrees, evaluated) = &found[0];
        near::check_degrees(&balls, degrees);
        let all = degrees.iter().map(|degree| u64::from(*degree)).sum::<u64>() / 2;
        assert!(*evaluated < all + all / 100, "{n}: {evaluated} for {all}");
    }
    Ok(())
}

/// Launches on several streams wait for the one that sorts, and writes of the elements wait for all of them.
#[test]
fn streams_share_an_order() -> Result<()> {
    let (_shared, device, n) = (share_memory(), gpu(), 400_001);
    let context = device.stream().unwrap().context();
    let streams = [0; 4].map(|_| context.new_stream().unwrap());
    let all = [1, 2, 3].map(|seed| spread(seed, n, 10.0 * seed as f32));
    let found = near::counted_on_streams(&device, &all, &streams)?;
    for (balls, degrees) in all.iter().zip(found.chunks(streams.len())) {
        near::check_degrees(balls, &degrees[0]);
        assert!(degrees.iter().all(|each| *each == degrees[0]));
    }
    Ok(())
}

/// The neighbours in registers and in shared memory, compared with those of some elements on the host.
fn check_nearest(target: &Target, n: usize) -> Result<()> {
    let balls = spread(3, n, 5.0);
    let p = target.upload(&balls)?;
    for k in [12, 20, 70] {
        let found = near::near_balls(target, Way::Usual, &p, n, k)?;
        for at in near::sample(n) {
            let gap = |j: usize| {
                let (a, b) = (&balls[at.max(j)], &balls[at.min(j)]);
                let [x, y, z] = [0, 1, 2].map(|d| a.center[d] - b.center[d]);
                (x * x + y * y + z * z).sqrt() - (a.radius + b.radius)
            };
            let mut all: Vec<_> = (0..n).filter(|j| *j != at).map(|j| (gap(j), j as u32)).collect();
            all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let all = all.into_iter().take(k);
            let expected: (Vec<_>, Vec<_>) = all.map(|(gap, j)| (j, gap.to_bits())).unzip();
            assert!(found[at] == expected, "{at} of {n}, {k} neighbours");
        }
    }
    Ok(())
}

#[test]
fn nearest_of_large_sets() -> Result<()> {
    let (_shared, device) = (share_memory(), gpu());
    let gpus: Vec<_> = Devices::all()?.iter().cloned().chain([device.clone()]).collect();
    check_nearest(&Devices::new(gpus)?.into(), 200_001)?;
    // The last has more sections than a warp compares at a time.
    [20_000, 200_001, 1_100_000].into_iter().try_for_each(|n| check_nearest(&device, n))?;
    for (what, balls) in sets::all(20_000) {
        let p = device.upload(&balls)?;
        let find = |way| near::near_balls(&device, way, &p, balls.len(), 5);
        assert!(find(Way::Usual)? == find(Way::All)?, "{what}");
    }
    Ok(())
}

/// Two sets, of which one is spread farther than the other.
#[test]
fn large_sets_of_two() -> Result<()> {
    let (_shared, device) = (share_memory(), gpu());
    let several = Devices::new(vec![device.clone(); 2])?;
    let spread: Vec<_> = uniform(5, 30_000).into_iter().map(|x| x.map(|x| 2.0 * x - 0.5)).collect();
    for (m, k, edge) in [(50_001, 4, 1e30), (50_001, 33, 1.0), (1_000_000, 4, 1.0)] {
        let sets = [&spread[..], &uniform(6, m)];
        let expected = near::nearest_points(&device, Way::All, sets, edge, k)?;
        assert!(near::nearest_points(&device, Way::Usual, sets, edge, k)? == expected, "{m} {k}");
        assert!(near::nearest_points(&several, Way::Usual, sets, edge, k)? == expected, "{m} {k}");
    }
    let balls = balls(spread[..10_000].iter().copied(), 0.02);
    let dots = sets::balls(uniform(6, 20_000).into_iter(), 0.0);
    let p = (device.upload(&balls)?, device.upload(&dots)?);
    let find = |way| near::hit_dots(&device, way, [&p.0, &p.1], [10_000, 20_000]);
    let (found, expected) = (find(Way::Near)?, find(Way::All)?);
    assert!((found.0, found.1) == (expected.0, expected.1));
    Ok(())
}
