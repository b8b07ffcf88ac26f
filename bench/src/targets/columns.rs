//! A Gaussian kernel matrix times several columns, without storing the matrix. Compared with the time to issue a pair's
//! instructions, and with other libraries.

use anyhow::Result;
use td_kernel::{LaunchWith, Slice, SumElement, Sums, td_kernel};

use super::issue::way_beside_issue;
use super::others::{around, elements};
use super::{Measured, Setting};
use crate::measure::by_hand::Mix;
use crate::measure::gpu::{ROUNDS, Way};
use crate::measure::points::{Point, points, rows_of_two};
use crate::measure::{expect, some};
use crate::subject::GENERATED;

macro_rules! gaussian {
    ($($name:ident: $columns:ty;)*) => {$(
        #[td_kernel(
            fmad = true,
            prelude = r#"
            float weight(float3 x, float3 y) {
                float a = x.x - y.x, b = x.y - y.y, c = x.z - y.z;
                return expf(-(a * a + b * b + c * c));
            }
            "#
        )]
        pub(super) unsafe fn $name(
            #[row] x: &[[f32; 3]],
            #[column] y: &[[f32; 3]],
            #[column] v: &[$columns],
            #[row] out: &mut Sums<$columns>,
        ) {
            r#" out += weight(x, y) * v; "#
        }
    )*};
}

gaussian! {
    times_16: [f32; 16];
    times_32: [f32; 32];
    times_64: [f32; 64];
}

/// The same for any number of columns.
#[td_kernel(fmad = true)]
unsafe fn times_given(
    #[row] x: &[[f32; 3]],
    #[column] y: &[[f32; 3]],
    #[column] v: &Arrays<f32>,
    #[row] out: &mut ArraySums<f32>,
) {
    r#"
    float a = x.x - y.x, b = x.y - y.y, c = x.z - y.z;
    out += expf(-(a * a + b * b + c * c)) * v;
    "#
}

// The kernel matrix times a vector of the guide's comparison.
include!("../../../tests/tests/guide/comparison/product.rs");

/// An error if some rows differ from sums in double precision. All terms are positive, so a sum is its magnitude.
fn check<P: Point>(points: &[P], columns: &[f32], found: &[f32]) -> Result<()> {
    let width = columns.len() / points.len();
    for i in some(points.len()) {
        let weights = points.iter().map(|point| (-points[i].square_to(point)).exp());
        let weights: Vec<f64> = weights.collect();
        for column in 0..width {
            let numbers = columns[column..].iter().step_by(width);
            let terms = weights.iter().zip(numbers).map(|(weight, v)| weight * f64::from(*v));
            let expected: f64 = terms.sum();
            let sum = found[i * width + column].into();
            expect(format!("row {i}, column {column}"), sum, expected, 1e-5 * expected)?;
        }
    }
    Ok(())
}

/// Compared with another library.
pub(super) fn beside(setting: &Setting) -> Measured {
    let Setting { gpu, n, .. } = setting;
    let (device, points, columns) = (&gpu.device, points::<[f32; 4]>(*n), points::<f32>(*n));
    let (p, v) = (device.upload(&points)?, device.upload(&columns)?);
    let (kernel, mut sums) = (product::load(device)?, device.sums(*n)?);
    kernel.launch(&p, &v, 1.0, &mut sums)?;
    check(&points, &columns, &sums.download()?)?;
    around(setting, elements(setting.other, "product", *n), || {
        let own = Way::new(GENERATED, || Ok(kernel.launch(&p, &v, 1.0, &mut sums)?));
        gpu.samples(ROUNDS, 4, vec![own])
    })
}

/// Compared with 7 FP32 instructions, a root, which takes as long as a power of two, and a multiply-add for each column.
pub(super) fn beside_floor<const W: usize, K>(Setting { gpu, n, .. }: &Setting) -> Measured
where
    [f32; W]: SumElement,
    K: for<'a> LaunchWith<(
        &'a dyn Slice<[f32; 3]>,
        &'a dyn Slice<[f32; 3]>,
        &'a dyn Slice<[f32; W]>,
        &'a mut Sums<[f32; W]>,
    )>,
{
    let device = &gpu.device;
    let (points, [columns, _]) = (points::<[f32; 3]>(*n), rows_of_two(*n, 0, W));
    let (p, v) = (device.upload(&points)?, device.upload(columns.as_chunks::<W>().0)?);
    let (kernel, mut sums) = (K::load(device)?, device.sums::<[f32; W]>(*n)?);
    kernel.launch_with((&p, &p, &v, &mut sums))?;
    check(&points, &columns, sums.download()?.as_flattened())?;
    let own = Way::new(GENERATED, || Ok(kernel.launch_with((&p, &p, &v, &mut sums))?));
    let repeats = if *n > 65_536 { 1 } else { 4 };
    way_beside_issue(gpu, Mix::gaussian(W as u32), n * n, repeats, own)
}

/// The columns that a launch gives.
const GIVEN: usize = 100;

/// Compared with launches of the kernel for 16 columns.
pub(super) fn beside_arrays(Setting { gpu, n, .. }: &Setting) -> Measured {
    let device = &gpu.device;
    let (points, [columns, _]) = (points::<[f32; 3]>(*n), rows_of_two(*n, 0, GIVEN));
    let (p, v) = (device.upload(&points)?, device.arrays(&columns, GIVEN)?);
    let mut sums = device.array_sums::<f32>(*n, GIVEN)?;
    let mut blocks = Vec::new();
    for first in (0..GIVEN).step_by(16) {
        let block = columns
            .chunks(GIVEN)
            .map(|row| std::array::from_fn(|at| row.get(first + at).copied().unwrap_or_default()));
        let block = device.upload(&block.collect::<Vec<[f32; 16]>>())?;
        blocks.push((block, device.sums::<[f32; 16]>(*n)?));
    }
    let (kernel, sixteen) = (times_given::load(device)?, times_16::load(device)?);
    kernel.launch(&p, &p, &v, &mut sums)?;
    check(&points, &columns, sums.download()?.as_slice())?;
    let own = Way::new(GENERATED, || Ok(kernel.launch(&p, &p, &v, &mut sums)?));
    let by_block = Way::new("in blocks of 16", || {
        let mut blocks = blocks.iter_mut();
        Ok(blocks.try_for_each(|(v, sums)| sixteen.launch(&p, &p, v, sums))?)
    });
    gpu.time(ROUNDS, 1, vec![own, by_block])
}

#[cfg(test)]
mod tests {
    use td_kernel::Device;

    use super::*;

    #[test]
    fn sums_are_checked() {
        let device = Device::cpu().unwrap();
        let (points, [columns, _]) = (points::<[f32; 3]>(200), rows_of_two(200, 0, 16));
        let p = device.upload(&points).unwrap();
        let v = device.upload(columns.as_chunks::<16>().0).unwrap();
        let mut sums = device.sums(200).unwrap();
        times_16::load(&device).unwrap().launch(&p, &p, &v, &mut sums).unwrap();
        check(&points, &columns, sums.download().unwrap().as_flattened()).unwrap();
        let error = check(&points, &columns, &[0.0; 200 * 16]).unwrap_err().to_string();
        assert!(error.starts_with("row 0, column 0: 0 instead of "), "{error}");
    }
}
