//! A kernel with a parameter of every kind, and the check that each pair was visited exactly once.

use td_kernel::{Device, Result};

use crate::Choice;

/// The sizes at which kernels run: none, one, around each block size, powers of two, a prime, and one
/// that divides nothing.
pub const SIZES: &[usize] = &[0, 1, 2, 15, 16, 17, 31, 33, 64, 100, 128, 257];

/// The kernel. It counts a visit of (i, j) in the cell of the triangle with the diagonal, and
/// everything that is not as it should be in `wrong`.
pub const ITEM: &str = r##"
unsafe fn every(
    #[each] x: &[u32],
    #[each] y: &[[f32; 3]],
    step: u32,
    weights: &[f64],
    visits: &mut [u32],
    key: &mut Packed<u64>,
    wrong: &mut Sum<u64>,
    weight: &mut Sum<f64>,
    steps: &mut Sum<i64>,
    listed: &mut Pairs,
) {
    r#"
    if (i >= n || j > i) {
        wrong += 1;
        return;
    }
    if (x.i != i || x.j != j || y.i.x != i || y.j.z != -(float)j)
        wrong += 1;
    atomicAdd(&visits[(unsigned long long)i * (i + 1) / 2 + j], step);
    key = (unsigned long long)i << 32 | j;
    weight += weights[i] * weights[j];
    steps += (long long)j - (long long)i;
    if ((i + j) % 3 == 0)
        listed.push();
    "#
}
"##;

/// The same without packed slots, for the sweep over columns.
pub fn item(choice: &Choice) -> String {
    let item = ITEM.to_owned();
    match choice.tile {
        None => item,
        Some(_) => item
            .replace("    key: &mut Packed<u64>,\n", "")
            .replace("    key = (unsigned long long)i << 32 | j;\n", ""),
    }
}

/// Runs the kernel over `n` elements, and compares everything it wrote with what it should be.
///
/// # Errors
///
/// The kernel does not compile or run.
///
/// # Panics
///
/// Something is not what it should be.
pub fn check(device: &Device, choice: &Choice, sizes: &[usize]) -> Result<()> {
    let kernel = choice.load(device, "every", &item(choice))?;
    for &n in sizes {
        let place = format!("{choice:?}, n = {n}, on {}", device.name());
        let numbers: Vec<u32> = (0..n as u32).collect();
        let points: Vec<[f32; 3]> = numbers.iter().map(|&k| [k as f32, 0.5, -(k as f32)]).collect();
        // Small whole numbers, so that their sum is the same in any order.
        let factors: Vec<f64> = numbers.iter().map(|k| f64::from(k % 7)).collect();

        let x = device.upload(&numbers)?;
        let y = device.upload(&points)?;
        let weights = device.upload(&factors)?;
        let mut visits = device.zeroed::<u32>(n * (n + 1) / 2)?;
        let mut key: td_kernel::Packed<u64> =
            if choice.diagonal { device.packed_with_diagonal(n)? } else { device.packed(n)? };
        let (mut wrong, mut weight, mut steps) =
            (device.sum::<u64>()?, device.sum::<f64>()?, device.sum::<i64>()?);
        let mut listed = device.pairs(choice.pairs(n))?;

        let step = 5_u32;
        let mut launch = kernel.launch();
        launch.each("x", &x)?;
        launch.each("y", &y)?;
        launch.scalar(&step);
        launch.slice("weights", &weights)?;
        launch.slice_mut("visits", &mut visits)?;
        if choice.tile.is_none() {
            launch.packed("key", &mut key)?;
        }
        launch.sum("wrong", &mut wrong)?;
        launch.sum("weight", &mut weight)?;
        launch.sum("steps", &mut steps)?;
        launch.pairs("listed", &mut listed)?;
        launch.run()?;

        assert_eq!(wrong.download()?, 0, "{place}: pairs outside, or elements of another pair");
        let visits = visits.download()?;
        for (cell, (i, j)) in (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))).enumerate() {
            let expected = if i > j || choice.diagonal { step } else { 0 };
            assert_eq!(visits[cell], expected, "{place}: visits of ({i}, {j}), times {step}");
        }
        if choice.tile.is_none() {
            let keys: Vec<u64> =
                choice.visited(n).map(|(i, j)| (i as u64) << 32 | j as u64).collect();
            assert_eq!(key.download()?.as_slice(), keys, "{place}: packed slots");
        }
        let expected: f64 = choice.visited(n).map(|(i, j)| factors[i] * factors[j]).sum();
        assert_eq!(weight.download()?, expected, "{place}: sum of floats");
        let expected: i64 = choice.visited(n).map(|(i, j)| j as i64 - i as i64).sum();
        assert_eq!(steps.download()?, expected, "{place}: sum of signed integers");
        let mut pairs = listed.download()?;
        pairs.sort_unstable();
        let third = choice.visited(n).filter(|(i, j)| (i + j) % 3 == 0);
        assert_eq!(
            pairs,
            third.map(|(i, j)| [i as u32, j as u32]).collect::<Vec<_>>(),
            "{place}: list"
        );
    }
    Ok(())
}
