//! The chapter on nearest neighbours.

use td_kernel::{Device, Result, td_kernel};

// ANCHOR: nearest
/// The two nearest rows of each row, by squared distance.
#[td_kernel]
unsafe fn nearest(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] near: &mut Nearest<f32, 2>) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
}
// ANCHOR_END: nearest

// ANCHOR: nearest_launch
#[test]
fn neighbours() -> Result<()> {
    let device = Device::cpu()?;
    let p = device.features(&[0.0, 0.0, 3.0, 4.0, 1.0, 0.0, 0.0, 2.0], 2)?; // four rows of two
    let mut near = device.nearest(p.len())?;
    nearest::load(&device)?.launch(&p, &mut near)?;
    let near = near.download()?;
    assert_eq!(near.row(1), Some((&[3, 2][..], &[13.0, 20.0][..]))); // the nearest first
    let graph = near.to_csr(near.len())?; // by rows; in each, the neighbours ascend
    assert_eq!(graph.neighbours_of(1), Some(&[2, 3][..]));
    Ok(())
}
// ANCHOR_END: nearest_launch

// ANCHOR: rows
/// The three nearest points of another set, for each query.
#[td_kernel]
unsafe fn search(
    #[row] query: &[[f32; 2]],
    #[column] point: &[[f32; 2]],
    #[row] near: &mut Nearest<f32, 3>,
) {
    r#"
    float dx = query.x - point.x, dy = query.y - point.y;
    near.push(fmaf(dy, dy, dx * dx));
    "#
}
// ANCHOR_END: rows

#[test]
fn a_search() -> Result<()> {
    let device = Device::cpu()?;
    let queries = device.upload(&[[0.0, 0.0], [9.0, 9.0]])?;
    let points = device.upload(&[[1.0, 0.0], [0.0, 1.0]])?;
    let mut near = device.nearest(2)?;
    search::load(&device)?.launch(&queries, &points, &mut near)?;
    let near = near.download()?;
    assert_eq!(near.row(0), Some((&[0, 1][..], &[1.0, 1.0][..])));
    assert_eq!(
        (near.counts(), near.indices()),
        (&[2, 2][..], &[0, 1, u32::MAX, 0, 1, u32::MAX][..])
    );
    Ok(())
}

// ANCHOR: lower
/// The same, with a lower bound that leaves out most pairs.
#[td_kernel]
unsafe fn filtered(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] norm: &[f32],
    #[each] near: &mut Nearest<f32, 2>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) "#;
}
// ANCHOR_END: lower

#[test]
fn a_filter() -> Result<()> {
    let device = Device::cpu()?;
    let rows = [[0.0, 0.0], [3.0, 4.0], [1.0, 0.0], [0.0, 2.0]];
    // ANCHOR: lower_launch
    let norms: Vec<f32> = rows.iter().map(|[x, y]| x * x + y * y).collect();
    let (p, norm) = (device.features_from_rows(rows)?, device.upload(&norms)?);
    let mut near = device.nearest(p.len())?;
    filtered::load(&device)?.launch(&p, &norm, &mut near)?;
    // ANCHOR_END: lower_launch
    assert_eq!(near.download()?.row(1), Some((&[3, 2][..], &[13.0, 20.0][..])));
    Ok(())
}

// ANCHOR: lower_bound_rect
/// The three nearest points of each query, with a lower bound.
#[td_kernel]
unsafe fn filtered_search(
    #[row] query: &Features<f32>,
    #[column] point: &Features<f32>,
    #[fold] sum: f32,
    #[row] query_norm: &[f32],
    #[column] point_norm: &[f32],
    #[row] near: &mut Nearest<f32, 3>,
) {
    let feature = r#" float d = query - point; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, query_norm + point_norm) "#;
}
// ANCHOR_END: lower_bound_rect

#[test]
fn a_filtered_search() -> Result<()> {
    let device = Device::cpu()?;
    let queries = device.features_from_rows([[0.0, 0.0], [9.0, 9.0]])?;
    let points = device.features_from_rows([[1.0, 0.0], [0.0, 2.0]])?;
    let (of_queries, of_points) = (device.upload(&[0.0, 162.0])?, device.upload(&[1.0, 4.0])?);
    let mut near = device.nearest(queries.len())?;
    let kernel = filtered_search::load(&device)?;
    kernel.launch(&queries, &points, &of_queries, &of_points, &mut near)?;
    assert_eq!(near.download()?.row(1), Some((&[1, 0][..], &[130.0, 145.0][..])));
    Ok(())
}

// ANCHOR: close
/// The pairs of rows whose squared distance is at most `limit`, where most are farther.
#[td_kernel]
unsafe fn close(
    #[each] p: &Features<f32>,
    #[each] norm: &[f32],
    limit: f32,
    #[fold] sum: f32,
    pairs: &mut Pairs<f32>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#"
    if (sum <= limit)
        pairs.push(sum);
    "#;
    let lower_bound = r#" fmaf(-2.0f, dot_upper, norm.i + norm.j) - limit "#;
}
// ANCHOR_END: close

#[test]
fn close_pairs() -> Result<()> {
    let device = Device::cpu()?;
    let p = device.features_from_rows([[0.0, 0.0], [3.0, 4.0], [3.0, 0.0]])?;
    let norm = device.upload(&[0.0, 25.0, 9.0])?;
    let mut pairs = device.pairs(3)?;
    close::load(&device)?.launch(&p, &norm, 10.0, &mut pairs)?;
    assert_eq!(pairs.download()?.iter().next(), Some(([2, 0], &9.0)));
    Ok(())
}

// ANCHOR: one
/// The nearest other point of each.
#[td_kernel]
unsafe fn one(#[each] x: &[f32], #[each] near: &mut Minima<(f32, u32)>) {
    r#" near.offer(fabsf(x.i - x.j)); "#
}
// ANCHOR_END: one

#[test]
fn one_neighbour() -> Result<()> {
    let device = Device::cpu()?;
    let mut near = device.minima(3)?;
    one::load(&device)?.launch(&device.upload(&[0.0, 5.0, 6.0])?, &mut near)?;
    assert_eq!(near.download()?, [Some((5.0, 1)), Some((1.0, 2)), Some((1.0, 1))]);
    Ok(())
}
