//! Kernels with the body `lower_bound` over boxes find in near tiles what the host, or a launch over all pairs, finds.

use td_kernel::{Device, Devices, Result};
use td_kernel_tests::near::{self, Way, host, kept, nearest, ordered, sets, tree, two};

use crate::{gpu, share_memory};

#[test]
fn large_sets() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    for (what, balls) in sets::all(20_000) {
        // All touch all, or hardly any does: neither list fits or tests anything.
        if !["one point", "infinities", "NaN", "overflow", "tiny", "huge offset"].contains(&what) {
            near::compare(what, &device, Way::Near, &balls, 0.0)?;
        }
    }
    Ok(())
}

/// A launch tests some pairs: near tiles evaluate only pairs that pass, and a visit of all pairs evaluates each.
#[test]
fn sets_decide() -> Result<()> {
    let _shared = share_memory();
    let (device, n) = (gpu(), 70_000);
    let report = near::report(&device, n)?;
    assert_eq!((report.map, report.or_all_pairs), ("near", true));
    let few = sets::balls(sets::uniform(1, n).into_iter(), sets::radius(n, 30.0));
    let half = |value: f32| {
        let mut balls = few.clone();
        balls.iter_mut().step_by(2).for_each(|ball| ball.radius = value);
        balls
    };
    let (all_touch, some_touch) = (half(1e3), half(0.4));
    let sets = [&few[..], &all_touch, &few, &some_touch, &half(f32::NAN), &half(f32::INFINITY)];
    let found = near::counted_in_turn(&device, Way::Usual, &sets)?;
    assert_eq!(near::counted_in_turn(&device, Way::Usual, &sets)?, found);
    let pairs = (n * (n - 1) / 2) as u64;
    for (at, (balls, (count, evaluated))) in sets.iter().zip(found).enumerate() {
        assert_eq!(count, tree::counted(balls), "{at}");
        let is_near = at == 0 || at == 2;
        assert!(if is_near { evaluated < pairs / 100 } else { evaluated == pairs }, "{at}");
    }
    let several = Devices::new(vec![device.clone(); 3])?;
    let counts = near::counted(&device, Way::Usual, &all_touch)?;
    assert_eq!(near::counted(&several, Way::Usual, &all_touch)?, counts);
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
    let other = Device::cpu()?;
    kept::check_errors(&device, &other)?;
    let devices = Devices::new(vec![device; 3])?;
    kept::check_steps(&devices, 700)
}

/// Several sections, more than a warp compares at a time, and more keys than one block scans at a time.
#[test]
fn many_elements() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    for n in [100_000, 400_001, 1_100_000] {
        let balls = sets::balls(sets::uniform(1, n).into_iter(), sets::radius(n, 30.0));
        let all = host::counted(&balls);
        let (count, evaluated) = near::counted(&device, Way::Usual, &balls)?;
        assert_eq!(count, all, "{n}");
        assert!(evaluated < all + all / 100, "{n}: {evaluated} for {all}");
    }
    Ok(())
}

/// All GPUs of the machine, each twice, share the blocks of near tiles: with the variant that a launch chooses.
#[test]
fn several_gpus() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    let gpus: Vec<_> = Devices::all()?.iter().cloned().collect();
    let several = Devices::new([gpus.clone(), gpus].concat())?;
    let n = 200_001;
    let balls = sets::balls(sets::uniform(1, n).into_iter(), sets::radius(n, 30.0));
    let counts = near::counted(&device, Way::Usual, &balls)?;
    assert_eq!(near::counted(&several, Way::Usual, &balls)?, counts);
    let points = sets::uniform(3, n);
    let (found, expected) = (
        nearest::nearest_few(&several, Way::Usual, &points, [0.9, 1e30, 1.0])?,
        nearest::nearest_few(&device, Way::Usual, &points, [0.9, 1e30, 1.0])?,
    );
    assert!(found == expected);
    let two_sets = [&points[..30_000], &points[20_000..]];
    let expected = two::nearest_many(&device, Way::Usual, two_sets, 1.0)?;
    assert!(two::nearest_many(&several, Way::Usual, two_sets, 1.0)? == expected);
    let (balls, dots) = (&balls[..20_000], two::dots(&balls[..30_000]));
    let expected = two::hit_dots(&device, Way::Always, balls, &dots, 0.01, None)?;
    assert!(two::hit_dots(&several, Way::Always, balls, &dots, 0.01, None)? == expected);
    Ok(())
}

/// Launches on several streams wait for the one that sorts, and writes of the elements wait for all of them.
#[test]
fn streams_share_an_order() -> Result<()> {
    let _shared = share_memory();
    let (device, n) = (gpu(), 400_001);
    let context = device.stream().unwrap().context();
    let streams = [0; 4].map(|_| context.new_stream().unwrap());
    let all = [1, 2, 3].map(|seed| {
        sets::balls(sets::uniform(seed, n).into_iter(), sets::radius(n, 10.0 * seed as f32))
    });
    let found = ordered::counted_on_streams(&device, Way::Usual, &all, &streams)?;
    for (balls, counts) in all.iter().zip(found) {
        assert_eq!(counts, [host::counted(balls); 4]);
    }
    Ok(())
}

/// A million elements with a few neighbours each: each launch gives the same count.
#[test]
fn launches_are_repeated() -> Result<()> {
    let _shared = share_memory();
    let (device, n) = (gpu(), 1_000_000);
    let balls = sets::balls(sets::uniform(2, n).into_iter(), sets::radius(n, 10.0));
    let count = host::counted(&balls);
    for _ in 0..5 {
        assert_eq!(near::counted(&device, Way::Usual, &balls)?.0, count);
    }
    Ok(())
}

/// The nearest neighbours, in registers and in shared memory, of points that are spread and of some that are not.
#[test]
fn nearest_of_large_sets() -> Result<()> {
    let _shared = share_memory();
    let (device, edges) = (gpu(), [0.9, 1e30, 1.0]);
    for n in [20_000, 200_001] {
        let points = sets::uniform(3, n);
        let found = nearest::nearest_few(&device, Way::Usual, &points, edges)?;
        assert!(found == tree::nearest([&points; 2], edges, 12, |_, _| true), "{n}");
        let found = nearest::nearest_some(&device, Way::Usual, &points, edges)?;
        assert!(found == tree::nearest([&points; 2], edges, 20, |i, j| i != j), "{n}");
    }
    // More sections than a warp compares at a time.
    let points = sets::uniform(5, 1_100_000);
    let found = nearest::nearest_any(&device, Way::Usual, &points, 10)?;
    assert!(found == tree::nearest([&points; 2], [1e30; 3], 10, |i, j| i != j));
    let points = sets::uniform(4, 30_000);
    let found = nearest::nearest_many(&device, Way::Usual, &points, edges)?;
    assert!(found == tree::nearest([&points; 2], edges, 70, |_, _| true));
    for (what, balls) in sets::all(20_000) {
        let (found, values) = nearest::near_balls(&device, Way::Usual, &balls)?;
        let (expected, all) = host::near_balls(&balls);
        let is_same = values.iter().zip(&all).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(found == expected && is_same && values.len() == all.len(), "{what}");
    }
    Ok(())
}

/// Two sets, of which one is spread farther than the other.
#[test]
fn large_sets_of_two() -> Result<()> {
    let _shared = share_memory();
    let device = gpu();
    let spread: Vec<_> =
        sets::uniform(5, 30_000).into_iter().map(|x| x.map(|x| 2.0 * x - 0.5)).collect();
    let points = sets::uniform(6, 50_001);
    let two_sets = [&spread[..], &points];
    let expected = |sets, edge, k| tree::nearest(sets, [edge, 1e30, 1e30], k, |_, _| true);
    let found = two::nearest_few(&device, Way::Usual, two_sets, 1e30)?;
    assert!(found == expected(two_sets, 1e30, 4));
    let found = two::nearest_many(&device, Way::Usual, two_sets, 1.0)?;
    assert!(found == expected(two_sets, 1.0, 33));
    let many = sets::uniform(7, 1_000_000);
    let two_sets = [&spread[..], &many];
    let found = two::nearest_few(&device, Way::Usual, two_sets, 1.0)?;
    assert!(found == expected(two_sets, 1.0, 4));
    let (balls, dots) =
        (sets::balls(spread.iter().copied(), 0.02), sets::balls(points.into_iter(), 0.0));
    let dots = two::dots(&dots[..20_000]);
    let balls = &balls[..10_000];
    let found = two::hit_dots(&device, Way::Near, balls, &dots, 0.0, None)?;
    assert!(found == host::hit_dots(balls, &dots, 0.0, None));
    Ok(())
}
