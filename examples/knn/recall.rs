//! Which share of the nearest neighbours was found, to a search in double precision on the host.

use std::sync::{Mutex, PoisonError};

use td_kernel_examples::directions::Directions;
use td_kernel_examples::memory::reserved;
use td_kernel_examples::{Result, parallel};

use crate::found::Found;
use crate::metric::Metric;
use crate::rows::{Prepared, Sets};

/// What rounding to single precision changes, relatively.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;

/// The neighbours of some rows that were found, and how many there are to find.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Recall {
    pub(crate) rows: usize,
    pub(crate) hits: u64,
    pub(crate) expected: u64,
}

impl Recall {
    /// Searches for the neighbours of `sample` rows, evenly spread, by distances of the rows as they were read, and by angles and
    /// shares of the features that the kernel gets.
    ///
    /// A neighbour that was found is a hit if it is as near as the K-th nearest, or so little farther that rounding explains
    /// it: which of two rows is nearer may be told only by digits that single precision does not have.
    pub(crate) fn of(
        sets: &Sets,
        prepared: &Prepared,
        metric: Metric,
        found: &Found,
        sample: usize,
    ) -> Result<Recall> {
        let count = sets.rows().count;
        let sample = sample.min(count);
        let chosen = |at: usize| at * count / sample.max(1);
        let values = Values::new(sets, prepared, metric);
        let mut next = 0;
        let rows = found.rows().enumerate().filter(|(row, _)| {
            let is_chosen = next < sample && *row == chosen(next);
            next += usize::from(is_chosen);
            is_chosen
        });
        let recall = Mutex::new(Ok(Recall::default()));
        parallel::each(rows, |(row, (indices, _))| {
            let own = sets.queries.is_none().then_some(row);
            let one = values.hits(row, own, sets.data.count, found.k(), indices);
            let mut recall = recall.lock().unwrap_or_else(PoisonError::into_inner);
            match (&mut *recall, one) {
                (Ok(all), Ok((hits, expected))) => {
                    all.rows += 1;
                    all.hits += hits;
                    all.expected += expected;
                }
                (recall, Err(error)) => *recall = Err(error),
                (Err(_), Ok(_)) => {}
            }
        });
        recall.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The share; `None` where there is nothing to find.
    pub(crate) fn share(&self) -> Option<f64> {
        (self.expected > 0).then(|| self.hits as f64 / self.expected as f64)
    }
}

/// The values of pairs in double precision, of which the least are nearest.
struct Values<'a> {
    sets: &'a Sets,
    prepared: &'a Prepared,
    metric: Metric,
    width: usize,
    /// How far a distance may be off because features are rounded before the kernel gets them.
    input: f64,
}

impl<'a> Values<'a> {
    fn new(sets: &'a Sets, prepared: &'a Prepared, metric: Metric) -> Values<'a> {
        let width = sets.data.features;
        let mut most = vec![0.0_f64; width];
        if let Prepared::Singles(data, queries) = prepared {
            for row in data.chunks(width).chain(queries.iter().flat_map(|rows| rows.chunks(width)))
            {
                for (most, value) in most.iter_mut().zip(row) {
                    *most = most.max(f64::from(value.abs()));
                }
            }
        }
        // Both features of a pair are rounded.
        let errors = most.iter().map(|most| 2.0 * ROUNDING * most);
        let input = match metric {
            Metric::Manhattan => errors.sum(),
            _ => errors.map(|error| error * error).sum::<f64>().sqrt(),
        };
        Values { sets, prepared, metric, width, input }
    }

    /// How many of the `indices` are among the `k` nearest of a row, and how many these are.
    fn hits(
        &self,
        row: usize,
        own: Option<usize>,
        columns: usize,
        k: usize,
        indices: &[u32],
    ) -> Result<(u64, u64)> {
        let mut values: Vec<f64> = reserved(columns)?;
        values.extend((0..columns).map(|column| self.value(row, column)));
        if let Some(own) = own.and_then(|own| values.get_mut(own)) {
            *own = f64::NAN;
        }
        let mut numbers: Vec<f64> = reserved(columns)?;
        numbers.extend(values.iter().filter(|value| !value.is_nan()));
        let expected = numbers.len().min(k);
        let Some(last) = expected.checked_sub(1) else { return Ok((0, 0)) };
        let (_, farthest, _) = numbers.select_nth_unstable_by(last, f64::total_cmp);
        let farthest = *farthest;
        let mut hits = 0;
        for index in indices {
            // Each counts once.
            let value =
                values.get_mut(*index as usize).map(|value| std::mem::replace(value, f64::NAN));
            let is_hit = |value: f64| value <= farthest + self.bound(value) + self.bound(farthest);
            hits += u64::from(value.is_some_and(is_hit));
        }
        Ok((hits, expected as u64))
    }

    /// The value of a row and a column.
    fn value(&self, row: usize, column: usize) -> f64 {
        match self.prepared {
            Prepared::Singles(..) => {
                let (rows, columns) = (&self.sets.rows().values, &self.sets.data.values);
                let (a, b) = self.two(rows, row, columns, column);
                let differences = a.iter().zip(b).map(|(a, b)| a - b);
                match self.metric {
                    Metric::Manhattan => differences.map(f64::abs).sum(),
                    Metric::Euclidean => differences.map(|d| d * d).sum::<f64>().sqrt(),
                    _ => differences.map(|d| d * d).sum(),
                }
            }
            Prepared::Directions(data, queries) => {
                let of: &Directions = queries.as_ref().unwrap_or(data);
                let (a, b) = self.two(&of.values, row, &data.values, column);
                let [mut dot, mut a_square, mut b_square] = [0.0; 3];
                for (a, b) in a.iter().zip(b) {
                    let (a, b) = (f64::from(*a), f64::from(*b));
                    dot += a * b;
                    a_square += a * a;
                    b_square += b * b;
                }
                -dot / (a_square.sqrt() * b_square.sqrt())
            }
            Prepared::Bits(data, queries) => {
                let (a, b) = self.two(queries.as_ref().unwrap_or(data), row, data, column);
                let different = a.iter().zip(b).filter(|(a, b)| a != b).count();
                different as f64 / self.width as f64
            }
        }
    }

    fn two<'b, T>(
        &self,
        rows: &'b [T],
        row: usize,
        columns: &'b [T],
        column: usize,
    ) -> (&'b [T], &'b [T]) {
        let of = |all: &'b [T], at: usize| {
            all.get(at * self.width..(at + 1) * self.width).unwrap_or_default()
        };
        (of(rows, row), of(columns, column))
    }

    /// How far the kernel's value may be from this one: each term of a sum is rounded once or twice, and each of so many
    /// additions rounds once.
    fn bound(&self, value: f64) -> f64 {
        let share = (self.width as f64 + 4.0) * ROUNDING;
        match self.metric {
            // Relative to the product of the norms, which is 1, terms of both signs add up to no more than that.
            Metric::Cosine | Metric::Correlation => share + 4.0 * ROUNDING,
            // A count, divided once.
            Metric::Hamming => ROUNDING * value.abs(),
            Metric::Squared => share * value.abs() + self.input * (2.0 * value.sqrt() + self.input),
            Metric::Euclidean | Metric::Manhattan => share * value.abs() + self.input,
        }
    }
}
