//! Lists, sums, results of elements and nearest neighbours with the body `lower_bound` over boxes: pairs of tiles that boxes
//! exclude would not have changed any result.

pub mod sets;

use td_kernel::{Device, DeviceType, Report, Result, Slice, Target, td_kernel};

/// A ball, with members that the lower bound does not use before and after those that it uses.
#[derive(Clone, Copy, Debug, PartialEq, DeviceType)]
#[repr(C)]
pub struct Ball {
    /// The index of this element.
    pub index: u32,
    /// The center.
    pub center: [f32; 3],
    /// The radius.
    pub radius: f32,
    /// A weight.
    pub weight: u8,
}

/// The variant of a kernel that visits near tiles is its last one.
macro_rules! near {
    ($kernel:ident) => {{
        assert!($kernel::SOURCES[$kernel::SOURCES.len() - 1].contains("_scatter("));
        $kernel::SOURCES.len() - 1
    }};
}

/// Loads a kernel whose launches visit pairs in this way.
macro_rules! load {
    ($kernel:ident, $device:expr, $way:expr) => {{
        let loaded = $kernel::load($device)?;
        match $way {
            Way::All => $kernel { kernel: loaded.kernel.pin(0) },
            Way::Near => $kernel { kernel: loaded.kernel.pin(near!($kernel)) },
            Way::Always => $kernel {
                kernel: loaded.kernel.near_tiles(td_kernel::__private::NearTiles::Always),
            },
            Way::Tested => $kernel {
                kernel: loaded.kernel.near_tiles(td_kernel::__private::NearTiles::Tested),
            },
            Way::Usual => loaded,
        }
    }};
}

pub mod exact;
pub mod host;
pub mod kept;
pub mod nearest;
pub mod ordered;
pub mod rounded;
pub mod sphere;
pub mod tree;
pub mod two;

/// How pairs are visited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// All pairs, in the source of a GPU.
    All,
    /// Those of near tiles, in the source of a GPU.
    Near,
    /// Those of near tiles, in the CPU's loops or in the source of a GPU.
    Always,
    /// As a test of some pairs decides, for any number of elements.
    Tested,
    /// As the device chooses.
    Usual,
}

/// The results of a launch, with the pairs in order.
#[derive(Debug, Default, PartialEq)]
pub struct Found {
    /// The pairs, and the bits of their values.
    pub pairs: Vec<([u32; 2], u32)>,
    /// The same without values.
    pub plain: Vec<[u32; 2]>,
    /// Their number.
    pub count: u64,
    /// The number of pairs of each element.
    pub degrees: Vec<u32>,
    /// The difference of the weights of both ends, which shows their order.
    pub moments: Vec<i32>,
    /// The bits of the least value of each element, and its other element.
    pub least: Vec<Option<(u32, u32)>>,
}

#[td_kernel(order = "center[0], center[1], center[2]")]
unsafe fn touching(
    #[each] p: &[Ball],
    margin: f32,
    plain: &mut Pairs,
    list: &mut Pairs<f32>,
    count: &mut Sum<u64>,
    wrong: &mut Sum<u32>,
    evaluated: &mut Sum<u64>,
    #[each] degree: &mut Sums<u32>,
    #[each] moment: &mut Sums<i32>,
    #[each] least: &mut Minima<(f32, u32)>,
) {
    let pair = r#"
    evaluated += 1;
    if (i <= j || i >= n || p.i.index != i || p.j.index != j)
        wrong += 1;
    const float x = p.i.center[0] - p.j.center[0], y = p.i.center[1] - p.j.center[1], z = p.i.center[2] - p.j.center[2];
    const float gap = sqrtf(x * x + y * y + z * z) - (p.i.radius + p.j.radius) - margin;
    // A pair with a NaN is in.
    if (!(gap > 0)) {
        const float value = gap == gap ? gap : -1.0f;
        plain.push();
        list.push(value + p.i.weight - 2.0f * p.j.weight);
        count += 1;
        degree.i += 1;
        degree.j += 1;
        moment.i += p.j.weight;
        moment.j -= p.i.weight;
        least.i.offer(value);
        least.j.offer(value);
    }
    "#;
    let lower_bound = r#" box_distance(p.i, p.j) - (p.i.hi.radius + p.j.hi.radius) - margin "#;
}

/// The touching pairs, and the number of evaluated pairs.
pub fn touching_pairs(
    device: &Target,
    way: Way,
    balls: &[Ball],
    margin: f32,
    rows: Option<std::ops::Range<usize>>,
) -> Result<(Found, u64)> {
    touching_of(device, way, (&device.upload(balls)?, balls.len()), margin, rows)
}

/// The same of n balls on the device.
pub fn touching_of(
    device: &Target,
    way: Way,
    (p, n): (&dyn Slice<Ball>, usize),
    margin: f32,
    rows: Option<std::ops::Range<usize>>,
) -> Result<(Found, u64)> {
    let kernel = load!(touching, device, way);
    let most = n * n.saturating_sub(1) / 2;
    let (mut plain, mut list) = (device.pairs(most)?, device.pairs(most)?);
    let (mut count, mut wrong, mut evaluated) = (device.sum()?, device.sum()?, device.sum()?);
    let (mut degree, mut moment) = (device.sums(n)?, device.sums(n)?);
    let mut least = device.minima(n)?;
    let kernel = rows.map_or_else(|| kernel.clone(), |rows| kernel.rows(rows));
    kernel.launch(
        p, margin, &mut plain, &mut list, &mut count, &mut wrong, &mut evaluated, &mut degree,
        &mut moment, &mut least,
    )?;
    assert_eq!(wrong.download()?, 0, "{way:?}: indices or elements of another pair");
    let list = list.download()?;
    let mut pairs: Vec<_> = list.iter().map(|(pair, value)| (pair, value.to_bits())).collect();
    pairs.sort_unstable();
    let mut plain = plain.download()?.into_vecs().0;
    plain.sort_unstable();
    let least = least.download()?.into_iter();
    let least = least.map(|each| each.map(|(value, other): (f32, u32)| (value.to_bits(), other)));
    let found = Found {
        pairs,
        plain,
        count: count.download()?,
        degrees: degree.download()?,
        moments: moment.download()?,
        least: least.collect(),
    };
    Ok((found, evaluated.download()?))
}

#[td_kernel(diagonal = true, order = "z, x")]
unsafe fn periodic(
    #[each] p: &[[f32; 3]],
    edges: [f32; 2],
    limits: &[f32],
    list: &mut Pairs<f64>,
    #[each] degree: &mut Sums<u32>,
    evaluated: &mut Sum<u64>,
) {
    let pair = r#"
    evaluated += 1;
    float x = p.i.x - p.j.x, z = p.i.z - p.j.z;
    z -= edges.x * rintf(z / edges.x);
    x -= edges.y * rintf(x / edges.y);
    const float square = z * z + x * x;
    if (!(square > limits[0])) {
        list.push(square);
        degree.i += 1;
        degree.j += 1;
    }
    "#;
    let lower_bound = r#" periodic_square(p.i, p.j, edges.x, edges.y) - limits[0] "#;
}

/// The pairs within a distance in a periodic cell, the degrees, and the number of evaluated pairs.
#[expect(clippy::type_complexity)]
pub fn periodic_pairs(
    device: &Target,
    way: Way,
    points: &[[f32; 3]],
    edges: [f32; 2],
    limit: f32,
) -> Result<(Vec<([u32; 2], u64)>, Vec<u32>, u64)> {
    let n = points.len();
    let (p, limits) = (device.upload(points)?, device.upload(&[limit])?);
    let kernel = load!(periodic, device, way);
    let (mut list, mut degree, mut evaluated) =
        (device.pairs(n * (n + 1) / 2)?, device.sums(n)?, device.sum()?);
    kernel.launch(&p, edges, &limits, &mut list, &mut degree, &mut evaluated)?;
    let list = list.download()?;
    let mut pairs: Vec<_> = list.iter().map(|(pair, value)| (pair, bits_of(*value))).collect();
    pairs.sort_unstable();
    Ok((pairs, degree.download()?, evaluated.download()?))
}

/// The bits of a value, of which a NaN has those of one.
fn bits_of(value: f64) -> u64 {
    if value.is_nan() { u64::MAX } else { value.to_bits() }
}

#[td_kernel]
unsafe fn close(
    #[each] x: &[f64],
    #[each] group: &[u8],
    limit: f64,
    list: &mut Pairs,
    evaluated: &mut Sum<u64>,
) {
    let pair = r#"
    evaluated += 1;
    if (!(fabs(x.i - x.j) > limit) && group.i == group.j)
        list.push();
    "#;
    let lower_bound = r#" box_manhattan(x.i, x.j) - limit "#;
}

/// The pairs of numbers of the same group within a distance, and the number of evaluated pairs.
pub fn close_pairs(
    device: &Target,
    way: Way,
    numbers: &[f64],
    limit: f64,
) -> Result<(Vec<[u32; 2]>, u64)> {
    let n = numbers.len();
    let groups: Vec<u8> = (0..n).map(|k| (k % 3) as u8).collect();
    let (x, group) = (device.upload(numbers)?, device.upload(&groups)?);
    let kernel = load!(close, device, way);
    let most = (n * n.saturating_sub(1) / 2).min(1 << 22);
    let (mut list, mut evaluated) = (device.pairs(most)?, device.sum()?);
    kernel.launch(&x, &group, limit, &mut list, &mut evaluated)?;
    let mut pairs = list.download()?.into_vecs().0;
    pairs.sort_unstable();
    Ok((pairs, evaluated.download()?))
}

#[td_kernel(order = "center[0], center[1], center[2]")]
unsafe fn gaps(
    #[each] p: &[Ball],
    limit: f32,
    h: &mut Histogram<u64>,
    weights: &mut Histogram<f64>,
    most: &mut Max<f32>,
    least: &mut Min<f32>,
) {
    let pair = r#"
    const float x = p.i.center[0] - p.j.center[0], y = p.i.center[1] - p.j.center[1], z = p.i.center[2] - p.j.center[2];
    const float gap = sqrtf(x * x + y * y + z * z);
    if (gap <= limit) {
        h.add(h.linear(gap, 0, limit));
        weights.add(2 * gap, 1 + p.i.weight);
        most.offer(gap);
        least.offer(gap);
    }
    "#;
    let lower_bound = r#" box_distance(p.i, p.j) - limit "#;
}

/// Histograms of the gaps up to a limit, and the extreme gaps with their pairs.
#[expect(clippy::type_complexity)]
pub fn gap_histograms(
    device: &Target,
    way: Way,
    balls: &[Ball],
    limit: f32,
) -> Result<(Vec<u64>, Vec<f64>, [Option<(f32, u32, u32)>; 2])> {
    let (p, kernel) = (device.upload(balls)?, load!(gaps, device, way));
    let (mut h, mut weights) = (device.histogram(17)?, device.histogram(9)?);
    let (mut most, mut least) = (device.max()?, device.min()?);
    kernel.launch(&p, limit, &mut h, &mut weights, &mut most, &mut least)?;
    let (h, weights) = (h.download()?, weights.download()?);
    Ok((h.as_slice().to_vec(), weights.as_slice().to_vec(), [most.download()?, least.download()?]))
}

/// Compares the touching pairs of a device with those of the host. Returns the numbers of pairs that are found and evaluated.
pub fn compare(
    what: &str,
    device: &Device,
    way: Way,
    balls: &[Ball],
    margin: f32,
) -> Result<[u64; 2]> {
    let expected = host::touching_pairs(balls, margin);
    let (found, evaluated) = touching_pairs(device, way, balls, margin, None)?;
    let n = balls.len();
    assert!(
        found == expected,
        "{what}, {n} balls within {margin}: {} pairs, not {}",
        found.count,
        expected.count
    );
    Ok([found.count, evaluated])
}

#[td_kernel(order = "center[2], center[0], center[1]")]
unsafe fn count(#[each] p: &[Ball], count: &mut Sum<u64>, evaluated: &mut Sum<u64>) {
    let pair = r#"
    evaluated += 1;
    const float x = p.i.center[0] - p.j.center[0], y = p.i.center[1] - p.j.center[1], z = p.i.center[2] - p.j.center[2];
    const float r = p.i.radius + p.j.radius;
    if (x * x + y * y + z * z <= r * r)
        count += 1;
    "#;
    let lower_bound = r#" box_distance(p.i, p.j) - p.i.hi.radius - p.j.hi.radius "#;
}

/// The numbers of touching pairs and of evaluated pairs.
pub fn counted(device: &Target, way: Way, balls: &[Ball]) -> Result<(u64, u64)> {
    Ok(counted_in_turn(device, way, &[balls])?[0])
}

/// The same of some sets, by launches of one kernel.
pub fn counted_in_turn(device: &Target, way: Way, all: &[&[Ball]]) -> Result<Vec<(u64, u64)>> {
    let kernel = load!(count, device, way);
    let count = |balls: &&[Ball]| {
        let p = device.upload(balls)?;
        let (mut total, mut evaluated) = (device.sum()?, device.sum()?);
        kernel.launch(&p, &mut total, &mut evaluated)?;
        Ok((total.download()?, evaluated.download()?))
    };
    all.iter().map(count).collect()
}

/// How pairs are counted.
pub fn report(device: &Target, n: usize) -> Result<Report> {
    count::load(device)?.report(n)
}
