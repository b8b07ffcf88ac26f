//! Elements with features of many sets: tiles, and what is refused.

use td_kernel::{Device, Devices, Result, td_kernel};

use super::simt;
use crate::devices;

#[td_kernel]
unsafe fn distances(
    #[each] p: &FeatureSets<f32>,
    #[fold] sum: f32,
    out: &mut Packed<f32>,
    total: &mut Sum<f64>,
) {
    let feature = r#" sum += (p.i - p.j) * (p.i - p.j); "#;
    let pair = r#" out = sum; total += sum; "#;
}

/// Tiles follow from the sizes of the sets: many small sets have small tiles, few large ones large tiles.
#[test]
fn reports() -> Result<()> {
    let kernel = distances::load(&simt())?;
    let report = kernel.report(40)?;
    assert_eq!((report.map, report.tile, report.grids), ("set_tiles", 32, vec![[3, 1]]));
    let report = kernel.report(20_000)?;
    assert_eq!((report.tile, report.grids), (128, vec![[157 * 158 / 2, 1]]));
    let report = distances::load(&Device::cpu()?)?.report(1000)?.to_string();
    let expected = "n = 1000: plain loops on the CPU, up to 8 bands of 64 rows at a time; parts: 8";
    assert_eq!(report, expected);
    let report = distances::load(&Devices::cpu(2)?)?.report(1000)?;
    assert_eq!(report.grids, [[6, 1], [2, 1]]);
    Ok(())
}

/// Values of pairs are divided by rows. Beside `Sets`, they are divided by runs of pairs.
#[test]
fn values_of_other_sets_are_refused() -> Result<()> {
    let two = Devices::cpu(2)?;
    let (x, features) = (two.sets(&[0_u32; 400], &[0, 200, 400])?, two.features(&[0; 400], 1)?);
    let mut values = two.packed_sets(&x)?;
    let kernel = of_two::load(&two)?;
    assert_errors! { kernel.launch(&x, &features, &mut values) => "use `devices.packed_sets(&sets)`, where the sets are a"; }
    let sets = two.feature_sets(&[0; 400], 1, &[0, 200, 400])?;
    kernel.launch(&x, &features, &mut two.packed_sets(&sets)?)
}

#[td_kernel]
unsafe fn of_two(
    #[each] x: &Sets<u32>,
    #[each] p: &Features<i32>,
    #[fold] sum: i32,
    out: &mut Packed<u32>,
) {
    let feature = r#" sum += p.i * p.j; "#;
    let pair = r#" out = x.i + sum; "#;
}

#[test]
fn wrong_sets_are_refused() -> Result<()> {
    let device = devices().swap_remove(0);
    let sets = device.feature_sets(&[0.0_f32; 10], 2, &[0, 2, 5])?;
    let mut total = device.sum()?;
    let kernel = distances::load(&device)?;
    let mut other = device.zeroed(5)?;
    assert_errors! {
        kernel.launch(&sets, &mut other, &mut total) => "has 5 slots, but the sets have 4 pairs";
        device.feature_sets(&[0.0_f32; 10], 0, &[0, 2, 5]) => "0 features";
        device.feature_sets(&[0.0_f32; 10], 2, &[0, 2]) => "^the last offset is 2, but there are 5 elements";
    }
    let none: [Vec<[f32; 2]>; 2] = [vec![], vec![]];
    assert_errors! { device.upload_feature_sets(none) => "width"; }
    Ok(())
}
