//! Every kind of output and input that the body `lower_bound` supports.

use td_kernel::{Buffer, Device, Result, td_kernel};

use super::norms;

/// The results of a launch over one set, with the pairs in order.
#[derive(Debug, PartialEq)]
pub struct OfOne {
    /// The pairs of a list without values.
    pub pairs: Vec<[u32; 2]>,
    /// The pairs with two values, as their bits.
    pub valued: Vec<([u32; 2], [u32; 2])>,
    /// The largest product of each element, and the other element's index.
    pub most: Vec<Option<(f32, u32)>>,
    /// The number of pairs in which each element has the larger index.
    pub larger: Vec<i64>,
    /// The sum of all larger indices.
    pub total: i64,
    /// The body's own counts in memory.
    pub counts: Vec<u32>,
}

#[td_kernel]
unsafe fn of_one(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[fold(start = "1")] last: u32,
    #[each] norm: &[[f32; 2]],
    weights: &[f32],
    least: f32,
    near: &mut Pairs,
    valued: &mut Pairs<[f32; 2]>,
    #[each] most: &mut Maxima<(f32, u32)>,
    #[each] larger: &mut Sums<i64>,
    total: &mut Sum<i64>,
    counts: &mut [u32],
) {
    let feature = r#" sum = fmaf(p.i * weights[k], p.j, sum); if (k + 1 == features) last += k; "#;
    let pair = r#"
    if (fabsf(sum) >= least && norm.i.y != norm.j.y) {
        near.push();
        valued.push({sum, norm.i.x});
        most.offer(sum);
        larger.i += last;
        total += i;
        atomicAdd(&counts[(i + j) % counts_length], 1);
    }
    "#;
    let lower_bound = r#" norm.i.y == norm.j.y || n > 1000000 || features > 100000 ? 1 : least - fmaxf(dot_upper, -dot_lower) "#;
}

/// The results of the variant with this index, or with `None` of the last one, which filters; `room` is the capacity of lists.
/// All weights are 1.
pub fn find_of_one(
    device: &Device,
    text: Option<usize>,
    values: &[f32],
    width: usize,
    least: f32,
    room: usize,
) -> Result<OfOne> {
    let p = device.features(values, width)?;
    let n = p.len();
    // Elements of one colour form no pairs.
    let norm = norms(values, width).into_iter().enumerate();
    let norm: Vec<_> = norm.map(|(k, norm)| [norm, (k % 7) as f32]).collect();
    let (norm, weights) = (device.upload(&norm)?, device.upload(&vec![1.0_f32; width])?);
    let text = text.unwrap_or(filter!(of_one));
    let kernel = of_one { kernel: of_one::load(device)?.kernel.pin(text) };
    let (mut near, mut valued) = (device.pairs(room)?, device.pairs(room)?);
    let (mut most, mut larger) = (device.maxima(n)?, device.sums(n)?);
    let (mut total, mut counts) = (device.sum()?, device.zeroed(9)?);
    kernel.launch(
        &p, &norm, &weights, least, &mut near, &mut valued, &mut most, &mut larger, &mut total,
        &mut counts,
    )?;
    let pairs = near.download()?.sorted()?.into_vecs().0;
    let valued = valued.download()?;
    let mut valued: Vec<_> =
        valued.iter().map(|(pair, value)| (pair, value.map(f32::to_bits))).collect();
    valued.sort_unstable();
    Ok(OfOne {
        pairs,
        valued,
        most: most.download()?,
        larger: larger.download()?,
        total: total.download()?,
        counts: counts.download()?,
    })
}

/// The results of a launch over two sets.
#[derive(Debug, PartialEq)]
pub struct OfTwo {
    /// The nearest column of each row that has one within the limit.
    pub nearest: Vec<Option<(f32, u32)>>,
    /// The number of rows to which each column is near.
    pub degrees: Vec<u64>,
    /// The number of pairs.
    pub count: u32,
}

#[td_kernel]
unsafe fn of_two(
    #[row] q: &Features<f32>,
    #[column] p: &Features<f32>,
    #[fold] sum: f32,
    #[row] of_q: &[f32],
    #[column] of_p: &[f32],
    limit: f32,
    #[row] nearest: &mut Minima<(f32, u32)>,
    #[column] degree: &mut Sums<u64>,
    count: &mut Sum<u32>,
) {
    let feature = r#" float d = q - p; sum += d * d; "#;
    let pair = r#"
    if (sum <= limit) {
        nearest.offer(sum);
        degree += 1;
        count += 1;
    }
    "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, of_q + of_p) - limit "#;
}

/// The results of the variant with this index, or with `None` of the last one; of these rows, if given.
pub fn find_of_two(
    device: &Device,
    text: Option<usize>,
    [queries, points]: [&[f32]; 2],
    width: usize,
    limit: f32,
    rows: Option<std::ops::Range<usize>>,
) -> Result<OfTwo> {
    let (q, p) = (device.features(queries, width)?, device.features(points, width)?);
    let norms = [queries, points].map(|values| device.upload(&norms(values, width)));
    let [of_q, of_p]: [Result<Buffer<f32>>; 2] = norms;
    let (of_q, of_p) = (of_q?, of_p?);
    let text = text.unwrap_or(filter!(of_two));
    let kernel = of_two { kernel: of_two::load(device)?.kernel.pin(text) };
    let (mut nearest, mut degree) = (device.minima(q.len())?, device.sums(p.len())?);
    let mut count = device.sum()?;
    match rows {
        None => {
            kernel.launch(&q, &p, &of_q, &of_p, limit, &mut nearest, &mut degree, &mut count)?;
        }
        Some(rows) => kernel
            .rows(rows)
            .launch(&q, &p, &of_q, &of_p, limit, &mut nearest, &mut degree, &mut count)?,
    }
    Ok(OfTwo {
        nearest: nearest.download()?,
        degrees: degree.download()?,
        count: count.download()?,
    })
}
