//! What there is to tell about many distances.

use td_kernel::PackedMatrix;

/// A pair i > j and its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    pub(crate) i: usize,
    pub(crate) j: usize,
    pub(crate) distance: f32,
}

/// The nearest pair, the farthest pair, and the mean of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extremes {
    pub(crate) nearest: Pair,
    pub(crate) farthest: Pair,
    pub(crate) mean: f64,
}

impl Extremes {
    /// Those of these distances; `None` if there are no pairs. Of pairs that are equally near or
    /// far, it is the first in packed order.
    pub(crate) fn of(distances: &PackedMatrix<f32>) -> Option<Extremes> {
        let rows = distances.rows().enumerate();
        let mut pairs = rows.flat_map(|(i, row)| {
            let row = row.iter().enumerate();
            row.map(move |(j, &distance)| Pair { i, j, distance })
        });
        let first = pairs.next()?;
        let (mut nearest, mut farthest, mut sum) = (first, first, f64::from(first.distance));
        pairs.for_each(|pair| {
            if pair.distance < nearest.distance {
                nearest = pair;
            }
            if pair.distance > farthest.distance {
                farthest = pair;
            }
            sum += f64::from(pair.distance);
        });
        let mean = sum / distances.as_slice().len() as f64;
        Some(Extremes { nearest, farthest, mean })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_pairs_counts() {
        let distances = PackedMatrix::from_condensed(&[2.0, 1.0, 2.0, 3.0, 1.0, 3.0]).unwrap();
        // Packed: (1, 0) 2, (2, 0) 1, (2, 1) 3, (3, 0) 2, (3, 1) 1, (3, 2) 3.
        let extremes = Extremes::of(&distances).unwrap();
        let pair = |i, j, distance| Pair { i, j, distance };
        assert_eq!(extremes.nearest, pair(2, 0, 1.0));
        assert_eq!(extremes.farthest, pair(2, 1, 3.0));
        assert_eq!(extremes.mean, 2.0);
    }

    #[test]
    fn without_pairs_there_is_nothing_to_tell() {
        let distances = PackedMatrix::from_condensed(&[]).unwrap();
        assert_eq!(Extremes::of(&distances), None);
    }
}
