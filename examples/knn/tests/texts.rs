//! The kernels' texts for a GPU, without one.

use clap::{Parser, ValueEnum};
use ndarray::Array2;
use td_kernel::Device;

use super::Files;
use crate::arguments::Arguments;
use crate::metric::Metric;
use crate::rows::{Prepared, Sets};
use crate::search::search;

/// Halves and quarters, whose sums are exact.
fn rows(count: usize, factor: usize) -> Array2<f64> {
    let value = |i: usize, k: usize| (((i + 3) * (k + 7) * factor) % 29) as f64 / 4.0;
    Array2::from_shape_fn((count, 9), |(i, k)| value(i, k))
}

/// Run by the CPU as a GPU would, they find the same rows as its plain loops: each metric once, within a set or in another one by
/// turns.
#[test]
fn the_gpus_texts_find_the_same() {
    let files = Files::new();
    let few = files.array("few.npy", &rows(140, 11));
    let queries = files.array("queries.npy", &rows(130, 17));
    let arguments: [&[&str]; 2] = [&[&few], &[&few, "--queries", &queries]];
    for (turn, metric) in Metric::value_variants().iter().enumerate() {
        compare(*metric, arguments[turn % 2]);
    }
}

/// So they do of so many rows that tensor cores filter their pairs, where the metric has a lower bound. That of distances is the
/// root of that of their squares, and that of the correlation is the cosine's. One of them looks within a set, the other in another
/// one: the tests of the library itself have each in both.
#[test]
fn the_gpus_texts_find_the_same_of_many() {
    let files = Files::new();
    let many = files.array("many.npy", &rows(5130, 13));
    let queries = files.array("queries.npy", &rows(2600, 17));
    let of_two: &[&str] = &[&many, "--queries", &queries];
    compare(Metric::Euclidean, &[&many]);
    compare(Metric::Cosine, of_two);
}

/// Compares what the emulator finds with what plain loops find.
fn compare(metric: Metric, arguments: &[&str]) {
    let devices = [Device::cpu().unwrap(), Device::emulator().unwrap()];
    let arguments = [&["knn", "--input"], arguments].concat();
    let sets = Sets::choose(&Arguments::parse_from(arguments)).unwrap();
    let prepared = Prepared::new(&sets, metric).unwrap();
    let [loops, texts] = devices.map(|device| {
        let (found, time) = search(&device, &sets, &prepared, metric, 12).unwrap();
        // Plain loops have nothing to merge.
        let share = time.merging.map(|share| share > 0.0 && share < 1.0);
        assert_eq!(share, device.name().contains("emulator").then_some(true));
        let rows = found.rows().map(|(indices, values)| (indices.to_vec(), values.to_vec()));
        rows.collect::<Vec<_>>()
    });
    assert_eq!(loops, texts, "{metric}");
}
