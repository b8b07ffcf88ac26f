//! Totals that do not fit the type of their terms, and totals from which terms are subtracted.

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

/// Checks both kernels on this device.
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
        assert!(text.contains("4294967298") && text.contains("use `Sum<u64>`"), "{text}");
    }
    for (low, _) in totals(300, i32::MAX, 0)? {
        let error = low.unwrap_err();
        let expected = 44_850 * i128::from(i32::MAX);
        assert_eq!(error.total(), Some(expected), "{error}");
    }
    Ok(())
}

/// Totals of every type, from which each pair subtracts something. All terms are integers or halves, so that the totals of
/// floats are exact.
macro_rules! differences {
    ($($(#[$attribute:meta])* $name:ident),*) => {$(
        $(#[$attribute])*
        unsafe fn $name(
            both: &mut Sum<f32>,
            single: &mut Sum<f32>,
            wide: &mut Sum<f64>,
            small: &mut Sum<i32>,
            count: &mut Sum<u32>,
            large: &mut Sum<i64>,
            whole: &mut Sum<u64>,
            below: &mut Sum<u32>,
        ) {
            r#"
            both += 2.0f * i;
            both -= 0.5f * j;
            single -= i;
            if (i % 2)
                wide -= i;
            else
                wide += j;
            small -= i + j;
            count += 2;
            if (i % 3 == 0)
                count -= 1;
            large -= (long long)i << 32;
            whole += (unsigned long long)i << 40;
            whole -= (unsigned long long)j << 40;
            below -= 3;
            "#
        }
    )*};
}

differences! {
    #[td_kernel]
    tiled_differences,
    #[td_kernel(tile = 0)]
    classic_differences,
    #[td_kernel(map = "walk", tile = 64)]
    walked_differences,
    #[td_kernel(deterministic = true)]
    exact_differences
}

/// The same beside results of elements, which another sweep accumulates.
#[td_kernel]
unsafe fn rotated_differences(
    #[each] degree: &mut Sums<i32>,
    single: &mut Sum<f32>,
    count: &mut Sum<u32>,
) {
    r#"
    degree.i -= 1;
    degree.j -= 1;
    single -= i;
    count += 2;
    if (i % 3 == 0)
        count -= 1;
    "#
}

/// Checks totals from which terms are subtracted.
#[allow(clippy::unwrap_used)]
pub fn check_differences(device: &Device) -> Result<()> {
    for n in [2, 3, 130, 200_u32] {
        let pairs = || (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        let of = |term: fn(i64, i64) -> i64| -> i64 {
            pairs().map(|(i, j)| term(i.into(), j.into())).sum()
        };
        let halves = of(|i, j| 4 * i - j);
        let counted = of(|i, _| if i % 3 == 0 { 1 } else { 2 });
        macro_rules! check_each {
            ($($kernel:ident)*) => {$(
                let (mut both, mut single, mut wide) = (device.sum()?, device.sum()?, device.sum()?);
                let (mut small, mut count, mut large) = (device.sum()?, device.sum()?, device.sum()?);
                let (mut whole, mut below) = (device.sum()?, device.sum()?);
                let kernel = $kernel::load(device)?;
                kernel.launch(
                    n as usize, &mut both, &mut single, &mut wide, &mut small, &mut count, &mut large,
                    &mut whole, &mut below,
                )?;
                let name = concat!(stringify!($kernel), ", n =");
                assert_eq!(both.download()?, (0.5 * halves as f64) as f32, "{name} {n}");
                assert_eq!(single.download()?, of(|i, _| -i) as f32, "{name} {n}");
                let parts = of(|i, j| if i % 2 == 1 { -i } else { j });
                assert_eq!(wide.download()?, parts as f64, "{name} {n}");
                assert_eq!(i64::from(small.download()?), of(|i, j| -i - j), "{name} {n}");
                assert_eq!(i64::from(count.download()?), counted, "{name} {n}");
                assert_eq!(large.download()?, of(|i, _| -i << 32), "{name} {n}");
                assert_eq!(whole.download()? as i64, of(|i, j| (i - j) << 40), "{name} {n}");
                // An unsigned total below zero.
                let error = below.download().unwrap_err();
                let total = -3 * pairs().count() as i128;
                assert_eq!(error.total(), Some((1 << 64) + total), "{error}");
                assert!(error.to_string().contains(&format!("and the total is {total}")), "{error}");
            )*};
        }
        check_each!(tiled_differences classic_differences walked_differences exact_differences);
        let (mut degree, mut single, mut count) =
            (device.sums(n as usize)?, device.sum()?, device.sum()?);
        let kernel = rotated_differences::load(device)?;
        kernel.launch(&mut degree, &mut single, &mut count)?;
        assert!(degree.download()?.iter().all(|each| *each == 1 - n as i32));
        assert_eq!(single.download()?, of(|i, _| -i) as f32, "{n}");
        assert_eq!(i64::from(count.download()?), counted, "{n}");
    }
    Ok(())
}
