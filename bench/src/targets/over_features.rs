//! Elements with features: those of many sets in one launch, compared with a launch for each set; and a Gaussian kernel matrix
//! times 16 columns in one launch, compared with four columns in each of four launches.

use anyhow::{Result, ensure};
use td_kernel::td_kernel;

use super::folds::packed_distance;
use super::{Measured, Setting};
use crate::measure::gpu::{ROUNDS, Way};
use crate::measure::points::rows_of_two;
use crate::subject::GENERATED;

/// The distances within sets.
#[td_kernel]
unsafe fn of_sets(#[each] p: &FeatureSets<f32>, #[fold] square: f32, distance: &mut Packed<f32>) {
    let feature = r#" float d = p.i - p.j; square = fmaf(d, d, square); "#;
    let pair = r#" distance = sqrtf(square); "#;
}

macro_rules! gaussian {
    ($($name:ident: $columns:ty, $pair:literal;)*) => {$(
        #[td_kernel]
        unsafe fn $name(
            #[row] x: &Features<f32>,
            #[column] y: &Features<f32>,
            #[column] v: &[$columns],
            #[fold] square: f32,
            #[row] out: &mut Sums<$columns>,
        ) {
            let feature = r#" float d = x - y; square = fmaf(d, d, square); "#;
            let pair = $pair;
        }
    )*};
}

gaussian! {
    times_4: [f32; 4],
        r#"float w = expf(-square); out.x += w * v.x; out.y += w * v.y; out.z += w * v.z; out.w += w * v.w;"#;
    times_16: [f32; 16], r#"out += expf(-square) * v;"#;
}

/// The elements of a set.
const SIZE: usize = 100;

pub(super) fn sets(Setting { gpu, n, features, .. }: &Setting) -> Measured {
    let [values, _] = rows_of_two(n * SIZE, 0, *features);
    let offsets: Vec<_> = (0..=*n).map(|set| set * SIZE).collect();
    let sets = gpu.device.feature_sets(&values, *features, &offsets)?;
    let mut all = gpu.device.packed_sets(&sets)?;
    let values: Vec<_> = values.chunks(SIZE * features).collect();
    let each: Result<Vec<_>, _> =
        values.iter().map(|values| gpu.device.features(values, *features)).collect();
    let (each, mut one) = (each?, gpu.device.packed(SIZE)?);
    let (kernel, single) = (of_sets::load(&gpu.device)?, packed_distance::load(&gpu.device)?);
    let own = Way::new(GENERATED, || Ok(kernel.launch(&sets, &mut all)?));
    let launches = Way::new("single launches", || {
        each.iter().try_for_each(|p| single.launch(p, &mut one)).map_err(Into::into)
    });
    let times = gpu.time(ROUNDS, 1, vec![own, launches])?;
    let found = all.download()?;
    for (set, p) in each.iter().enumerate().step_by(97) {
        single.launch(p, &mut one)?;
        let is_same = found.set(set) == Some(one.download()?.as_slice());
        ensure!(is_same, "distances of set {set} are wrong");
    }
    Ok(times)
}

pub(super) fn columns(Setting { gpu, n, features, .. }: &Setting) -> Measured {
    // Squared distances of about 1: the matrix is neither full of zeros nor of ones.
    let scale = (*features as f32 / 6.0).sqrt().recip();
    let [x, y] = rows_of_two(*n, *n, *features)
        .map(|rows| rows.into_iter().map(|value| scale * value).collect::<Vec<_>>());
    let [v, _] = rows_of_two(*n, 0, 16);
    let (v, _) = v.as_chunks::<16>();
    let fours = (0..4).map(|at| {
        let four = v.iter().map(|row| [0, 1, 2, 3].map(|column| row[4 * at + column]));
        gpu.device.upload(&four.collect::<Vec<_>>())
    });
    let fours: Vec<_> = fours.collect::<Result<_, _>>()?;
    let (x, y) = (gpu.device.features(&x, *features)?, gpu.device.features(&y, *features)?);
    let v = gpu.device.upload(v)?;
    let mut out = gpu.device.sums::<[f32; 16]>(*n)?;
    let parts = fours.iter().map(|_| gpu.device.sums::<[f32; 4]>(*n));
    let mut parts = parts.collect::<Result<Vec<_>, _>>()?;
    let (kernel, four) = (times_16::load(&gpu.device)?, times_4::load(&gpu.device)?);
    let own = Way::new(GENERATED, || {
        out.clear()?;
        Ok(kernel.launch(&x, &y, &v, &mut out)?)
    });
    let launches = Way::new("four launches", || {
        for (part, v) in parts.iter_mut().zip(&fours) {
            part.clear()?;
            four.launch(&x, &y, v, part)?;
        }
        Ok(())
    });
    let times = gpu.time(ROUNDS, 1, vec![own, launches])?;
    let found = out.download()?;
    for (at, part) in parts.into_iter().enumerate() {
        let expected = part.download()?;
        for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let found = &found[4 * at..][..4];
            let is_far = found.iter().zip(expected).any(|(a, b)| (a - b).abs() > 1e-5 * b.abs());
            ensure!(!is_far, "sums of row {row} are wrong");
        }
    }
    Ok(times)
}
