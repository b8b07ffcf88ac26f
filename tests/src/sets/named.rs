//! Outputs of all pairs that name a pair within many sets, compared with loops on the host.

use td_kernel::{HostPairs, Result, Target, td_kernel};

use super::offsets;

/// Few values, so that many pairs have the same. The body of `far` also ignores some.
#[td_kernel]
unsafe fn of_sets(
    #[each] x: &Sets<u32>,
    #[each] degree: &mut Sums<u32>,
    far: &mut Max<u32>,
    near: &mut Min<f64>,
    list: &mut Pairs,
    values: &mut Pairs<f32>,
) {
    r#"
    const unsigned int value = (2 * x.i + x.j) % 23;
    if (value != 22)
        far.offer(value);
    near.offer(value - 0.5);
    degree.i += 1;
    if (value % 5 == 0) {
        list.push();
        values.push(value);
    }
    "#
}

/// Without results of elements, whose sweep is another one in large sets.
#[td_kernel]
unsafe fn without_results(#[each] x: &Sets<u32>, far: &mut Max<u32>, list: &mut Pairs) {
    r#"
    const unsigned int value = (2 * x.i + x.j) % 23;
    if (value != 22)
        far.offer(value);
    if (value % 5 == 0)
        list.push();
    "#
}

#[td_kernel]
unsafe fn of_rectangles(
    #[column] y: &Sets<u32>,
    far: &mut Max<u32>,
    #[row] x: &Sets<u32>,
    near: &mut Min<f64>,
    list: &mut Pairs,
) {
    r#"
    const unsigned int value = (2 * x + y) % 23;
    if (value != 22)
        far.offer(value);
    near.offer(value - 0.5);
    if (value % 5 == 0)
        list.push();
    "#
}

#[td_kernel]
unsafe fn of_features(
    #[each] x: &FeatureSets<u32>,
    #[fold] sum: u32,
    far: &mut Max<u32>,
    near: &mut Min<f64>,
    list: &mut Pairs,
) {
    let feature = r#" sum += 2 * x.i + x.j; "#;
    let pair = r#"
    const unsigned int value = sum % 23;
    if (value != 22)
        far.offer(value);
    near.offer(value - 0.5);
    if (value % 5 == 0)
        list.push();
    "#;
}

#[td_kernel]
unsafe fn of_feature_rectangles(
    #[row] x: &FeatureSets<u32>,
    #[column] y: &FeatureSets<u32>,
    #[fold] sum: u32,
    far: &mut Max<u32>,
    near: &mut Min<f64>,
    list: &mut Pairs,
) {
    let feature = r#" sum += 2 * x + y; "#;
    let pair = r#"
    const unsigned int value = sum % 23;
    if (value != 22)
        far.offer(value);
    near.offer(value - 0.5);
    if (value % 5 == 0)
        list.push();
    "#;
}

fn elements(count: usize, shift: u32) -> Vec<u32> {
    (0..count as u32).map(|at| at.wrapping_mul(0x9e37_79b9) >> shift).collect()
}

/// The value of each pair, with its set and its indices, in this order.
type All = Vec<(u32, u32, [u32; 2])>;

/// A value with its set, and its pair.
type Named<T> = Option<((T, u32), u32, u32)>;

/// Of equal values the first pair wins.
fn far(all: &All) -> Named<u32> {
    let offered = all.iter().filter(|(value, ..)| *value != 22);
    let best = offered.rev().max_by_key(|(value, ..)| *value);
    best.map(|(value, set, [i, j])| ((*value, *set), *i, *j))
}

fn near(all: &All) -> Named<f64> {
    let best = all.iter().min_by_key(|(value, ..)| *value);
    best.map(|(value, set, [i, j])| ((f64::from(*value) - 0.5, *set), *i, *j))
}

fn expect_listed(found: &HostPairs<u32>, all: &All) {
    let mut found: Vec<_> = found.iter().map(|(pair, set)| (*set, pair)).collect();
    found.sort_unstable();
    let listed = all.iter().filter(|(value, ..)| value % 5 == 0);
    assert_eq!(found, listed.map(|(_, set, pair)| (*set, *pair)).collect::<Vec<_>>());
}

/// Pairs within each set. The second launch finds what the first one has found.
pub fn check(target: &Target, sizes: &[usize], large: u32) -> Result<()> {
    let offsets = offsets(sizes);
    let x = elements(offsets[sizes.len()], 7);
    let mut all = All::new();
    for set in 0..sizes.len() {
        let own = &x[offsets[set]..offsets[set + 1]];
        for (i, j) in (0..own.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let value = own[i].wrapping_mul(2).wrapping_add(own[j]) % 23;
            all.push((value, set as u32, [i as u32, j as u32]));
        }
    }
    let sets = target.sets_with_large(&x, &offsets, large)?;
    let room = 2 * all.len();
    let (mut most, mut least) = (target.max()?, target.min()?);
    let (mut list, mut values) = (target.pairs(room)?, target.pairs(room)?);
    let mut degree = target.sums(x.len())?;
    let kernel = of_sets::load(target)?;
    kernel.launch(&sets, &mut degree, &mut most, &mut least, &mut list, &mut values)?;
    expect_listed(&list.download()?, &all);
    assert_eq!(values.count()?, list.count()?);
    kernel.launch(&sets, &mut degree, &mut most, &mut least, &mut list, &mut values)?;
    assert_eq!((most.download()?, least.download()?), (far(&all), near(&all)), "{sizes:?}");
    list.clear()?;
    most.clear()?;
    without_results::load(target)?.launch(&sets, &mut most, &mut list)?;
    expect_listed(&list.download()?, &all);
    assert_eq!(most.download()?, far(&all), "{sizes:?}");

    let sets = target.feature_sets(&x, 1, &offsets)?;
    let (mut most, mut least, mut list) = (target.max()?, target.min()?, target.pairs(room)?);
    of_features::load(target)?.launch(&sets, &mut most, &mut least, &mut list)?;
    expect_listed(&list.download()?, &all);
    assert_eq!((most.download()?, least.download()?), (far(&all), near(&all)), "{sizes:?}");
    Ok(())
}

/// Pairs of the rows and columns of each set.
pub fn check_rectangles(target: &Target, sizes: [&[usize]; 2]) -> Result<()> {
    let ends = sizes.map(offsets);
    let count = sizes[0].len();
    let (x, y) = (elements(ends[0][count], 7), elements(ends[1][count], 9));
    let mut all = All::new();
    for set in 0..count {
        let [x, y] = [&x[ends[0][set]..ends[0][set + 1]], &y[ends[1][set]..ends[1][set + 1]]];
        for (i, j) in (0..x.len()).flat_map(|i| (0..y.len()).map(move |j| (i, j))) {
            let value = x[i].wrapping_mul(2).wrapping_add(y[j]) % 23;
            all.push((value, set as u32, [i as u32, j as u32]));
        }
    }
    let (rows, columns) = (target.sets(&x, &ends[0])?, target.sets(&y, &ends[1])?);
    let (mut most, mut least, mut list) = (target.max()?, target.min()?, target.pairs(all.len())?);
    of_rectangles::load(target)?.launch(&columns, &mut most, &rows, &mut least, &mut list)?;
    expect_listed(&list.download()?, &all);
    assert_eq!((most.download()?, least.download()?), (far(&all), near(&all)), "{sizes:?}");

    let (rows, columns) =
        (target.feature_sets(&x, 1, &ends[0])?, target.feature_sets(&y, 1, &ends[1])?);
    let (mut most, mut least, mut list) = (target.max()?, target.min()?, target.pairs(all.len())?);
    of_feature_rectangles::load(target)?
        .launch(&rows, &columns, &mut most, &mut least, &mut list)?;
    expect_listed(&list.download()?, &all);
    assert_eq!((most.download()?, least.download()?), (far(&all), near(&all)), "{sizes:?}");
    Ok(())
}
