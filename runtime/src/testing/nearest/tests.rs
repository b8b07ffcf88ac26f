//! Messages about wrong neighbours.

use super::*;

fn others(pairs: &[(u32, f64)]) -> Vec<Other<f64>> {
    pairs.iter().map(|(index, value)| Other { index: *index, value: *value }).collect()
}

/// The error for these as the two nearest of some others, with a tolerance of a tenth.
fn wrong(found: &[(u32, f64)]) -> Option<[String; 2]> {
    let all = others(&[(0, 5.0), (1, 1.0), (2, 2.0), (4, 2.05), (9, 7.0)]);
    let is_right = |found, expected| is_near(found, expected, 0.1);
    let difference = unlike(&others(found), all, 2, is_right)?;
    Some([difference.found, difference.expected])
}

#[test]
fn neighbours_within_tolerance_pass() {
    for found in [[(1, 1.0), (2, 2.0)], [(1, 1.05), (4, 2.1)], [(1, 1.0), (4, 1.9)]] {
        assert_eq!(wrong(&found), None);
    }
}

#[test]
fn wrong_neighbours_are_described() {
    for (found, expected) in [
        (
            &[(1, 1.0), (0, 5.0)][..],
            ["index 0 with value 5.0 at position 1", "index 2 with value 2.0"],
        ),
        (
            &[(2, 2.0), (4, 2.05)],
            ["index 4 with value 2.05 at position 1", "index 1 with value 1.0"],
        ),
        (&[(1, 1.3), (2, 2.0)], ["index 1 with value 1.3 at position 0", "index 1 with value 1.0"]),
        (&[(1, 1.0), (3, 2.0)], ["index 3 with value 2.0 at position 1", "another index"]),
        (&[(1, 1.0), (1, 1.0)], ["index 1 with value 1.0 at position 1", "this index only once"]),
        (
            &[(2, 2.0), (1, 1.0)],
            ["index 1 with value 1.0 at position 1", "a value that is not nearer than 2.0"],
        ),
        (&[(1, 1.0)], ["no neighbour at position 1", "index 2 with value 2.0"]),
        (&[], ["no neighbour at position 0", "index 1 with value 1.0"]),
        (
            &[(1, 1.0), (2, f64::NAN)],
            ["index 2 with value NaN at position 1", "index 2 with value 2.0"],
        ),
    ] {
        assert_eq!(wrong(found), Some(expected.map(str::to_owned)), "{found:?}");
    }
    // With fewer others than neighbours wanted, all of them are neighbours.
    let (all, none) = (others(&[(3, 1.0)]), others(&[]));
    assert!(unlike(&all, all.clone(), 2, |a, b| a == b).is_none());
    assert!(unlike(&none, none.clone(), 2, |a, b| a == b).is_none());
}
