//! The pairs that are most alike.

use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use td_kernel::PackedMatrix;
use td_kernel_examples::parallel;

/// A pair i > j and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    pub(crate) i: usize,
    pub(crate) j: usize,
    pub(crate) value: f32,
}

/// What is told of the values of all pairs.
#[derive(Debug)]
pub(crate) struct Closest {
    /// The pairs that are most alike, in order. Of equal ones, the first in packed order comes first; pairs without a
    /// value come last.
    pub(crate) pairs: Vec<Pair>,
    /// The mean of all values; `None` where no pair has one.
    pub(crate) mean: Option<f64>,
    /// How many pairs have no value.
    pub(crate) undefined: u64,
}

/// The values that a thread takes at a time.
const SHARE: usize = 1 << 18;

/// A value as a number that grows as pairs are less alike, and its slot. The greatest number is of what is no value.
type Entry = (u32, u64);

impl Closest {
    /// The `count` closest pairs. Threads share the values; the result does not depend on their number.
    pub(crate) fn of(values: &PackedMatrix<f32>, count: usize, larger_is_closer: bool) -> Closest {
        let slots = values.as_slice();
        // The entries so far, the last of them on top; and a number past which nothing can be among them.
        let best: Mutex<BinaryHeap<Entry>> = Mutex::new(BinaryHeap::new());
        let limit = AtomicU32::new(u32::MAX);
        let mut shares = vec![(0.0_f64, 0_u64); slots.len().div_ceil(SHARE)];
        let work = shares.iter_mut().zip(slots.chunks(SHARE)).enumerate();
        parallel::each(work, |(place, (share, slots))| {
            let mut own = BinaryHeap::new();
            let mut most = limit.load(Ordering::Relaxed);
            for (slot, value) in (place as u64 * SHARE as u64..).zip(slots) {
                if value.is_nan() {
                    share.1 += 1;
                } else {
                    share.0 += f64::from(*value);
                }
                let key = key(*value, larger_is_closer);
                if key <= most && count > 0 {
                    keep(&mut own, (key, slot), count);
                    most = most.min(last(&own, count));
                }
            }
            if own.is_empty() {
                return;
            }
            let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
            own.into_iter().for_each(|entry| keep(&mut best, entry, count));
            limit.store(last(&best, count), Ordering::Relaxed);
        });
        let (sum, undefined) =
            shares.iter().fold((0.0, 0), |(sum, count), share| (sum + share.0, count + share.1));
        let defined = slots.len() as u64 - undefined;
        let best = best.into_inner().unwrap_or_else(PoisonError::into_inner);
        let pair = |(_, slot): Entry| {
            let (i, j) = indices(slot);
            Pair { i, j, value: slots[slot as usize] }
        };
        Closest {
            pairs: best.into_sorted_vec().into_iter().map(pair).collect(),
            mean: (defined > 0).then(|| sum / defined as f64),
            undefined,
        }
    }
}

/// Adds an entry, and removes the last one where there are too many.
fn keep(heap: &mut BinaryHeap<Entry>, entry: Entry, count: usize) {
    if heap.len() < count {
        heap.push(entry);
    } else if let Some(mut last) = heap.peek_mut()
        && entry < *last
    {
        *last = entry;
    }
}

/// The number past which nothing can be among the entries.
fn last(heap: &BinaryHeap<Entry>, count: usize) -> u32 {
    heap.peek().filter(|_| heap.len() == count).map_or(u32::MAX, |(key, _)| *key)
}

/// A number that grows as pairs are less alike.
fn key(value: f32, larger_is_closer: bool) -> u32 {
    if value.is_nan() {
        return u32::MAX;
    }
    // There are two zeros; adding one makes both positive.
    let bits = (value + 0.0).to_bits();
    let ascending = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
    if larger_is_closer { !ascending } else { ascending }
}

/// The pair of a slot.
fn indices(slot: u64) -> (usize, usize) {
    // Row i starts at slot i (i - 1) / 2.
    let slot = u128::from(slot);
    let i = (8 * slot + 1).isqrt().div_ceil(2);
    (i as usize, (slot - i * (i - 1) / 2) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_those_of_pairs() {
        let pairs = (1..300).flat_map(|i| (0..i).map(move |j| (i, j)));
        for (slot, pair) in pairs.enumerate() {
            assert_eq!(indices(slot as u64), pair);
        }
        for i in [1_u64 << 24, (1 << 31) - 1, u32::MAX.into()] {
            let start = i * (i - 1) / 2;
            assert_eq!(indices(start), (i as usize, 0));
            assert_eq!(indices(start - 1), (i as usize - 1, i as usize - 2));
        }
    }

    #[test]
    fn the_closest_are_found_in_order() {
        // Three shares.
        let n = 1100;
        let value = |slot: usize| match slot % 97 {
            5 => f32::NAN,
            6 => -0.0,
            7 => 0.0,
            8 => f32::INFINITY,
            _ => ((slot * 7919) % 1000) as f32 - 500.0,
        };
        let slots: Vec<f32> = (0..n * (n - 1) / 2).map(value).collect();
        let matrix = PackedMatrix::from_vec(n, slots.clone()).unwrap();
        for larger_is_closer in [false, true] {
            let mut expected: Vec<usize> = (0..slots.len()).collect();
            expected.sort_by(|&a, &b| {
                let (a, b) = (slots[a], slots[b]);
                let by_value = if larger_is_closer { b.partial_cmp(&a) } else { a.partial_cmp(&b) };
                by_value.unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
            });
            for count in [0, 1, 5, 5000, slots.len() + 1] {
                let found = Closest::of(&matrix, count, larger_is_closer);
                assert_eq!(found.pairs.len(), count.min(slots.len()));
                for (pair, slot) in found.pairs.iter().zip(&expected) {
                    assert_eq!(pair.i * (pair.i - 1) / 2 + pair.j, *slot);
                    assert_eq!(pair.value.to_bits(), slots[*slot].to_bits());
                }
                let undefined = slots.iter().filter(|value| value.is_nan()).count();
                assert_eq!(found.undefined, undefined as u64);
                assert_eq!(found.mean, Some(f64::INFINITY));
            }
        }
    }

    #[test]
    fn no_values_have_no_mean() {
        let none = Closest::of(&PackedMatrix::from_vec(1, Vec::new()).unwrap(), 3, true);
        assert!(none.pairs.is_empty() && none.mean.is_none() && none.undefined == 0);
        let matrix = PackedMatrix::from_vec(3, vec![f32::NAN, 4.0, 2.0]).unwrap();
        let some = Closest::of(&matrix, 3, false);
        assert_eq!((some.mean, some.undefined), (Some(3.0), 1));
        let pairs: Vec<_> = some.pairs.iter().map(|pair| (pair.i, pair.j)).collect();
        assert_eq!(pairs, [(2, 1), (2, 0), (1, 0)]);
    }
}
