//! Nearest neighbours within many sets, compared with a launch for each set, and with brute force.

use std::cmp::Ordering;
use std::fmt::Debug;

use td_kernel::{
    Device, Devices, HostNearest, Nearest, NearestValue, PartialResult as _, Result, Target,
    td_kernel,
};

use super::{offsets, points};
use crate::devices::some;

/// Kernels for a number of neighbours of points.
macro_rules! nearest {
    ($($visibility:vis $name:ident($elements:ty, $near:ty);)*) => {$(
        #[td_kernel]
        $visibility unsafe fn $name(#[each] p: $elements, #[each] near: &mut $near) {
            r#"
            const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
            near.push(x * x + y * y + z * z);
            "#
        }
    )*};
}

nearest! {
    nearest_1(&Sets<[f32; 3]>, Nearest<f32, 1>);
    pub nearest_10(&Sets<[f32; 3]>, Nearest<f32, 10>);
    nearest_20(&Sets<[f32; 3]>, Nearest<f32, 20>);
    nearest_100(&Sets<[f32; 3]>, Nearest<f32, 100>);
    nearest_k(&Sets<[f32; 3]>, Nearest<f32>);
    nearest_of_one(&[[f32; 3]], Nearest<f32, 10>);
}

/// Few different values, which depend on the order of a pair and on its set; some pairs push none, or NaN.
#[td_kernel]
unsafe fn ranked(
    #[each] x: &Sets<u32>,
    #[each] skew: &[u16],
    modulus: u32,
    #[each] near: &mut Nearest<f32, 5>,
) {
    r#"
    const unsigned int value = (2 * x.i + x.j + skew.i * i + j + set) % modulus;
    if (value == 3)
        return;
    near.push(value == 5 ? nanf("") : (float)value - 4);
    "#
}

/// The same of rows and columns. The columns come first.
#[td_kernel]
unsafe fn ranked_rows(
    #[column] y: &Sets<u32>,
    #[row] near: &mut Nearest<i16>,
    #[row] x: &Sets<u32>,
    modulus: u32,
) {
    r#"
    const int value = (2 * x + y + i + set) % modulus;
    if (value != 3)
        near.push(value - 4);
    "#
}

/// Compares the neighbours of points with brute force, and with those of a launch for each set, bit for bit.
pub fn compare(device: &Target, sizes: &[usize]) -> Result<()> {
    let offsets = offsets(sizes);
    let elements = points(offsets[sizes.len()]);
    let sets = device.sets(&elements, &offsets)?;
    let count = elements.len();
    macro_rules! found {
        ($($name:ident: $near:expr;)*) => {[$({
            let mut near = $near?;
            let kernel = $name::load(device)?;
            // The second launch finds neighbours that are known, and uses the tables of the first one.
            for _ in 0..2 {
                kernel.launch(&sets, &mut near)?;
            }
            near.download()?
        }),*]};
    }
    let all = found! {
        nearest_10: device.nearest(count);
        nearest_1: device.nearest(count);
        nearest_20: device.nearest(count);
        nearest_100: device.nearest(count);
        nearest_k: device.nearest_k(count, 7);
        nearest_k: device.nearest_k(count, 30);
        nearest_k: device.nearest_k(count, 60);
    };
    let one = nearest_of_one::load(device)?;
    for (set, size) in sizes.iter().enumerate() {
        let first = offsets[set];
        let own = &elements[first..first + size];
        for (i, p) in own.iter().enumerate() {
            let square = |q: &[f32; 3]| {
                let [x, y, z] = [0, 1, 2].map(|k| p[k] - q[k]);
                x * x + y * y + z * z
            };
            let others = (0..).zip(own).filter(|(j, _)| *j as usize != i);
            let mut candidates: Vec<_> = others.map(|(j, q)| (square(q), j)).collect();
            if candidates.len() > 100 {
                candidates.select_nth_unstable_by(99, compare_candidates);
                candidates.truncate(100);
            }
            for found in &all {
                expect(found, first + i, candidates.clone());
            }
        }
        let mut expected = device.nearest(*size)?;
        if *size > 1 {
            one.launch(&device.upload(own)?, &mut expected)?;
        }
        for (i, indices, values) in expected.download()?.rows() {
            assert_eq!(all[0].row(first + i), Some((indices, values)), "set {set} of {size}");
        }
    }
    Ok(())
}

/// The order of candidates, by value and then by index.
fn compare_candidates<T: PartialOrd>(a: &(T, u32), b: &(T, u32)) -> Ordering {
    a.partial_cmp(b).unwrap_or(Ordering::Equal)
}

/// Compares neighbours with the least of an element's candidates.
fn expect<T: NearestValue + PartialOrd + Debug>(
    found: &HostNearest<T>,
    element: usize,
    mut candidates: Vec<(T, u32)>,
) {
    candidates.sort_by(compare_candidates);
    candidates.truncate(found.k());
    let (values, indices): (Vec<T>, Vec<u32>) = candidates.into_iter().unzip();
    assert_eq!(found.row(element), Some((&indices[..], &values[..])), "element {element}");
}

fn numbers(count: usize, shift: u32) -> Vec<u32> {
    (0..count as u32).map(|at| at.wrapping_mul(0x9e37_79b9) >> shift).collect()
}

/// Compares neighbours among many equal values with brute force.
pub fn compare_ranked(device: &Target, sizes: &[usize]) -> Result<()> {
    let offsets = offsets(sizes);
    let elements = numbers(offsets[sizes.len()], 9);
    let skew: Vec<u16> = elements.iter().map(|x| (x % 7) as u16).collect();
    let sets = device.sets(&elements, &offsets)?;
    let kernel = ranked::load(device)?;
    for modulus in [6, 1000] {
        let mut near = device.nearest(elements.len())?;
        kernel.launch(&sets, &device.upload(&skew)?, modulus, &mut near)?;
        let found = near.download()?;
        for (set, size) in sizes.iter().enumerate() {
            let value = |i: usize, j: usize| {
                let [at_i, at_j] = [offsets[set] + i, offsets[set] + j];
                let x = 2 * elements[at_i] + elements[at_j] + u32::from(skew[at_i]) * i as u32;
                let value = (x + j as u32 + set as u32) % modulus;
                (value != 3 && value != 5).then_some(value as f32 - 4.0)
            };
            for own in 0..*size {
                let others = (0..*size).filter(|other| *other != own);
                let all = others.filter_map(|other| {
                    Some((value(own.max(other), own.min(other))?, other as u32))
                });
                expect(&found, offsets[set] + own, all.collect());
            }
        }
    }
    Ok(())
}

/// The same of rows among columns.
pub fn compare_rows(device: &Target, [rows, columns]: [&[usize]; 2]) -> Result<()> {
    let [of_rows, of_columns] = [rows, columns].map(offsets);
    let (x, y) = (numbers(of_rows[rows.len()], 9), numbers(of_columns[columns.len()], 11));
    let (row_sets, column_sets) = (device.sets(&x, &of_rows)?, device.sets(&y, &of_columns)?);
    let kernel = ranked_rows::load(device)?;
    for (modulus, k) in [(6, 3), (1000, 20), (1000, 40)] {
        let mut near: Nearest<i16> = device.nearest_k(x.len(), k)?;
        for _ in 0..2 {
            kernel.launch(&column_sets, &mut near, &row_sets, modulus)?;
        }
        let found = near.download()?;
        for (set, (height, width)) in rows.iter().zip(columns).enumerate() {
            for row in 0..*height {
                let all = (0..*width).filter_map(|col| {
                    let [x, y] = [x[of_rows[set] + row], y[of_columns[set] + col]];
                    let value = ((2 * x + y + row as u32 + set as u32) % modulus) as i16;
                    (value != 3).then_some((value - 4, col as u32))
                });
                expect(&found, of_rows[set] + row, all.collect());
            }
        }
    }
    Ok(())
}

/// Compares the neighbours that `counts` of these devices find with brute force, and with those of one device.
pub fn check_several(devices: &[Device], counts: &[usize], sizes: &[usize]) -> Result<()> {
    let of_one = accumulated(&devices[0], sizes)?;
    for &count in counts {
        let several = some(devices, count)?;
        compare(&several, sizes)?;
        compare_ranked(&several, sizes)?;
        compare_rows(&several, [sizes, &vec![3; sizes.len()]])?;
        assert_eq!(accumulated(&several, sizes)?, of_one, "{sizes:?} on {count} devices");
    }
    check_parts(&devices[0], sizes)
}

/// Neighbours within some sets, then within sets of the same elements that devices share otherwise, among all elements, and again
/// within the first sets.
fn accumulated(target: &Target, sizes: &[usize]) -> Result<HostNearest<f32>> {
    let (offsets, reversed): (_, Vec<_>) = (offsets(sizes), sizes.iter().rev().copied().collect());
    let elements = points(offsets[sizes.len()]);
    let sets = target.sets(&elements, &offsets)?;
    let others = target.sets(&elements, &super::offsets(&reversed))?;
    let mut near = target.nearest(elements.len())?;
    let kernel = nearest_10::load(target)?;
    kernel.launch(&sets, &mut near)?;
    kernel.launch(&others, &mut near)?;
    let before = near.download()?;
    nearest_of_one::load(target)?.launch(&target.upload(&elements)?, &mut near)?;
    kernel.launch(&sets, &mut near)?;
    let found = near.download()?;
    assert_ne!((before, elements.len() > 300), (found.clone(), true));
    Ok(found)
}

/// Three processes find what one does.
fn check_parts(device: &Device, sizes: &[usize]) -> Result<()> {
    let offsets = offsets(sizes);
    let elements = points(offsets[sizes.len()]);
    let found = |target: &Target| -> Result<Nearest<f32, 10>> {
        let mut near = target.nearest(elements.len())?;
        nearest_10::load(target)?.launch(&target.sets(&elements, &offsets)?, &mut near)?;
        Ok(near)
    };
    let expected = found(device)?;
    let mut words = device.nearest::<f32, 10>(elements.len())?.to_bits()?;
    for first in [0, 2, 3] {
        let own = if first == 0 { 2 } else { 1 };
        let own = Devices::new(vec![device.clone(); own])?.part_of(first, 4)?;
        expected.join(&mut words, &found(&own)?.to_bits()?)?;
    }
    assert_eq!(expected.finish(&words)?, expected.download()?, "{sizes:?}");
    Ok(())
}
