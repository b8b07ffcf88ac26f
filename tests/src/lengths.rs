//! Slices without `#[each]`, of any length, which their bodies can read.

use td_kernel::{Device, Result, td_kernel};

/// Reads and writes only within its slices, however long they are.
#[td_kernel]
unsafe fn within(weights: &[u32], marks: &mut [u32], total: &mut Sum<u64>) {
    r#"
    if (i < weights_length)
        total += weights[i];
    if (j < marks_length)
        marks[j] = 1;
    "#
}

/// Likewise along rows, with a single slice.
#[td_kernel(tile = 64)]
unsafe fn stored(weights: &[u32], out: &mut Packed<u32>) {
    r#" out = i < weights_length ? weights[i] : weights_length; "#
}

/// A user's parameter hides the length of that name.
#[td_kernel]
unsafe fn own_length(x: &[u32], x_length: u32, total: &mut Sum<u64>) {
    r#" total += x_length + x[0]; "#
}

/// Checks the kernels on this device.
pub fn check(device: &Device) -> Result<()> {
    let (within, stored) = (within::load(device)?, stored::load(device)?);
    for length in [0, 1, 3, 70] {
        let weights = device.upload(&vec![7_u32; length])?;
        let mut marks = device.zeroed(length)?;
        let mut total = device.sum()?;
        within.launch(60, &weights, &mut marks, &mut total)?;
        let pairs = (0..length.min(60)).sum::<usize>();
        assert_eq!(total.download()?, 7 * pairs as u64, "{length}");
        // Every element but the last of 60 is the smaller one of some pair.
        let marked = marks.download()?.iter().filter(|mark| **mark == 1).count();
        assert_eq!(marked, length.min(59), "{length}");

        let mut out = device.packed(60)?;
        stored.launch(&weights, &mut out)?;
        let found = out.download()?;
        for (i, row) in found.rows() {
            let expected = if i < length { 7 } else { length as u32 };
            assert!(row.iter().all(|value| *value == expected), "{length}, row {i}: {row:?}");
        }
    }
    let mut total = device.sum()?;
    own_length::load(device)?.launch(2, &device.upload(&[10_u32])?, 7, &mut total)?;
    assert_eq!(total.download()?, 17);
    assert!(!own_length::SOURCE.contains("unsigned long long x_length"));
    Ok(())
}
