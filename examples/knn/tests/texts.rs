//! The kernels' texts for a GPU, without one.

use clap::{Parser, ValueEnum};
use ndarray::Array2;
use td_kernel::Device;

use super::Files;
use crate::arguments::Arguments;
use crate::metric::Metric;
use crate::rows::{Prepared, Sets};
use crate::search::search;

/// Run by the CPU as a GPU would, they find the same rows as its plain loops.
#[test]
fn the_gpus_texts_find_the_same() {
    let files = Files::new();
    // Halves and quarters, whose sums are exact.
    let rows = |count, factor: usize| {
        Array2::from_shape_fn((count, 9), |(i, k)| (((i + 3) * (k + 7) * factor) % 29) as f64 / 4.0)
    };
    let data = files.array("data.npy", &rows(140, 11));
    let queries = files.array("queries.npy", &rows(70, 17));
    let devices = [Device::cpu().unwrap(), Device::emulator().unwrap()];
    for metric in Metric::value_variants() {
        for arguments in [&["--queries", &queries][..], &[]] {
            let arguments = [&["knn", "--input", &data], arguments].concat();
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
