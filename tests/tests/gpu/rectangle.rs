//! The pairs of two sets: at sizes that need a GPU's speed and memory.

mod past_32_bits;

use std::ops::Range;

use rayon::prelude::*;
use td_kernel::{Device, td_kernel};
use td_kernel_tests::each_variant;

use crate::{gpu, points, share_memory};

/// The sum of the distances of every query to every point.
#[td_kernel]
unsafe fn total(
    #[row] query: &[[f32; 4]],
    #[column] point: &[[f32; 4]],
    single: &mut Sum<f32>,
    wide: &mut Sum<f64>,
) {
    r#"
    float dx = query.x - point.x, dy = query.y - point.y, dz = query.z - point.z, dw = query.w - point.w;
    float distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    single += distance;
    wide += distance;
    "#
}

/// 328 million distances, in double precision on the host.
#[test]
fn sums_of_two_sets_are_accurate() {
    let _shared = share_memory();
    let device = gpu();
    for [rows, columns] in [[20_011, 16_411], [16_411, 20_000]] {
        let queries = points(rows);
        let data: Vec<[f32; 4]> =
            points(columns).iter().map(|p| p.map(|x| 0.9 * x - 3.0)).collect();
        let distance = |i: usize, j: usize| {
            let squares = queries[i].iter().zip(data[j]);
            squares.map(|(a, b)| (f64::from(*a) - f64::from(b)).powi(2)).sum::<f64>().sqrt()
        };
        let (q, d) = (device.upload(&queries).unwrap(), device.upload(&data).unwrap());
        let expected: f64 = (0..rows)
            .into_par_iter()
            .map(|i| (0..columns).map(|j| distance(i, j)).sum::<f64>())
            .sum();
        each_variant!(
            device,
            |name, kernel| {
                let (mut single, mut wide) =
                    (device.sum::<f32>().unwrap(), device.sum::<f64>().unwrap());
                kernel.launch(&q, &d, &mut single, &mut wide).unwrap();
                for found in [f64::from(single.download().unwrap()), wide.download().unwrap()] {
                    let error = (found - expected).abs() / expected;
                    assert!(
                        error <= 1e-6,
                        "{name}: {found} instead of {expected}, off by {error:e}"
                    );
                }
            },
            total
        );
    }
}

/// cudarc's memory has no shape: it must have exactly the values of the launched rows, and may start anywhere.
#[test]
fn small_cudarc_slices_are_matrices() {
    let device = gpu();
    let stream = device.stream().unwrap();
    let value = |i: usize, j: usize| (1000 * i + j) as u32;
    for [rows, columns] in [[70, 130], [70, 136]] {
        let x = device.upload(&(0..rows as u32).map(|i| 1000 * i).collect::<Vec<_>>()).unwrap();
        let y = device.upload(&(0..columns as u32).collect::<Vec<_>>()).unwrap();
        let kernel = sums::load(&device).unwrap();
        for chunk in [0..rows, 0..1, 32..64, 37..69, 69..70] {
            let length = chunk.len() * columns;
            let expected: Vec<u32> =
                chunk.clone().flat_map(|i| (0..columns).map(move |j| value(i, j))).collect();
            for start in 0..5 {
                let mut memory = stream.clone_htod(&vec![7_u32; length + 8]).unwrap();
                let mut view = memory.slice_mut(start..start + length);
                kernel.rows(chunk.clone()).launch(&x, &y, &mut view).unwrap();
                let memory = stream.clone_dtoh(&memory).unwrap();
                stream.synchronize().unwrap();
                assert_eq!(&memory[start..start + length], expected, "{chunk:?}, from {start}");
                let around = memory[..start].iter().chain(&memory[start + length..]);
                assert!(around.clone().all(|value| *value == 7), "{chunk:?}, from {start}");
            }
            check_lengths(&device, &kernel, chunk, columns, [&x, &y]);
        }
    }
}

/// A slice with one value more than the rows is an error.
fn check_lengths(
    device: &Device,
    kernel: &sums,
    chunk: Range<usize>,
    columns: usize,
    [x, y]: [&td_kernel::Buffer<u32>; 2],
) {
    let length = chunk.len() * columns;
    let mut more = device.stream().unwrap().alloc_zeros::<u32>(length + 1).unwrap();
    let words = format!("has {} slots", length + 1);
    assert_errors! { kernel.rows(chunk).launch(x, y, &mut more) => words, Arguments; }
}

#[td_kernel]
unsafe fn sums(#[row] x: &[u32], #[column] y: &[u32], out: &mut Matrix<u32>) {
    r#" out = x + y; "#
}
