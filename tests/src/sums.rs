//! Totals that do not fit the type of their terms.

use td_kernel::{Device, Result, td_kernel};

/// In tiles.
#[td_kernel]
unsafe fn tiled(each: i32, large: u32, low: &mut Sum<i32>, high: &mut Sum<u32>) {
    r#"
    low += each;
    high += large;
    "#
}

/// One thread for each pair; blocks add up their sums in shared memory.
#[td_kernel(tile = 0)]
unsafe fn classic(each: i32, large: u32, low: &mut Sum<i32>, high: &mut Sum<u32>) {
    r#"
    low += each;
    high += large;
    "#
}

#[td_kernel]
unsafe fn below(total: &mut Sum<u32>) {
    r#" total -= 3; "#
}

/// Checks these kernels on this device.
#[allow(clippy::unwrap_used)]
pub fn check(device: &Device) -> Result<()> {
    let (tiled, classic) = (tiled::load(device)?, classic::load(device)?);
    let totals = |elements, each: i32, large: u32| {
        let run = |is_tiled| {
            let (mut low, mut high) = (device.sum()?, device.sum()?);
            match is_tiled {
                true => tiled.launch(elements, each, large, &mut low, &mut high)?,
                false => classic.launch(elements, each, large, &mut low, &mut high)?,
            }
            Ok((low.download(), high.download()))
        };
        Result::Ok([run(true)?, run(false)?])
    };
    // 6 and 3 pairs: the last totals that fit, and the first that do not.
    for (low, high) in totals(4, -357_913_941, 715_827_882)? {
        assert_eq!((low?, high?), (-2_147_483_646, 4_294_967_292));
    }
    for (low, high) in totals(3, -715_827_883, 1_431_655_766)? {
        let (low, high) = (low.unwrap_err(), high.unwrap_err());
        assert_eq!(low.total(), Some(-2_147_483_649), "{low}");
        assert_eq!(high.total(), Some(4_294_967_298), "{high}");
        let text = high.to_string();
        assert!(text.contains("4294967298") && text.contains("use `u64`"), "{text}");
    }
    for (low, _) in totals(300, i32::MAX, 0)? {
        let error = low.unwrap_err();
        let expected = 44_850 * i128::from(i32::MAX);
        assert_eq!(error.total(), Some(expected), "{error}");
    }
    // An unsigned total below zero.
    let mut total = device.sum()?;
    below::load(device)?.launch(130, &mut total)?;
    let (error, expected) = (total.download().unwrap_err(), -3 * 130 * 129 / 2);
    assert_eq!(error.total(), Some((1 << 64) + expected), "{error}");
    assert!(error.to_string().contains(&format!("and the total is {expected}")), "{error}");
    Ok(())
}
