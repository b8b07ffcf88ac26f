//! The pairs of two sets: at sizes that need a GPU's speed and memory.

use std::ops::Range;

use td_kernel::{Device, ErrorKind, td_kernel};

use crate::gpu;

/// Runs code for each variant of each of these kernels.
macro_rules! each_text {
    ($device:ident, |$name:ident, $kernel:ident| $do:block, $($module:ident)*) => {$(
        for variant in 0..$module::SOURCES.len() {
            let $name = format!("{}, {variant}", stringify!($module));
            let $kernel = $module { kernel: $module::load(&$device).unwrap().kernel.pin(variant) };
            $do
        }
    )*};
}

// After the macro, which it uses.
mod past_32_bits;

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
    let error = kernel.rows(chunk).launch(x, y, &mut more).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Arguments, "{error}");
    let words = format!("has {} slots", length + 1);
    assert!(error.to_string().contains(&words), "{error}");
}

#[td_kernel]
unsafe fn sums(#[row] x: &[u32], #[column] y: &[u32], out: &mut Matrix<u32>) {
    r#" out = x + y; "#
}
