//! Two sets with the body `lower_bound` over boxes.

use std::ops::Range;

use td_kernel::{DeviceType, Nearest, Ordered, Result, Slice, Target, td_kernel};

use super::nearest::{Found, found};
use super::{Ball, Way};

/// A point, whose members are not those of a ball.
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
#[repr(C)]
pub struct Dot {
    /// A weight.
    pub weight: u16,
    /// Where it is.
    pub center: [f32; 3],
}

/// A dot in the middle of each ball.
pub fn dots(balls: &[Ball]) -> Vec<Dot> {
    let dot = |ball: &Ball| Dot { weight: ball.weight.into(), center: ball.center };
    balls.iter().map(dot).collect()
}

/// The results of a launch, with the pairs in order.
#[derive(Debug, PartialEq)]
pub struct Results {
    /// The pairs, and the bits of their values.
    pub pairs: Vec<([u32; 2], u32)>,
    /// Their number.
    pub count: u64,
    /// The number of pairs of each row.
    pub degrees: Vec<u32>,
    /// The sum of weights for each column.
    pub moments: Vec<i32>,
    /// The bits of the least value of each row, and its column.
    pub least: Vec<Option<(u32, u32)>>,
    /// The pairs by value.
    pub bins: Vec<u64>,
    /// The bits of the greatest value, and its pair.
    pub most: Option<(u32, u32, u32)>,
}

#[td_kernel(order = "center[0], center[1], center[2]")]
unsafe fn hits(
    #[row] ball: &[Ball],
    #[row] index: &[u32],
    #[column] dot: &[Dot],
    margin: f32,
    list: &mut Pairs<f32>,
    count: &mut Sum<u64>,
    wrong: &mut Sum<u32>,
    #[row] degree: &mut Sums<u32>,
    #[column] moment: &mut Sums<i32>,
    #[row] least: &mut Minima<(f32, u32)>,
    h: &mut Histogram<u64>,
    most: &mut Max<f32>,
) {
    let pair = r#"
    if (i >= rows || j >= columns || ball.index != i || index != i)
        wrong += 1;
    const float x = ball.center[0] - dot.center[0], y = ball.center[1] - dot.center[1], z = ball.center[2] - dot.center[2];
    const float gap = sqrtf(x * x + y * y + z * z) - ball.radius - margin;
    // A pair with a NaN is in.
    if (!(gap > 0)) {
        const float value = gap == gap ? gap : -1.0f;
        list.push(value + dot.weight);
        count += 1;
        degree += 1;
        moment += ball.weight - dot.weight;
        least.offer(value);
        h.add(j % 7);
        most.offer(value);
    }
    "#;
    let lower_bound = r#" box_distance(ball, dot) - ball.hi.radius - margin "#;
}

/// The dots within balls.
pub fn hit_dots(
    device: &Target,
    way: Way,
    balls: &[Ball],
    dots: &[Dot],
    margin: f32,
    rows: Option<Range<usize>>,
) -> Result<Results> {
    let indices: Vec<_> = (0..balls.len() as u32).collect();
    let sets = (&device.upload(balls)?, &device.upload(&indices)?, &device.upload(dots)?);
    hits_of(device, way, (sets.0, sets.1, sets.2), [balls.len(), dots.len()], margin, rows)
}

/// The same of n balls and m dots on the device, with the balls' indices.
pub fn hits_of(
    device: &Target,
    way: Way,
    (ball, index, dot): (&dyn Slice<Ball>, &dyn Slice<u32>, &dyn Slice<Dot>),
    [n, m]: [usize; 2],
    margin: f32,
    rows: Option<Range<usize>>,
) -> Result<Results> {
    let kernel = load!(hits, device, way);
    let kernel = rows.map_or_else(|| kernel.clone(), |rows| kernel.rows(rows));
    let (mut list, mut count, mut wrong) = (device.pairs(n * m)?, device.sum()?, device.sum()?);
    let (mut degree, mut moment) = (device.sums(n)?, device.sums(m)?);
    let (mut least, mut h, mut most) = (device.minima(n)?, device.histogram(7)?, device.max()?);
    kernel.launch(
        ball, index, dot, margin, &mut list, &mut count, &mut wrong, &mut degree, &mut moment,
        &mut least, &mut h, &mut most,
    )?;
    assert_eq!(wrong.download()?, 0, "{way:?}: indices or elements of another pair");
    let list = list.download()?;
    let mut pairs: Vec<_> = list.iter().map(|(pair, value)| (pair, value.to_bits())).collect();
    pairs.sort_unstable();
    let least = least.download()?.into_iter();
    let least = least.map(|each| each.map(|(value, other): (f32, u32)| (value.to_bits(), other)));
    let most: Option<(f32, u32, u32)> = most.download()?;
    Ok(Results {
        pairs,
        count: count.download()?,
        degrees: degree.download()?,
        moments: moment.download()?,
        least: least.collect(),
        bins: h.download()?.as_slice().to_vec(),
        most: most.map(|(value, i, j)| (value.to_bits(), i, j)),
    })
}

#[td_kernel(order = "center[0], center[1], center[2]")]
unsafe fn count(
    #[row] ball: &[Ball],
    #[column] dot: &[Dot],
    count: &mut Sum<u64>,
    evaluated: &mut Sum<u64>,
) {
    let pair = r#"
    evaluated += 1;
    const float x = ball.center[0] - dot.center[0], y = ball.center[1] - dot.center[1], z = ball.center[2] - dot.center[2];
    if (sqrtf(x * x + y * y + z * z) <= ball.radius)
        count += 1;
    "#;
    let lower_bound = r#" box_distance(ball, dot) - ball.hi.radius "#;
}

/// The numbers of dots within balls and of evaluated pairs.
pub fn counted(device: &Target, way: Way, balls: &[Ball], dots: &[Dot]) -> Result<(u64, u64)> {
    let (ball, dot) = (device.upload(balls)?, device.upload(dots)?);
    let (mut total, mut evaluated) = (device.sum()?, device.sum()?);
    load!(count, device, way).launch(&ball, &dot, &mut total, &mut evaluated)?;
    Ok((total.download()?, evaluated.download()?))
}

#[td_kernel]
unsafe fn close(#[row] x: &[f32], #[column] y: &[f64], limits: &[f64], list: &mut Pairs) {
    let pair = r#"
    if (!(fabs(x - y) > limits[0]))
        list.push();
    "#;
    let lower_bound = r#" max(box_distance(x, y), max(x.lo - y.hi, y.lo - x.hi)) - limits[0] "#;
}

/// The pairs of numbers of two types within a distance.
pub fn close_pairs(
    device: &Target,
    way: Way,
    rows: &[f32],
    columns: &[f64],
    limit: f64,
) -> Result<Vec<[u32; 2]>> {
    let (x, y, limits) = (device.upload(rows)?, device.upload(columns)?, device.upload(&[limit])?);
    let mut list = device.pairs(rows.len() * columns.len())?;
    load!(close, device, way).launch(&x, &y, &limits, &mut list)?;
    let mut pairs = list.download()?.into_vecs().0;
    pairs.sort_unstable();
    Ok(pairs)
}

macro_rules! searches {
    ($name:ident, $search:ident, $count:literal) => {
        #[td_kernel]
        unsafe fn $name(
            #[row] query: &[[f32; 3]],
            #[column] data: &[[f32; 3]],
            edge: f32,
            #[row] near: &mut Nearest<f32, $count>,
        ) {
            let pair = r#"
            float x = query.x - data.x, y = query.y - data.y, z = query.z - data.z;
            x -= edge * rintf(x / edge);
            near.push(x * x + y * y + z * z);
            "#;
            let lower_bound = r#" periodic_square(query, data, edge, 1.0f / 0.0f, 1.0f / 0.0f) "#;
        }

        /// The nearest points of another set for each query. The second launch finds the same, and so do launches over points whose
        /// order is kept.
        pub fn $search(
            device: &Target,
            way: Way,
            [queries, points]: [&[[f32; 3]]; 2],
            edge: f32,
        ) -> Result<Found<f32>> {
            let (query, data) = (device.upload(queries)?, device.upload(points)?);
            let mut near: Nearest<f32, $count> = device.nearest(queries.len())?;
            let kernel = load!($name, device, way);
            kernel.launch(&query, &data, edge, &mut near)?;
            let first = found(&near.download()?);
            kernel.launch(&query, &data, edge, &mut near)?;
            assert!(found(&near.download()?) == first, "{way:?}");
            let data = Ordered::new(data);
            for _ in 0..2 {
                near.clear()?;
                kernel.launch(&query, &data, edge, &mut near)?;
                assert!(found(&near.download()?) == first, "{way:?}, ordered");
            }
            Ok(first)
        }
    };
}

searches!(few, nearest_few, 4);
searches!(many, nearest_many, 33);
