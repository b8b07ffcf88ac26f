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

/// One of two keys has a score of 1 more than the other.
#[test]
fn attention_is_a_weighted_mean() -> Result<()> {
    let query = [[0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]];
    let found = attention(&Device::cpu()?, &query, &[[0.0; 8], [2.0; 8]], &[[1.0; 16], [3.0; 16]])?;
    let e = std::f32::consts::E;
    let expected = (1.0 + 3.0 * e) / (1.0 + e);
    assert!(found[0].iter().all(|found| (found - expected).abs() < 1e-5), "{found:?}");
    Ok(())
}

/// The distances are 3, 4 and 5.
#[test]
fn moments_of_distances() -> Result<()> {
    let (device, points) = (Device::cpu()?, [[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]]);
    let start = Moments { count: 0.0, mean: 0.0, squares: 0.0 };
    let mut out = device.reduce(points.len(), start)?;
    distances::load(&device)?.launch(&device.upload(&points)?, &mut out)?;
    let found = out.download()?;
    let of_each = [[3.5, 0.5], [4.0, 2.0], [4.5, 0.5]];
    assert!(found.iter().zip(of_each).all(|(found, each)| [found.mean, found.squares] == each));
    assert_eq!(moments(&device, &points)?, (4.0, 1.0));
    Ok(())
}
