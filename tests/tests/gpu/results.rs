//! Results of elements on a GPU past 2^32 pairs.

use td_kernel::__private::{Axis, Sweep};
use td_kernel::{Minima, Sums, td_kernel};
use td_kernel_tests::Choice;

use crate::{gpu, share_memory};

/// Every element has a pair with every other one, past 2^32 pairs, in every tile.
#[test]
fn large_triangles_have_all_pairs() {
    let _shared = share_memory();
    let device = gpu();
    let item = "unsafe fn pairs(#[each] degree: &mut Sums<u64>, #[each] other: &mut Sums<u64>, #[each] far: &mut Maxima<(u32, u32)>) { r#\" degree.i += 1; degree.j += 1; other.i += j; other.j += i; far.offer(i - j); \"# }";
    for choice in Choice::tiles().iter().filter(|choice| choice.sweep == Sweep::Rotate) {
        let sizes: &[usize] = if choice.map == "ltm" { &[30_720, 131_101] } else { &[20_011] };
        let kernel = choice.load(&device, "pairs", item).unwrap();
        for &n in sizes {
            let (mut degree, mut other): (Sums<u64>, Sums<u64>) =
                (device.sums(n).unwrap(), device.sums(n).unwrap());
            let mut far = device.maxima::<(u32, u32)>(n).unwrap();
            let mut launch = kernel.launch();
            launch.bind(Axis::Each, "degree", &mut degree).unwrap();
            launch.bind(Axis::Each, "other", &mut other).unwrap();
            launch.bind(Axis::Each, "far", &mut far).unwrap();
            // SAFETY: the parameters of the item, in its order and with its types.
            match unsafe { launch.run() } {
                // A float root ends before this size.
                Err(error) if error.kind() == td_kernel::ErrorKind::MapLimitExceeded => continue,
                result => result.unwrap(),
            }
            let count = n as u64;
            // A pair (i, i) is added once.
            let own = u64::from(choice.diagonal);
            let place = format!("{choice:?}, n = {n}");
            let is_right = |degree: &u64| *degree == count - 1 + own;
            assert!(degree.download().unwrap().iter().all(is_right), "{place}: pairs");
            let all = count * (count - 1) / 2;
            for (element, sum) in (0_u64..).zip(other.download().unwrap()) {
                assert_eq!(sum, all - element + own * element, "{place}: {element}");
            }
            for (element, far) in (0_u32..).zip(far.download().unwrap()) {
                let last = n as u32 - 1;
                // If two are equally far, the first one.
                let expected =
                    if last - element > element { (last - element, last) } else { (element, 0) };
                assert_eq!(far, Some(expected), "{place}: farthest of {element}");
            }
        }
    }
}

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
