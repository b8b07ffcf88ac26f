//! Sums and histograms of floats that are exact but for one rounding.

use td_kernel::{Devices, Result};
use td_kernel_tests::exactly::{histograms, of_f32, of_f64};
use td_kernel_tests::sets::{exact, sizes};

use super::{and_large, devices};

#[test]
fn sums_of_the_host_are_rounded_once() {
    assert_eq!(of_f64([1e100, 1.0, -1e100, 1e-30]), 1.0);
    assert_eq!(of_f64([1.0, f64::EPSILON / 2.0, 1e-300]), 1.0 + f64::EPSILON);
    assert_eq!(of_f64([1.0, f64::EPSILON / 2.0, -1e-300]), 1.0);
    assert_eq!(of_f64([1.0, f64::INFINITY]), f64::INFINITY);
    assert!(of_f64([f64::NEG_INFINITY, f64::INFINITY]).is_nan() && of_f64([f64::NAN]).is_nan());
    assert_eq!(of_f64([]), 0.0);
    let half = f64::from(f32::EPSILON) / 2.0;
    assert_eq!(of_f32(&[1.0, half, 1e-30]), 1.0 + f32::EPSILON);
    assert_eq!(of_f32(&[1.0, half]), 1.0);
    assert_eq!(of_f32(&[1.0, f64::from(f32::EPSILON), half]), 1.0 + 2.0 * f32::EPSILON);
}

#[test]
fn histograms_in_every_sweep() -> Result<()> {
    let sizes = and_large(&[0, 1, 2, 33, 131], &[3000]);
    devices().iter().try_for_each(|device| histograms::check(device, false, &sizes))
}

#[test]
fn histograms_beside_slots() -> Result<()> {
    devices().iter().try_for_each(|device| histograms::check_slots(device, 131))
}

#[test]
fn histograms_of_several_devices() -> Result<()> {
    for device in devices() {
        for count in [2, 3] {
            let several = Devices::new(vec![device.clone(); count])?;
            histograms::check(&several, true, &[2, 131])?;
        }
    }
    Ok(())
}

#[test]
fn words_of_histograms_carry() -> Result<()> {
    devices().iter().try_for_each(|device| histograms::check_carries(device, 8))
}

/// Runs of pairs add each pair by itself, and tiles of large sets are those of a launch for each.
#[test]
fn sums_of_elements_of_sets() -> Result<()> {
    assert!(exact::depend_on_order(300));
    for device in devices() {
        let devices = [device];
        for (sizes, large) in [
            (vec![], u32::MAX),
            (vec![1, 0, 2], u32::MAX),
            (vec![2, 0, 31, 1, 33, 300], u32::MAX),
            (sizes(60, 20, 100), 40),
            ([vec![3; 50], vec![601], vec![7; 60]].concat(), 400),
        ] {
            exact::check(&devices, &[1, 3], &sizes, large)?;
        }
    }
    Ok(())
}

#[test]
fn sums_of_rows_columns_and_sets() -> Result<()> {
    for device in devices() {
        let devices = [device];
        exact::check_rectangles(&devices, &[3], [&[], &[]])?;
        exact::check_rectangles(&devices, &[3], [&[0, 2, 1, 0, 3], &[4, 2, 0, 0, 1]])?;
        let [rows, columns] = [70, 80].map(|seed| sizes(seed, 15, 200));
        exact::check_rectangles(&devices, &[3], [&rows, &columns])?;
    }
    Ok(())
}
