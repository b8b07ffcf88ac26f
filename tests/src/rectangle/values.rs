//! Matrices of several types.

use std::fmt::Debug;
use td_kernel::__private::{Axis, output};

use td_kernel::{Buffer, Device, DeviceType, Kernel, Matrix, Result, Shape, Slice};

use super::{Choice, cuts};
use crate::folds::{Added, pass};

/// Values that form vectors, values that go through shared memory, and values that are stored one by one: in one launch, and in
/// chunks of some rows. With a turn, two of five types.
pub fn check_values(
    device: &Device,
    choice: &Choice,
    turn: Option<usize>,
    sizes: &[[usize; 2]],
) -> Result<()> {
    let is_tried = |at: usize| turn.is_none_or(|turn| [0, 2].contains(&((at + turn) % 5)));
    if is_tried(0) {
        let value = |i: u32, j: u32| i as f32 + 0.5 * j as f32;
        check(device, choice, ["f32", "out = a + 0.5f * b;"], sizes, value)?;
    }
    if is_tried(1) {
        check(device, choice, ["u8", "out = a + 3 * b;"], sizes, |i, j| (i + 3 * j) as u8)?;
    }
    if is_tried(2) {
        let value = |i: u32, j: u32| f64::from(i) - 0.5 * f64::from(j);
        check(device, choice, ["f64", "out = a - 0.5 * b;"], sizes, value)?;
    }
    if is_tried(3) {
        let three = ["[f32; 3]", "out = make_float3(a, b, j);"];
        check(device, choice, three, sizes, |i, j| [i as f32, j as f32, j as f32])?;
    }
    if is_tried(4) {
        let bytes = ["[u8; 3]", "out = make_uchar3(a, b, a + b);"];
        check(device, choice, bytes, sizes, |i, j| [i as u8, j as u8, (i + j) as u8])?;
    }
    Ok(())
}

/// A matrix of one type, whose values are `value(i, j)` in C++ and here: in one launch, and in chunks of some rows.
fn check<T: DeviceType + PartialEq + Debug>(
    device: &Device,
    choice: &Choice,
    [name, value]: [&str; 2],
    sizes: &[[usize; 2]],
    expected: impl Fn(u32, u32) -> T,
) -> Result<()> {
    let item = format!(
        "unsafe fn values(#[row] a: &[u32], #[column] b: &[u32], out: &mut Matrix<{name}>) {{ r#\" {value} \"# }}"
    );
    let kernel = choice.load(device, "values", &item)?;
    let launch = |kernel: &Kernel, a: &Buffer<u32>, b: &Buffer<u32>, out: &mut Matrix<T>| {
        let added = Added::of_sets(device, choice.sweep, [a.len(), b.len()])?;
        let mut launch = kernel.launch();
        pass!(launch, added);
        launch.bind(Axis::Row, "a", Slice::view(a))?;
        launch.bind(Axis::Column, "b", Slice::view(b))?;
        launch.bind(Axis::All, "out", output(out))?;
        // SAFETY: the parameters of the item, in its order and with its types.
        unsafe { launch.run() }
    };
    for &[rows, columns] in sizes {
        let context = format!("{choice:?}, {name}, {rows} x {columns}, on {}", device.name());
        let a = device.upload(&(0..rows as u32).collect::<Vec<_>>())?;
        let b = device.upload(&(0..columns as u32).collect::<Vec<_>>())?;
        let mut out = device.matrix((rows, columns))?;
        launch(&kernel, &a, &b, &mut out)?;
        for ((i, j), value) in out.download()? {
            assert_eq!(value, expected(i as u32, j as u32), "{context}: ({i}, {j})");
        }
        for chunk in cuts(rows).concat() {
            // A chunk may have more rows than the launch visits.
            let first = chunk.start.saturating_sub(3);
            let mut out =
                device.matrix(Shape::rectangle(rows, columns).of_rows(first..chunk.end))?;
            launch(&kernel.rows(chunk.clone()), &a, &b, &mut out)?;
            for ((i, j), value) in out.download()? {
                if chunk.contains(&i) {
                    assert_eq!(
                        value,
                        expected(i as u32, j as u32),
                        "{context}, {chunk:?}: ({i}, {j})"
                    );
                }
            }
        }
    }
    Ok(())
}
