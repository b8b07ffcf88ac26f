//! Kernels over the pairs of rows and columns of many sets, compared with a launch for each set.

use td_kernel::{Device, HostMatrixSets, Result, Target, td_kernel};

use super::{offsets, points};

/// All distances of each set.
#[td_kernel]
pub unsafe fn cross(
    #[row] p: &Sets<[f32; 3]>,
    #[column] q: &Sets<[f32; 3]>,
    distances: &mut Matrix<f32>,
) {
    r#"
    const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    distances = sqrtf(x * x + y * y + z * z);
    "#
}

/// The same for one set.
#[td_kernel]
unsafe fn cross_of_one(
    #[row] p: &[[f32; 3]],
    #[column] q: &[[f32; 3]],
    distances: &mut Matrix<f32>,
) {
    r#"
    const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    distances = sqrtf(x * x + y * y + z * z);
    "#
}

/// The pair, its set and its elements, and all that many sets gather. The columns come first.
#[td_kernel]
unsafe fn gathered(
    #[column] y: &Sets<u32>,
    #[row] weight: &[f32],
    #[row] x: &Sets<u32>,
    modulus: u32,
    pairs: &mut Matrix<u64>,
    halves: &mut Matrix<u8>,
    count: &mut Sum<u64>,
    total: &mut Sum<f32>,
    list: &mut Pairs<u32>,
    bins: &mut Histogram<u64>,
) {
    r#"
    pairs = (unsigned long long)set << 40 | (unsigned long long)i << 20 | j;
    halves = x - y;
    count += 1;
    total += weight;
    if ((x + y) % modulus == 0)
        list.push(set);
    bins.add((x + y) % modulus);
    "#
}

/// Results of rows and of columns.
#[td_kernel]
unsafe fn of_elements(
    #[row] x: &Sets<u32>,
    #[column] y: &Sets<u32>,
    #[row] degree: &mut Sums<u32>,
    #[column] moment: &mut Sums<[i32; 2]>,
    #[row] least: &mut Minima<(u32, u32)>,
    #[column] most: &mut Maxima<(u32, u32)>,
) {
    r#"
    degree += set + 1;
    moment += make_int2(i % 1000, 1);
    least.offer((x ^ y) % 1000003);
    most.offer((x ^ y) % 1000003);
    "#
}

/// Compares all distances with those of a launch for each set, bit for bit.
pub fn compare(device: &Device, sizes: [&[usize]; 2]) -> Result<()> {
    compare_on(device, device, sizes)
}

/// The same, with all sets on `target` and each set on `device`.
pub(super) fn compare_on(
    target: &Target,
    device: &Device,
    [rows, columns]: [&[usize]; 2],
) -> Result<()> {
    let [of_rows, of_columns] = [rows, columns].map(offsets);
    let (p, q) = (points(of_rows[rows.len()]), points(of_columns[columns.len()]));
    let (row_sets, column_sets) = (target.sets(&p, &of_rows)?, target.sets(&q, &of_columns)?);
    let mut values = target.matrix_sets(&row_sets, &column_sets)?;
    let kernel = cross::load(target)?;
    // The second launch uses the tables of the first one.
    for _ in 0..2 {
        kernel.launch(&row_sets, &column_sets, &mut values)?;
    }
    let values: HostMatrixSets<f32> = values.download()?;
    let one = cross_of_one::load(device)?;
    for (set, (height, width)) in rows.iter().zip(columns).enumerate() {
        let own = device.upload(&p[of_rows[set]..of_rows[set + 1]])?;
        let other = device.upload(&q[of_columns[set]..of_columns[set + 1]])?;
        let mut expected = device.matrix((*height, *width))?;
        one.launch(&own, &other, &mut expected)?;
        let expected = expected.download()?;
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        let found = values.set(set).map(bits);
        assert_eq!(found, Some(bits(expected.as_slice())), "set {set} of {height} x {width}");
    }
    Ok(())
}

/// Compares every pair and every gathered result with loops on the host.
pub fn compare_gathered(device: &Target, [rows, columns]: [&[usize]; 2]) -> Result<()> {
    const MODULUS: u32 = 17;
    let [of_rows, of_columns] = [rows, columns].map(offsets);
    let elements = |count: usize, shift: u32| -> Vec<u32> {
        (0..count as u32).map(|at| at.wrapping_mul(0x9e37_79b9) >> shift).collect()
    };
    let (x, y) = (elements(of_rows[rows.len()], 7), elements(of_columns[columns.len()], 9));
    let weights: Vec<f32> = x.iter().map(|x| (x % 5) as f32).collect();
    let (row_sets, column_sets) = (device.sets(&x, &of_rows)?, device.sets(&y, &of_columns)?);
    let mut pairs = device.matrix_sets(&row_sets, &column_sets)?;
    let mut halves = device.matrix_sets(&row_sets, &column_sets)?;
    let (mut count, mut total) = (device.sum()?, device.sum()?);
    let mut list = device.pairs(pairs.len())?;
    let mut bins = device.histogram(MODULUS as usize)?;
    gathered::load(device)?.launch(
        &column_sets,
        &device.upload(&weights)?,
        &row_sets,
        MODULUS,
        &mut pairs,
        &mut halves,
        &mut count,
        &mut total,
        &mut list,
        &mut bins,
    )?;
    let (mut degree, mut moment) = (device.sums(x.len())?, device.sums(y.len())?);
    let (mut least, mut most) = (device.minima(x.len())?, device.maxima(y.len())?);
    of_elements::load(device)?
        .launch(&row_sets, &column_sets, &mut degree, &mut moment, &mut least, &mut most)?;

    let (mut of_pairs, mut of_halves, mut listed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut sum, mut counts) = (0.0_f64, vec![0_u64; MODULUS as usize]);
    let (mut degrees, mut moments) = (vec![0_u32; x.len()], vec![[0_i32; 2]; y.len()]);
    let (mut lowest, mut highest) = (vec![None; x.len()], vec![None; y.len()]);
    for (set, (height, width)) in rows.iter().zip(columns).enumerate() {
        for (i, j) in (0..*height).flat_map(|i| (0..*width).map(move |j| (i, j))) {
            let [at_i, at_j] = [of_rows[set] + i, of_columns[set] + j];
            let [x, y] = [x[at_i], y[at_j]];
            of_pairs.push((set as u64) << 40 | (i as u64) << 20 | j as u64);
            of_halves.push(x.wrapping_sub(y) as u8);
            sum += f64::from(weights[at_i]);
            let bin = x.wrapping_add(y) % MODULUS;
            counts[bin as usize] += 1;
            if bin == 0 {
                listed.push(([i as u32, j as u32], set as u32));
            }
            degrees[at_i] += set as u32 + 1;
            moments[at_j][0] += (i % 1000) as i32;
            moments[at_j][1] += 1;
            // Of equal values, the one with the smaller partner, which comes first.
            let value = (x ^ y) % 1_000_003;
            if lowest[at_i].is_none_or(|(known, _)| value < known) {
                lowest[at_i] = Some((value, j as u32));
            }
            if highest[at_j].is_none_or(|(known, _)| value > known) {
                highest[at_j] = Some((value, i as u32));
            }
        }
    }
    assert_eq!(pairs.download()?.into_vec(), of_pairs);
    assert_eq!(halves.download()?.into_vec(), of_halves);
    assert_eq!(count.download()?, of_pairs.len() as u64);
    // Weights are small integers, so their sum is exact.
    assert_eq!(f64::from(total.download()?), f64::from(sum as f32));
    let found = list.download()?;
    let mut found: Vec<_> = found.iter().map(|(pair, set)| (pair, *set)).collect();
    found.sort_unstable();
    listed.sort_unstable();
    assert_eq!(found, listed);
    assert_eq!(bins.download()?.as_slice(), counts);
    assert_eq!(degree.download()?, degrees);
    assert_eq!(moment.download()?, moments);
    assert_eq!(least.download()?, lowest);
    assert_eq!(most.download()?, highest);
    Ok(())
}
