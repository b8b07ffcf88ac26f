//! Pairs and nearest neighbours on a sphere.

use std::cmp::Ordering;

use td_kernel::{Result, Target};
use td_kernel_tests::near::{Way, sphere};

use super::ways;
use crate::small::{and_large, each};

/// A pair and its angle.
type Near = ([u32; 2], f64);
type Find = fn(&Target, Way, &[[f64; 2]], f64) -> Result<(Vec<Near>, u64)>;
/// With how far their angles may be off. Latitudes of up to 13 and all roundings after them change the square of half the chord
/// by less than 2^-20 for floats and 2^-48 for doubles; most near antipodes, where that changes the angle by twice the root.
const FINDS: [(Find, f64); 2] = [
    (sphere::within_floats, 1.0 / (1 << 9) as f64),
    (sphere::within_doubles, 1.0 / (1 << 23) as f64),
];

/// As for doubles, rounded to a float.
const MOST_ROUNDED: f64 = 1.0 / (1 << 21) as f64;

/// The limits are angles of pairs, of which those at the limit are in. A NaN may have either sign.
#[test]
fn within_angles() -> Result<()> {
    for (device, way) in ways() {
        for n in and_large(&[0, 1, 2, 33, 200], &[2500]) {
            each(&sphere::all(n), |(what, points)| {
                for (find, most) in FINDS {
                    let (all, _) = find(&device, Way::All, points, 4.0).unwrap();
                    assert_eq!(all.len(), n * n.saturating_sub(1) / 2);
                    let is_close = |([i, j], angle): &Near| {
                        let exact = sphere::angle(points[*i as usize], points[*j as usize]);
                        exact.is_nan() && angle.is_nan() || (angle - exact).abs() <= most
                    };
                    assert!(all.iter().all(is_close), "{what} {n}");
                    let mut angles: Vec<_> = all.iter().map(|(_, angle)| *angle).collect();
                    angles.sort_unstable_by(f64::total_cmp);
                    for part in [0.0, 0.003, 0.03, 0.4, 0.97, 1.0] {
                        let at = (part * all.len().saturating_sub(1) as f64) as usize;
                        let limit = angles.get(at).copied().unwrap_or_default();
                        let (found, _) = find(&device, way, points, limit).unwrap();
                        let is_in = |(_, angle): &&Near| {
                            angle.partial_cmp(&limit) != Some(Ordering::Greater)
                        };
                        let expected: Vec<_> = all.iter().filter(is_in).collect();
                        let is_same = |(a, b): (&Near, &&Near)| {
                            a.0 == b.0 && (a.1 == b.1 || a.1.is_nan() && b.1.is_nan())
                        };
                        assert!(
                            found.len() == expected.len()
                                && found.iter().zip(&expected).all(is_same),
                            "{way:?} {what} {n} {limit}: {} pairs, not {}",
                            found.len(),
                            expected.len()
                        );
                    }
                }
            });
        }
    }
    Ok(())
}

#[test]
fn far_pairs_are_skipped() -> Result<()> {
    let points = sphere::points(700);
    for (device, way) in ways() {
        for (find, _) in FINDS {
            let (found, evaluated) = find(&device, way, &points, 0.05)?;
            assert!(found.len() > 700, "{}", found.len());
            assert!(evaluated <= found.len() as u64 + 10, "{way:?}: {evaluated}, {}", found.len());
        }
    }
    Ok(())
}

#[test]
fn nearest_of_two_sets() -> Result<()> {
    for (device, way) in ways() {
        for (what, points) in sphere::all(300) {
            let (rows, columns) = (&points[..130], &points[90..]);
            let expected = sphere::nearest_angles(rows, columns);
            let (found, angles) = sphere::nearest(&device, way, rows, columns)?;
            let (lengths, indices) = found.split_at(rows.len());
            let expected_lengths: Vec<_> = expected.iter().map(|row| row.len() as u32).collect();
            assert_eq!(lengths, expected_lengths, "{way:?} {what}");
            let of_row =
                expected.iter().enumerate().flat_map(|(i, row)| row.iter().map(move |x| (i, x)));
            for ((i, expected), (j, angle)) in of_row.zip(indices.iter().zip(angles)) {
                let row = rows[i].map(|x| f64::from(x as f32));
                let own = sphere::angle(row, columns[*j as usize]);
                let is_close = |x: f64| (f64::from(angle) - x).abs() <= MOST_ROUNDED;
                assert!(is_close(*expected) && is_close(own), "{way:?} {what}: {i} {j} {angle}");
            }
        }
    }
    Ok(())
}
