//! Nearest neighbours with the body `lower_bound` over boxes.

use td_kernel::{HostNearest, Nearest, NearestValue, Ordered, Result, Target, td_kernel};

use super::{Ball, Way};

/// The neighbours of each element, and their values.
pub type Found<T> = (Vec<u32>, Vec<T>);

/// Those of a launch.
pub(super) fn found<T: NearestValue + Copy>(near: &HostNearest<T>) -> Found<T> {
    let rows = near.rows();
    let (indices, values): (Vec<_>, Vec<_>) =
        rows.map(|(_, indices, values)| (indices.to_vec(), values.to_vec())).unzip();
    rows_of(indices, values.concat())
}

/// Neighbours after the ends of rows, so that those of one element are not taken for those of the next one.
pub(super) fn rows_of<T>(indices: Vec<Vec<u32>>, values: Vec<T>) -> Found<T> {
    let ends = indices.iter().map(|row| row.len() as u32);
    (ends.chain(indices.concat()).collect(), values)
}

#[td_kernel(order = "center[0], center[1], center[2]")]
unsafe fn gaps(#[each] p: &[Ball], shift: f32, #[each] near: &mut Nearest<f32, 5>) {
    let pair = r#"
    const float x = p.i.center[0] - p.j.center[0], y = p.i.center[1] - p.j.center[1], z = p.i.center[2] - p.j.center[2];
    // Both ends of a pair have their own element.
    if (p.i.index == i && p.j.index == j)
        near.push(sqrtf(x * x + y * y + z * z) - (p.i.radius + p.j.radius) - shift);
    "#;
    let lower_bound = r#" box_distance(p.i, p.j) - (p.i.hi.radius + p.j.hi.radius) - shift "#;
}

/// The balls with the least gaps to each ball.
pub fn near_balls(device: &Target, way: Way, balls: &[Ball]) -> Result<Found<f32>> {
    let (p, mut near) = (Ordered::new(device.upload(balls)?), device.nearest(balls.len())?);
    let kernel = load!(gaps, device, way);
    kernel.launch(&*p, 0.5, &mut near)?;
    let first = near.download()?;
    // Another launch keeps the order, and the last one uses it.
    for _ in 0..2 {
        near.clear()?;
        kernel.launch(&p, 0.5, &mut near)?;
        let (again, first) = (found(&near.download()?), found(&first));
        let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert!(again.0 == first.0 && bits(&again.1) == bits(&first.1), "{way:?}, ordered");
    }
    Ok(found(&first))
}

macro_rules! squares {
    ($name:ident, $search:ident, $count:literal, $($keys:tt)*) => {
        #[td_kernel($($keys)*)]
        unsafe fn $name(#[each] p: &[[f32; 3]], edges: [f32; 3], #[each] near: &mut Nearest<f32, $count>) {
            let pair = r#"
            float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
            x -= edges.x * rintf(x / edges.x);
            y -= edges.y * rintf(y / edges.y);
            z -= edges.z * rintf(z / edges.z);
            near.push(x * x + y * y + z * z);
            "#;
            let lower_bound = r#" periodic_square(p.i, p.j, edges.x, edges.y, edges.z) "#;
        }

        /// The nearest points of each point in a periodic cell. The second launch finds the same.
        pub fn $search(device: &Target, way: Way, points: &[[f32; 3]], edges: [f32; 3]) -> Result<Found<f32>> {
            let p = device.upload(points)?;
            let mut near: Nearest<f32, $count> = device.nearest(points.len())?;
            let kernel = load!($name, device, way);
            kernel.launch(&p, edges, &mut near)?;
            let first = found(&near.download()?);
            kernel.launch(&p, edges, &mut near)?;
            assert!(found(&near.download()?) == first, "{way:?}");
            Ok(first)
        }
    };
}

squares!(one_square, nearest_one, 1, order = "z, y, x");
squares!(few_squares, nearest_few, 12, diagonal = true);
squares!(some_squares, nearest_some, 20,);
squares!(many_squares, nearest_many, 70, diagonal = true);

#[td_kernel]
unsafe fn any_squares(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32>) {
    let pair = r#"
    float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
    near.push(x * x + y * y + z * z);
    "#;
    let lower_bound = r#" box_square(p.i, p.j) "#;
}

/// The k nearest points of each point.
pub fn nearest_any(device: &Target, way: Way, points: &[[f32; 3]], k: usize) -> Result<Found<f32>> {
    let (p, mut near) = (device.upload(points)?, device.nearest_k(points.len(), k)?);
    load!(any_squares, device, way).launch(&p, &mut near)?;
    Ok(found(&near.download()?))
}

#[td_kernel]
unsafe fn differences(
    #[each] x: &[i32],
    #[each] group: &[u8],
    limit: u32,
    #[each] near: &mut Nearest<u16, 3>,
) {
    let pair = r#"
    const unsigned int value = abs(x.i - x.j);
    if (group.i == group.j && value <= limit)
        near.push(value);
    "#;
    let lower_bound = r#" max(x.i.lo - x.j.hi, x.j.lo - x.i.hi) "#;
}

/// The nearest numbers of the same group within a distance.
pub fn near_numbers(device: &Target, way: Way, numbers: &[i32], limit: u32) -> Result<Found<u16>> {
    let groups: Vec<u8> = (0..numbers.len()).map(|k| (k % 3) as u8).collect();
    let (x, group) = (device.upload(numbers)?, device.upload(&groups)?);
    let mut near = device.nearest(numbers.len())?;
    load!(differences, device, way).launch(&x, &group, limit, &mut near)?;
    Ok(found(&near.download()?))
}
