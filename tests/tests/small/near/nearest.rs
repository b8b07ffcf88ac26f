//! Nearest neighbours in near tiles are those that the host finds among all pairs.

use td_kernel::{Result, Target};
use td_kernel_tests::near::{Way, host, nearest, sets, tree, two};

use super::ways;
use crate::small::{and_large, each};

#[test]
fn of_every_n() -> Result<()> {
    type Search = fn(&Target, Way, &[[f32; 3]], [f32; 3]) -> Result<nearest::Found<f32>>;
    let searches: [(Search, usize, bool); 4] = [
        (nearest::nearest_one, 1, false),
        (nearest::nearest_few, 12, true),
        (nearest::nearest_some, 20, false),
        (nearest::nearest_many, 70, true),
    ];
    let edges = [1e30; 3];
    for n in and_large(&[0, 1, 2, 32, 33, 300], &[1025, 4099, 33_000]) {
        let points = sets::uniform(3, n);
        for (search, k, diagonal) in searches {
            let all = host::nearest_squares(&points, edges, k, diagonal);
            for (device, way) in ways() {
                for way in [way, Way::All] {
                    assert!(search(&device, way, &points, edges)? == all, "{way:?} {n} {k}");
                }
            }
        }
    }
    Ok(())
}

/// The tree, by which tests of more elements are compared, finds what the host finds among all pairs.
#[test]
fn by_a_tree() {
    let spread = sets::uniform(5, 700).into_iter().map(|x| x.map(|x| 2.0 * x - 0.5));
    let (points, spread): (_, Vec<_>) = (sets::uniform(3, 1500), spread.collect());
    for edges in [[0.9, 1e30, 1.0], [1e30; 3]] {
        for (k, diagonal) in [(12, true), (20, false), (70, true)] {
            let found = tree::nearest([&points; 2], edges, k, |i, j| diagonal || i != j);
            assert!(found == host::nearest_squares(&points, edges, k, diagonal), "{edges:?} {k}");
        }
    }
    for edge in [1.0, 1e30] {
        let found = tree::nearest([&spread, &points], [edge, 1e30, 1e30], 4, |_, _| true);
        assert!(found == host::nearest_of_two([&spread, &points], edge, 4), "{edge}");
    }
    let balls = sets::balls(points.into_iter(), sets::radius(1500, 30.0));
    for radius in [balls[0].radius, 0.4, 1e3, f32::NAN, f32::INFINITY] {
        let mut balls = balls.clone();
        balls.iter_mut().step_by(2).for_each(|ball| ball.radius = radius);
        assert_eq!(tree::counted(&balls), host::counted(&balls), "{radius}");
    }
}

#[test]
fn of_every_set() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[400], &[2500, 6000]) {
            each(&sets::all(n), |(what, balls)| {
                let found = nearest::near_balls(&device, way, balls).unwrap();
                let all = host::near_balls(balls);
                let bits = |values: &[f32]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert!(found.0 == all.0 && bits(&found.1) == bits(&all.1), "{way:?} {what} {n}");
            });
        }
    }
    Ok(())
}

/// Wrapped at the faces, with ties, and with points that are not finite.
#[test]
fn in_periodic_cells() -> Result<()> {
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
                let found = nearest::nearest_few(&device, way, &points, edges)?;
                let all = host::nearest_squares(&points, edges, 12, true);
                assert!(found == all, "{way:?} {edges:?}");
            }
            let found = nearest::nearest_many(&device, way, &points, [0.7; 3])?;
            assert!(found == host::nearest_squares(&points, [0.7; 3], 70, true), "{way:?}");
        }
    }
    Ok(())
}

/// A number of neighbours that the launch sets: in registers, in one merge by lanes, and in shared memory.
#[test]
fn of_any_number() -> Result<()> {
    let points = sets::uniform(9, 300);
    for (device, way) in ways() {
        for k in [5, 16, 20, 40] {
            let found = nearest::nearest_any(&device, way, &points, k)?;
            assert!(found == host::nearest_any(&points, k), "{way:?} {k}");
        }
    }
    Ok(())
}

/// Unsigned values, an integer as lower bound, and elements with fewer neighbours than they could have.
#[test]
fn numbers() -> Result<()> {
    for (device, way) in ways() {
        for n in [2, 700] {
            let numbers: Vec<i32> =
                sets::numbers(8).map(|x| (x * 30_000.0) as i32).take(n).collect();
            for limit in [0, 20, 65_535] {
                let found = nearest::near_numbers(&device, way, &numbers, limit)?;
                assert!(found == host::near_numbers(&numbers, limit), "{way:?} {n} {limit}");
            }
        }
    }
    Ok(())
}

#[test]
fn of_two_sets() -> Result<()> {
    for (device, way) in ways() {
        for (n, m) in and_large(&[(1, 1), (40, 700), (500, 33), (70, 1100)], &[(5000, 40_000)]) {
            // Queries are farther spread than the points.
            let queries: Vec<_> =
                sets::uniform(3, n).into_iter().map(|x| x.map(|x| 4.0 * x - 1.0)).collect();
            let points = sets::uniform(4, m);
            let sets = [&queries[..], &points];
            for way in [way, Way::All] {
                let found = two::nearest_few(&device, way, sets, 1e30)?;
                assert!(found == host::nearest_of_two(sets, 1e30, 4), "{way:?} {n} {m}");
            }
            let found = two::nearest_many(&device, way, sets, 1.1)?;
            assert!(found == host::nearest_of_two(sets, 1.1, 33), "{way:?} {n} {m}");
        }
    }
    Ok(())
}

/// Two halves of one set: with ties, with boxes that overlap many others, and with elements that are not finite.
#[test]
fn of_two_similar_sets() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[600], &[3000]) {
            each(&sets::all(n), |(what, balls)| {
                let points: Vec<_> = balls.iter().map(|ball| ball.center).collect();
                let (queries, points) = points.split_at(n / 3);
                for edge in [1e30, 1.1] {
                    let found = two::nearest_few(&device, way, [queries, points], edge).unwrap();
                    let all = host::nearest_of_two([queries, points], edge, 4);
                    assert!(found == all, "{way:?} {what} {n} {edge}");
                }
            });
        }
    }
    Ok(())
}
