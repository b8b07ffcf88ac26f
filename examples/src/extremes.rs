//! Statistics of many distances.

use std::fmt;

use td_kernel::PackedMatrix;

use crate::{Digits, parallel};

/// A pair i > j and its distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The larger index.
    pub i: usize,
    /// The smaller one.
    pub j: usize,
    /// Their distance.
    pub distance: f32,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (i = {}, j = {})", Digits(self.distance.into()), self.i, self.j)
    }
}

/// The nearest pair, the farthest pair, and the mean of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extremes {
    /// The pair with the smallest distance.
    pub nearest: Pair,
    /// The pair with the largest one.
    pub farthest: Pair,
    /// The mean of all distances.
    pub mean: f64,
}

/// The distances that a thread takes at a time.
const SHARE: usize = 1 << 18;

/// The number of distances that are compared with each other before the result is compared with the extremes so far.
const BLOCK: usize = 4096;

/// The number of distances compared at a time: as many as a processor's vectors hold.
const LANES: usize = 16;

impl Extremes {
    /// The extremes of these distances; `None` if there are no pairs. Among pairs that are equally near or far, the
    /// first one in packed order is taken. Threads share the distances; the result does not depend on their number.
    pub fn of(distances: &PackedMatrix<f32>) -> Option<Extremes> {
        let mut all = ExtremesOfBands::default();
        all.add(distances.as_slice());
        all.finish(distances.elements())
    }
}

impl Extremes {
    /// The same of elements that were given in reverse order.
    #[must_use]
    pub fn of_reversed(self, elements: usize) -> Extremes {
        let turned = |Pair { i, j, distance }: Pair| {
            let last = elements.saturating_sub(1);
            Pair { i: last.saturating_sub(j), j: last.saturating_sub(i), distance }
        };
        let Extremes { nearest, farthest, mean } = self;
        Extremes { nearest: turned(nearest), farthest: turned(farthest), mean }
    }
}

/// Extremes of distances that come band by band.
#[derive(Default)]
pub struct ExtremesOfBands {
    share: Option<Share>,
    slots: usize,
}

impl ExtremesOfBands {
    /// Takes the next distances, which follow those before in packed order.
    pub fn add(&mut self, slots: &[f32]) {
        let mut shares = vec![None; slots.len().div_ceil(SHARE)];
        let work = shares.iter_mut().zip(slots.chunks(SHARE)).enumerate();
        let before = self.slots;
        parallel::each(work, |(place, (share, slots))| {
            *share = Share::of(before + place * SHARE, slots);
        });
        self.share = self.share.into_iter().chain(shares.into_iter().flatten()).reduce(Share::and);
        self.slots += slots.len();
    }

    /// The extremes of all, which are the distances of so many elements; `None` if there are no pairs.
    pub fn finish(&self, elements: usize) -> Option<Extremes> {
        let all = self.share?;
        Some(Extremes {
            nearest: pair(elements, all.nearest),
            farthest: pair(elements, all.farthest),
            mean: all.sum / self.slots as f64,
        })
    }
}

/// A slot and its value.
type Slot = (usize, f32);

/// The extremes of some slots, and the sum of the slots.
#[derive(Clone, Copy)]
struct Share {
    nearest: Slot,
    farthest: Slot,
    sum: f64,
}

impl Share {
    /// The share of `slots`, the first of which is slot `start`.
    fn of(start: usize, slots: &[f32]) -> Option<Share> {
        let first = (start, *slots.first()?);
        let mut share = Share { nearest: first, farthest: first, sum: 0.0 };
        for (place, block) in slots.chunks(BLOCK).enumerate() {
            share.add(start + place * BLOCK, block);
        }
        Some(share)
    }

    fn add(&mut self, start: usize, block: &[f32]) {
        let (mut low, mut high) = ([self.nearest.1; LANES], [self.farthest.1; LANES]);
        let mut sums = [0.0_f64; LANES];
        let (whole, rest) = block.as_chunks::<LANES>();
        for values in whole {
            for lane in 0..LANES {
                let value = values[lane];
                // Comparisons, because `min` and `max` do more work for the sake of NaN.
                low[lane] = if value < low[lane] { value } else { low[lane] };
                high[lane] = if value > high[lane] { value } else { high[lane] };
                sums[lane] += f64::from(value);
            }
        }
        for (lane, value) in rest.iter().copied().enumerate() {
            low[lane] = if value < low[lane] { value } else { low[lane] };
            high[lane] = if value > high[lane] { value } else { high[lane] };
            sums[lane] += f64::from(value);
        }
        self.sum += sums.iter().sum::<f64>();
        let low = low
            .into_iter()
            .fold(self.nearest.1, |low, value| if value < low { value } else { low });
        let high = high
            .into_iter()
            .fold(self.farthest.1, |high, value| if value > high { value } else { high });
        let place = |wanted| block.iter().position(|value| *value == wanted);
        if low < self.nearest.1
            && let Some(place) = place(low)
        {
            self.nearest = (start + place, low);
        }
        if high > self.farthest.1
            && let Some(place) = place(high)
        {
            self.farthest = (start + place, high);
        }
    }

    /// The share of these slots and of the `later` ones.
    fn and(self, later: Share) -> Share {
        let nearest = if later.nearest.1 < self.nearest.1 { later.nearest } else { self.nearest };
        let farthest =
            if later.farthest.1 > self.farthest.1 { later.farthest } else { self.farthest };
        Share { nearest, farthest, sum: self.sum + later.sum }
    }
}

/// The pair of a slot of a matrix without its diagonal: row i begins with slot i (i - 1) / 2.
fn pair(elements: usize, (slot, distance): Slot) -> Pair {
    let rows = elements.saturating_sub(1);
    let (mut first, mut last) = (0, rows);
    while first < last {
        let middle = (first + last).div_ceil(2);
        if middle * middle.saturating_sub(1) / 2 <= slot {
            first = middle;
        } else {
            last = middle - 1;
        }
    }
    Pair { i: first, j: slot - first * first.saturating_sub(1) / 2, distance }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(i: usize, j: usize, distance: f32) -> Pair {
        Pair { i, j, distance }
    }

    #[test]
    fn the_first_of_equal_pairs_counts() {
        let distances = PackedMatrix::from_condensed(&[2.0, 1.0, 2.0, 3.0, 1.0, 3.0]).unwrap();
        // Packed: (1, 0) 2, (2, 0) 1, (2, 1) 3, (3, 0) 2, (3, 1) 1, (3, 2) 3.
        let extremes = Extremes::of(&distances).unwrap();
        assert_eq!(extremes.nearest, pair(2, 0, 1.0));
        assert_eq!(extremes.farthest, pair(2, 1, 3.0));
        assert_eq!(extremes.mean, 2.0);
    }

    #[test]
    fn reversed_elements_have_other_indices() {
        let (nearest, farthest) = (pair(3, 1, 2.0), pair(1, 0, 5.0));
        let turned = Extremes { nearest, farthest, mean: 3.0 }.of_reversed(4);
        assert_eq!((turned.nearest, turned.farthest), (pair(2, 0, 2.0), pair(3, 2, 5.0)));
    }

    #[test]
    fn without_pairs_there_is_nothing_to_tell() {
        let distances = PackedMatrix::from_condensed(&[]).unwrap();
        assert_eq!(Extremes::of(&distances), None);
    }

    /// Compared with a loop over single pairs, at sizes around those of lanes, blocks and shares.
    #[test]
    fn threads_find_what_one_finds() {
        for n in [2, 3, 6, 7, 90, 91, 92, 723, 724, 725, 1500] {
            let values = n * (n - 1) / 2;
            for several in [3, 1000, usize::MAX] {
                // With many equal distances, or hardly any.
                let mixed =
                    |slot: usize| (slot.wrapping_mul(0x9e37_79b9) >> 7) % several.min(1 << 22);
                let condensed: Vec<f32> = (0..values).map(|slot| mixed(slot) as f32).collect();
                let distances = PackedMatrix::from_condensed(&condensed).unwrap();
                let extremes = Extremes::of(&distances).unwrap();
                let mut bands = ExtremesOfBands::default();
                distances.as_slice().chunks(values.div_ceil(3)).for_each(|band| bands.add(band));
                let in_bands = bands.finish(n).unwrap();
                assert_eq!(
                    (in_bands.nearest, in_bands.farthest),
                    (extremes.nearest, extremes.farthest)
                );
                assert!((in_bands.mean - extremes.mean).abs() <= 1e-12 * extremes.mean, "n = {n}");
                let all: Vec<Pair> = distances
                    .rows()
                    .flat_map(|(i, row)| {
                        row.iter().enumerate().map(move |(j, &distance)| pair(i, j, distance))
                    })
                    .collect();
                let first = |is_better: fn(f32, f32) -> bool| {
                    let all = all.iter().copied();
                    all.reduce(|a, b| if is_better(b.distance, a.distance) { b } else { a })
                        .unwrap()
                };
                assert_eq!(extremes.nearest, first(|b, a| b < a), "n = {n}");
                assert_eq!(extremes.farthest, first(|b, a| b > a), "n = {n}");
                let sum: f64 = all.iter().map(|pair| f64::from(pair.distance)).sum();
                assert!((extremes.mean * values as f64 - sum).abs() <= 1e-12 * sum, "n = {n}");
            }
        }
    }
}
