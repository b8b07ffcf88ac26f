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

/// Run by the CPU as a GPU would, they find the same rows as its plain loops: among few rows, and of queries among so many that
/// tensor cores filter them.
#[test]
fn the_gpus_texts_find_the_same() {
    let files = Files::new();
    let few = files.array("few.npy", &rows(140, 11));
    let many = files.array("many.npy", &rows(4100, 13));
    let queries = files.array("queries.npy", &rows(130, 17));
    let devices = [Device::cpu().unwrap(), Device::emulator().unwrap()];
    for metric in Metric::value_variants() {
        for arguments in
            [&[&few, "--queries", &queries][..], &[&many, "--queries", &queries], &[&few]]
        {
            let arguments = [&["knn", "--input"], arguments].concat();
            let sets = Sets::choose(&Arguments::parse_from(arguments)).unwrap();
            let prepared = Prepared::new(&sets, *metric).unwrap();
            let [loops, texts] = devices.each_ref().map(|device| {
                let (found, _) = search(device, &sets, &prepared, *metric, 12).unwrap();
                let rows =
                    found.rows().map(|(indices, values)| (indices.to_vec(), values.to_vec()));
                rows.collect::<Vec<_>>()
            });
            assert_eq!(loops, texts, "{metric}");
        }
    }
}
