//! The README's examples of bands of rows, of features, of neighbours, of sums and lists, of two sets and of several devices, run on the
//! CPU.

use std::path::Path;

use td_kernel::{Csr, Device, Devices, PairList, Result, td_kernel};

/// Euclidean distance of every pair of points.
#[td_kernel(map = "ltm", sqrt = "rsqrt")]
unsafe fn edm(#[each] p: &[[f32; 4]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z, dw = p.i.w - p.j.w;
    distance = sqrtf(fmaf(dw, dw, fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
    "#
}

/// Passes each row of distances to `row_of`.
fn each_row(
    device: &Device,
    points: &[[f32; 4]],
    mut row_of: impl FnMut(usize, &[f32]),
) -> Result<()> {
    let (kernel, p) = (edm::load(device)?, device.upload(points)?);
    let mut bands = kernel.bands(&p)?.start()?; // or `.memory(1 << 30).start()?`
    while let Some(band) = bands.next()? {
        for (i, row) in band.each_row() {
            row_of(i, row); // the distances of (i, 0) to (i, i - 1)
        }
    }
    Ok(())
}

/// Writes all distances to a file in NumPy's format, however many there are.
fn write(device: &Device, points: &[[f32; 4]], path: &Path) -> Result<()> {
    let (kernel, p) = (edm::load(device)?, device.upload(points)?);
    kernel.bands(&p)?.progress(|done| println!("{} of {}", done.values, done.of)).write_npy(path)
}

/// The distance of every query to every point.
#[td_kernel]
unsafe fn cross(
    #[row] query: &[[f32; 2]],
    #[column] point: &[[f32; 2]],
    distance: &mut Matrix<f32>,
) {
    r#"
    float dx = query.x - point.x, dy = query.y - point.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#
}

fn main() -> td_kernel::Result<()> {
    let device = Device::best()?;
    let queries = device.upload(&[[0.0, 0.0], [3.0, 0.0]])?;
    let points = device.upload(&[[0.0, 4.0], [3.0, 4.0], [3.0, 0.0]])?;
    let mut distance = device.matrix(queries.len(), points.len())?; // 2 rows of 3 columns
    cross::load(&device)?.launch(&queries, &points, &mut distance)?;
    for (i, row) in distance.download()?.rows() {
        println!("query {i}: {row:?}"); // query 0: [4.0, 5.0, 3.0]
    }
    Ok(())
}

/// How many points are within a radius of each other, and which.
#[td_kernel]
unsafe fn close(#[each] p: &[[f32; 2]], radius: f32, count: &mut Sum<u64>, list: &mut Pairs) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    if (fmaf(dy, dy, dx * dx) <= radius * radius) {
        count += 1;
        list.push();
    }
    "#
}

/// The pairs of points within a radius, with their distances.
#[td_kernel]
unsafe fn within(#[each] p: &[[f32; 2]], radius: f32, near: &mut Pairs<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    float distance = sqrtf(fmaf(dy, dy, dx * dx));
    if (distance <= radius) near.push(distance);
    "#
}

/// The pairs of points within a radius: of `Devices::all()?`, every GPU has some of the rows.
fn all_within(devices: &Devices, points: &[[f32; 2]], radius: f32) -> Result<PairList<f32>> {
    let points = devices.upload(points)?; // a copy on each
    let mut near = devices.pairs(100_000)?;
    within::load(devices)?.launch(&points, radius, &mut near)?; // all at the same time
    near.download()?.sorted() // put together on the host
}

/// The Euclidean distance of every pair of rows.
#[td_kernel]
unsafe fn distances(#[each] p: &Features<f32>, #[fold] sum: f32, distance: &mut Packed<f32>) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" distance = sqrtf(sum); "#;
}

/// Of each row the nearest other one.
#[td_kernel]
unsafe fn nearest(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] near: &mut Min<(f32, u32)>) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.offer(sqrtf(sum)); "#;
}

/// Prints the row that is nearest to row 0, and all distances' mean.
fn rows_alike(device: &Device, values: &[f32], width: usize) -> Result<()> {
    let p = device.features(values, width)?; // as many rows as there are values for
    let mut distance = device.packed(p.len())?;
    distances::load(device)?.launch(&p, &mut distance)?;
    let all = distance.download()?.into_vec();
    let mut near = device.minima::<(f32, u32)>(p.len())?;
    nearest::load(device)?.launch(&p, &mut near)?;
    if let Some((least, other)) = near.download()?[0] {
        println!("row 0 is nearest to row {other}, at {least}");
        println!("mean of all: {}", all.iter().sum::<f32>() / all.len() as f32);
    }
    Ok(())
}

/// The ten nearest rows of each row, by squared distance.
#[td_kernel]
unsafe fn ten_nearest(
    #[each] p: &Features<f32>,
    #[fold] sum: f32,
    #[each] near: &mut Nearest<f32, 10>,
) {
    let feature = r#" float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
    let pair = r#" near.push(sum); "#;
}

/// The graph of the ten nearest of each row.
fn graph(device: &Device, values: &[f32], width: usize) -> Result<Csr<f32>> {
    let p = device.features(values, width)?;
    let mut near = device.nearest(p.len())?;
    ten_nearest::load(device)?.launch(&p, &mut near)?;
    let near = near.download()?; // `near.indices()` and `near.values()`, ten for each row, the nearest first
    near.to_csr()
}

#[test]
fn neighbours_are_as_the_readme_says() -> Result<()> {
    let graph = graph(&Device::cpu()?, &[0.0, 3.0, 1.0, 3.0, 4.0, 1.0, 0.0, 3.0, 2.0], 3)?;
    assert_eq!(graph.row(0), Some((&[1, 2][..], &[10.0, 1.0][..])));
    Ok(())
}

#[test]
fn features_are_as_the_readme_says() -> Result<()> {
    rows_alike(&Device::cpu()?, &[0.0, 3.0, 1.0, 3.0, 4.0, 1.0, 0.0, 3.0, 2.0], 3)
}

#[test]
fn lists_of_pairs_are_as_the_readme_says() -> Result<()> {
    let device = Device::cpu()?;
    let points: Vec<[f32; 2]> = (0..50).map(|k| [0.4 * k as f32, 0.0]).collect();
    let points = device.upload(&points)?;
    let (mut count, mut list) = (device.sum()?, device.pairs(100_000)?);
    close::load(&device)?.launch(&points, 0.5, &mut count, &mut list)?;
    println!("{} pairs, the first is {:?}", count.download()?, list.download()?.first());
    assert_eq!((count.download()?, list.download()?.len()), (49, 49));
    let mut near = device.pairs(100_000)?; // room for as many; if there are more, the error says how many
    within::load(&device)?.launch(&points, 0.5, &mut near)?;
    let near = near.download()?.sorted()?; // near.i(), near.j(), near.values()
    let graph = near.to_csr(points.len())?; // each pair at both of its points
    assert_eq!((near.i()[6], near.j()[6], near.len()), (7, 6, 49));
    assert_eq!(graph.neighbours_of(7), Some(&[6, 8][..]));
    let all: Vec<[f32; 2]> = (0..50).map(|k| [0.4 * k as f32, 0.0]).collect();
    assert_eq!(all_within(&Devices::cpu(3)?, &all, 0.5)?, near);
    let (readme, own) = (include_str!("../../../README.md"), include_str!("readme.rs"));
    for [start, end] in [
        ["let (mut count", "    assert_eq!((count"],
        ["let mut near = device.pairs", "// each pair at both of its points"],
    ] {
        let [start, end] = [start, end].map(|part| own.find(part).unwrap());
        assert!(readme.contains(&own[start..end].replace("\n    ", "\n")));
    }
    Ok(())
}

#[test]
fn pairs_of_two_sets_are_as_the_readme_says() {
    main().unwrap();
    let device = Device::cpu().unwrap();
    let queries = device.upload(&[[0.0, 0.0], [3.0, 0.0]]).unwrap();
    let points = device.upload(&[[0.0, 4.0], [3.0, 4.0], [3.0, 0.0]]).unwrap();
    let mut distance = device.matrix(queries.len(), points.len()).unwrap();
    cross::load(&device).unwrap().launch(&queries, &points, &mut distance).unwrap();
    assert_eq!(distance.download().unwrap().as_slice(), [4.0, 5.0, 3.0, 5.0, 4.0, 0.0]);
}

#[test]
fn bands_of_rows_are_as_the_readme_says() {
    let (readme, own) = (include_str!("../../../README.md"), include_str!("readme.rs"));
    for (start, end) in [
        ("#[td_kernel(map", "\n}\n"),
        ("/// Passes each row", "\n}\n"),
        ("/// The distance of every query", "\n}\n"),
        ("fn main() -> td_kernel", "\n}\n"),
        ("/// How many points are within", "\n}\n"),
        ("/// The pairs of points within", "\n}\n"),
        ("/// The pairs of points within a radius: of", "\n}\n"),
        ("/// The Euclidean distance of every pair of rows", "\n}\n"),
        ("/// Of each row the nearest", "\n}\n"),
        ("/// Prints the row that", "\n}\n"),
        ("/// The ten nearest rows", "\n}\n"),
        ("/// The graph of the ten", "\n}\n"),
    ] {
        let from = own.find(start).unwrap();
        let length = own[from..].find(end).unwrap() + end.len();
        assert!(readme.contains(&own[from..from + length]), "README.md has not {start}");
    }

    let points: Vec<[f32; 4]> =
        (0..300).map(|k| [3.0 * k as f32, 4.0 * k as f32, 0.0, 0.0]).collect();
    let device = Device::cpu().unwrap();
    let mut rows = 0;
    each_row(&device, &points, |i, row| {
        assert_eq!((i, row.len()), (rows, rows));
        for (j, distance) in row.iter().enumerate() {
            assert_eq!(*distance, 5.0 * (i - j) as f32);
        }
        rows += 1;
    })
    .unwrap();
    assert_eq!(rows, points.len());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("distances.npy");
    write(&device, &points, &path).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 128 + 4 * 300 * 299 / 2);
}
