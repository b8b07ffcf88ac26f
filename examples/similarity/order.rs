//! In which order a picture has the rows.

use clap::ValueEnum;
use td_kernel_examples::memory::collected;
use td_kernel_examples::{Error, Result, Vectors, parallel, random};

/// The option `--order`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// Along the direction in which the rows differ most, their first principal axis: like rows are side by side. The
    /// picture's numbers are then places, and `--save-order` writes which row is at each
    #[default]
    Axis,
    /// By label, in the order of the labels' first rows; of one label, as in the input
    Label,
    /// As in the input
    None,
}

impl Order {
    /// The rows' indices in this order.
    pub(crate) fn of(self, rows: &Vectors) -> Result<Vec<usize>> {
        let mut order = collected(rows.count, 0..)?;
        match (self, &rows.labels) {
            (Order::None, _) => {}
            (Order::Label, None) => return Err(Error::NoLabels),
            // The sort is stable: rows with one label stay as in the input.
            (Order::Label, Some(labels)) => order.sort_by_key(|&row| labels.of.get(row)),
            (Order::Axis, _) => {
                let places = along_axis(rows)?;
                order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
            }
        }
        Ok(order)
    }
}

/// The most steps that the axis is looked for: rows with two axes of nearly the same spread may need more, but then
/// neither of them is the better one.
const STEPS: usize = 200;

/// How many rows are added up at a time: always the same, so that sums do not depend on the number of threads.
const SHARE: usize = 256;

/// The place of each row along the first principal axis, from the middle of all rows: a power iteration, which turns any
/// direction towards the axis with each product with the rows' covariance.
fn along_axis(rows: &Vectors) -> Result<Vec<f64>> {
    let mut places = collected(rows.count, std::iter::repeat(0.0))?;
    let mean = sum(rows, |_| 1.0)?.into_iter().map(|sum| sum / rows.count as f64);
    let mean: Vec<f64> = mean.collect();
    // A direction at random, the same in every run, is not at a right angle to the axis.
    let start = random::unit_numbers(0).take(rows.features);
    let mut axis: Vec<f64> = start.map(|number| f64::from(number) - 0.5).collect();
    for _ in 0..STEPS {
        if !normalise(&mut axis) {
            // All rows are equal, and stay in their order.
            places.fill(0.0);
            return Ok(places);
        }
        place(rows, &mean, &axis, &mut places);
        let mut next = sum(rows, |row| places[row])?;
        let total: f64 = places.iter().sum();
        next.iter_mut().zip(&mean).for_each(|(next, mean)| *next -= total * mean);
        let mut unit = next.clone();
        let is_there = normalise(&mut unit)
            && unit.iter().zip(&axis).map(|(a, b)| (a - b).powi(2)).sum::<f64>() < 1e-20;
        axis = next;
        if is_there {
            break;
        }
    }
    // Of the two directions of the axis, that of its largest part.
    let largest = axis.iter().fold(0.0, |a: f64, b| if b.abs() > a.abs() { *b } else { a });
    if normalise(&mut axis) {
        axis.iter_mut().for_each(|part| *part *= largest.signum());
        place(rows, &mean, &axis, &mut places);
    }
    Ok(places)
}

/// Scales a vector to the length 1; false if it has none.
fn normalise(vector: &mut [f64]) -> bool {
    // By the largest part first, so that no square is out of range.
    let largest = vector.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return false;
    }
    vector.iter_mut().for_each(|part| *part /= largest);
    let length = vector.iter().map(|part| part * part).sum::<f64>().sqrt();
    vector.iter_mut().for_each(|part| *part /= length);
    true
}

/// How far each row lies along a direction.
fn place(rows: &Vectors, mean: &[f64], axis: &[f64], places: &mut [f64]) {
    let shares = rows.values.chunks(SHARE * rows.features).zip(places.chunks_mut(SHARE));
    parallel::each(shares, |(values, places)| {
        for (row, place) in values.chunks(rows.features).zip(places) {
            let parts = row.iter().zip(mean).zip(axis);
            *place = parts.map(|((value, mean), axis)| (value - mean) * axis).sum();
        }
    });
}

/// The sum of the rows, each times its weight.
fn sum(rows: &Vectors, weight: impl Fn(usize) -> f64 + Sync) -> Result<Vec<f64>> {
    let values = SHARE * rows.features;
    let mut shares = Vec::new();
    shares.resize_with(rows.values.len().div_ceil(values), Vec::new);
    let work = shares.iter_mut().zip(rows.values.chunks(values)).enumerate();
    parallel::each(work, |(at, (share, values))| {
        let mut sums = vec![0.0; rows.features];
        for (row, values) in values.chunks(rows.features).enumerate() {
            let weight = weight(at * SHARE + row);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
        }
        *share = sums;
    });
    let mut total = collected(rows.features, std::iter::repeat(0.0))?;
    for share in shares {
        total.iter_mut().zip(share).for_each(|(total, sum)| *total += sum);
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: Vec<f64>, features: usize) -> Vectors {
        let count = values.len() / features;
        Vectors {
            values,
            count,
            features,
            labels: None,
            origin: String::new(),
            left_out: Vec::new(),
            taken: None,
        }
    }

    #[test]
    fn rows_along_a_line_are_in_its_order() {
        // Along (3, -1, 2), with a little of something else, far from zero.
        let steps: Vec<f64> = (0..1000).map(|row| f64::from((row * 377) % 1000)).collect();
        let row = |t: &f64| [3.0 * t + 1e6, -t + 0.1 * (7.0 * t).sin(), 2.0 * t - 5.0];
        let values: Vec<f64> = steps.iter().flat_map(row).collect();
        let order = Order::Axis.of(&rows(values, 3)).unwrap();
        let found: Vec<f64> = order.iter().map(|&row| steps[row]).collect();
        let expected: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_axis_is_that_of_the_covariance() {
        // The spread is 9 along (0.6, 0.8), and 1 across it.
        let numbers = random::unit_numbers(3).map(|number| f64::from(number) - 0.5);
        let numbers: Vec<f64> = numbers.take(4000).collect();
        let row = |parts: &[f64]| {
            let (along, across) = (9.0 * parts[0], parts[1]);
            [0.6 * along - 0.8 * across, 0.8 * along + 0.6 * across]
        };
        let values: Vec<f64> = numbers.chunks(2).flat_map(row).collect();
        let places = along_axis(&rows(values, 2)).unwrap();
        let pairs = places.iter().zip(numbers.chunks(2));
        let error = pairs.map(|(place, parts)| place - 9.0 * parts[0]).fold(0.0, f64::max);
        assert!(error < 0.1, "{error}");
    }

    #[test]
    fn equal_rows_and_few_rows_stay_in_order() {
        assert_eq!(Order::Axis.of(&rows(vec![1e15; 12], 3)).unwrap(), [0, 1, 2, 3]);
        assert_eq!(Order::Axis.of(&rows(vec![2.0], 1)).unwrap(), [0]);
        assert!(Order::Axis.of(&rows(Vec::new(), 5)).unwrap().is_empty());
        assert_eq!(Order::Axis.of(&rows(vec![2.0, 1.0, 3.0], 1)).unwrap(), [1, 0, 2]);
        assert_eq!(Order::Axis.of(&rows(vec![1e15, -1e15, 0.0], 1)).unwrap(), [1, 2, 0]);
        assert_eq!(Order::None.of(&rows(vec![2.0, 1.0, 3.0], 1)).unwrap(), [0, 1, 2]);
        assert!(matches!(Order::Label.of(&rows(vec![2.0], 1)), Err(Error::NoLabels)));
    }
}
