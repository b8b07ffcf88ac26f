//! Distances of rows of features: in blocks by hand, and naive.

use std::path::Path;

use td_kernel::{Device, td_kernel};

use super::{Row, Work, compiled, row};
use crate::Failure;

#[td_kernel]
unsafe fn distances(#[each] p: &Features<f32>, #[fold] sum: f32, distance: &mut Packed<f32>) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" distance = sqrtf(sum); "#;
}

/// Numbers of elements and of features.
const SIZES: [(usize, usize); 3] = [(4000, 128), (4000, 512), (8000, 128)];

/// The rows of the table.
pub(super) fn measured(device: &Device, folder: &Path) -> Result<Vec<Row>, Failure> {
    let program = compiled(folder, "fold_by_hand", include_str!("../../host/fold_by_hand.cpp"))?;
    let mut rows = Vec::new();
    for (n, width) in SIZES {
        let values: Vec<f32> = (0..n * width).map(|k| (k * 7919 % 101) as f32 * 0.25).collect();
        let p = device.features(&values, width)?;
        let mut distance = device.packed(n)?;
        let kernel = distances::load(device)?;
        kernel.launch(&p, &mut distance)?;
        let result = distance.download()?.as_slice().iter().map(|each| f64::from(*each)).sum();
        rows.push(row(
            Work {
                name: format!("distances of {width} features"),
                n,
                rounds: 2,
                arguments: [n, width].map(|number| number.to_string()),
                result,
                launch: Box::new(|| Ok(device.timed(|| kernel.launch(&p, &mut distance))?.1)),
            },
            &program,
        )?);
    }
    Ok(rows)
}
