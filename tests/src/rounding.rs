//! Products and sums are rounded as written, in kernels of every kind and on every device.

use td_kernel::{Device, Result, td_kernel};

macro_rules! kernels {
    ($($key:ident: $slots:ident, $kept:ident, $features:ident;)+) => {$(
        /// The same value in a slot, in a slice and on a list.
        #[td_kernel(fmad = $key)]
        unsafe fn $slots(#[each] p: &[f32], value: &mut Packed<f32>) {
            r#" value = p.i * p.j + p.i; "#
        }

        #[td_kernel(fmad = $key)]
        unsafe fn $kept(#[each] p: &[f32], slice: &mut [f32], list: &mut Pairs<f32>) {
            r#"
            float value = p.i * p.j + p.i;
            slice[i * (i - 1) / 2 + j] = value;
            list.push(value);
            "#
        }

        #[td_kernel(fmad = $key)]
        unsafe fn $features(#[each] p: &Features<f32>, #[fold] sum: f32, value: &mut Packed<f32>) {
            let feature = r#" sum += p.i * p.j; "#;
            let pair = r#" value = sum; "#;
        }
    )+};
}

kernels! {
    false: slots, kept, features;
    true: free_slots, free_kept, free_features;
}

/// Both halves of a square. They would differ if only one of two products were fused.
#[td_kernel]
pub unsafe fn squares(#[each] p: &[f32], sum: &mut Square<f32>) {
    r#" sum = p.i * p.i + p.j * p.j; "#
}

/// Numbers whose products need more bits than a float has.
fn numbers(n: usize) -> Vec<f32> {
    (0..n).map(|k| 1.0 + ((k * 7919 + 13) % 10_007) as f32 / 10_007.0).collect()
}

/// The bits of all results of the three kernels, slot by slot.
fn results(device: &Device, n: usize, fmad: bool) -> Result<[Vec<u32>; 4]> {
    let numbers = numbers(2 * n);
    let p = device.upload(&numbers[..n])?;
    let mut value = device.packed(n)?;
    let mut slice = device.upload(&vec![0.0f32; n * (n - 1) / 2])?;
    let mut list = device.pairs(n * (n - 1) / 2)?;
    let features = device.features(&numbers, 2)?;
    let mut folded = device.packed(n)?;
    if fmad {
        free_slots::load(device)?.launch(&p, &mut value)?;
        free_kept::load(device)?.launch(&p, &mut slice, &mut list)?;
        free_features::load(device)?.launch(&features, &mut folded)?;
    } else {
        slots::load(device)?.launch(&p, &mut value)?;
        kept::load(device)?.launch(&p, &mut slice, &mut list)?;
        features::load(device)?.launch(&features, &mut folded)?;
    }
    let list = list.download()?.sorted()?;
    let listed = list.iter().map(|(_, value)| value.to_bits()).collect();
    let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    Ok([
        bits(value.download()?.as_slice()),
        bits(&slice.download()?),
        listed,
        bits(folded.download()?.as_slice()),
    ])
}

/// Checks that only the key `fmad` lets a compiler fuse a product with a sum.
pub fn check(device: &Device, n: usize) -> Result<()> {
    let numbers = numbers(2 * n);
    let pairs = || (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
    let rounded = |value: fn(&[f32], usize, usize) -> f32| {
        pairs().map(|(i, j)| value(&numbers, i, j).to_bits()).collect::<Vec<_>>()
    };
    let value = rounded(|p, i, j| p[i] * p[j] + p[i]);
    let fused = rounded(|p, i, j| p[i].mul_add(p[j], p[i]));
    let folded = rounded(|p, i, j| p[2 * i] * p[2 * j] + p[2 * i + 1] * p[2 * j + 1]);
    assert_ne!(value, fused);
    let [slots, slice, list, features] = results(device, n, false)?;
    assert_eq!(slots, value, "slots");
    assert_eq!(slice, value, "a slice");
    assert_eq!(list, value, "a list");
    assert_eq!(features, folded, "folds");
    let p = device.upload(&numbers[..n])?;
    for text in 0..squares::SOURCES.len() {
        let kernel = squares { kernel: squares::load(device)?.kernel.pin(text) };
        let mut sum = device.square(n)?;
        kernel.launch(&p, &mut sum)?;
        let sum = sum.download()?;
        for (i, j) in pairs() {
            let expected = Some(numbers[i] * numbers[i] + numbers[j] * numbers[j]);
            let found = [sum.get(i, j).copied(), sum.get(j, i).copied()];
            assert_eq!(found, [expected; 2], "a square, text {text}, ({i}, {j})");
        }
    }
    for (name, found) in ["slots", "a slice", "a list"].iter().zip(results(device, n, true)?) {
        for (at, found) in found.iter().enumerate() {
            assert!(*found == value[at] || *found == fused[at], "{name}, slot {at}");
        }
    }
    Ok(())
}
