//! Kernels with the body `lower_bound` over boxes, of elements that are hard: equal, far from each other, huge, or not finite. What near
//! tiles find is compared with a launch over all pairs, whose results the catalogue compares with the host's.

pub mod sets;

use td_kernel::__private::NearTiles;
use td_kernel::{
    DeviceType, HostNearest, Kernel, Nearest, Ordered, Report, Result, Slice, Target, td_kernel,
};

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

impl Way {
    /// The kernel that visits pairs in this way, with the number of the variant that visits near tiles.
    fn of(self, kernel: Kernel, near: usize) -> Kernel {
        match self {
            Way::All => kernel.pin(0),
            Way::Near => kernel.pin(near),
            Way::Always => kernel.near_tiles(NearTiles::Always),
            Way::Tested => kernel.near_tiles(NearTiles::Tested),
            Way::Usual => kernel,
        }
    }
}

/// Loads a kernel whose launches visit pairs in this way. The variant that visits near tiles is its last one.
macro_rules! load {
    ($kernel:ident, $device:expr, $way:expr) => {{
        let last = $kernel::SOURCES.len() - 1;
        assert!($kernel::SOURCES[last].contains("_scatter("));
        $kernel { kernel: $way.of($kernel::load($device)?.kernel, last) }
    }};
}

pub mod kept;
pub mod rounded;
pub mod sphere;

#[td_kernel(order = "center[0], center[1], center[2]")]
unsafe fn touching(
    #[each] p: &[Ball],
    margin: f32,
    list: &mut Pairs<f32>,
    evaluated: &mut Sum<u64>,
    #[each] least: &mut Minima<(f32, u32)>,
) {
    let pair = r#"
    evaluated += 1;
    const float x = p.i.center[0] - p.j.center[0], y = p.i.center[1] - p.j.center[1], z = p.i.center[2] - p.j.center[2];
    const float gap = sqrtf(x * x + y * y + z * z) - (p.i.radius + p.j.radius) - margin;
    // A pair with a NaN is in.
    if (!(gap > 0)) {
        const float value = gap == gap ? gap : -1.0f;
        list.push(value + p.i.weight - 2.0f * p.j.weight);
        least.offer(value);
    }
    "#;
    let lower_bound = r#" box_distance(p.i, p.j) - (p.i.hi.radius + p.j.hi.radius) - margin "#;
}

#[td_kernel(order = "center[0], center[1], center[2]")]
unsafe fn hits(
    #[row] ball: &[Ball],
    #[column] dot: &[Ball],
    margin: f32,
    list: &mut Pairs<f32>,
    evaluated: &mut Sum<u64>,
    #[column] least: &mut Minima<(f32, u32)>,
) {
    let pair = r#"
    evaluated += 1;
    const float x = ball.center[0] - dot.center[0], y = ball.center[1] - dot.center[1], z = ball.center[2] - dot.center[2];
    const float gap = sqrtf(x * x + y * y + z * z) - ball.radius - margin;
    if (!(gap > 0)) {
        list.push(gap == gap ? gap : -1.0f);
        least.offer(gap == gap ? gap : -1.0f);
    }
    "#;
    let lower_bound = r#" box_distance(ball, dot) - ball.hi.radius - margin "#;
}

#[td_kernel(order = "center[0], center[1], center[2]")]
unsafe fn gaps(#[each] p: &[Ball], #[each] near: &mut Nearest<f32>) {
    let pair = r#"
    const float x = p.i.center[0] - p.j.center[0], y = p.i.center[1] - p.j.center[1], z = p.i.center[2] - p.j.center[2];
    near.push(sqrtf(x * x + y * y + z * z) - (p.i.radius + p.j.radius));
    "#;
    let lower_bound = r#" box_distance(p.i, p.j) - (p.i.hi.radius + p.j.hi.radius) "#;
}

#[td_kernel]
unsafe fn closest(
    #[row] a: &[[f32; 3]],
    #[column] b: &[[f32; 3]],
    edge: f32,
    #[row] near: &mut Nearest<f32>,
) {
    let pair = r#"
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    x -= edge * rintf(x / edge);
    near.push(x * x + y * y + z * z);
    "#;
    let lower_bound = r#" periodic_square(a, b, edge, 1.0f / 0.0f, 1.0f / 0.0f) "#;
}

#[td_kernel(diagonal = true, order = "z, x")]
unsafe fn periodic(#[each] p: &[[f32; 3]], edges: [f32; 2], limit: f32, list: &mut Pairs) {
    let pair = r#"
    float x = p.i.x - p.j.x, z = p.i.z - p.j.z;
    z -= edges.x * rintf(z / edges.x);
    x -= edges.y * rintf(x / edges.y);
    if (!(z * z + x * x > limit))
        list.push();
    "#;
    let lower_bound = r#" periodic_square(p.i, p.j, edges.x, edges.y) - limit "#;
}

/// The neighbours of an element, and the bits of their values.
pub type Neighbours = Vec<(Vec<u32>, Vec<u32>)>;

fn neighbours(near: &HostNearest<f32>) -> Neighbours {
    let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect();
    near.rows().map(|(_, indices, values)| (indices.to_vec(), bits(values))).collect()
}

/// The pairs of a list with the bits of their values, the least value of each element, and the number of evaluated pairs.
pub type Found = (Vec<([u32; 2], u32)>, Vec<Option<(u32, u32)>>, u64);

macro_rules! found {
    ($device:ident, $room:expr, $count:expr, |$list:ident, $evaluated:ident, $least:ident| $launch:expr) => {{
        let (mut $list, mut $evaluated) = ($device.pairs::<f32>($room)?, $device.sum()?);
        let mut $least = $device.minima::<(f32, u32)>($count)?;
        $launch?;
        let list = $list.download()?;
        let mut pairs: Vec<_> = list.iter().map(|(pair, value)| (pair, value.to_bits())).collect();
        pairs.sort_unstable();
        let least = $least.download()?.into_iter();
        let least = least.map(|each| each.map(|(value, other)| (value.to_bits(), other)));
        Ok((pairs, least.collect(), $evaluated.download()?))
    }};
}

/// The touching pairs of n balls.
pub fn touching_pairs(
    device: &Target,
    way: Way,
    p: &dyn Slice<Ball>,
    n: usize,
    margin: f32,
) -> Result<Found> {
    let kernel = load!(touching, device, way);
    found!(device, n * n.saturating_sub(1) / 2, n, |list, evaluated, least| {
        kernel.launch(p, margin, &mut list, &mut evaluated, &mut least)
    })
}

/// The dots within balls.
pub fn hit_dots(
    device: &Target,
    way: Way,
    [balls, dots]: [&dyn Slice<Ball>; 2],
    [n, m]: [usize; 2],
) -> Result<Found> {
    let kernel = load!(hits, device, way);
    found!(device, n * m, m, |list, evaluated, least| {
        kernel.launch(balls, dots, 0.01, &mut list, &mut evaluated, &mut least)
    })
}

/// The k points of another set that are nearest to each query, of which a second launch finds the same.
pub fn nearest_points(
    device: &Target,
    way: Way,
    [queries, points]: [&[[f32; 3]]; 2],
    edge: f32,
    k: usize,
) -> Result<Neighbours> {
    let (a, b) = (device.upload(queries)?, Ordered::new(device.upload(points)?));
    let mut near: Nearest<f32> = device.nearest_k(queries.len(), k)?;
    let kernel = load!(closest, device, way);
    kernel.launch(&a, &b, edge, &mut near)?;
    let first = neighbours(&near.download()?);
    kernel.launch(&a, &b, edge, &mut near)?;
    assert!(neighbours(&near.download()?) == first, "{way:?}");
    Ok(first)
}

/// The k balls with the least gaps to each ball.
pub fn near_balls(
    device: &Target,
    way: Way,
    p: &dyn Slice<Ball>,
    n: usize,
    k: usize,
) -> Result<Neighbours> {
    let mut near = device.nearest_k(n, k)?;
    load!(gaps, device, way).launch(p, &mut near)?;
    Ok(neighbours(&near.download()?))
}

/// All results of these balls but the number of evaluated pairs.
#[derive(Debug, PartialEq)]
pub struct Results(Vec<Found>, Vec<Neighbours>, Vec<Vec<[u32; 2]>>);

/// The results of every kernel, of elements whose order is kept if this is set.
pub fn results(device: &Target, way: Way, balls: &[Ball], is_ordered: bool) -> Result<Results> {
    let n = balls.len();
    let kept = Ordered::new(device.upload(balls)?);
    let others = Ordered::new(device.upload(&balls[n / 3..])?);
    let p: &dyn Slice<Ball> = if is_ordered { &kept } else { &*kept };
    let q: &dyn Slice<Ball> = if is_ordered { &others } else { &*others };
    let mut found = Vec::new();
    for margin in [0.0, -0.01] {
        found.push(touching_pairs(device, way, p, n, margin)?);
    }
    found.push(hit_dots(device, way, [p, q], [n, n - n / 3])?);
    found.iter_mut().for_each(|found| found.2 = 0);
    let points: Vec<_> = balls.iter().map(|ball| ball.center).collect();
    let sets = [&points[..n / 2], &points[n / 4..]];
    let nearest = vec![
        near_balls(device, way, p, n, 5)?,
        nearest_points(device, way, sets, 0.7, 4)?,
        nearest_points(device, way, sets, 1e30, 33)?,
    ];
    let mut pairs = Vec::new();
    for (edges, limit) in [([1.0, 1.0], 0.002), ([0.7, 1e30], 0.01), ([1.0, 2.0], 3.0)] {
        let (kernel, mut list) = (load!(periodic, device, way), device.pairs(n * (n + 1) / 2)?);
        kernel.launch(&device.upload(&points)?, edges, limit, &mut list)?;
        pairs.push(list.download()?.sorted()?.pairs().to_vec());
    }
    Ok(Results(found, nearest, pairs))
}

#[td_kernel(order = "center[2], center[0], center[1]")]
unsafe fn count(#[each] p: &[Ball], #[each] degree: &mut Sums<u32>, evaluated: &mut Sum<u64>) {
    let pair = r#"
    evaluated += 1;
    const float x = p.i.center[0] - p.j.center[0], y = p.i.center[1] - p.j.center[1], z = p.i.center[2] - p.j.center[2];
    const float r = p.i.radius + p.j.radius;
    if (x * x + y * y + z * z <= r * r) {
        degree.i += 1;
        degree.j += 1;
    }
    "#;
    let lower_bound = r#" box_distance(p.i, p.j) - p.i.hi.radius - p.j.hi.radius "#;
}

/// The number of balls that each ball touches, and the number of evaluated pairs.
pub type Counted = (Vec<u32>, u64);

/// The touching balls of some sets, counted by launches of one kernel.
pub fn counted(device: &Target, way: Way, all: &[&[Ball]]) -> Result<Vec<Counted>> {
    let kernel = load!(count, device, way);
    let count = |balls: &&[Ball]| {
        let (mut degree, mut evaluated) = (device.sums(balls.len())?, device.sum()?);
        kernel.launch(&device.upload(balls)?, &mut degree, &mut evaluated)?;
        Ok((degree.download()?, evaluated.download()?))
    };
    all.iter().map(count).collect()
}

/// How pairs are counted.
pub fn report(device: &Target, n: usize) -> Result<Report> {
    count::load(device)?.report(n)
}

/// Some of n elements.
pub fn sample(n: usize) -> impl Iterator<Item = usize> {
    (0..n).step_by(n / 50 + 1).chain(n.checked_sub(1))
}

/// Compares the degrees of some balls with those that the host finds among all pairs.
pub fn check_degrees(balls: &[Ball], degrees: &[u32]) {
    for at in sample(balls.len()) {
        let is_touching = |ball: &&Ball| {
            let [x, y, z] = [0, 1, 2].map(|d| ball.center[d] - balls[at].center[d]);
            let r = ball.radius + balls[at].radius;
            ball.index as usize != at && x * x + y * y + z * z <= r * r
        };
        let expected = balls.iter().filter(is_touching).count();
        assert_eq!(degrees[at] as usize, expected, "{at} of {}", balls.len());
    }
}

/// Launches that count on several streams: the first one sorts for all. The balls are replaced between the streams' launches.
pub fn counted_on_streams<S: td_kernel::Stream>(
    device: &Target,
    all: &[Vec<Ball>],
    streams: &[S],
) -> Result<Vec<Vec<u32>>> {
    let kernel = count::load(device)?;
    let mut p = Ordered::new(device.upload(&all[0])?);
    let mut found = Vec::new();
    for balls in all {
        p.upload_into(balls)?;
        for stream in streams {
            let (mut degree, mut evaluated) = (device.sums(balls.len())?, device.sum()?);
            kernel.with_stream(stream)?.launch(&p, &mut degree, &mut evaluated)?;
            found.push(degree);
        }
    }
    found.iter().map(|degree| degree.download()).collect()
}
