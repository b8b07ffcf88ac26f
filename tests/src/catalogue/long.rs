//! Elements of a kilobyte, in every sweep: tiles that are too large for a block's shared memory are dropped, in the end all of them.

use td_kernel::{DeviceType, Matrix, Nearest, Packed, Square, Sum, Sums};

use super::entries;
use super::oracle::{Body, Row};
use super::value::Value;

/// A kilobyte.
#[derive(Clone, Copy, Debug, DeviceType)]
#[repr(C)]
pub(crate) struct Long {
    values: [f32; 256],
}

impl Value for Long {
    const WIDTH: usize = 256;
    const MOST: f64 = f64::NAN;
    const LEAST: f64 = f64::NAN;

    fn from_numbers(numbers: &[f64]) -> Self {
        Self { values: std::array::from_fn(|at| numbers[at] as f32) }
    }

    fn numbers(self) -> Row {
        self.values.into_iter().map(f64::from).collect()
    }
}

entries! {
    #[td_kernel]
    unsafe fn long_packed(#[each] x: &[Long], out: &mut Packed<f32>) { r#" out = x.i.values[0] - x.j.values[255]; "# }
    DIFFERENCE;

    #[td_kernel]
    unsafe fn long_square(#[each] x: &[Long], out: &mut Square<f32>) { r#" out = x.i.values[0] - x.j.values[255]; "# }
    DIFFERENCE;

    #[td_kernel]
    unsafe fn long_sum(#[each] x: &[Long], out: &mut Sum<f64>) { r#" out += x.i.values[0] - x.j.values[255]; "# }
    DIFFERENCE;

    #[td_kernel]
    unsafe fn long_nearest(#[each] x: &[Long], #[each] out: &mut Nearest<f32, 4>) { r#" out.push(x.i.values[0] - x.j.values[255]); "# }
    DIFFERENCE;

    #[td_kernel]
    unsafe fn long_results(#[each] x: &[Long], #[each] out: &mut Sums<f32>) { r#" out.i += x.j.values[255]; out.j -= x.i.values[0]; "# }
    |o| {
        let (p, q) = (o.row("x"), o.cols("x")[255]);
        o.put_row("out", q);
        o.put_col("out", -p);
    };

    #[td_kernel]
    unsafe fn long_matrix(#[row] a: &[Long], #[column] b: &[Long], out: &mut Matrix<f32>) { r#" out = a.values[0] - b.values[255]; "# }
    |o| {
        let value = o.row("a") - o.cols("b")[255];
        o.put("out", value);
    };

    #[td_kernel]
    unsafe fn long_in_slices(#[each] x: &[Long], counts: &mut [u32]) { r#" if (x.i.values[0] < x.j.values[32]) atomicAdd(&counts[i % counts_length], 1u); "# }
    |o| {
        if o.row("x") < o.cols("x")[32] {
            o.put("counts", [(o.i % 7) as f64, 1.0]);
        }
    };
}

/// The body of kernels over the first number of a row and the last one of a column.
const DIFFERENCE: fn(&mut Body<'_>) = |o| {
    let value = o.row("x") - o.cols("x")[255];
    o.put("out", value);
};
