//! Slots beside other slots or beside results of elements, compared with a fill of the slots.

use anyhow::ensure;
use td_kernel::td_kernel;

use super::{Measured, Setting};
use crate::measure::gpu::{ROUNDS, Way};
use crate::measure::points::points;
use crate::subject::{GENERATED, fill};

/// Packed values beside a square of them.
#[td_kernel]
unsafe fn packed_and_square(#[each] x: &[f32], a: &mut Packed<f32>, b: &mut Square<f32>) {
    r#" a = b = fabsf(x.i - x.j); "#
}

/// Packed values beside the least of each element.
#[td_kernel]
unsafe fn packed_and_least(
    #[each] x: &[f32],
    a: &mut Packed<f32>,
    #[each] least: &mut Minima<(f32, u32)>,
) {
    r#" a = fabsf(x.i - x.j); least.offer(a); "#
}

pub(super) fn square(Setting { gpu, n, .. }: &Setting) -> Measured {
    let values: Vec<f32> = points(*n);
    let x = gpu.device.upload(&values)?;
    let (mut packed, mut square) = (gpu.device.packed(*n)?, gpu.device.square(*n)?);
    let fill = fill(gpu, "float4 fill", (packed.len() + n * n) * size_of::<f32>())?;
    let kernel = packed_and_square::load(&gpu.device)?;
    let own = Way::new(GENERATED, || Ok(kernel.launch(&x, &mut packed, &mut square)?));
    let times = gpu.time(ROUNDS, 4, vec![own, fill])?;
    let (packed, square) = (packed.download()?, square.download()?);
    let pairs = (0..*n).flat_map(|i| (0..i).map(move |j| (i, j)));
    let is_right = |((i, j), value): ((usize, usize), &f32)| {
        let expected = (values[i] - values[j]).abs();
        [*value, square.as_slice()[i * n + j], square.as_slice()[j * n + i]] == [expected; 3]
    };
    let are_right = pairs.zip(packed.as_slice()).all(is_right);
    ensure!(are_right, "packed values beside a square are wrong");
    Ok(times)
}

pub(super) fn results(Setting { gpu, n, .. }: &Setting) -> Measured {
    let values: Vec<f32> = points(*n);
    let x = gpu.device.upload(&values)?;
    let (mut packed, mut least) = (gpu.device.packed(*n)?, gpu.device.minima(*n)?);
    let fill = fill(gpu, "float4 fill", packed.len() * size_of::<f32>())?;
    let kernel = packed_and_least::load(&gpu.device)?;
    let own = Way::new(GENERATED, || Ok(kernel.launch(&x, &mut packed, &mut least)?));
    let times = gpu.time(ROUNDS, 4, vec![own, fill])?;
    let (packed, mut expected) = (packed.download()?, vec![f32::INFINITY; *n]);
    let pairs = (0..*n).flat_map(|i| (0..i).map(move |j| (i, j)));
    let is_right = pairs.zip(packed.as_slice()).all(|((i, j), value)| {
        let distance = (values[i] - values[j]).abs();
        for at in [i, j] {
            expected[at] = expected[at].min(distance);
        }
        *value == distance
    });
    let found: Vec<_> = least.download()?.into_iter().map(|each| each.map(|each| each.0)).collect();
    let is_right = is_right && found == expected.into_iter().map(Some).collect::<Vec<_>>();
    ensure!(is_right, "packed values beside results are wrong");
    Ok(times)
}
