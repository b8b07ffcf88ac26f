//! Results of elements on a GPU past 2^32 pairs.

use td_kernel::{Minima, Sums, td_kernel};

use crate::{gpu, share_memory};

/// Past 2^32 pairs of two sets, one much larger than the other.
#[test]
fn large_rectangles_have_all_pairs() {
    let _shared = share_memory();
    let device = gpu();
    for (rows, columns) in
        [(70_001, 65_537), (3, 1_500_000_001), (4_000_037, 1100), (17, 300_000_007)]
    {
        let (mut of_row, mut of_column): (Sums<u64>, Sums<u32>) =
            (device.sums(rows).unwrap(), device.sums(columns).unwrap());
        let mut near: Minima<(u32, u32)> = device.minima(rows).unwrap();
        let all = counted::load(&device).unwrap();
        all.launch(7, &mut of_row, &mut of_column, &mut near).unwrap();
        let right = |count: &u64| *count == columns as u64;
        assert!(of_row.download().unwrap().iter().all(right), "{rows} x {columns}: rows");
        let right = |count: &u32| *count == rows as u32;
        assert!(of_column.download().unwrap().iter().all(right), "{rows} x {columns}: columns");
        for (row, near) in (0_u32..).zip(near.download().unwrap()) {
            // The column with this row's number, or the last one; columns farther away are worse.
            let column = (columns as u32 - 1).min(row * 7);
            assert_eq!(near, Some(((row * 7) - column, column)), "{rows} x {columns}: {row}");
        }
    }
}

#[td_kernel]
unsafe fn counted(
    step: u32,
    #[row] of_row: &mut Sums<u64>,
    #[column] of_column: &mut Sums<u32>,
    #[row] near: &mut Minima<(u32, u32)>,
) {
    r#"
    of_row += 1;
    of_column += 1;
    const unsigned int place = i * step;
    near.offer(place > j ? place - j : j - place);
    "#
}
