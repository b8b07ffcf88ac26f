//! The program of the chapter on pairs of two sets.

// ANCHOR: program
use td_kernel::{Device, td_kernel};

/// The distance of every query to every point, and the nearest point of each query.
#[td_kernel]
unsafe fn cross(
    #[row] query: &[[f32; 2]],
    #[column] point: &[[f32; 2]],
    distance: &mut Matrix<f32>,
    #[row] nearest: &mut Minima<(f32, u32)>,
) {
    r#"
    float dx = query.x - point.x, dy = query.y - point.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    nearest.offer(distance);
    "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    let queries = device.upload(&[[0.0, 0.0], [6.0, 8.0]])?;
    let points = device.upload(&[[3.0, 4.0], [0.0, 2.0], [6.0, 0.0]])?;
    let mut distance = device.matrix((queries.len(), points.len()))?;
    let mut nearest = device.minima(queries.len())?;
    cross::load(&device)?.launch(&queries, &points, &mut distance, &mut nearest)?;
    let (distance, nearest) = (distance.download()?, nearest.download()?);
    for ((query, row), nearest) in distance.rows().zip(nearest) {
        println!("query {query}: {row:?}, the nearest is {nearest:?}");
    }
    Ok(())
}
// ANCHOR_END: program
