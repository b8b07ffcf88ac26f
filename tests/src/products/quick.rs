//! The body `quick`: pairs that call `exact` have the bits of a sum of floats, others those of products, and each counts once.

use std::ops::Range;

use td_kernel::{Device, Result, Shape, td_kernel};

use super::host::{
    COUNTERS, Label, Pair, Product, Results, Rows, SCALE, TABLE, check_pairs, expected, label,
    weight,
};
use super::kernels::{self, cuts};

/// Whether `quick` calls `exact` for this pair.
pub(super) fn is_left(i: usize, j: usize) -> bool {
    (i + 3 * j).is_multiple_of(7) || i == 5
}

/// Compares the values of these pairs with `products`, those of the kernel without `quick`.
fn check_values(pairs: &[Pair], values: &[f32], products: &[Product], [a, b]: [&Rows; 2]) {
    assert_eq!(pairs.len(), values.len());
    for ((&(i, j), value), [dot, _]) in pairs.iter().zip(values).zip(products) {
        let expected = if is_left(i, j) { a.sum_of_floats(i, b, j) } else { *dot };
        let is_same = value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan();
        assert!(is_same, "({i}, {j}) has {value}, not {expected}: {}", is_left(i, j));
    }
}

/// Modules of kernels of one set, by their keys.
macro_rules! of_one_set {
    ($($module:ident: $keys:tt, $diagonal:literal;)*) => {$(
        pub(super) mod $module {
            use super::*;

            every! { [$keys] [#[fold] sum: f32, #[fold] magnitude: f32,] {
                let quick = r#"
                bool is_left = (i + 3 * j) % 7 == 0 || i == 5;
                value = dot;
                error = dot_error;
                mixed.x = weight.i.x * dot + weight.i.w;
                mixed.y = (float)label.j.factor * scale - table[(i + 2 * j) % table_length] + label.j.group;
                most.offer(dot + (is_left ? 1000 : 0));
                least.j.offer(dot - (is_left ? 1000 : 0));
                sums.j += dot;
                total += dot;
                if (dot > limit || is_left) {
                    degree.i += 1;
                    count += 1;
                    near.push();
                    valued.push(dot);
                }
                if (is_left)
                    return exact();
                if (dot > limit)
                    atomicAdd(&counts[(i + j) % counts_length], 1);
                "#;
                let feature = r#"
                sum = fmaf(p.i, p.j, sum);
                magnitude = fmaf(fabsf(p.i), fabsf(p.j), magnitude);
                "#;
                let pair = r#"
                value = sum;
                error = 6.2e-8f * (features + 1) * magnitude;
                mixed.x = weight.i.x * sum + weight.i.w;
                mixed.y = (float)label.j.factor * scale - table[(i + 2 * j) % table_length] + label.j.group;
                most.offer(sum);
                least.j.offer(sum);
                sums.j += sum;
                total += sum;
                if (sum > limit) {
                    degree.i += 1;
                    count += 1;
                    near.push();
                    valued.push(sum);
                    atomicAdd(&counts[(i + j) % counts_length], 1);
                }
                "#;
            } }

            #[td_kernel $keys]
            pub(in super::super) unsafe fn square(
                #[each] p: &Features<f32>,
                #[dot] dot: f32,
                #[fold] sum: f32,
                value: &mut Square<f32>,
                visits: &mut [u32],
            ) {
                let quick = r#"
                value = dot;
                if ((i + 3 * j) % 7 == 0 || i == 5)
                    return exact();
                atomicAdd(&visits[0], 1);
                "#;
                let feature = r#" sum = fmaf(p.i, p.j, sum); "#;
                let pair = r#" value = sum; atomicAdd(&visits[0], 1); "#;
            }

            pub(in super::super) fn check(device: &Device, rows: &Rows, limit: f32, place: &str) -> Result<()> {
                let (p, n) = (device.features(&rows.values, rows.width)?, rows.len());
                let place = &format!("quick, {}, {place}", stringify!($module));
                let (pairs, products) = kernels::$module::dots(device, rows)?;
                let all = if $diagonal { Shape::triangle(n).with_diagonal() } else { Shape::triangle(n) };
                let of_rows = |range: &Range<usize>| all.of_rows(range.clone());
                let run = |cuts: &[Range<usize>]| Ok(run!(every, device, [&p], [n, n], packed of of_rows, limit, cuts));
                let found = check!(pairs.clone(), [rows, rows], true, limit, place, run);
                let values: Vec<f32> = found.iter().map(|[value, _]| *value).collect();
                check_values(&pairs, &values, &products, [rows, rows]);
                let mut value = device.square(n)?.with_diagonal(-7.0);
                let mut visits = device.zeroed(1)?;
                square::load(device)?.launch(&p, &mut value, &mut visits)?;
                assert_eq!(visits.download()?, [pairs.len() as u32], "{place}");
                let value = value.download()?;
                for at in [|(i, j): &Pair| (*i, *j), |(i, j): &Pair| (*j, *i)] {
                    let values: Vec<f32> = pairs.iter().map(|pair| value[at(pair)]).collect();
                    check_values(&pairs, &values, &products, [rows, rows]);
                }
                Ok(())
            }
        }
    )*};
}

of_one_set! {
    of_one_set: (), false;
    with_diagonal: (diagonal = true), true;
}

#[td_kernel]
unsafe fn of_two_sets(
    #[row] q: &Features<f32>,
    #[column] p: &Features<f32>,
    #[dot] dot: f32,
    #[fold] sum: f32,
    value: &mut Matrix<f32>,
    #[row] most: &mut Maxima<(f32, u32)>,
    #[column] degree: &mut Sums<u32>,
    valued: &mut Pairs<f32>,
    far: &mut Max<f32>,
) {
    let quick = r#"
    bool is_left = (i + 3 * j) % 7 == 0 || i == 5;
    value = dot;
    most.offer(dot);
    degree += 1;
    valued.push(dot);
    far.offer(is_left ? dot + 1000 : dot);
    if (is_left)
        exact();
    "#;
    let feature = r#" sum = fmaf(q, p, sum); "#;
    let pair = r#" value = sum; most.offer(sum); degree += 1; valued.push(sum); far.offer(sum); "#;
}

/// The kernel of two sets, in ranges of rows.
pub(super) fn check_two_sets(device: &Device, [a, b]: [&Rows; 2]) -> Result<()> {
    let (q, p) = (device.features(&a.values, a.width)?, device.features(&b.values, b.width)?);
    let [rows, columns] = [a.len(), b.len()];
    let (pairs, products) = kernels::of_two_sets::dots(device, [a, b])?;
    let (mut most, mut degree) = (device.maxima(rows)?, device.sums(columns)?);
    let (mut valued, mut far) = (device.pairs(rows * columns)?, device.max()?);
    let kernel = of_two_sets::load(device)?;
    let mut values = Vec::new();
    for range in [0..rows / 3, rows / 3..rows] {
        let mut value = device.matrix(Shape::rectangle(rows, columns).of_rows(range.clone()))?;
        kernel
            .rows(range)
            .launch(&q, &p, &mut value, &mut most, &mut degree, &mut valued, &mut far)?;
        values.extend(value.download()?.into_vec());
    }
    check_values(&pairs, &values, &products, [a, b]);
    let listed = valued.download()?.sorted()?;
    let listed: Vec<_> = listed.iter().map(|([i, j], value)| (i, j, *value)).collect();
    let stored = || pairs.iter().zip(&values).map(|(&(i, j), value)| (i as u32, j as u32, *value));
    assert_eq!(listed, stored().collect::<Vec<_>>());
    assert_eq!(degree.download()?, vec![rows as u32; columns]);
    let better = |best: &(u32, u32, f32), each: &(u32, u32, f32)| each.2 > best.2;
    let farthest = stored().reduce(|best, each| if better(&best, &each) { each } else { best });
    assert_eq!(far.download()?, farthest.map(|(i, j, value)| (value, i, j)));
    for (i, most) in most.download()?.iter().enumerate() {
        let greatest = values[i * columns..][..columns].iter().copied().max_by(f32::total_cmp);
        assert_eq!(most.map(|(value, _)| value), greatest, "row {i}");
    }
    Ok(())
}

/// Rows without a scale, which tensor cores do not multiply: every pair of them is evaluated by a sum of floats.
pub(super) fn check_hard_rows(device: &Device, rows: &Rows) -> Result<()> {
    let (p, n) = (device.features(&rows.values, rows.width)?, rows.len());
    let (pairs, products) = kernels::with_diagonal::dots(device, rows)?;
    let (mut value, mut visits) = (device.square(n)?, device.zeroed(1)?);
    with_diagonal::square::load(device)?.launch(&p, &mut value, &mut visits)?;
    assert_eq!(visits.download()?, [pairs.len() as u32]);
    let value = value.download()?;
    let values: Vec<f32> = pairs.iter().map(|pair| value[*pair]).collect();
    check_values(&pairs, &values, &products, [rows, rows]);
    Ok(())
}
