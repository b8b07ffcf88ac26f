//! Which share of the nearest neighbours was found, to a search in double precision on the host.

use std::sync::{Mutex, PoisonError};

use td_kernel_examples::memory::reserved;
use td_kernel_examples::{Result, parallel};

use crate::found::Found;
use crate::metric::Metric;
use crate::rows::{Prepared, Sets};

/// What rounding to single precision changes, relatively.
const SINGLE: f64 = 1.0 / (1 << 24) as f64;

/// What rounding to double precision changes, relatively.
const DOUBLE: f64 = f64::EPSILON / 2.0;

/// The neighbours of some rows that were found, and how many there are to find.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Recall {
    pub(crate) rows: usize,
    /// Neighbours that are as near as the K-th nearest, to double precision.
    pub(crate) hits: u64,
    /// Others, which are farther by so little that rounding to single precision explains it.
    pub(crate) within_rounding: u64,
    pub(crate) expected: u64,
}

impl Recall {
    /// Searches for the neighbours of `sample` rows, evenly spread, by the rows as they were read, in double precision.
    ///
    /// A neighbour that was found is a hit if it is as near as the K-th nearest. Others are counted apart if they are so little
    /// farther that rounding explains it: which of two rows is nearer may be told only by digits that single precision does
    /// not have.
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
                (Ok(all), Ok(one)) => {
                    all.rows += 1;
                    all.hits += one.hits;
                    all.within_rounding += one.within_rounding;
                    all.expected += one.expected;
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
    /// How far a distance may be off because features were rounded before: to double precision, and to single precision before
    /// the kernel gets them.
    input: [f64; 2],
}

impl<'a> Values<'a> {
    fn new(sets: &'a Sets, prepared: &'a Prepared, metric: Metric) -> Values<'a> {
        let width = sets.data.features;
        let queries = sets.queries.as_ref();
        // Both features of a pair are rounded.
        let sum = |largest: Vec<f64>, rounding: f64| {
            let errors = largest.into_iter().map(|largest| 2.0 * rounding * largest);
            match metric {
                Metric::Manhattan => errors.sum(),
                _ => errors.map(|error| error * error).sum::<f64>().sqrt(),
            }
        };
        let single = |data: &[f32], queries: Option<&Vec<f32>>, unit: f32| {
            let all = data.iter().chain(queries.into_iter().flatten());
            let largest = largest(all.map(|value| f64::from(value * unit)), width);
            sum(largest, SINGLE)
        };
        let input = match prepared {
            Prepared::Singles(data, queries_of_kernel, unit) => {
                let queries = queries.into_iter().flat_map(|queries| &queries.values);
                let all = sets.data.values.iter().chain(queries).copied();
                [sum(largest(all, width), DOUBLE), single(data, queries_of_kernel.as_ref(), *unit)]
            }
            Prepared::Directions(data, queries, unit) => {
                let queries = queries.as_ref().map(|queries| &queries.singles);
                // A feature, a norm and their quotient are rounded, of two rows of length 1.
                [8.0 * DOUBLE, single(&data.singles, queries, *unit)]
            }
            Prepared::Bits(..) => [0.0; 2],
        };
        Values { sets, prepared, metric, width, input }
    }

    /// How many of the `indices` are among the `k` nearest of a row.
    fn hits(
        &self,
        row: usize,
        own: Option<usize>,
        columns: usize,
        k: usize,
        indices: &[u32],
    ) -> Result<Recall> {
        let mut values: Vec<f64> = reserved(columns)?;
        values.extend((0..columns).map(|column| self.value(row, column)));
        if let Some(own) = own.and_then(|own| values.get_mut(own)) {
            *own = f64::NAN;
        }
        let mut numbers: Vec<f64> = reserved(columns)?;
        numbers.extend(values.iter().filter(|value| !value.is_nan()));
        let expected = numbers.len().min(k);
        let Some(last) = expected.checked_sub(1) else {
            return Ok(Recall::default());
        };
        let (_, farthest, _) = numbers.select_nth_unstable_by(last, f64::total_cmp);
        let farthest = *farthest;
        let mut recall = Recall { rows: 1, expected: expected as u64, ..Recall::default() };
        for index in indices {
            // Each counts once.
            let value =
                values.get_mut(*index as usize).map(|value| std::mem::replace(value, f64::NAN));
            let Some(value) = value else { continue };
            let is_hit = |rounding, input| {
                let bound = |value| self.bound(value, rounding, input);
                value <= farthest + bound(value) + bound(farthest)
            };
            let [double, single] = self.input;
            if is_hit(DOUBLE, double) {
                recall.hits += 1;
            } else if is_hit(SINGLE, single) {
                recall.within_rounding += 1;
            }
        }
        Ok(recall)
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
            Prepared::Directions(data, queries, _) => {
                let rows = &queries.as_ref().unwrap_or(data).exact;
                let (a, b) = self.two(rows, row, &data.exact, column);
                let has_none = |row: &[f64]| row.iter().all(|part| *part == 0.0);
                if has_none(a) || has_none(b) {
                    return f64::NAN;
                }
                // What the cosine is below 1.
                0.5 * a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>()
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

    /// How far a value may be from this one if it was computed with such rounding: each term of a sum is rounded once or twice,
    /// and each of so many additions rounds once. `input` is how far rounding the features takes a distance.
    fn bound(&self, value: f64, rounding: f64, input: f64) -> f64 {
        let share = (self.width as f64 + 4.0) * rounding;
        match self.metric {
            Metric::Cosine | Metric::Correlation => {
                share * value + input * ((2.0 * value).sqrt() + 0.5 * input)
            }
            // A count, divided once.
            Metric::Hamming => rounding * value,
            Metric::Squared => share * value + input * (2.0 * value.sqrt() + input),
            Metric::Euclidean | Metric::Manhattan => share * value + input,
        }
    }
}

/// The largest absolute value of each column.
fn largest(values: impl Iterator<Item = f64>, width: usize) -> Vec<f64> {
    let mut largest = vec![0.0_f64; width];
    for (at, value) in values.enumerate() {
        let largest = &mut largest[at % width];
        *largest = largest.max(value.abs());
    }
    largest
}
