//! The guide's kernel over elements with features of many sets.

use td_kernel::{Device, Result, td_kernel};

// ANCHOR: kernel
/// The distances between the descriptors of each image, and the two most different ones.
#[td_kernel]
unsafe fn descriptors(
    #[each] p: &FeatureSets<f32>,
    #[fold] sum: f32,
    distance: &mut Packed<f32>,
    #[set] far: &mut Maxima<(f32, u32)>,
) {
    let feature = r#" sum += (p.i - p.j) * (p.i - p.j); "#;
    let pair = r#"
    distance = sqrtf(sum);
    far.offer(distance);
    "#;
}

/// The distances of each image, and for each the largest one with the index of its pair.
fn of_images(images: &[Vec<Vec<f32>>]) -> Result<(Vec<Vec<f32>>, Vec<Option<(f32, u32)>>)> {
    let device = Device::best()?;
    let p = device.upload_feature_sets(images)?;
    let (mut distance, mut far) = (device.packed_sets(&p)?, device.maxima(p.len())?);
    descriptors::load(&device)?.launch(&p, &mut distance, &mut far)?;
    let distance = distance.download()?;
    let of_image = |image| distance.set(image).unwrap_or_default().to_vec();
    Ok(((0..p.len()).map(of_image).collect(), far.download()?))
}
// ANCHOR_END: kernel

#[test]
fn descriptors_of_images() -> Result<()> {
    let images = [
        vec![vec![0.0, 0.0, 1.0], vec![3.0, 4.0, 1.0], vec![0.0, 1.0, 1.0]],
        vec![],
        vec![vec![2.0, 2.0, 2.0], vec![2.0, 2.0, 9.0]],
    ];
    let (distances, far) = of_images(&images)?;
    assert_eq!(distances, [vec![5.0, 1.0, 18.0_f32.sqrt()], vec![], vec![7.0]]);
    assert_eq!(far, [Some((5.0, 0)), None, Some((7.0, 0))]);
    Ok(())
}
