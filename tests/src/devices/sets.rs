//! Pairs of two sets, and elements with features.

use td_kernel::{Device, Result, Target, td_kernel};

use super::{numbers, some, sorted, within};

#[td_kernel]
unsafe fn cross(
    #[row] a: &[u32],
    #[column] b: &[u32],
    count: &mut Sum<u64>,
    close: &mut Pairs<u32>,
    plain: &mut Pairs,
    #[row] of_row: &mut Sums<u32>,
    #[column] of_column: &mut Sums<i64>,
    #[row] nearest: &mut Minima<(u32, u32)>,
    #[column] greatest: &mut Maxima<u32>,
) {
    r#"
    const unsigned int apart = a > b ? a - b : b - a;
    count += i < rows && j < columns;
    if (apart < 10)
        close.push(a);
    if (apart == 10)
        plain.push();
    of_row += b;
    of_column -= a;
    nearest.offer(apart);
    greatest.offer(a);
    "#
}

type Crossed = (
    u64,
    Vec<([u32; 2], u32)>,
    Vec<[u32; 2]>,
    Vec<u32>,
    Vec<i64>,
    Vec<Option<(u32, u32)>>,
    Vec<u32>,
);

fn crossed(device: &Target, rows: usize, columns: usize) -> Result<Crossed> {
    let (a, b) = (device.upload(&numbers(rows))?, device.upload(&numbers(columns + 5)[5..])?);
    let mut count = device.sum()?;
    let room = rows * columns;
    let (mut close, mut plain) = (device.pairs(room)?, device.pairs(room)?);
    let (mut of_row, mut of_column) = (device.sums(rows)?, device.sums(columns)?);
    let (mut nearest, mut greatest) = (device.minima(rows)?, device.maxima(columns)?);
    cross::load(device)?.launch(
        &a, &b, &mut count, &mut close, &mut plain, &mut of_row, &mut of_column, &mut nearest,
        &mut greatest,
    )?;
    let plain = plain.download()?.sorted()?.into_vecs().0;
    Ok((
        count.download()?,
        sorted(close.download()?),
        plain,
        of_row.download()?,
        of_column.download()?,
        nearest.download()?,
        greatest.download()?,
    ))
}

/// Compares all accumulated results over the pairs of two sets.
pub(super) fn check_rectangle(
    devices: &[Device],
    counts: &[usize],
    sizes: &[[usize; 2]],
) -> Result<()> {
    for &[rows, columns] in sizes {
        let one = crossed(&devices[0], rows, columns)?;
        assert_eq!(one.0, (rows * columns) as u64);
        for &count in counts {
            let found = crossed(&some(devices, count)?, rows, columns)?;
            assert_eq!(found, one, "{rows} rows and {columns} columns on {count} devices");
        }
    }
    Ok(())
}

#[td_kernel(deterministic = true)]
unsafe fn fold(
    #[each] p: &Features<i32>,
    #[each] q: &Features<f32>,
    #[fold] dot: i32,
    #[fold] far: f32,
    limit: i32,
    total: &mut Sum<i64>,
    weight: &mut Sum<f32>,
    close: &mut Pairs<i32>,
    #[each] degree: &mut Sums<u32>,
    #[each] force: &mut Sums<f32>,
    #[each] nearest: &mut Minima<(i32, u32)>,
) {
    let feature = r#" dot += p.i * p.j; far += fabsf(q.i - q.j); "#;
    let pair = r#"
    total += dot;
    weight += far / 3;
    if (dot % 16 == limit)
        close.push(dot);
    degree.i += dot % 5 == 0;
    degree.j += 1;
    force.i += far;
    force.j -= far / 7;
    nearest.offer(dot);
    "#;
}

type Folded = (i64, Vec<([u32; 2], i32)>, Vec<u32>, Vec<Option<(i32, u32)>>, u32, Vec<u32>);

fn folded(device: &Target, n: usize, width: usize) -> Result<Folded> {
    let values = numbers(n * width);
    let p: Vec<i32> = values.iter().map(|value| (*value % 37) as i32 - 18).collect();
    let q: Vec<f32> = values.iter().map(|value| 0.1 * *value as f32).collect();
    let (p, q) = (device.features(&p, width)?, device.features(&q, width)?);
    let (mut total, mut weight, mut close) =
        (device.sum()?, device.sum::<f32>()?, device.pairs(n * n / 2 + 1)?);
    let (mut degree, mut force) = (device.sums(n)?, device.sums::<f32>(n)?);
    let mut nearest = device.minima(n)?;
    fold::load(device)?.launch(
        &p, &q, 3, &mut total, &mut weight, &mut close, &mut degree, &mut force, &mut nearest,
    )?;
    Ok((
        total.download()?,
        sorted(close.download()?),
        degree.download()?,
        nearest.download()?,
        weight.download()?.to_bits(),
        force.download()?.into_iter().map(f32::to_bits).collect(),
    ))
}

/// Compares all accumulated results over elements with features; sums of floats are deterministic.
pub(super) fn check_features(
    devices: &[Device],
    counts: &[usize],
    sizes: &[[usize; 2]],
) -> Result<()> {
    for &[n, width] in sizes {
        let first = folded(&some(devices, 1)?, n, width)?;
        let (one, alone) = (folded(&devices[0], n, width)?, &first);
        assert_eq!((one.0, &one.1, &one.2, &one.3), (alone.0, &alone.1, &alone.2, &alone.3));
        for &count in counts {
            let found = folded(&some(devices, count)?, n, width)?;
            assert_eq!(found, first, "{n} elements of {width} features on {count} devices");
        }
    }
    Ok(())
}

#[td_kernel]
unsafe fn fold_cross(
    #[row] a: &Features<f32>,
    #[column] b: &Features<f32>,
    #[fold] far: f32,
    total: &mut Sum<f32>,
    close: &mut Pairs,
    #[row] nearest: &mut Minima<(f32, u32)>,
    #[column] reached: &mut Sums<u32>,
) {
    let feature = r#" far += fabsf(a - b); "#;
    let pair = r#"
    total += far;
    if (far < 500)
        close.push();
    nearest.offer(far);
    reached += 1;
    "#;
}

type FoldedCross = (Vec<[u32; 2]>, Vec<Option<(f32, u32)>>, Vec<u32>, f64);

fn folded_cross(device: &Target, [rows, columns, width]: [usize; 3]) -> Result<FoldedCross> {
    let values: Vec<f32> =
        numbers((rows + columns) * width).iter().map(|value| *value as f32).collect();
    let (a, b) = values.split_at(rows * width);
    let (a, b) = (device.features(a, width)?, device.features(b, width)?);
    let (mut total, mut close) = (device.sum::<f32>()?, device.pairs(rows * columns)?);
    let (mut nearest, mut reached) = (device.minima(rows)?, device.sums(columns)?);
    fold_cross::load(device)?.launch(&a, &b, &mut total, &mut close, &mut nearest, &mut reached)?;
    let close = close.download()?.sorted()?.into_vecs().0;
    Ok((close, nearest.download()?, reached.download()?, f64::from(total.download()?)))
}

/// Compares all accumulated results over the pairs of two sets of elements with features.
pub(super) fn check_rectangle_of_features(
    devices: &[Device],
    counts: &[usize],
    sizes: &[[usize; 3]],
) -> Result<()> {
    for &size in sizes {
        let (close, nearest, reached, total) = folded_cross(&devices[0], size)?;
        for &count in counts {
            let found = folded_cross(&some(devices, count)?, size)?;
            assert_eq!(
                (&found.0, &found.1, &found.2),
                (&close, &nearest, &reached),
                "{size:?} on {count} devices"
            );
            // All terms have the same sign.
            within([found.3, total], 2e-6 * total);
        }
    }
    Ok(())
}
