//! The chapter on bodies, errors and warnings.

use td_kernel::{Device, ErrorKind, PairList, Result, nvrtc, td_kernel};

// ANCHOR: overflow
#[td_kernel]
unsafe fn near(#[each] x: &[f32], radius: f32, list: &mut Pairs<f32>) {
    r#"
    float d = fabsf(x.i - x.j);
    if (d <= radius)
        list.push(d);
    "#
}

/// The close pairs, however many they are.
fn all_near(device: &Device, x: &[f32], radius: f32) -> Result<PairList<f32>> {
    let (kernel, x) = (near::load(device)?, device.upload(x)?);
    let mut room = 100;
    loop {
        let mut list = device.pairs(room)?;
        kernel.launch(&x, radius, &mut list)?;
        match list.download() {
            Err(error) if error.kind() == ErrorKind::PairsOverflow => {
                room = error.pairs_needed().map_or(2 * room, |pairs| pairs as usize);
            }
            other => return other,
        }
    }
}
// ANCHOR_END: overflow

#[test]
fn lists_of_any_length() -> Result<()> {
    let x: Vec<f32> = (0..300).map(|k| k as f32).collect();
    assert_eq!(all_near(&Device::cpu()?, &x, 2.0)?.len(), 299 + 298);
    Ok(())
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
