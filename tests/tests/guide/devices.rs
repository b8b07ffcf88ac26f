//! The chapter on several GPUs.

use td_kernel::{
    Device, Devices, ErrorKind, HostNearest, HostPacked, Result, Shape, Target, td_kernel,
};

// ANCHOR: count
#[td_kernel]
unsafe fn close(#[each] x: &[f32], radius: f32, count: &mut Sum<u64>) {
    r#" if (fabsf(x.i - x.j) < radius) count += 1; "#
}

/// Works for one device and for several.
fn count(device: &Target, x: &[f32]) -> Result<u64> {
    let mut count = device.sum()?;
    close::load(device)?.launch(&device.upload(x)?, 1.5, &mut count)?;
    count.download()
}

/// Every GPU has some of the rows; where there is none, the CPU has all of them.
fn count_on_all(x: &[f32]) -> Result<u64> {
    let devices = match Devices::all() {
        Err(error) if error.kind() == ErrorKind::NoGpu => Devices::cpu(1),
        other => other,
    }?;
    count(&devices, x)
}
// ANCHOR_END: count

// ANCHOR: nearest
/// The ten nearest points of each point.
#[td_kernel]
unsafe fn nearest(#[each] p: &[[f32; 2]], #[each] near: &mut Nearest<f32, 10>) {
    r#"
    float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y;
    near.push(fmaf(dy, dy, dx * dx));
    "#
}

/// The same on one device and on several.
fn neighbours(device: &Target, p: &[[f32; 2]]) -> Result<HostNearest<f32>> {
    let mut near = device.nearest(p.len())?;
    nearest::load(device)?.launch(&device.upload(p)?, &mut near)?;
    near.download()
}
// ANCHOR_END: nearest

// ANCHOR: chunks
#[td_kernel]
unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    r#" distance = fabsf(x.i - x.j); "#
}

/// The largest distance of each element to those before it.
fn farthest(devices: &Devices, x: &[f32]) -> Result<Vec<f32>> {
    let (kernel, x) = (distance::load(devices)?, devices.upload(x)?);
    let mut farthest = Vec::new();
    kernel.chunks(&x)?.each(|chunk| {
        let greatest = |row: &[f32]| row.iter().copied().fold(0.0, f32::max);
        farthest.extend(chunk.each_row().map(|(_, row)| greatest(row)));
        Ok(())
    })?;
    Ok(farthest)
}
// ANCHOR_END: chunks

// ANCHOR: slots
/// All distances: each device has a chunk of rows, and its slots.
fn distances(devices: &Devices, x: &[f32]) -> Result<Vec<HostPacked<f32>>> {
    let (n, height) = (x.len(), x.len().div_ceil(devices.len()));
    let mut chunks = Vec::new();
    for (at, device) in devices.iter().enumerate() {
        let rows = n.min(at * height)..n.min((at + 1) * height);
        let mut chunk = device.packed(Shape::triangle(n).of_rows(rows.clone()))?;
        distance::load(device)?.rows(rows).launch(&device.upload(x)?, &mut chunk)?;
        chunks.push(chunk); // on a GPU the launch is still running
    }
    chunks.iter().map(|chunk| chunk.download()).collect()
}
// ANCHOR_END: slots

#[test]
fn several_devices() -> Result<()> {
    let x: Vec<f32> = (0..500).map(|k| k as f32).collect();
    assert_eq!(count_on_all(&x)?, 499);
    for devices in 1..4 {
        let devices = Devices::cpu(devices)?;
        assert_eq!(count(&devices, &x)?, 499);
    }
    let p: Vec<[f32; 2]> = x.iter().map(|x| [x * x % 71.0, x % 13.0]).collect();
    let (device, devices) = (Device::cpu()?, Devices::cpu(3)?);
    let one = neighbours(&device, &p)?;
    assert_eq!((one.len(), one.counts().iter().all(|count| *count == 10)), (500, true));
    assert_eq!(neighbours(&devices, &p)?, one);
    assert_eq!(farthest(&Devices::cpu(3)?, &x)?, x);
    let chunks = distances(&Devices::cpu(3)?, &x)?;
    let rows: Vec<_> = chunks.iter().flat_map(|chunk| chunk.rows()).collect();
    assert_eq!(rows.len(), 500);
    for (at, (i, row)) in rows.into_iter().enumerate() {
        assert_eq!((at, row.len()), (i, i));
        assert!(row.iter().enumerate().all(|(j, value)| *value == (i - j) as f32));
    }
    let devices = Devices::cpu(2)?;
    let (one, x) = (devices.iter().next().unwrap(), devices.upload(&x)?);
    let launched = distance::load(&devices)?.launch(&x, &mut one.packed(500)?);
    let error = launched.unwrap_err();
    // The C++ compiler depends on the machine.
    let expected = include_str!("refused.txt").split_once("2 x CPU (").unwrap();
    let (start, end) = (expected.0, expected.1.split_once("), because").unwrap().1);
    let said = format!("{error}\n");
    assert!(
        said.starts_with(start) && said.ends_with(end) && said.contains(devices.name()),
        "{said}"
    );
    Ok(())
}
