//! The listings of reductions with a function `join`, in the chapter on products with kernel matrices.

use td_kernel::{Device, DeviceType, Result, td_kernel};

// ANCHOR: attention
/// A sum of values, each times exp(score - max), and the sum of these weights.
#[repr(C)]
#[derive(Clone, Copy, DeviceType)]
struct Softmax {
    max: f32,
    weights: f32,
    values: [f32; 16],
}

/// The values, weighted by the softmax of their scores.
#[td_kernel(prelude = r#"
Softmax join(Softmax a, const Softmax &b)
{
    float max = fmaxf(a.max, b.max);
    if (max == -INFINITY)
        return a; // neither has a value
    float of_a = expf(a.max - max), of_b = expf(b.max - max);
    a.max = max;
    a.weights = a.weights * of_a + b.weights * of_b;
    for (int k = 0; k < 16; ++k)
        a.values[k] = a.values[k] * of_a + b.values[k] * of_b;
    return a;
}
"#)]
unsafe fn weighted(
    #[row] query: &[[f32; 8]],
    #[column] key: &[[f32; 8]],
    #[column] value: &[[f32; 16]],
    #[row] out: &mut Reduce<Softmax>,
) {
    r#"
    Softmax own{0, 1};
    for (int k = 0; k < 8; ++k)
        own.max = fmaf(query[k], key[k], own.max);
    for (int k = 0; k < 16; ++k)
        own.values[k] = value[k];
    out.join(own);
    "#
}

/// The mean of the values for each query, weighted by the softmax of its scores.
fn attention(
    device: &Device,
    queries: &[[f32; 8]],
    keys: &[[f32; 8]],
    values: &[[f32; 16]],
) -> Result<Vec<[f32; 16]>> {
    let start = Softmax { max: f32::NEG_INFINITY, weights: 0.0, values: [0.0; 16] };
    let mut out = device.reduce(queries.len(), start)?;
    let (query, key, value) =
        (device.upload(queries)?, device.upload(keys)?, device.upload(values)?);
    weighted::load(device)?.launch(&query, &key, &value, &mut out)?;
    let mean = |each: Softmax| each.values.map(|value| value / each.weights);
    Ok(out.download()?.into_iter().map(mean).collect())
}
// ANCHOR_END: attention

// ANCHOR: moments
/// The number of some values, their mean, and the sum of the squares of their differences from it.
#[repr(C)]
#[derive(Clone, Copy, DeviceType)]
struct Moments {
    count: f32,
    mean: f32,
    squares: f32,
}

/// The mean and the variance of the distances to all other points.
#[td_kernel(prelude = r#"
Moments join(Moments a, Moments b)
{
    float count = a.count + b.count, share = count > 0 ? b.count / count : 0;
    float difference = b.mean - a.mean;
    return {
        count,
        a.mean + share * difference,
        a.squares + b.squares + a.count * share * difference * difference,
    };
}
"#)]
unsafe fn distances(#[each] x: &[[f32; 2]], #[each] out: &mut Reduce<Moments>) {
    r#"
    float distance = hypotf(x.i.x - x.j.x, x.i.y - x.j.y);
    out.i.join({1, distance, 0});
    out.j.join({1, distance, 0});
    "#
}
// ANCHOR_END: moments

// ANCHOR: all
/// The mean and the variance of all distances.
#[td_kernel(prelude = r#"
Moments join(Moments a, Moments b)
{
    float count = a.count + b.count, share = count > 0 ? b.count / count : 0;
    float difference = b.mean - a.mean;
    return {
        count,
        a.mean + share * difference,
        a.squares + b.squares + a.count * share * difference * difference,
    };
}
"#)]
unsafe fn all_distances(#[each] x: &[[f32; 2]], out: &mut Reduce<Moments>) {
    r#" out.join({1, hypotf(x.i.x - x.j.x, x.i.y - x.j.y), 0}); "#
}

/// The mean and the variance.
fn moments(device: &Device, points: &[[f32; 2]]) -> Result<(f32, f32)> {
    let mut out = device.reduce(1, Moments { count: 0.0, mean: 0.0, squares: 0.0 })?;
    all_distances::load(device)?.launch(&device.upload(points)?, &mut out)?;
    let all = out.download()?[0];
    Ok((all.mean, all.squares / (all.count - 1.0)))
}
// ANCHOR_END: all

/// A number between -1 and 1.
fn number(k: usize) -> f32 {
    (k * 37 % 101) as f32 / 50.0 - 1.0
}

fn arrays<const W: usize>(count: usize, seed: usize) -> Vec<[f32; W]> {
    (0..count).map(|k| std::array::from_fn(|at| number(seed + k * W + at))).collect()
}

#[test]
fn attention_is_a_weighted_mean() {
    let (queries, keys) = (arrays::<8>(40, 3), arrays::<8>(90, 7));
    let values = arrays::<16>(90, 1);
    let found = attention(&Device::cpu().unwrap(), &queries, &keys, &values).unwrap();
    for (query, found) in queries.iter().zip(&found) {
        let score = |key: &[f32; 8]| -> f64 {
            query.iter().zip(key).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        let weights: Vec<f64> = keys.iter().map(|key| score(key).exp()).collect();
        let all: f64 = weights.iter().sum();
        for (k, found) in found.iter().enumerate() {
            let terms = weights.iter().zip(&values).map(|(w, value)| w * f64::from(value[k]));
            let expected = terms.sum::<f64>() / all;
            assert!((f64::from(*found) - expected).abs() < 1e-5, "{found} {expected}");
        }
    }
}

#[test]
fn moments_are_those_of_all_distances() {
    let device = Device::cpu().unwrap();
    let points = arrays::<2>(50, 0);
    let start = Moments { count: 0.0, mean: 0.0, squares: 0.0 };
    let mut out = device.reduce(points.len(), start).unwrap();
    distances::load(&device).unwrap().launch(&device.upload(&points).unwrap(), &mut out).unwrap();
    for (i, found) in out.download().unwrap().iter().enumerate() {
        let others = || points.iter().enumerate().filter(|(j, _)| *j != i);
        let of = |[x, y]: &[f32; 2]| f64::from(x - points[i][0]).hypot(f64::from(y - points[i][1]));
        let mean = others().map(|(_, point)| of(point)).sum::<f64>() / 49.0;
        let squares: f64 = others().map(|(_, point)| (of(point) - mean).powi(2)).sum();
        assert_eq!(found.count, 49.0);
        let [of_mean, of_squares] = [found.mean, found.squares].map(f64::from);
        assert!((of_mean - mean).abs() < 1e-5 && (of_squares - squares).abs() < 1e-4);
    }
}

#[test]
fn moments_of_all_pairs() {
    let points = arrays::<2>(50, 0);
    let (mean, variance) = moments(&Device::cpu().unwrap(), &points).unwrap();
    let of = |i: usize, j: usize| {
        f64::from(points[i][0] - points[j][0]).hypot(f64::from(points[i][1] - points[j][1]))
    };
    let all: Vec<f64> =
        (0..50).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| of(i, j)).collect();
    let expected = all.iter().sum::<f64>() / all.len() as f64;
    let squares: f64 = all.iter().map(|each| (each - expected).powi(2)).sum();
    assert!((f64::from(mean) - expected).abs() < 1e-5, "{mean} {expected}");
    let expected = squares / (all.len() - 1) as f64;
    assert!((f64::from(variance) - expected).abs() < 1e-4, "{variance} {expected}");
}
