//! Rectangles whose values, pairs or rows exceed 32 bits.

use td_kernel::{Device, Matrix, Shape, td_kernel};
use td_kernel_tests::bytes::byte;
use td_kernel_tests::{bytes, each_variant};

use crate::{gpu, share_memory};

bytes! { Matrix:
    along_rows ();
    one_a_pair (tile = 0);
    // The rows that a block covers at a time have more than 2³² values if there are 2²⁸ columns.
    in_tiles (tile = 64);
}

/// Compares the bytes from `first` on with the expected ones, in 64-bit arithmetic.
#[td_kernel(tile = 0)]
unsafe fn wrong_bytes(#[row] x: &[u8], first: u64, low: &[u8], wrong: &mut Sum<u64>) {
    r#"
    const unsigned long long place = (unsigned long long)i * columns + j - first;
    if (x != 1 || place >= low_length || low[place] != (unsigned char)(i * 31 + j * 7 + (i * j >> 9)))
        wrong += 1;
    "#
}

/// The number of wrong bytes in the matrix's rows.
fn wrong(device: &Device, matrix: &Matrix<u8>) -> u64 {
    let (rows, columns) = (matrix.row_range(), matrix.column_count());
    let x = device.upload(&vec![1; matrix.row_count()]).unwrap();
    let mut wrong = device.sum().unwrap();
    let first = (rows.start * columns) as u64;
    let kernel = wrong_bytes::load(device).unwrap().rows(rows);
    kernel.launch(columns, &x, first, matrix, &mut wrong).unwrap();
    wrong.download().unwrap()
}

/// 4.9 GB, in one launch and in chunks, one of which has values on both sides of 2³².
#[test]
fn values_past_32_bits() {
    let _shared = share_memory();
    let device = gpu();
    let side = 70_000;
    // 2³² is in row 61,356.
    let cut = [0, 1, 30_001, 61_350, 61_357, 69_999, side];
    each_variant!(device, |name, kernel| {
        let mut all = device.matrix((side, side)).unwrap();
        kernel.launch(&mut all).unwrap();
        assert_eq!(wrong(&device, &all), 0, "{name}");
        let mut all = device.matrix((side, side)).unwrap();
        for ends in cut.windows(2) {
            kernel.rows(ends[0]..ends[1]).launch(&mut all).unwrap();
        }
        assert_eq!(wrong(&device, &all), 0, "{name}, in chunks");
        // Only the values past 2³², in two launches.
        let mut chunk = device.matrix(Shape::rectangle(side, side).of_rows(61_357..side)).unwrap();
        kernel.rows(61_357..65_001).launch(&mut chunk).unwrap();
        kernel.rows(65_001..side).launch(&mut chunk).unwrap();
        assert_eq!(wrong(&device, &chunk), 0, "{name}, rows past 2^32");
        // The host computes the bytes of some rows.
        let chunk = chunk.download().unwrap();
        for (i, row) in chunk.rows().filter(|(i, _)| i % 500 < 2 || *i == side - 1) {
            assert!(row.iter().enumerate().all(|(j, found)| *found == byte(i, j)), "{name}: row {i}");
        }
    }, along_rows one_a_pair);
}

/// 17 GB of rows so long that the rows that a block covers at a time have more than 2³² values.
#[test]
fn matrix_rows_past_28_bits() {
    let _shared = share_memory();
    let device = gpu();
    for columns in [(1 << 28) + 37, (1 << 28) + 64] {
        each_variant!(
            device,
            |name, kernel| {
                let mut matrix = device.matrix((65, columns)).unwrap();
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
    /// In the variants of the default keys.
    #[td_kernel]
    totals,
    /// With one thread per pair.
    #[td_kernel(tile = 0)]
    totals_of_threads
}

/// 17.2 billion pairs, four times 2³²: one of each row is listed.
#[test]
fn sums_and_lists_past_32_bits() {
    let device = gpu();
    let side = 131_072_u32;
    let numbers: Vec<u32> = (0..side).collect();
    let (x, y) = (device.upload(&numbers).unwrap(), device.upload(&numbers).unwrap());
    let pairs = u64::from(side) * u64::from(side);
    // On average 3 i + j.
    let expected = 4 * (pairs / 2) * u64::from(side - 1);
    let list: Vec<[u32; 2]> =
        numbers.iter().map(|&i| [i, (i.wrapping_mul(40503).wrapping_add(77)) % side]).collect();
    each_variant!(device, |name, kernel| {
        let (mut count, mut total) = (device.sum().unwrap(), device.sum().unwrap());
        let mut listed = device.pairs(numbers.len()).unwrap();
        kernel.launch(&x, &y, &mut count, &mut total, &mut listed).unwrap();
        let found = listed.download().unwrap().sorted().unwrap();
        assert_eq!((count.download().unwrap(), total.download().unwrap()), (pairs, expected), "{name}");
        assert!(found.pairs() == list, "{name}: {} pairs", found.len());
    }, totals totals_of_threads);
}

/// As many rows as a launch can count.
#[td_kernel]
unsafe fn many_rows(#[column] y: &[u32], total: &mut Sum<u64>, list: &mut Pairs) {
    r#" total += i % 2 + y; if (i % 100003 == 5 && y == 2) list.push(); "#
}

/// As many columns as a launch can count.
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
    each_variant!(device, |name, kernel| {
        let (mut sum, mut list) = (device.sum().unwrap(), device.pairs(100_000).unwrap());
        kernel.launch(long as usize, &short, &mut sum, &mut list).unwrap();
        let mut list: Vec<u32> = list.download().unwrap().pairs().iter().map(|pair| match pair {
            [1, index] | [index, 1] => *index,
            pair => panic!("{name}: {pair:?}"),
        }).collect();
        list.sort_unstable();
        assert_eq!(sum.download().unwrap(), total, "{name}");
        assert!(list == found, "{name}: {} pairs of {}", list.len(), found.len());
    }, many_rows many_columns);
}
