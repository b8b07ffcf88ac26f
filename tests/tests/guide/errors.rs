//! The chapter on bodies, errors and warnings.

use td_kernel::{Device, Result, nvrtc, td_kernel};

#[td_kernel]
unsafe fn near(#[each] x: &[f32], radius: f32, list: &mut Pairs<f32>) {
    r#"
    float d = fabsf(x.i - x.j);
    if (d <= radius)
        list.push(d);
    "#
}

#[test]
fn messages() -> Result<()> {
    let device = Device::cpu()?;
    let x = device.upload(&[0.0; 300])?;
    let mut list = device.pairs(100)?;
    let kernel = near::load(&device)?;
    kernel.launch(&x, 2.0, &mut list)?;
    let mut messages = format!("{}\n", list.download().unwrap_err());
    let (values, mut slots) = (device.upload(&[0.0; 5])?, device.packed(4)?);
    messages += &format!("{}\n", distance::load(&device)?.launch(&values, &mut slots).unwrap_err());
    assert_eq!(messages, include_str!("messages.txt"));
    Ok(())
}

/// An unknown name in the body, as NVRTC reports it.
#[test]
fn mistakes_in_a_body() -> Result<()> {
    let wrong = distance::SOURCE.replace("x.i - x.j", "x.i - y.j");
    let error = nvrtc::compile("distance", &wrong, distance::OPTIONS, 90).unwrap_err();
    assert_eq!(format!("{error}\n"), include_str!("compile.txt"));
    Ok(())
}

// ANCHOR: distance
#[td_kernel]
unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    r#" distance = fabsf(x.i - x.j); "#
}
// ANCHOR_END: distance
