//! `td_kernel::testing`, used as in a user's test, on this file's own kernels. These tests need NVRTC and no GPU.
#![allow(clippy::unwrap_used, clippy::panic)]

use td_kernel::testing::{self, Failure};
use td_kernel::{DeviceType, Shape, td_kernel};
use td_kernel_tests::{assert_errors, assert_failures};

#[td_kernel]
unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    r#" distance = fabsf(x.i - x.j); "#
}

#[td_kernel(diagonal = true)]
unsafe fn product(#[each] x: &[f32], product: &mut Packed<f32>) {
    r#" product = x.i * x.j; "#
}

/// Wrong if i + j is 77, in every variant.
#[td_kernel]
unsafe fn wrong(square: &mut Square<u32>) {
    r#" square = i + j == 77 ? 0 : i + j; "#
}

#[td_kernel]
unsafe fn close(#[each] x: &[f32], count: &mut Sum<u64>, list: &mut Pairs) {
    r#"
    if (fabsf(x.i - x.j) < 7) {
        count += 1;
        list.push();
    }
    "#
}

#[td_kernel(tile = 0)]
unsafe fn single(total: &mut Sum<u64>) {
    r#" total += 1; "#
}

/// Listed too, though its function is never called.
#[allow(dead_code)]
fn never_called() {
    #[td_kernel(map = "rb", tile = 32)]
    unsafe fn inner(total: &mut Sum<f64>) {
        r#" total += 0.5; "#
    }
    /// Does not compile for any GPU.
    #[td_kernel]
    #[cfg(any())]
    unsafe fn removed(total: &mut Sum<f64>) {
        r#" total += nothing; "#
    }
}

/// 100 elements: several of the smallest tiles, and not a multiple of any tile's side.
fn x() -> Vec<f32> {
    (0..100).map(|k| (k * 31 % 100) as f32).collect()
}

#[test]
fn compile_all() -> Result<(), Failure> {
    let checked = testing::compile_all(&[75, 90])?;
    let texts = distance::SOURCES.len()
        + product::SOURCES.len()
        + wrong::SOURCES.len()
        + close::SOURCES.len()
        + difference::SOURCES.len()
        + of_sets::SOURCES.len()
        + of_two_sets::SOURCES.len()
        + of_feature_sets::SOURCES.len()
        + first::SOURCES.len()
        + 2;
    // Each kernel but those with a `Square`, `Sets`, `FeatureSets` or a `Reduce` also has a source for given pairs.
    assert_eq!(checked.len(), 2 * (texts + 6));
    for kernel in ["distance", "product", "wrong", "close", "difference", "single", "inner"] {
        assert!(checked.iter().any(|each| each.kernel == kernel && each.architecture == 75));
    }
    assert!(checked.iter().all(|each| each.warnings.is_empty()), "{checked:?}");
    Ok(())
}

#[test]
fn unknown_architectures_are_named() {
    for architecture in [9, 20, 50, 900] {
        let failure = testing::compile_all(&[90, architecture]).unwrap_err();
        assert!(
            matches!(&failure, Failure::UnknownArchitecture { architecture: named, .. } if *named == architecture),
            "{failure}"
        );
        assert!(failure.to_string().contains("90 is compute capability 9.0"), "{failure}");
    }
    assert!(matches!(testing::compile_all(&[]), Err(Failure::NoArchitectures)));
}

#[test]
fn testing_compares_stored_values() -> Result<(), Failure> {
    let x = x();
    let stored = testing::packed(x.len(), |device, distances| {
        distance::load(device)?.launch(&device.upload(&x)?, distances)
    })?;
    stored.within(1e-6, |i, j| (x[i] - x[j]).abs())?;
    stored.equals(|i, j| (x[i] - x[j]).abs())?;
    // A kernel with the diagonal gets slots for it.
    testing::packed(x.len(), |device, products| {
        product::load(device)?.launch(&device.upload(&x)?, products)
    })?
    .equals(|i, j| x[i] * x[j])?;

    let one = stored.equals(|i, j| if (i, j) == (9, 8) { -1.0 } else { (x[i] - x[j]).abs() });
    let words = ["map ltm, sweep rows", "-1.0 was expected"];
    assert_failures! {
        one => Failure::Differs { kernel: "distance", pair: [9, 8], wrong: 1, all: 4950, .. }, words;
        stored.within(1e-6, |_, _| f32::NAN) => Failure::Differs { wrong: 4950, .. }, "";
    }
    Ok(())
}

#[test]
fn testing_compares_both_halves() {
    let stored =
        testing::square(100, |device, square| wrong::load(device)?.launch(square)).unwrap();
    stored.equals(|i, j| if i + j == 77 { 0 } else { (i + j) as u32 }).unwrap();
    let other = stored.equals(|i, j| (i + j) as u32);
    assert_failures! { other => Failure::Differs { pair: [0, 77], wrong: 78, all: 9900, .. }, ""; }
}

#[test]
fn totals_and_lists_are_compared() -> Result<(), Failure> {
    let x = x();
    let is_close = |i: usize, j: usize| (x[i] - x[j]).abs() < 7.0;
    let total = testing::sum(x.len(), |device, count| {
        close::load(device)?.launch(&device.upload(&x)?, count, &mut device.pairs(5000)?)
    })?;
    total.equals(|i, j| u64::from(is_close(i, j)))?;
    let other = total.equals(|_, _| 1);
    assert_failures! { other => Failure::WrongTotal { kernel: "close", .. }, "4950 was expected"; }

    let listed = testing::pairs(x.len(), |device, list| {
        close::load(device)?.launch(&device.upload(&x)?, &mut device.sum()?, list)
    })?;
    listed.equals(is_close)?;
    let missing = listed.equals(|i, j| is_close(i, j) || (i, j) == (50, 0));
    let extra = listed.equals(|i, j| is_close(i, j) && i != 99);
    assert_errors! {
        missing => "(50, 0) was not listed, but should be listed;";
        extra => "was listed, but should not be listed;";
    }

    // Launched twice, so each pair is listed twice.
    let twice = testing::pairs(20, |device, list| {
        let kernel = close::load(device)?;
        let (x, mut count) = (device.upload(&x[..20])?, device.sum()?);
        kernel.launch(&x, &mut count, list)?;
        kernel.launch(&x, &mut count, list)
    })?;
    assert_errors! { twice.equals(is_close) => "was listed again, but should be listed once;"; }
    Ok(())
}

/// Kernels with more and with fewer variants in one run: the one that gets the output is tested.
#[test]
fn run_may_load_other_kernels() -> Result<(), Failure> {
    let runs = std::cell::Cell::new(0);
    testing::packed(100, |device, distances| {
        runs.set(runs.get() + 1);
        let x = device.upload(&x())?;
        distance::load(device)?.launch(&x, distances)?;
        let mut products = device.packed(Shape::triangle(100).with_diagonal())?;
        product::load(device)?.launch(&x, &mut products)?;
        single::load(device)?.launch(3, &mut device.sum()?)
    })?
    .equals(|i, j| (x()[i] - x()[j]).abs())?;
    assert!(distance::SOURCES.len() > single::SOURCES.len());
    assert_eq!(runs.get(), distance::SOURCES.len());
    Ok(())
}

/// With every map of `map = "auto"`, one of which has no ranges of rows.
#[td_kernel(map = "auto")]
unsafe fn difference(#[each] x: &[f32], difference: &mut Packed<f32>) {
    r#" difference = x.i - x.j; "#
}

/// A kernel that is launched for rows is tested in the variants that have ranges; the others are skipped, without an error.
#[test]
fn row_launches_run_every_source() -> Result<(), Failure> {
    let x = x();
    let runs = std::cell::Cell::new(0);
    let in_chunks = |last: usize| {
        testing::packed(x.len(), |device, differences| {
            runs.set(runs.get() + 1);
            let kernel = difference::load(device)?;
            let points = device.upload(&x)?;
            kernel.rows(0..33).launch(&points, differences)?;
            kernel.rows(33..last).launch(&points, differences)
        })
    };
    in_chunks(100)?.equals(|i, j| x[i] - x[j])?;
    assert_eq!(runs.get(), difference::SOURCES.len());
    assert!(difference::SOURCES.iter().any(|text| text.contains("Map h:")));
    let other = in_chunks(99)?.equals(|i, j| x[i] - x[j]);
    assert_failures! { other => Failure::Differs { pair: [99, _], all: 4950, .. }, ""; }
    // A kernel without any such variant still gives an error.
    let failure =
        testing::square(100, |device, square| wrong::load(device)?.rows(0..50).launch(square));
    assert_errors! { failure => "`Square`"; }
    Ok(())
}

#[td_kernel]
unsafe fn of_sets(#[each] x: &Sets<u32>, out: &mut Packed<u32>) {
    r#" out = x.i * x.j + (set == 2 && i == 3 && j == 1); "#
}

/// Sets in runs of pairs, and in the tiles of every variant.
#[test]
fn pairs_within_sets_are_compared() -> Result<(), Failure> {
    let sets = [vec![7], vec![1, 2, 3], (0..70).collect(), vec![], vec![5, 6]];
    let stored =
        testing::packed_sets(&sets, |device, x, out| of_sets::load(device)?.launch(x, out))?;
    let product = |set: usize, i: usize, j: usize| sets[set][i] * sets[set][j];
    stored.equals(|set, i, j| product(set, i, j) + u32::from((set, i, j) == (2, 3, 1)))?;
    let words = ["map sets, sweep sets", "pair (3, 1) of set 2 gave 4"];
    assert_failures! {
        stored.equals(product) => Failure::Differs { set: Some(2), pair: [3, 1], wrong: 1, all: 2419, .. }, words;
    }
    Ok(())
}

#[td_kernel]
unsafe fn of_two_sets(#[row] x: &Sets<u32>, #[column] y: &Sets<u8>, out: &mut Matrix<u32>) {
    r#" out = x * y + (set == 2 && i == 3 && j == 1); "#
}

#[test]
fn pairs_of_rows_and_columns_are_compared() -> Result<(), Failure> {
    let rows = [vec![7], vec![1, 2, 3], (0..70).collect(), vec![], vec![5, 6]];
    let columns = [vec![], vec![4, 5], (0..50).collect(), vec![1], vec![3]];
    let stored = testing::matrix_sets(&rows, &columns, |device, x, y, out| {
        of_two_sets::load(device)?.launch(x, y, out)
    })?;
    let product = |set: usize, i: usize, j: usize| rows[set][i] * u32::from(columns[set][j]);
    stored.equals(|set, i, j| product(set, i, j) + u32::from((set, i, j) == (2, 3, 1)))?;
    assert_failures! {
        stored.equals(product) => Failure::Differs { set: Some(2), pair: [3, 1], wrong: 1, all: 3508, .. }, "";
    }
    Ok(())
}

#[td_kernel]
unsafe fn of_feature_sets(#[each] p: &FeatureSets<u32>, #[fold] sum: u32, out: &mut Packed<u32>) {
    let feature = r#" sum += p.i * p.j; "#;
    let pair = r#" out = sum + (set == 2 && i == 3 && j == 1); "#;
}

/// In tiles of every side.
#[test]
fn pairs_with_features_within_sets_are_compared() -> Result<(), Failure> {
    let of_sizes =
        |sizes: [u32; 4]| sizes.map(|size| (0..size).map(|k| [k, size, 3]).collect::<Vec<_>>());
    let sets = of_sizes([1, 3, 140, 0]);
    let stored = testing::packed_feature_sets(&sets, |device, p, out| {
        of_feature_sets::load(device)?.launch(p, out)
    })?;
    let product = |set: usize, i: usize, j: usize| {
        let [a, b] = [sets[set][i], sets[set][j]];
        a.iter().zip(b).map(|(a, b)| a * b).sum::<u32>()
    };
    stored.equals(|set, i, j| product(set, i, j) + u32::from((set, i, j) == (2, 3, 1)))?;
    let words = "map set_tiles, sweep fold";
    assert_failures! {
        stored.equals(product) => Failure::Differs { set: Some(2), pair: [3, 1], wrong: 1, all: 9733, .. }, words;
    }
    Ok(())
}

#[test]
fn run_without_a_kernel_fails() {
    let failure = testing::sum::<u32>(10, |_, _| Ok(()));
    assert!(matches!(failure, Err(Failure::NothingLaunched)));
    // Loading a kernel does not launch it, and a launch with another output does not count.
    let failure = testing::packed::<f32>(100, |device, _| {
        let mut others = device.packed(100)?;
        distance::load(device)?.launch(&device.upload(&x())?, &mut others)
    });
    assert!(matches!(failure, Err(Failure::NothingLaunched)));
    let failure = testing::pairs(10, |device, _| close::load(device).map(drop));
    assert!(matches!(failure, Err(Failure::NothingLaunched)));
    let failure = testing::packed::<f32>(10, |device, slots| {
        distance::load(device)?.launch(&device.upload(&x())?, slots)
    });
    assert_errors! { failure => "`distance` is for 10 elements"; }
}

/// Which of two states is the first one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
struct First {
    /// -1 for none.
    column: i32,
    pairs: u32,
}

/// `join` is not commutative: it keeps its first argument.
#[td_kernel(prelude = r#"
First join(First a, First b)
{
    return {a.column < 0 ? b.column : a.column, a.pairs + b.pairs};
}
"#)]
unsafe fn first(#[row] x: &[f32], #[column] y: &[f32], #[row] out: &mut Reduce<First>) {
    r#" out.join({(int)j, x > y ? 2u : 1u}); "#
}

#[test]
fn orders_of_joins_are_compared() -> Result<(), Failure> {
    let none = First { column: -1, pairs: 0 };
    let found = testing::reduce(40, none, |device, out| {
        first::load(device)?.launch(&device.upload(&[0.0; 40])?, &device.upload(&[1.0; 90])?, out)
    })?;
    found.compare(
        |_| First { column: 0, pairs: 90 },
        |found, expected| found.pairs == expected.pairs,
    )?;
    let first = found.equals(|_| First { column: 0, pairs: 90 });
    let words = "`first` (arguments of `join` exchanged): element 0 got";
    assert_failures! { first => Failure::WrongElement { element: 0, wrong: 40, all: 40, .. }, words; }
    Ok(())
}
