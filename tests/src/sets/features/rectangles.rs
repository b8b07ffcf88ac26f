//! Rows and columns with features of many sets.

use td_kernel::{Device, Result, Target, td_kernel};

use super::{bits, bytes, floats, offer};
use crate::sets::offsets;

/// The distances of rows and columns, and those of one set of each.
#[td_kernel]
unsafe fn cross(
    #[column] q: &FeatureSets<f32>,
    #[row] p: &FeatureSets<f32>,
    #[fold] sum: f32,
    distances: &mut Matrix<f32>,
) {
    let feature = r#" sum += (p - q) * (p - q); "#;
    let pair = r#" distances = sqrtf(sum); "#;
}

#[td_kernel]
unsafe fn cross_of_one(
    #[column] q: &Features<f32>,
    #[row] p: &Features<f32>,
    #[fold] sum: f32,
    distances: &mut Matrix<f32>,
) {
    let feature = r#" sum += (p - q) * (p - q); "#;
    let pair = r#" distances = sqrtf(sum); "#;
}

/// Results of rows and of columns.
#[td_kernel]
unsafe fn of_sides(
    #[row] x: &FeatureSets<u8>,
    #[column] y: &FeatureSets<u8>,
    #[fold] sum: u32,
    #[row] degree: &mut Sums<u32>,
    #[column] moment: &mut Sums<[i32; 2]>,
    #[row] least: &mut Minima<(u32, u32)>,
    #[set] most: &mut Maxima<(u32, u32)>,
    list: &mut Pairs<u32>,
) {
    let feature = r#" sum += x * y; "#;
    let pair = r#"
    degree += set + 1;
    moment += make_int2(i, sum);
    least.offer(sum);
    most.offer(sum);
    if (sum % 7 == 3)
        list.push(set);
    "#;
}

/// Compares all distances with those of a launch for each set, bit for bit.
pub fn compare_rectangles(device: &Device, sizes: [&[usize]; 2], width: usize) -> Result<()> {
    compare_on(device, device, sizes, width)
}

/// The same, with all sets on `target` and each set on `device`.
pub(super) fn compare_on(
    target: &Target,
    device: &Device,
    sizes: [&[usize]; 2],
    width: usize,
) -> Result<()> {
    let [rows, columns] = sizes.map(offsets);
    let count = sizes[0].len();
    let (p, q) = (floats(rows[count] * width), floats(columns[count] * width + 1));
    let q = &q[1..];
    let (x, y) = (target.feature_sets(&p, width, &rows)?, target.feature_sets(q, width, &columns)?);
    let mut values = target.matrix_sets(&x, &y)?;
    let kernel = cross::load(target)?;
    for _ in 0..2 {
        kernel.launch(&y, &x, &mut values)?;
    }
    let values = values.download()?;
    let one = cross_of_one::load(device)?;
    for set in 0..count {
        let own = &p[width * rows[set]..width * rows[set + 1]];
        let other = &q[width * columns[set]..width * columns[set + 1]];
        let (own, other) = (device.features(own, width)?, device.features(other, width)?);
        let mut expected = device.matrix((own.len(), other.len()))?;
        one.launch(&other, &own, &mut expected)?;
        let expected = bits(expected.download()?.as_slice());
        assert_eq!(values.set(set).map(bits), Some(expected), "set {set} of {sizes:?}, {width}");
    }
    Ok(())
}

/// Compares results of rows and of columns.
pub fn check_sides(device: &Target, sizes: [&[usize]; 2], width: usize) -> Result<()> {
    let [rows, columns] = sizes.map(offsets);
    let count = sizes[0].len();
    let [of_rows, of_columns] = [rows[count], columns[count]];
    let (p, q) = (bytes(of_rows * width), bytes(of_columns * width));
    let (x, y) =
        (device.feature_sets(&p, width, &rows)?, device.feature_sets(&q, width, &columns)?);
    let (mut degree, mut moment) = (device.sums(of_rows)?, device.sums(of_columns)?);
    let pair_count: usize =
        sizes[0].iter().zip(sizes[1]).map(|(rows, columns)| rows * columns).sum();
    let (mut least, mut most) = (device.minima(of_rows)?, device.maxima(count)?);
    let mut list = device.pairs(pair_count)?;
    let kernel = of_sides::load(device)?;
    kernel.launch(&x, &y, &mut degree, &mut moment, &mut least, &mut most, &mut list)?;
    let (mut degrees, mut moments) = (vec![0_u32; of_rows], vec![[0_i32; 2]; of_columns]);
    let (mut best, mut best_of_set) = (vec![None; of_rows], vec![None; count]);
    let mut listed = Vec::new();
    for set in 0..count {
        for (i, j) in (0..sizes[0][set]).flat_map(|i| (0..sizes[1][set]).map(move |j| (i, j))) {
            let [at_i, at_j] = [rows[set] + i, columns[set] + j];
            let terms = p[width * at_i..][..width].iter().zip(&q[width * at_j..]);
            let fold: u32 = terms.map(|(a, b)| u32::from(*a) * u32::from(*b)).sum();
            degrees[at_i] += set as u32 + 1;
            moments[at_j][0] += i as i32;
            moments[at_j][1] += fold as i32;
            offer(&mut best[at_i], fold, j, true);
            offer(&mut best_of_set[set], fold, i * sizes[1][set] + j, false);
            if fold % 7 == 3 {
                listed.push(([i as u32, j as u32], set as u32));
            }
        }
    }
    assert_eq!(degree.download()?, degrees);
    assert_eq!(moment.download()?, moments);
    assert_eq!(least.download()?, best);
    assert_eq!(most.download()?, best_of_set);
    let found = list.download()?;
    let mut found: Vec<_> = found.iter().map(|(pair, set)| (pair, *set)).collect();
    found.sort_unstable();
    listed.sort_unstable();
    assert_eq!(found, listed);
    Ok(())
}
