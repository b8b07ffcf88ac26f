//! Results larger than memory.

use std::path::Path;

use td_kernel::{Device, LaunchWith, Packed, Result, Slice, Slots, td_kernel};

// ANCHOR: kernel
/// The distance of every pair of points.
#[td_kernel]
unsafe fn distances(#[each] p: &[[f32; 2]], distance: &mut Packed<f32>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    "#
}
// ANCHOR_END: kernel

// ANCHOR: loop
/// The largest distance of each point to those before it.
fn farthest(device: &Device, points: &[[f32; 2]]) -> Result<Vec<f32>> {
    let (kernel, p) = (distances::load(device)?, device.upload(points)?);
    let mut farthest = Vec::new();
    let mut chunks = kernel.chunks(&p)?.start()?;
    while let Some(chunk) = chunks.next()? {
        for (_, row) in chunk.each_row() {
            farthest.push(row.iter().copied().fold(0.0, f32::max));
        }
    }
    Ok(farthest)
}
// ANCHOR_END: loop

// ANCHOR: gathered
/// The same distances, and how many are less than a radius.
#[td_kernel]
unsafe fn counted(
    #[each] p: &[[f32; 2]],
    radius: f32,
    distance: &mut Packed<f32>,
    close: &mut Sum<u64>,
) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    distance = sqrtf(fmaf(dy, dy, dx * dx));
    if (distance < radius) close += 1;
    "#
}

/// A histogram of all distances, in steps of 1, and how many are less than `radius`.
fn histogram(device: &Device, points: &[[f32; 2]], radius: f32) -> Result<(Vec<u64>, u64)> {
    let (kernel, p) = (counted::load(device)?, device.upload(points)?);
    let (mut bins, mut close) = (vec![0; 100], device.sum()?);
    kernel.chunks(&p, radius, &mut close)?.each(|chunk| {
        for distance in chunk.values {
            bins[(*distance as usize).min(99)] += 1;
        }
        Ok(())
    })?;
    Ok((bins, close.download()?))
}
// ANCHOR_END: gathered

// ANCHOR: file
/// All distances in a file, as large as the disk allows.
fn write(device: &Device, points: &[[f32; 2]], path: &Path) -> Result<()> {
    let (kernel, p) = (distances::load(device)?, device.upload(points)?);
    let chunks = kernel.chunks(&p)?.progress(|done| {
        eprint!("\r{:.1} %", 100.0 * done.values as f64 / done.of as f64);
    });
    chunks.write_npy(path)
}
// ANCHOR_END: file

// ANCHOR: resume
/// The same, continued by each run of the program until it is done. The points are its only input, so they identify the work.
fn write_over_runs(device: &Device, points: &[[f32; 2]], path: &Path) -> Result<()> {
    let (kernel, p) = (distances::load(device)?, device.upload(points)?);
    kernel.chunks(&p)?.resume_npy(path, points)
}
// ANCHOR_END: resume

// ANCHOR: limits
/// The sum of all distances, with a megabyte on the device for three chunks.
fn sum(device: &Device, points: &[[f32; 2]]) -> Result<f64> {
    let (kernel, p) = (distances::load(device)?, device.upload(points)?);
    let mut sum = 0.0;
    kernel.chunks(&p)?.memory(1 << 20).in_flight(3).each(|chunk| {
        sum += chunk.values.iter().copied().map(f64::from).sum::<f64>();
        Ok(())
    })?;
    Ok(sum)
}
// ANCHOR_END: limits

// ANCHOR: lists
/// Lists the pairs of points within a radius.
#[td_kernel]
unsafe fn close(#[each] p: &[[f32; 2]], radius: f32, list: &mut Pairs) {
    r#" if (hypotf(p.i.x - p.j.x, p.i.y - p.j.y) <= radius) list.push(); "#
}

/// How many points are within a radius of each. The pairs of `height` rows are in memory at a time.
fn degrees(device: &Device, points: &[[f32; 2]], radius: f32, height: usize) -> Result<Vec<usize>> {
    let (kernel, p) = (close::load(device)?, device.upload(points)?);
    let mut degrees = vec![0; points.len()];
    // Row i has i pairs, so a chunk has fewer than this. If a list is too short, its download is an error with the number of
    // pairs that it needs.
    let mut list = device.pairs(height * points.len())?;
    for begin in (0..points.len()).step_by(height) {
        let chunk = begin..points.len().min(begin + height);
        list.clear()?;
        kernel.rows(chunk).launch(&p, radius, &mut list)?;
        for &[i, j] in list.download()?.pairs() {
            degrees[i as usize] += 1;
            degrees[j as usize] += 1;
        }
    }
    Ok(degrees)
}
// ANCHOR_END: lists

// ANCHOR: any
/// How many values of any kernel from points to packed floats are more than 1.
fn above_one<K>(device: &Device, points: &[[f32; 2]]) -> Result<usize>
where
    K: for<'a> LaunchWith<(&'a dyn Slice<[f32; 2]>, &'a mut dyn Slots<Packed<f32>>)>,
{
    let (kernel, p) = (K::load(device)?, device.upload(points)?);
    let mut count = 0;
    let chunks = device.chunks(p.len(), |rows, slots| kernel.rows(rows).launch_with((&p, slots)));
    chunks.each(|chunk| {
        count += chunk.values.iter().filter(|value| **value > 1.0).count();
        Ok(())
    })?;
    Ok(count)
}
// ANCHOR_END: any

#[test]
fn chunks() -> Result<()> {
    // On a line, so that distances are differences.
    let points: Vec<[f32; 2]> = (0..900).map(|k| [0.5 * k as f32, 0.0]).collect();
    let pairs = 900 * 899 / 2;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("distances.npy");
    for device in [Device::cpu()?, Device::emulator()?] {
        let expected: Vec<f32> = points.iter().map(|p| p[0]).collect();
        assert_eq!(farthest(&device, &points)?, expected);
        let (bins, close) = histogram(&device, &points, 1.25)?;
        assert_eq!((bins.iter().sum::<u64>(), bins[0]), (pairs, 899));
        assert_eq!(close, 899 + 898);
        write(&device, &points, &path)?;
        assert_eq!(std::fs::metadata(&path).unwrap().len(), 128 + 4 * pairs);
        let written = std::fs::read(&path).unwrap();
        write_over_runs(&device, &points, &path)?;
        assert_eq!(std::fs::read(&path).unwrap(), written);
        let by_hand: f64 = (1..900).map(|k| 0.5 * f64::from(k) * f64::from(900 - k)).sum();
        assert!((sum(&device, &points)? - by_hand).abs() < 1e-6 * by_hand);
        for height in [7, 100, 900, 1000] {
            let degrees = degrees(&device, &points, 1.25, height)?;
            assert_eq!((degrees[0], degrees[1], degrees[2], degrees[899]), (2, 3, 4, 2));
            assert_eq!(degrees.iter().sum::<usize>(), 2 * (899 + 898));
        }
        assert_eq!(above_one::<distances>(&device, &points)?, pairs as usize - 899 - 898);
    }
    Ok(())
}
