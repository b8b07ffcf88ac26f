//! Extreme values at the ends of their types, and values that are not numbers.

use td_kernel::{Result, td_kernel};

use super::devices;

#[td_kernel]
unsafe fn of_pairs(#[each] x: &[f32], y: &[i32], far: &mut Max<f32>, low: &mut Max<i32>) {
    r#"
    far.offer(x.i);
    low.offer(y[i]);
    "#
}

/// The smallest values of their types are values, too, and -0 is 0.
#[test]
fn ends_of_ranges() -> Result<()> {
    for device in devices() {
        let kernel = of_pairs::load(&device)?;
        let (mut far, mut low) = (device.max()?, device.max()?);
        let x = device.upload(&[f32::NEG_INFINITY; 4])?;
        kernel.launch(&x, &device.upload(&[i32::MIN; 4])?, &mut far, &mut low)?;
        let found = (far.download()?, low.download()?);
        assert_eq!(found, (Some((f32::NEG_INFINITY, 1, 0)), Some((i32::MIN, 1, 0))));
        let x = device.upload(&[0.0, f32::NAN, -0.0, 0.0])?;
        kernel.launch(&x, &device.upload(&[0, -5, -5, -6])?, &mut far, &mut low)?;
        assert_eq!((far.download()?, low.download()?), (Some((0.0, 2, 0)), Some((-5, 1, 0))));
        far.clear()?;
        assert_eq!(far.download()?, None);
    }
    Ok(())
}

#[td_kernel]
unsafe fn of_elements(
    #[each] x: &[f32],
    #[each] far: &mut Maxima<(u32, u32)>,
    #[each] near: &mut Minima<(f32, u32)>,
    #[each] small: &mut Minima<(u8, u32)>,
    #[each] zero: &mut Minima<(f32, u32)>,
) {
    r#"
    far.offer(0u);
    near.offer(x.i / 0.0f);
    small.offer(256 + 7);
    zero.offer(i % 2 ? nanf("") : j % 2 ? 0.0f : -0.0f);
    "#
}

#[td_kernel]
unsafe fn of_rows(#[row] x: &[f32], #[column] y: &[f32], #[row] near: &mut Minima<(f32, u32)>) {
    r#" near.offer(y > 4 ? x / 0.0f : nanf("")); "#
}

#[test]
fn extreme_values_keep_their_index() -> Result<()> {
    for device in devices() {
        let x = device.upload(&[1.0_f32, 2.0, 3.0])?;
        let (mut far, mut near) = (device.maxima(3)?, device.minima(3)?);
        let (mut small, mut zero) = (device.minima(3)?, device.minima(3)?);
        of_elements::load(&device)?.launch(&x, &mut far, &mut near, &mut small, &mut zero)?;
        let with = |first| [1, 0, 0].map(|index| Some((first, index)));
        assert_eq!(far.download()?, [1, 0, 0].map(|index| Some((0, index))));
        assert_eq!(near.download()?, with(f32::INFINITY));
        assert_eq!(small.download()?, [1, 0, 0].map(|index| Some((7, index))));
        assert_eq!(zero.download()?, [2, 2, 0].map(|index| Some((0.0, index))));
        let y = device.upload(&(0..300).map(|k| (k % 9) as f32).collect::<Vec<_>>())?;
        let mut near = device.minima(3)?;
        of_rows::load(&device)?.launch(&x, &y, &mut near)?;
        assert_eq!(near.download()?, [Some((f32::INFINITY, 5)); 3]);
    }
    Ok(())
}
