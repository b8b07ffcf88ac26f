//! Launches over a range of rows: the memory that they leave unchanged, their errors and reports. `small` compares their
//! values.

use std::ops::Range;
use td_kernel::__private::{Axis, output};

use td_kernel::{Device, ErrorKind, Kernel, Packed, Shape, SliceMut, Slots};
use td_kernel_geometry::{DEFAULT_EPSILON, Ltm, MAPS, Map, Root, Space, triangle};
use td_kernel_tests::bytes::byte;
use td_kernel_tests::{Choice, bytes, each_variant};

/// The value of a pair.
fn value(i: usize, j: usize) -> u32 {
    (1000 * i + j + 1) as u32
}

/// The kernel with this map and root, in blocks of 8 x 8 threads. It writes `packed` outputs of packed slots, or counts pairs
/// in a slice.
fn kernel(device: &Device, map: &dyn Map, root: Root, packed: usize) -> Kernel {
    let is_choice = |choice: &Choice| {
        choice.map == map.name() && choice.space == Space::Block && !choice.linear
    };
    let choice = Choice::maps().into_iter().find(is_choice).unwrap();
    // Sources for ranges have n if the body reads it, and `Choice::load` declares that they do.
    let item = [
        "unsafe fn chunk(count: &mut [u32]) { r#\" atomicAdd(count, n > 0); \"# }",
        "unsafe fn chunk(a: &mut Packed<u32>) { r#\" a = 1000 * i + j + (n > 0); \"# }",
        "unsafe fn chunk(a: &mut Packed<u32>, b: &mut Packed<u32>) { r#\" a = b = 1000 * i + j + (n > 0); \"# }",
    ][packed];
    Choice { root, block: 8, ..choice }.load(device, "chunk", item).unwrap()
}

fn ltm(device: &Device, packed: usize) -> Kernel {
    kernel(device, &Ltm, Root::Exact, packed)
}

fn launch(kernel: &Kernel, slots: &mut impl Slots<Packed<u32>>) -> td_kernel::Result<()> {
    let mut launch = kernel.launch();
    launch.bind(Axis::All, "out", output(slots))?;
    // SAFETY: the kernel takes one packed argument.
    unsafe { launch.run() }
}

/// The number of pairs that a kernel without slots visits.
fn count(device: &Device, kernel: &Kernel, n: usize) -> td_kernel::Result<usize> {
    let mut found = device.zeroed::<u32>(1)?;
    let mut launch = kernel.launch();
    launch.bind(Axis::Each, "n", n)?;
    launch.bind(Axis::All, "count", SliceMut::view_mut(&mut found))?;
    // SAFETY: the kernel takes a slice of one number.
    unsafe { launch.run() }?;
    Ok(found.download()?[0] as usize)
}

/// Slots may begin before the visited rows, and end after them.
#[test]
fn launch_of_rows_keeps_other_slots() {
    let device = Device::emulator().unwrap();
    let kernel = ltm(&device, 1);
    let mut slots = device.packed(Shape::triangle(40).of_rows(5..35)).unwrap();
    launch(&kernel.rows(10..21), &mut slots).unwrap();
    for (i, row) in slots.download().unwrap().rows() {
        for (j, found) in row.iter().enumerate() {
            let expected = if (10..21).contains(&i) { value(i, j) } else { 0 };
            assert_eq!(*found, expected, "({i}, {j})");
        }
    }
    // All rows are a range too, and slots for the range of all rows are like those of a whole launch.
    let mut slots = device.packed(Shape::triangle(40).of_rows(0..40)).unwrap();
    launch(&kernel, &mut slots).unwrap();
    assert_eq!(slots.download().unwrap().get(39, 38), Some(&value(39, 38)));
}

#[test]
fn kernels_without_slots_in_ranges() {
    let device = Device::emulator().unwrap();
    let kernel = ltm(&device, 0);
    let count = |kernel: &Kernel| count(&device, kernel, 100).unwrap();
    assert_eq!(count(&kernel), 4950);
    assert_eq!(count(&kernel.rows(17..71)), (17..71).sum::<usize>());
    // Each range has its own plan, and so has the launch of all rows.
    assert_eq!(count(&kernel.rows(17..72)), (17..72).sum::<usize>());
    assert_eq!(count(&kernel), 4950);
}

#[test]
fn mismatched_ranges_are_refused() {
    let device = Device::emulator().unwrap();
    let kernel = ltm(&device, 1);
    #[allow(clippy::reversed_empty_ranges)]
    for rows in [5..41, 41..41, 7..3] {
        let launched = launch(&kernel.rows(rows), &mut device.packed(40).unwrap());
        assert_errors! { launched => "are not within 40 elements", Arguments; }
    }
    let mut chunk = device.packed(Shape::triangle(40).of_rows(10..20)).unwrap();
    for other in [kernel.clone(), kernel.rows(9..20), kernel.rows(10..21), kernel.rows(25..30)] {
        assert_errors! { launch(&other, &mut chunk) => "`out` has slots for rows 10..20, but", Arguments; }
    }
    let mut all = device.packed(Shape::triangle(40).with_diagonal().of_rows(0..40)).unwrap();
    assert_errors! { launch(&kernel, &mut all) => "the pairs (i, i), which the kernel does not", Arguments; }
    // An empty range visits nothing, so no slots are missing.
    launch(&kernel.rows(30..30), &mut chunk).unwrap();
    assert!(chunk.download().unwrap().as_slice().iter().all(|value| *value == 0));
}

#[test]
fn slots_begin_at_the_same_row() {
    let device = Device::emulator().unwrap();
    let kernel = ltm(&device, 2).rows(12..20);
    let both = |first: Range<usize>, second: Range<usize>| -> td_kernel::Result<_> {
        let (mut first, mut second) = (
            device.packed::<u32>(Shape::triangle(40).of_rows(first)).unwrap(),
            device.packed::<u32>(Shape::triangle(40).of_rows(second)).unwrap(),
        );
        let mut launch = kernel.launch();
        launch.bind(Axis::All, "first", output(&mut first))?;
        launch.bind(Axis::All, "second", output(&mut second))?;
        // SAFETY: the kernel takes two packed arguments.
        unsafe { launch.run() }?;
        Ok((first.download()?, second.download()?))
    };
    let (first, second) = both(10..20, 10..31).unwrap();
    assert_eq!(second.as_slice()[..first.as_slice().len()], *first.as_slice());
    assert_eq!(first.get(19, 3), Some(&value(19, 3)));
    let words = "begins at row 9, but `first` begins at row 10";
    assert_errors! { both(10..20, 9..20) => words, Arguments "second"; }
    // Row 0 has no pairs, so slots from row 0 on and from row 1 on are the same.
    both(0..20, 1..20).unwrap();
}

#[test]
fn maps_without_ranges_are_refused() {
    let device = Device::emulator().unwrap();
    for &map in MAPS.iter().filter(|map| !map.has_row_ranges()) {
        let kernel = kernel(&device, map, Root::Exact, 1);
        for rows in [3..9, 4..4] {
            let rows = kernel.rows(rows);
            let launched = launch(&rows, &mut device.packed(40).unwrap());
            let tuned = rows.tune(&mut |kernel| launch(kernel, &mut device.packed(40)?));
            assert_errors! {
                launched => [map.name(), "`ltm`", "`rb`"], NoRows;
                rows.report(40) => "", NoRows;
                tuned => "", NoRows;
            }
        }
        launch(&kernel, &mut device.packed(40).unwrap()).unwrap();
    }
}

#[test]
fn ranges_past_the_map_name_its_limit() {
    let device = Device::emulator().unwrap();
    let root = Root::Sqrt { epsilon: 0.01 };
    let kernel = kernel(&device, &Ltm, root, 0);
    let launch = |n: usize, rows: Option<Range<usize>>| {
        let kernel = rows.map_or_else(|| kernel.clone(), |rows| kernel.rows(rows));
        kernel.report(n).map(drop)
    };
    let most = launch(10_000, None).unwrap_err().limit().unwrap();
    launch(most, None).unwrap();
    // The number of elements may exceed the map's limit if the rows do not.
    launch(10_000, Some(0..most - 16)).unwrap();
    let error = launch(10_000, Some(0..most + 32)).unwrap_err();
    assert_eq!((error.kind(), error.limit()), (ErrorKind::MapLimitExceeded, Some(most)), "{error}");
    assert!(
        error.to_string().contains(&format!("rows {:?} are out of range", 0..most + 32)),
        "{error}"
    );
    launch(10_000, Some(most - 50..most)).unwrap();
    let error = launch(10_000, Some(9000..9001)).unwrap_err();
    assert!(error.to_string().contains("the map ltm with the root sqrt"), "{error}");
    let far = error.limit().unwrap();
    assert!(far.abs_diff(most) <= 16, "{far} and {most}");
    // An element count past 32 bits is an error for any rows.
    for rows in [0..9, usize::MAX - 1..usize::MAX] {
        let error = launch(usize::MAX, Some(rows)).unwrap_err();
        assert!(error.limit().is_some(), "{error}");
        assert!(error.to_string().contains(&format!("n = {} is too large", usize::MAX)), "{error}");
    }
}

/// A block that only rounds the grid up computes with a λ past the range, at which the root may fail first: `newton` fails at
/// the first block of a row.
#[test]
fn ranges_at_the_end_of_a_root() {
    let device = Device::emulator().unwrap();
    let root = Root::Newton { epsilon: DEFAULT_EPSILON };
    let end = root.first_failure(0, 1 << 21).unwrap();
    let row = Root::Exact.row(end) as usize;
    let kernel = kernel(&device, &Ltm, root, 0);
    let (mut right, mut refused) = (0, 0);
    for last in row - 2..row + 3 {
        for first in (0..last).rev().take(6) {
            let rows = 8 * first..8 * last;
            let shape = td_kernel_geometry::Shape::blocks(last as u32)
                .with_first(first as u32)
                .with_root(root);
            let past = triangle(shape.first) + Ltm.launches(&shape)[0].grid.units();
            match count(&device, &kernel.rows(rows.clone()), 20_000) {
                Ok(found) => {
                    assert_eq!(found, rows.clone().sum::<usize>(), "{rows:?}");
                    assert!(
                        past <= end,
                        "{rows:?}: the root is asked for λ = {past}, and is right up to {end}"
                    );
                    right += 1;
                }
                Err(error) if error.kind() == ErrorKind::MapLimitExceeded => {
                    assert!(past > end, "{rows:?}");
                    refused += 1;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(right > 5 && refused > 5, "{right} right, {refused} refused");
}

#[test]
fn reports_and_tuning_of_rows() {
    let device = Device::emulator().unwrap();
    let kernel = ltm(&device, 1);
    let chunk = kernel.rows(64..96);
    let report = chunk.report(100).unwrap();
    assert_eq!((report.rows.clone(), report.elements), (Some(64..96), 100));
    let blocks: u32 = report.grids.iter().map(|[x, y]| x * y).sum();
    // Rows of 9, 10, 11 and 12 tiles.
    assert!((42..49).contains(&blocks), "{report}");
    assert!(report.to_string().starts_with("n = 100, rows 64..96: map ltm"), "{report}");
    assert!(kernel.report(100).unwrap().rows.is_none());
    assert!(kernel.rows(3..3).report(100).unwrap().grids.is_empty());
    assert_errors! { kernel.rows(3..101).report(100) => "rows 3..101 are not within 100 elements"; }
    let tuned = chunk.tune(&mut |kernel| launch(kernel, &mut device.packed(100)?)).unwrap();
    assert_eq!((tuned.elements, tuned.rows.clone(), tuned.times.len()), (100, Some(64..96), 1));
    assert!(tuned.to_string().starts_with("n = 100, rows 64..96\n"), "{tuned}");
    let nothing = kernel.rows(3..3).tune(&mut |kernel| launch(kernel, &mut device.packed(100)?));
    assert_errors! { nothing => "cannot be tuned without pairs"; }
}

bytes! { Packed:
    along_rows ();
    one_a_pair (tile = 0);
    walking (map = "walk");
    folded (map = "rb", tile = 64);
}

/// Chunks of the last rows, whose first slot is past 2^32 in the whole triangle, in two launches.
#[test]
fn slots_past_32_bits() {
    let (device, n) = (Device::emulator().unwrap(), 95_000);
    each_variant!(device, |name, kernel| {
        let mut low = device.packed(Shape::triangle(n).of_rows(n - 9..n)).unwrap();
        kernel.rows(n - 9..n - 5).launch(&mut low).unwrap();
        kernel.rows(n - 5..n).launch(&mut low).unwrap();
        for (i, row) in low.download().unwrap().rows() {
            assert!(row.iter().enumerate().all(|(j, low)| *low == byte(i, j)), "{name}, row {i}");
        }
    }, along_rows one_a_pair walking folded);
}
