//! The chapter on other crates.

use ndarray::{Array2, array};
use td_kernel::{Device, Result, td_kernel};

// ANCHOR: ndarray
#[td_kernel]
unsafe fn distances(#[each] p: &[[f32; 2]], distance: &mut Packed<f32>) {
    r#" distance = hypotf(p.i.x - p.j.x, p.i.y - p.j.y); "#
}

/// The square matrix of the distances of the rows.
fn distance_matrix(device: &Device, points: &Array2<f32>) -> Result<Array2<f32>> {
    let points = device.upload_array_rows(points)?; // an error unless it has two columns
    let mut distance = device.packed(points.len())?;
    distances::load(device)?.launch(&points, &mut distance)?;
    distance.download()?.to_array()
}
// ANCHOR_END: ndarray

#[test]
fn arrays_in_and_out() -> Result<()> {
    let device = Device::cpu()?;
    let found = distance_matrix(&device, &array![[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])?;
    assert_eq!(found, array![[0.0, 5.0, 10.0], [5.0, 0.0, 5.0], [10.0, 5.0, 0.0]]);
    assert!(distance_matrix(&device, &array![[0.0], [1.0]]).is_err());
    Ok(())
}
