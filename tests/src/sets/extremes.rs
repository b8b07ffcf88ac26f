//! The extremes of many sets, compared with loops on the host.

use td_kernel::{Result, Target, td_kernel};

use super::offsets;

/// Extremes of each set, beside those of elements.
#[td_kernel]
unsafe fn of_sets(
    #[each] x: &Sets<u32>,
    #[set] most: &mut Maxima<f32>,
    #[set] least: &mut Minima<i64>,
    #[set] far: &mut Maxima<(u32, u32)>,
    #[set] near: &mut Minima<(f32, u32)>,
    #[each] own: &mut Maxima<u32>,
) {
    r#"
    const unsigned int value = (x.i ^ x.j) % 1009;
    most.offer(-0.5f * value);
    least.offer(value - 2000ll);
    far.offer(value);
    near.offer(value * 0.25f);
    own.offer(value);
    "#
}

/// The same of rows and columns.
#[td_kernel]
unsafe fn of_rectangles(
    #[row] x: &Sets<u32>,
    #[column] y: &Sets<u32>,
    #[set] least: &mut Minima<f64>,
    #[set] far: &mut Maxima<(f32, u32)>,
) {
    r#"
    const unsigned int value = (x ^ y) % 1009;
    least.offer(value * 0.5);
    if (value < 900)
        far.offer(value);
    "#
}

fn elements(count: usize, shift: u32) -> Vec<u32> {
    (0..count as u32).map(|at| at.wrapping_mul(0x9e37_79b9) >> shift).collect()
}

/// The least and the greatest value, each with the smallest index that has it.
fn extremes(values: &[u32]) -> [Option<(u32, u32)>; 2] {
    let all = || (0_u32..).zip(values).map(|(at, value)| (*value, at));
    [all().min(), all().max_by_key(|(value, at)| (*value, std::cmp::Reverse(*at)))]
}

/// Extremes within each set. The second launch finds what the first one has found.
pub fn check(target: &Target, sizes: &[usize], large: u32) -> Result<()> {
    let offsets = offsets(sizes);
    let x = elements(offsets[sizes.len()], 7);
    let sets = target.sets_with_large(&x, &offsets, large)?;
    let count = sizes.len();
    let (mut most, mut least) = (target.maxima(count)?, target.minima(count)?);
    let (mut far, mut near) = (target.maxima(count)?, target.minima(count)?);
    let mut own = target.maxima(x.len())?;
    let kernel = of_sets::load(target)?;
    for _ in 0..2 {
        kernel.launch(&sets, &mut most, &mut least, &mut far, &mut near, &mut own)?;
    }
    let (most, least) = (most.download()?, least.download()?);
    let (far, near) = (far.download()?, near.download()?);
    for set in 0..count {
        let own = &x[offsets[set]..offsets[set + 1]];
        let pairs = (0..own.len()).flat_map(|i| (0..i).map(move |j| (own[i] ^ own[j]) % 1009));
        let [lowest, highest] = extremes(&pairs.collect::<Vec<_>>());
        let all = (most[set], least[set], far[set], near[set]);
        let value = |of: Option<(u32, u32)>| of.map(|(value, _)| value);
        let expected = (
            value(lowest).map_or(f32::NEG_INFINITY, |value| -0.5 * value as f32),
            value(lowest).map_or(i64::MAX, |value| i64::from(value) - 2000),
            highest,
            lowest.map(|(value, at)| (value as f32 * 0.25, at)),
        );
        assert_eq!(all, expected, "set {set} of {}", own.len());
    }
    Ok(())
}

/// Extremes of the rows and columns of each set.
pub fn check_rectangles(target: &Target, sizes: [&[usize]; 2]) -> Result<()> {
    let all = sizes.map(offsets);
    let count = sizes[0].len();
    let (x, y) = (elements(all[0][count], 7), elements(all[1][count], 9));
    let (rows, columns) = (target.sets(&x, &all[0])?, target.sets(&y, &all[1])?);
    let (mut least, mut far) = (target.minima(count)?, target.maxima(count)?);
    of_rectangles::load(target)?.launch(&rows, &columns, &mut least, &mut far)?;
    let (least, far) = (least.download()?, far.download()?);
    for set in 0..count {
        let own = |side: usize| all[side][set]..all[side][set + 1];
        let (x, y) = (&x[own(0)], &y[own(1)]);
        let pairs: Vec<_> = x.iter().flat_map(|x| y.iter().map(move |y| (x ^ y) % 1009)).collect();
        let below: Vec<_> =
            pairs.iter().map(|value| if *value < 900 { *value + 1 } else { 0 }).collect();
        let lowest = extremes(&pairs)[0].map_or(f64::INFINITY, |(value, _)| f64::from(value) * 0.5);
        let highest = extremes(&below)[1].filter(|(value, _)| *value > 0);
        let highest = highest.map(|(value, at)| ((value - 1) as f32, at));
        assert_eq!((least[set], far[set]), (lowest, highest), "set {set}");
    }
    Ok(())
}
