//! The chapter on choosing a map.

use td_kernel::{Device, Result, Shape, TuneReport, td_kernel};

// ANCHOR: auto
/// How many pairs of numbers are close. `tune` chooses one of four maps.
#[td_kernel(map = "auto")]
unsafe fn close(#[each] x: &[f32], radius: f32, count: &mut Sum<u64>) {
    r#" if (fabsf(x.i - x.j) < radius) count += 1; "#
}
// ANCHOR_END: auto

// ANCHOR: tune
/// Finds the fastest variant for this n. Later launches for the same n take it.
fn tune(kernel: &close, device: &Device, x: &[f32]) -> Result<TuneReport> {
    println!("{}", kernel.report(x.len())?); // what a launch would do
    let tuned = kernel.tune(&device.upload(x)?, 2.5, &mut device.sum()?)?; // as `launch`
    println!("{tuned}"); // each variant, the fastest first
    Ok(tuned)
}
// ANCHOR_END: tune

#[test]
fn tuning() -> Result<()> {
    let device = Device::emulator()?;
    let kernel = close::load(&device)?;
    let x: Vec<f32> = (0..200).map(|k| k as f32).collect();
    let tuned = tune(&kernel, &device, &x)?;
    assert_eq!((tuned.elements, tuned.times.len()), (200, close::SOURCES.len()));
    for map in ["rb", "ltm", "h", "walk"] {
        let begins = |(text, _): &(String, _)| text.split([' ', ',']).any(|word| word == map);
        assert!(tuned.times.iter().any(begins), "{tuned}");
    }
    let mut count = device.sum()?;
    kernel.launch(&device.upload(&x)?, 2.5, &mut count)?;
    assert_eq!(count.download()?, 199 + 198);
    Ok(())
}

/// The sum of all distances, with the slots of 100 rows in the device's memory at a time.
fn sum_in_chunks(device: &Device, x: &[f32]) -> Result<f64> {
    let (kernel, n) = (distance::load(device)?, x.len());
    let x = device.upload(x)?;
    let mut sum = 0.0;
    for first in (0..n).step_by(100) {
        let rows = first..n.min(first + 100);
        let mut chunk = device.packed(Shape::triangle(n).of_rows(rows.clone()))?;
        kernel.rows(rows).launch(&x, &mut chunk)?;
        for (_, row) in chunk.download()?.rows() {
            sum += row.iter().map(|value| f64::from(*value)).sum::<f64>();
        }
    }
    Ok(sum)
}

#[td_kernel]
unsafe fn distance(#[each] x: &[f32], distance: &mut Packed<f32>) {
    r#" distance = fabsf(x.i - x.j); "#
}

#[test]
fn chunks() -> Result<()> {
    let x: Vec<f32> = (0..250).map(|k| k as f32).collect();
    // n (n + 1) (n - 1) / 6 for the numbers from 0 on.
    assert_eq!(sum_in_chunks(&Device::cpu()?, &x)?, 250.0 * 251.0 * 249.0 / 6.0);
    Ok(())
}
