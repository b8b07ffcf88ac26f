//! The pairs of two sets: at sizes that need a GPU's speed and memory.

use std::ops::Range;

use rayon::prelude::*;
use td_kernel::__private::Sweep;
use td_kernel::{Device, ErrorKind, Matrix, td_kernel};
use td_kernel_tests::rectangle::{Choice, SIZES, check, check_values, check_variants};

use crate::{assert_near, gpu, points, share_memory};

/// More than a block takes along both sides, and a long side of either. None is a multiple of a vector.
const LARGE: &[[usize; 2]] = &[[3001, 4099], [1, 100_003], [100_003, 1]];

/// A tile and parts of others, rows with and without a skew: all that a memory checker has time for.
const SMALL: &[[usize; 2]] = &[[1, 1], [33, 130], [97, 89], [128, 136]];

/// Values that form vectors, values that go through shared memory, and values that are stored one by one.
fn check_all_values(device: &Device, choice: &Choice, sizes: &[[usize; 2]]) {
    check_values(device, choice, ["f32", "out = a + 0.5f * b;"], sizes, |i, j| {
        i as f32 + 0.5 * j as f32
    })
    .unwrap();
    check_values(device, choice, ["u8", "out = a + 3 * b;"], sizes, |i, j| (i + 3 * j) as u8)
        .unwrap();
    check_values(device, choice, ["f64", "out = a - 0.5 * b;"], sizes, |i, j| {
        f64::from(i) - 0.5 * f64::from(j)
    })
    .unwrap();
    let three = "out = make_float3(a, b, j);";
    check_values(device, choice, ["[f32; 3]", three], sizes, |i, j| [i as f32, j as f32, j as f32])
        .unwrap();
    let bytes = "out = make_uchar3(a, b, a + b);";
    check_values(device, choice, ["[u8; 3]", bytes], sizes, |i, j| {
        [i as u8, j as u8, (i + j) as u8]
    })
    .unwrap();
}

fn of_matrices() -> Vec<Choice> {
    Choice::all().into_iter().filter(|choice| choice.sweep != Sweep::Columns).collect()
}

#[test]
fn small_rectangles_of_every_sweep_and_tile_are_visited_once() {
    let device = gpu();
    for choice in Choice::all() {
        check(&device, &choice, SMALL).unwrap();
    }
}

#[test]
fn small_values_of_rectangles_are_where_they_belong() {
    let device = gpu();
    for choice in of_matrices() {
        check_all_values(&device, &choice, &[[33, 130], [64, 72]]);
    }
}

#[test]
fn small_rectangles_of_every_variant_are_the_same() {
    check_variants(&gpu(), SMALL).unwrap();
}

#[test]
fn rectangles_of_every_sweep_and_tile_are_visited_once() {
    let _shared = share_memory();
    let device = gpu();
    Choice::all().par_iter().for_each(|choice| {
        check(&device, choice, SIZES).unwrap();
        check(&device, choice, LARGE).unwrap();
    });
}

#[test]
fn values_of_large_rectangles_are_where_they_belong() {
    let _shared = share_memory();
    let device = gpu();
    of_matrices().par_iter().for_each(|choice| {
        check_all_values(&device, choice, SIZES);
        check_all_values(&device, choice, LARGE);
    });
}

#[test]
fn rectangles_of_every_variant_are_the_same() {
    let _shared = share_memory();
    check_variants(&gpu(), SIZES).unwrap();
    check_variants(&gpu(), LARGE).unwrap();
}

/// A grid is at most 65,535 blocks high: more rows of tiles lie in pieces side by side. As many columns need no pieces.
#[test]
fn more_rows_of_tiles_than_a_grid_is_high_are_visited_once() {
    let _shared = share_memory();
    let device = gpu();
    let blocks = Choice { sweep: Sweep::Classic, side: 8 };
    check(&device, &blocks, &[[600_000, 8], [8, 600_000]]).unwrap();
    for sweep in [Sweep::Rows, Sweep::Columns] {
        let tiles = Choice { sweep, side: 32 };
        // In three pieces, the last of which is lower.
        check(&device, &tiles, &[[2 * 65_535 * 32 + 33, 2]]).unwrap();
    }
}

/// A pair's byte: it differs from the bytes of adjacent places, and from that of the place 2³² before.
fn byte(i: usize, j: usize) -> u8 {
    let (i, j) = (i as u32, j as u32);
    i.wrapping_mul(31).wrapping_add(j.wrapping_mul(7)).wrapping_add(i.wrapping_mul(j) >> 9) as u8
}

/// Along rows, in tiles of several sizes.
#[td_kernel]
unsafe fn along_rows(low: &mut Matrix<u8>) {
    r#" low = i * 31 + j * 7 + (i * j >> 9); "#
}

/// One thread for each pair.
#[td_kernel(tile = 0)]
unsafe fn one_a_pair(low: &mut Matrix<u8>) {
    r#" low = i * 31 + j * 7 + (i * j >> 9); "#
}

/// In tiles whose rows, as many as a block covers at a time, have more than 2³² values if there are 2²⁸ columns.
#[td_kernel(tile = 64)]
unsafe fn in_tiles(low: &mut Matrix<u8>) {
    r#" low = i * 31 + j * 7 + (i * j >> 9); "#
}

/// Compares the bytes from `first` on with the expected ones, with 64 bits throughout.
#[td_kernel(tile = 0)]
unsafe fn wrong_bytes(#[row] x: &[u8], first: u64, low: &[u8], wrong: &mut Sum<u64>) {
    r#"
    const unsigned long long place = (unsigned long long)i * columns + j - first;
    if (x != 1 || place >= low_length || low[place] != (unsigned char)(i * 31 + j * 7 + (i * j >> 9)))
        wrong += 1;
    "#
}

/// The number of wrong bytes in the rows that the matrix has.
fn wrong(device: &Device, matrix: &Matrix<u8>) -> u64 {
    let (rows, columns) = (matrix.row_range(), matrix.column_count());
    let x = device.upload(&vec![1; matrix.row_count()]).unwrap();
    let mut wrong = device.sum().unwrap();
    let first = (rows.start * columns) as u64;
    let kernel = wrong_bytes::load(device).unwrap().rows(rows);
    kernel.launch(columns, &x, first, matrix, &mut wrong).unwrap();
    wrong.download().unwrap()
}

/// Runs code for each text of each of these kernels.
macro_rules! each_text {
    ($device:ident, |$name:ident, $kernel:ident| $do:block, $($module:ident)*) => {$(
        for variant in 0..$module::SOURCES.len() {
            let $name = format!("{}, {variant}", stringify!($module));
            let $kernel = $module { kernel: $module::load(&$device).unwrap().kernel.pin(variant) };
            $do
        }
    )*};
}

/// 4.9 GB, in one launch and in bands, one of which has values on both sides of 2³².
#[test]
fn values_past_32_bits_are_where_they_belong() {
    let _shared = share_memory();
    let device = gpu();
    let side = 70_000;
    // 2³² is in row 61,356.
    let cut = [0, 1, 30_001, 61_350, 61_357, 69_999, side];
    each_text!(device, |name, kernel| {
        let mut all = device.matrix(side, side).unwrap();
        kernel.launch(&mut all).unwrap();
        assert_eq!(wrong(&device, &all), 0, "{name}");
        let mut all = device.matrix(side, side).unwrap();
        for ends in cut.windows(2) {
            kernel.rows(ends[0]..ends[1]).launch(&mut all).unwrap();
        }
        assert_eq!(wrong(&device, &all), 0, "{name}, in bands");
        // What is past 2³² alone, in two launches.
        let mut band = device.matrix_rows(side, side, 61_357..side).unwrap();
        kernel.rows(61_357..65_001).launch(&mut band).unwrap();
        kernel.rows(65_001..side).launch(&mut band).unwrap();
        assert_eq!(wrong(&device, &band), 0, "{name}, rows past 2^32");
        // The host computes the bytes of some rows.
        let band = band.download().unwrap();
        for (i, row) in band.rows().filter(|(i, _)| i % 500 < 2 || *i == side - 1) {
            assert!(row.iter().enumerate().all(|(j, found)| *found == byte(i, j)), "{name}: row {i}");
        }
    }, along_rows one_a_pair);
}

/// 17 GB of rows so long that the rows that a block covers at a time have more than 2³² values.
#[test]
fn rows_of_a_matrix_may_be_past_28_bits() {
    let _shared = share_memory();
    let device = gpu();
    for columns in [(1 << 28) + 37, (1 << 28) + 64] {
        each_text!(
            device,
            |name, kernel| {
                let mut matrix = device.matrix(65, columns).unwrap();
                kernel.launch(&mut matrix).unwrap();
                assert_eq!(wrong(&device, &matrix), 0, "{name}, {columns} columns");
            },
            in_tiles
        );
    }
}

/// Counts, adds up and lists.
macro_rules! totals {
    ($($(#[$attribute:meta])* $name:ident),+) => {$(
        $(#[$attribute])*
        unsafe fn $name(
            #[row] x: &[u32],
            #[column] y: &[u32],
            count: &mut Sum<u64>,
            total: &mut Sum<u64>,
            list: &mut Pairs,
        ) {
            r#"
            count += 1;
            total += 3 * x + y;
            if (j == (i * 40503u + 77u) % columns)
                list.push();
            "#
        }
    )+};
}

totals! {
    /// In the texts of the default keys.
    #[td_kernel]
    totals,
    /// With one thread for each pair.
    #[td_kernel(tile = 0)]
    totals_of_threads
}

/// 17.2 billion pairs, four times 2³²: of each row one is listed.
#[test]
fn sums_and_lists_are_right_past_32_bits_of_pairs() {
    let device = gpu();
    let side = 131_072_u32;
    let numbers: Vec<u32> = (0..side).collect();
    let (x, y) = (device.upload(&numbers).unwrap(), device.upload(&numbers).unwrap());
    let pairs = u64::from(side) * u64::from(side);
    // 3 i + j on the average.
    let expected = 4 * (pairs / 2) * u64::from(side - 1);
    let list: Vec<[u32; 2]> =
        numbers.iter().map(|&i| [i, (i.wrapping_mul(40503).wrapping_add(77)) % side]).collect();
    each_text!(device, |name, kernel| {
        let (mut count, mut total) = (device.sum().unwrap(), device.sum().unwrap());
        let mut listed = device.pairs(numbers.len()).unwrap();
        kernel.launch(&x, &y, &mut count, &mut total, &mut listed).unwrap();
        let mut found = listed.download().unwrap();
        found.sort_unstable();
        assert_eq!((count.download().unwrap(), total.download().unwrap()), (pairs, expected), "{name}");
        assert!(found == list, "{name}: {} pairs", found.len());
    }, totals totals_of_threads);
}

/// As many rows as a launch can count.
#[td_kernel]
unsafe fn many_rows(#[column] y: &[u32], total: &mut Sum<u64>, list: &mut Pairs) {
    r#" total += i % 2 + y; if (i % 100003 == 5 && y == 2) list.push(); "#
}

/// As many columns.
#[td_kernel]
unsafe fn many_columns(#[row] x: &[u32], total: &mut Sum<u64>, list: &mut Pairs) {
    r#" total += j % 2 + x; if (j % 100003 == 5 && x == 2) list.push(); "#
}

#[test]
fn indices_past_31_bits_are_listed() {
    let device = gpu();
    let long = u32::MAX - 255;
    let short = device.upload(&[1_u32, 2, 0]).unwrap();
    let total = 3 * u64::from(long / 2) + 3 * u64::from(long);
    let found: Vec<u32> = (0..=(long - 6) / 100_003).map(|k| 100_003 * k + 5).collect();
    each_text!(device, |name, kernel| {
        let (mut sum, mut list) = (device.sum().unwrap(), device.pairs(100_000).unwrap());
        kernel.launch(long as usize, &short, &mut sum, &mut list).unwrap();
        let mut list: Vec<u32> = list.download().unwrap().iter().map(|pair| match pair {
            [1, index] | [index, 1] => *index,
            pair => panic!("{name}: {pair:?}"),
        }).collect();
        list.sort_unstable();
        assert_eq!(sum.download().unwrap(), total, "{name}");
        assert!(list == found, "{name}: {} pairs of {}", list.len(), found.len());
    }, many_rows many_columns);
}

/// The distance of every query to every point, and their sum.
#[td_kernel]
unsafe fn cross(#[row] query: &[[f32; 4]], #[column] point: &[[f32; 4]], out: &mut Matrix<f32>) {
    r#"
    float dx = query.x - point.x, dy = query.y - point.y, dz = query.z - point.z, dw = query.w - point.w;
    out = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

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
fn distances_of_two_sets_are_near_those_in_double_precision() {
    let _shared = share_memory();
    let device = gpu();
    // Rows with and without a skew.
    for [rows, columns] in [[20_011, 16_411], [16_411, 20_000]] {
        let queries = points(rows);
        let data: Vec<[f32; 4]> =
            points(columns).iter().map(|p| p.map(|x| 0.9 * x - 3.0)).collect();
        let distance = |i: usize, j: usize| {
            let squares = queries[i].iter().zip(data[j]);
            squares.map(|(a, b)| (f64::from(*a) - f64::from(b)).powi(2)).sum::<f64>().sqrt()
        };
        let (q, d) = (device.upload(&queries).unwrap(), device.upload(&data).unwrap());
        let mut out = device.matrix(rows, columns).unwrap();
        each_text!(
            device,
            |name, kernel| {
                out.upload_into(&vec![-1.0; rows * columns]).unwrap();
                kernel.launch(&q, &d, &mut out).unwrap();
                println!("{name}, {rows} x {columns}");
                let found = out.download().unwrap();
                found.as_slice().par_chunks(columns).enumerate().for_each(|(i, row)| {
                    assert_near(row, &(0..columns).map(|j| distance(i, j)).collect::<Vec<_>>());
                });
            },
            cross
        );
        let expected: f64 = (0..rows)
            .into_par_iter()
            .map(|i| (0..columns).map(|j| distance(i, j)).sum::<f64>())
            .sum();
        each_text!(
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
fn small_slices_of_cudarc_are_matrices_of_the_rows() {
    let device = gpu();
    let stream = device.stream().unwrap();
    let value = |i: usize, j: usize| (1000 * i + j) as u32;
    for [rows, columns] in [[70, 130], [70, 136]] {
        let x = device.upload(&(0..rows as u32).map(|i| 1000 * i).collect::<Vec<_>>()).unwrap();
        let y = device.upload(&(0..columns as u32).collect::<Vec<_>>()).unwrap();
        let kernel = sums::load(&device).unwrap();
        for band in [0..rows, 0..1, 32..64, 37..69, 69..70] {
            let length = band.len() * columns;
            let expected: Vec<u32> =
                band.clone().flat_map(|i| (0..columns).map(move |j| value(i, j))).collect();
            for start in 0..5 {
                let mut memory = stream.clone_htod(&vec![7_u32; length + 8]).unwrap();
                let mut view = memory.slice_mut(start..start + length);
                kernel.rows(band.clone()).launch(&x, &y, &mut view).unwrap();
                let memory = stream.clone_dtoh(&memory).unwrap();
                stream.synchronize().unwrap();
                assert_eq!(&memory[start..start + length], expected, "{band:?}, from {start}");
                let around = memory[..start].iter().chain(&memory[start + length..]);
                assert!(around.clone().all(|value| *value == 7), "{band:?}, from {start}");
            }
            check_lengths(&device, &kernel, band, columns, [&x, &y]);
        }
    }
}

/// A slice that has one value more than the rows is refused.
fn check_lengths(
    device: &Device,
    kernel: &sums,
    band: Range<usize>,
    columns: usize,
    [x, y]: [&td_kernel::Buffer<u32>; 2],
) {
    let length = band.len() * columns;
    let mut more = device.stream().unwrap().alloc_zeros::<u32>(length + 1).unwrap();
    let error = kernel.rows(band).launch(x, y, &mut more).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Arguments, "{error}");
    let words = format!("has {} values", length + 1);
    assert!(error.to_string().contains(&words), "{error}");
}

#[td_kernel]
unsafe fn sums(#[row] x: &[u32], #[column] y: &[u32], out: &mut Matrix<u32>) {
    r#" out = x + y; "#
}
