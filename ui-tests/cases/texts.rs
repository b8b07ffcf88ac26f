//! Names of a kernel's one text in its other text.
use td_kernel::td_kernel;

#[td_kernel]
unsafe fn centred(
    #[each] p: &Features<f32>,
    #[each] mean: &[f32],
    #[each] nearest: &mut Min<f32>,
    #[fold] s: f32,
    weights: &[f32],
    out: &mut Packed<f32>,
    total: &mut Sum<f32>,
) {
    let feature = r#"
    s += (p.i - mean.i) * (p.j - mean.j) * weights[k] / features;
    out = s;
    total += s;
    nearest.offer(s);
    s += i - j;
    s /= n;
    "#;
    let pair = r#"
    out = s + p.i * weights[k];
    nearest.offer(s);
    "#;
}

#[td_kernel]
unsafe fn of_two(
    #[row] a: &Features<f32>,
    #[column] b: &Features<f32>,
    #[row] height: &[f32],
    #[column] near: &mut Sum<f32>,
    #[fold] s: f32,
    out: &mut Matrix<f32>,
) {
    let feature = r#"
    s += a.i * b.j;
    s += height * rows;
    near += s + columns;
    "#;
    let pair = r#" out = s + a * height + i + rows; near += k - b; "#;
}

#[td_kernel]
unsafe fn histogram(
    #[each] p: &Features<u32>,
    #[fold] s: u32,
    counts: &mut [u32],
    sums: &mut [u32],
    out: &mut Packed<u32>,
) {
    let feature = r#"
    s += p.i;
    atomicAdd(&counts[p.i], 1);
    atomicAdd(sums + k, p.j);
    "#;
    let pair = r#" out = s; counts[s] = 1; "#;
}

// Variables of these names are the texts' own, and functions of these names are CUDA's.
#[td_kernel]
unsafe fn right(
    #[each] p: &Features<f32>,
    #[each] mean: &[[f32; 2]],
    #[fold] s: f32,
    max: &mut Packed<f32>,
) {
    let feature = r#"
    float i = p.i, n = 0;
    for (int j = 0; j < 2; ++j)
        n += i * j;
    float2 mean = {n, i};
    s = max(s, mean.x + k);
    "#;
    let pair = r#"
    const auto k = [](const float2 &p) { return p.x * p.y; };
    max = s + k(mean.i);
    "#;
}

fn main() {}
