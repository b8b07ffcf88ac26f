//! `td_kernel::testing` with nearest neighbours, used as in a user's test. These tests need NVRTC and no GPU.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::cell::Cell;
use std::collections::BTreeSet;

use td_kernel::td_kernel;
use td_kernel::testing::{self, Failure};
use td_kernel_tests::assert_failures;
use td_kernel_tests::covering::EVERY;

#[td_kernel]
unsafe fn apart(#[each] x: &[i32], #[each] near: &mut Nearest<i32, 4>) {
    r#" near.push(abs(x.i - x.j)); "#
}

#[td_kernel]
unsafe fn any_number(#[each] x: &[i32], #[each] near: &mut Nearest<i32>) {
    let pair = r#" near.push(abs(x.i - x.j)); "#;
    let lower_bound = r#" max(x.i.lo - x.j.hi, x.j.lo - x.i.hi) "#;
}

#[td_kernel(tile = 32, diagonal = true)]
unsafe fn diagonal(#[each] x: &[f32], limit: f32, #[each] near: &mut Nearest<f32, 9>) {
    r#"
    float d = fabsf(x.i - x.j);
    if (d < limit)
        near.push(d);
    "#
}

#[td_kernel]
unsafe fn folded(
    #[row] p: &Features<f32>,
    #[column] q: &Features<f32>,
    #[fold] sum: f32,
    #[row] near: &mut Nearest<f32, 3>,
) {
    let feature = r#" float d = p - q; sum += d * d; "#;
    let pair = r#" near.push(sum); "#;
}

/// 150 elements: several of the largest tiles, many equal values, and no order.
fn x() -> Vec<i32> {
    (0..150).map(|k| k * k % 101).collect()
}

/// Each source is compiled, with the function that merges; none is for a range of rows. By default, that is for one
/// architecture.
#[test]
fn kernels_of_neighbours_compile() -> Result<(), Failure> {
    let architectures: &[u32] = if EVERY { &[75, 90] } else { &[90] };
    let checked = testing::compile_all(architectures)?;
    let texts = [
        ("apart", apart::SOURCES.len()),
        ("diagonal", diagonal::SOURCES.len()),
        ("folded", folded::SOURCES.len()),
        // For each way in which kernels keep neighbours.
        ("any_number", 3 * any_number::SOURCES.len()),
        ("in_sets", in_sets::SOURCES.len()),
        ("in_row_sets", in_row_sets::SOURCES.len()),
    ];
    for (kernel, texts) in texts {
        assert_eq!(
            checked.iter().filter(|each| each.kernel == kernel).count(),
            architectures.len() * texts
        );
    }
    assert!(checked.iter().all(|each| each.warnings.is_empty()), "{checked:?}");
    let numbers: BTreeSet<_> = checked.iter().filter_map(|each| each.compiled_for).collect();
    assert!(numbers.into_iter().eq([16, 32, 256]));
    assert!(apart::SOURCES.iter().all(|text| text.contains("apart_merge(")));
    Ok(())
}

#[test]
fn testing_neighbours_of_one_set() -> Result<(), Failure> {
    let (x, runs) = (x(), Cell::new(0));
    let found = testing::nearest::<_, 4>(x.len(), |device, near| {
        runs.set(runs.get() + 1);
        apart::load(device)?.launch(&device.upload(&x)?, near)
    })?;
    assert_eq!(runs.get(), apart::SOURCES.len());
    let value = |i: usize, j: usize| Some((x[i] - x[j]).abs());
    found.equals(|i, j| {
        assert!(i > j, "the pair ({i}, {j})");
        value(i, j)
    })?;
    found.within(0.0, value)?;
    found.compare(value, |found, expected| found == expected)?;

    let is_pair = |i, j| (i, j) == (101, 0);
    // Elements 0 and 101 are equal, and without their pair both have other neighbours.
    let without = found.equals(|i, j| value(i, j).filter(|_| !is_pair(i, j)));
    let words = [
        "(map rounds, sweep columns",
        "element 0 got index 101 with value 0 at position 0, but index 1 with value 1 was expected; 2 of 150 results",
    ];
    // A pair that is nearer than the found ones.
    let nearer = found.within(0.1, |i, j| if (i, j) == (9, 7) { Some(-5) } else { value(i, j) });
    let of_nearer = "but index 9 with value -5 was expected; 2 of 150 results are wrong$";
    assert_failures! {
        without => Failure::WrongElement { kernel: "apart", element: 0, wrong: 2, all: 150, .. }, words;
        nearer => Failure::WrongElement { element: 7, wrong: 2, all: 150, .. }, of_nearer;
    }
    Ok(())
}

#[test]
fn testing_neighbours_of_two_sets() -> Result<(), Failure> {
    let width = 7;
    let values = |factor: usize, rows: usize| -> Vec<f32> {
        (0..rows * width).map(|k| (k * factor % 89) as f32 / 3.0).collect()
    };
    let (p, q) = (values(31, 70), values(57, 140));
    let value = |i: usize, j: usize| {
        let terms = (0..width).map(|k| f64::from(p[i * width + k] - q[j * width + k]).powi(2));
        Some(terms.sum::<f64>() as f32)
    };
    let found = testing::nearest::<_, 3>((70, 140), |device, near| {
        let (p, q) = (device.features(&p, width)?, device.features(&q, width)?);
        folded::load(device)?.launch(&p, &q, near)
    })?;
    found.within(1e-5, value)?;
    let other = found.within(1e-5, |i, j| value(i, j).map(|value| value * 1.001));
    assert_failures! { other => Failure::WrongElement { kernel: "folded", element: 0, wrong: 70, .. }, ""; }
    Ok(())
}

#[test]
fn launch_with_other_neighbours_fails() {
    let failure = testing::nearest::<i32, 4>(150, |device, _| {
        let mut others = device.nearest(150)?;
        apart::load(device)?.launch(&device.upload(&x())?, &mut others)
    });
    assert!(matches!(failure, Err(Failure::NothingLaunched)));
}

#[td_kernel]
unsafe fn in_sets(#[each] x: &Sets<i32>, #[each] near: &mut Nearest<i32, 4>) {
    r#" near.push(abs(x.i - x.j)); "#
}

#[td_kernel]
unsafe fn in_row_sets(
    #[row] x: &Sets<i32>,
    #[column] y: &Sets<i32>,
    #[row] near: &mut Nearest<i32, 4>,
) {
    r#" near.push(abs(x - y)); "#
}

/// Elements of wrong results are named within their sets.
#[test]
fn neighbours_in_sets_are_compared() -> Result<(), Failure> {
    let sets = [vec![7], vec![], (0..70).collect(), vec![5, 6]];
    let found = testing::nearest_sets::<_, _, 4>(&sets, |device, x, near| {
        in_sets::load(device)?.launch(x, near)
    })?;
    let apart = |set: usize, i: usize, j: usize| Some((sets[set][i] - sets[set][j]).abs());
    found.equals(apart)?;
    found.within(1e-6, apart)?;
    let other = |set, i, j| apart(set, i, j).map(|d| if [set, i, j] == [2, 9, 8] { 50 } else { d });
    let words = ["map set_rows", "element 8 of set 2 got"];
    assert_failures! {
        found.equals(other) => Failure::WrongElement { set: Some(2), element: 8, wrong: 2, all: 73, .. }, words;
    }
    let columns = [vec![3, 4], (0..9).collect(), vec![], (0..200).rev().collect()];
    let found = testing::nearest_row_sets::<_, _, _, 4>(&sets, &columns, |device, x, y, near| {
        in_row_sets::load(device)?.launch(x, y, near)
    })?;
    found.equals(|set, i, j| Some((sets[set][i] - columns[set][j]).abs()))
}
