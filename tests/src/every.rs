//! A kernel with a parameter of every kind, and the check that each pair was visited exactly once.

use std::ops::Range;

use td_kernel::__private::{Axis, Sweep, output};
use td_kernel::{Device, Pairs, Result, Shape, Slice, SliceMut};

use crate::Choice;
use crate::folds;

/// The sizes at which kernels run: zero, one, around each block size, powers of two, a prime, and a number that no block size
/// divides.
pub const SIZES: &[usize] = &[0, 1, 2, 15, 16, 17, 31, 33, 64, 100, 128, 257];

/// The kernel. It counts a visit of (i, j) in a cell of the triangle with the diagonal, and every error in `wrong`.
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
    valued: &mut Pairs<[f32; 2]>,
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
    if ((i + 2 * j) % 5 == 0)
        valued.push(make_float2(i, j));
    "#
}
"##;

/// For kernels that visit each pair twice, to write both halves of a square: they count nothing, and an error shows in the
/// value.
const BOTH: &str = r##"
unsafe fn every(
    #[each] x: &[u32],
    #[each] y: &[[f32; 3]],
    step: u32,
    weights: &[f64],
    key: &mut Square<u64>,
    low: &mut Square<u8>,
) {
    r#"
    const bool wrong = i >= n || j > i || x.i != i || x.j != j || y.i.x != i || y.j.z != -(float)j
        || weights[j] != j % 7 || step != 5;
    key = wrong ? 1ull << 63 : (unsigned long long)i << 32 | j;
    low = i + 2 * j;
    "#
}
"##;

/// The kernel without the slots, for sweeps that have none.
fn without_slots() -> String {
    ITEM.replace("    key: &mut Packed<u64>,\n", "")
        .replace("    key = (unsigned long long)i << 32 | j;\n", "")
}

/// The kernel with two squares instead of packed slots.
fn square() -> String {
    ITEM.replace("key: &mut Packed<u64>,", "key: &mut Square<u64>, low: &mut Square<u8>,")
        .replace("    weight +=", "    low = i + 2 * j;\n    weight +=")
}

/// The kernel for this choice: with packed slots, a square, or neither, depending on the sweep.
pub fn item(choice: &Choice) -> String {
    match choice.sweep {
        Sweep::Rows if choice.square => BOTH.to_owned(),
        Sweep::Mirror => square(),
        Sweep::Fold if choice.square => folds::item(&square(), Sweep::Fold),
        Sweep::Fold => folds::item(ITEM, Sweep::Fold),
        Sweep::Columns => without_slots(),
        Sweep::Rotate => without_slots()
            .replace("    listed:", "    #[each] degree: &mut Sums<u32>,\n    listed:")
            .replace("    weight +=", "    degree.i += 1;\n    degree.j += 1;\n    weight +="),
        _ => ITEM.to_owned(),
    }
}

/// The value of a square's diagonal, if no pair writes it.
const DIAGONAL: u64 = 7 << 40;

/// The rows of each launch: all at once, and in ranges that end within tiles and between them if the map has ranges.
fn cuts(choice: &Choice, n: usize) -> Vec<Vec<Range<usize>>> {
    if !choice.has_ranges() {
        return vec![vec![]];
    }
    let side = choice.side() as usize;
    let mut ends = [0, n / 5, n / 5, n / 2 / side * side, n.saturating_sub(1), n];
    ends.sort_unstable();
    vec![vec![], ends.windows(2).map(|ends| ends[0]..ends[1]).collect()]
}

/// Runs the kernel over `n` elements, and compares everything it wrote with the expected values.
pub fn check(device: &Device, choice: &Choice, sizes: &[usize]) -> Result<()> {
    let kernel = choice.load(device, "every", &item(choice))?;
    for (n, cut) in sizes.iter().flat_map(|n| cuts(choice, *n).into_iter().map(|cut| (*n, cut))) {
        let context = format!("{choice:?}, n = {n}, {cut:?}, on {}", device.name());
        let numbers: Vec<u32> = (0..n as u32).collect();
        let points: Vec<[f32; 3]> = numbers.iter().map(|&k| [k as f32, 0.5, -(k as f32)]).collect();
        // Small integers, so that their sum is exact in any order.
        let factors: Vec<f64> = numbers.iter().map(|k| f64::from(k % 7)).collect();

        let x = device.upload(&numbers)?;
        let y = device.upload(&points)?;
        let weights = device.upload(&factors)?;
        let mut visits = device.zeroed::<u32>(n * (n + 1) / 2)?;
        let mut key: td_kernel::Packed<u64> = if choice.diagonal {
            device.packed(Shape::triangle(n).with_diagonal())?
        } else {
            device.packed(n)?
        };
        let (mut wrong, mut weight, mut steps) =
            (device.sum::<u64>()?, device.sum::<f64>()?, device.sum::<i64>()?);
        let mut listed: Pairs = device.pairs(choice.pairs(n))?;
        let mut valued = device.pairs::<[f32; 2]>(choice.pairs(n))?;
        let mut degree = device.sums::<u32>(n)?;
        let mut square = device.square::<u64>(n)?.with_diagonal(DIAGONAL);
        let mut low = device.square::<u8>(n)?.with_diagonal(200);

        let step = 5_u32;
        let added = folds::added(device, choice.sweep, n)?;
        let has_square = choice.sweep == Sweep::Mirror || choice.square;
        // Such a kernel counts nothing.
        let is_of_both = choice.sweep == Sweep::Rows && choice.square;
        let kernels: Vec<_> = match cut.is_empty() {
            true => vec![kernel.clone()],
            false => cut.iter().map(|rows| kernel.rows(rows.clone())).collect(),
        };
        for kernel in &kernels {
            let mut launch = kernel.launch();
            if let Some(features) = &added {
                launch.bind(Axis::Each, "own", features)?;
                launch.width()?;
            }
            launch.bind(Axis::Each, "x", Slice::view(&x))?;
            launch.bind(Axis::Each, "y", Slice::view(&y))?;
            launch.bind(Axis::All, "scalar", &step)?;
            launch.bind(Axis::All, "weights", Slice::view(&weights))?;
            if !is_of_both {
                launch.bind(Axis::All, "visits", SliceMut::view_mut(&mut visits))?;
            }
            match choice.sweep {
                Sweep::Columns | Sweep::Rotate => {}
                _ if has_square => {
                    launch.bind(Axis::All, "key", output(&mut square))?;
                    launch.bind(Axis::All, "low", output(&mut low))?;
                }
                _ => launch.bind(Axis::All, "key", output(&mut key))?,
            }
            if !is_of_both {
                launch.bind(Axis::All, "wrong", &mut wrong)?;
                launch.bind(Axis::All, "weight", &mut weight)?;
                launch.bind(Axis::All, "steps", &mut steps)?;
                if choice.sweep == Sweep::Rotate {
                    launch.bind(Axis::Each, "degree", &mut degree)?;
                }
                launch.bind(Axis::All, "listed", &mut listed)?;
                launch.bind(Axis::All, "valued", &mut valued)?;
            }
            // SAFETY: the parameters of the item, in its order and with its types.
            unsafe { launch.run() }?;
        }

        if has_square {
            let keys = keys(choice, n);
            assert_eq!(square.download()?.as_slice(), keys, "{context}: square");
            assert_eq!(low.download()?.as_slice(), lows(&keys), "{context}: square of u8");
        }
        if is_of_both {
            continue;
        }
        assert_eq!(wrong.download()?, 0, "{context}: pairs outside, or elements of another pair");
        let visits = visits.download()?;
        let third = times(&context, n, listed.download()?.into_vecs().0);
        let mut fifth = Vec::new();
        for ([i, j], value) in valued.download()?.iter() {
            assert_eq!(*value, [i as f32, j as f32], "{context}: value of ({i}, {j})");
            fifth.push([i, j]);
        }
        let fifth = times(&context, n, fifth);
        for (cell, (i, j)) in (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))).enumerate() {
            let is_visited = i > j || choice.diagonal;
            let expected = if is_visited { step } else { 0 };
            assert_eq!(visits[cell], expected, "{context}: visits of ({i}, {j}), times {step}");
            let is_third = is_visited && (i + j) % 3 == 0;
            assert_eq!(third[cell], u32::from(is_third), "{context}: list, ({i}, {j})");
            let is_fifth = is_visited && (i + 2 * j) % 5 == 0;
            assert_eq!(fifth[cell], u32::from(is_fifth), "{context}: list with values, ({i}, {j})");
        }
        if choice.sweep == Sweep::Rotate {
            // With the diagonal, an element has a pair with itself, which adds once.
            let others = (n as u32 + u32::from(choice.diagonal)).saturating_sub(1);
            assert_eq!(degree.download()?, vec![others; n], "{context}: degrees");
        } else if choice.sweep != Sweep::Columns && !has_square {
            let keys: Vec<u64> =
                choice.visited(n).map(|(i, j)| (i as u64) << 32 | j as u64).collect();
            assert_eq!(key.download()?.as_slice(), keys, "{context}: packed slots");
        }
        let expected: f64 = choice.visited(n).map(|(i, j)| factors[i] * factors[j]).sum();
        assert_eq!(weight.download()?, expected, "{context}: sum of floats");
        let expected: i64 = choice.visited(n).map(|(i, j)| j as i64 - i as i64).sum();
        assert_eq!(steps.download()?, expected, "{context}: sum of signed integers");
    }
    Ok(())
}

/// How often each pair is on a list, in the cells of the triangle with the diagonal.
fn times(context: &str, n: usize, list: Vec<[u32; 2]>) -> Vec<u32> {
    let mut times = vec![0; n * (n + 1) / 2];
    for [i, j] in list {
        let (i, j) = (i as usize, j as usize);
        assert!(j <= i && i < n, "{context}: ({i}, {j}) on a list");
        times[i * (i + 1) / 2 + j] += 1;
    }
    times
}

/// The square of keys: the same in both halves.
fn keys(choice: &Choice, n: usize) -> Vec<u64> {
    let key = |i: usize, j: usize| match i == j && !choice.diagonal {
        true => DIAGONAL,
        false => (i.max(j) as u64) << 32 | i.min(j) as u64,
    };
    (0..n).flat_map(|i| (0..n).map(move |j| key(i, j))).collect()
}

/// The expected second square, from the keys of the first.
fn lows(keys: &[u64]) -> Vec<u8> {
    let low = |&key: &u64| match key {
        DIAGONAL => 200,
        key => ((key >> 32) + 2 * (key & 0xffff_ffff)) as u8,
    };
    keys.iter().map(low).collect()
}
