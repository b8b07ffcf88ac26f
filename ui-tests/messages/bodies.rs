//! Names that one of a kernel's bodies uses and only the other one has, lost updates, and arguments of pushes.

#[td_kernel]
unsafe fn centred(
    #[each] p: &Features<f32>, #[each] mean: &[f32], #[each] nearest: &mut Minima<f32>, #[fold] s: f32, weights: &[f32],
    out: &mut Packed<f32>, total: &mut Sum<f32>,
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
    #[row] a: &Features<f32>, #[column] b: &Features<f32>, #[row] height: &[f32], #[column] near: &mut Sums<f32>, #[fold] s: f32,
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
unsafe fn histogram(#[each] p: &Features<u32>, #[fold] s: u32, counts: &mut [u32], sums: &mut [u32], out: &mut Packed<u32>) {
    let feature = r#"
    s += p.i;
    atomicAdd(&counts[p.i], 1);
    atomicAdd(sums + k, p.j);
    "#;
    let pair = r#" out = s; counts[s] = 1; "#;
}

#[td_kernel] unsafe fn updates(#[each] x: &[f32], bins: &mut [u32], marks: &mut [u32], out: &mut [f32]) {
    r#"
    unsigned b = min((unsigned)fabsf(x.i - x.j), 3u);
    bins[b] += 1;
    if (b > 1)
        ++marks[0];
    out[i * n + j] += 1;
    out[i] = 2;
    "#
}

#[td_kernel] unsafe fn computed_updates(#[each] x: &[f32], bins: &mut [u32], least: &mut [f32]) {
    r#"
    float d = fabsf(x.i - x.j);
    unsigned b = min((unsigned)d, 3u);
    bins[b] = bins[b] + 1;
    least[i] = fminf(least[i], d);
    "#
}

#[td_kernel] unsafe fn other_updates(#[each] x: &[u32], a: &mut [u32], b: &mut [u32], c: &mut [u32], d: &mut [u32], e: &mut [u32]) {
    r#" a[x.i]--; b[x.i] |= x.j; c[x.j] ^= 1; d[0] &= x.i; e[i] *= 2; "#
}

// Pushes with the pair's indices, which are implicit.
#[td_kernel] unsafe fn close(#[each] x: &[f32], list: &mut Pairs) { r#" if (fabsf(x.i - x.j) < 1) list.push(i, j); "# }
#[td_kernel] unsafe fn nearest(#[each] x: &[f32], #[each] near: &mut Nearest<f32, 4>) { r#" near.push(fabsf(x.i - x.j), j); "# }

#[td_kernel] unsafe fn valued(#[row] a: &[f32], #[column] b: &[f32], list: &mut Pairs<f32>) {
    r#" list.push(i, j, fabsf(a - b)); "#
}

#[td_kernel] unsafe fn of_features(#[each] x: &Features<f32>, #[fold] s: f32, list: &mut Pairs) {
    let feature = r#" s += x.i * x.j; "#; let pair = r#" if (s > 1) list.push(i, j); "#;
}

// The bodies declare variables of these names, and CUDA has functions of these names.
#[td_kernel] unsafe fn right(#[each] p: &Features<f32>, #[each] mean: &[[f32; 2]], #[fold] s: f32, max: &mut Packed<f32>) {
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
