//! Arrays whose width a launch gives: their memory, and what is refused.

use td_kernel::{ArraySums, HostMatrix, Result, td_kernel};

use super::devices;

/// Numbers of arrays.
fn numbers(elements: usize, width: usize) -> Vec<f64> {
    (0..elements * width).map(|at| (at * 7 % 11) as f64 - 5.0).collect()
}

/// Arrays are the same after they were uploaded, replaced and downloaded.
#[test]
fn arrays_keep_their_values() -> Result<()> {
    for device in devices() {
        for (n, width) in [(0, 3), (1, 1), (3, 16), (5, 17), (4, 43)] {
            let values = numbers(n, width);
            let mut arrays = device.arrays(&values, width)?;
            assert_eq!(arrays.download()?, HostMatrix::from_vec((n, width), values.clone())?);
            let others: Vec<_> = values.iter().map(|each| each + 1.0).collect();
            arrays.upload_into(&others)?;
            assert_eq!(arrays.download()?.as_slice(), others);
        }
    }
    Ok(())
}

#[td_kernel]
unsafe fn of_tiles(#[each] v: &Arrays<f64>, #[each] out: &mut ArraySums<f64>) {
    r#" out.i += v.j; "#
}

#[test]
fn wrong_widths_are_refused() -> Result<()> {
    let device = devices().remove(0);
    let kernel = of_tiles::load(&device)?;
    let v = device.arrays(&[0.0; 15], 5)?;
    let launch = |mut out: ArraySums<f64>| kernel.launch(&v, &mut out);
    assert_errors! {
        launch(device.array_sums(3, 4)?) => "`out` has arrays of width 4, but `v` has 5: make both with the same width";
        launch(device.array_sums(4, 5)?) => "write `device.array_sums(3, width)`";
        device.arrays::<f32>(&[], 0) => "pass at least 1";
    }
    assert!(device.array_sums::<f32>(3, 0).is_err());
    assert!(device.arrays(&[1.0, 2.0], 2)?.upload_into(&[1.0]).is_err());
    Ok(())
}

#[td_kernel]
unsafe fn reads_a_number(#[column] v: &Arrays<f32>, #[row] out: &mut ArraySums<f32>) {
    r#" out += v[3] * v; "#
}

#[td_kernel]
unsafe fn adds_a_number(#[column] v: &Arrays<f32>, #[row] out: &mut ArraySums<f32>) {
    r#"
    out += v;
    out[3] += 1;
    "#
}

/// A body has a block of the numbers, so an index would mean another number in each block.
#[test]
fn indices_do_not_compile() {
    for device in devices() {
        assert_errors! {
            reads_a_number::load(&device) => "whole, as in x += weight * v";
            adds_a_number::load(&device) => "whole, as in x += weight * v";
        }
    }
}
