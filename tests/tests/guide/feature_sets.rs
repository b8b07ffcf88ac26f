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

#[test]
fn descriptors_of_images() -> Result<()> {
    let device = Device::cpu()?;
    let images: [Vec<Vec<f32>>; 3] = [
        vec![vec![0.0, 0.0, 1.0], vec![3.0, 4.0, 1.0], vec![0.0, 1.0, 1.0]],
        vec![],
        vec![vec![2.0, 2.0, 2.0], vec![2.0, 2.0, 9.0]],
    ];
    let p = device.upload_feature_sets(&images)?;
    let (mut distance, mut far) = (device.packed_sets(&p)?, device.maxima(p.len())?);
    descriptors::load(&device)?.launch(&p, &mut distance, &mut far)?;
    let distance = distance.download()?;
    assert_eq!(distance.set(0), Some(&[5.0, 1.0, 18.0_f32.sqrt()][..]));
    assert_eq!(far.download()?, [Some((5.0, 0)), None, Some((7.0, 0))]);
    Ok(())
}
// ANCHOR_END: kernel
