//! Kernels over the pairs within many sets.

use td_kernel_tests::{source, sources};

use super::compiles;

#[test]
fn sets_compile() {
    for (keys, parameters, body) in [
        (
            "",
            "#[each] p: &Sets<[f32; 3]>, out: &mut Packed<f32>",
            "const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z; out = sqrtf(x * x + y * y + z * z);",
        ),
        (
            "",
            "#[each] p: &Sets<f64>, #[each] q: &[[f32; 4]], w: &[f32], out: &mut Packed<[f32; 3]>, half: &mut Packed<f16>, total: &mut Sum<f32>",
            "if (q.i.x < q.j.x) return; out.x = p.i * w[set]; half = 1; total += i + j;",
        ),
        (
            "deterministic = true",
            "#[each] p: &Sets<u8>, total: &mut Sum<f32>, count: &mut Sum<u32>",
            "total += p.i * p.j; count += 1;",
        ),
        (
            "",
            "#[each] p: &Sets<[f32; 2]>, list: &mut Pairs<u32>, h: &mut Histogram<u64>, w: &mut Histogram<f32>, out: &mut [u32]",
            "if (p.i.x < p.j.y) list.push(set); h.add(i); w.add(j, p.i.x); atomicAdd(out + set, 1);",
        ),
        (
            "",
            "#[each] p: &Sets<[f32; 3]>, #[each] f: &mut Sums<[f32; 3]>, #[each] m: &mut Minima<(f32, u32)>, e: &mut Sum<f32>",
            "const float x = p.i.x - p.j.x; f.i.x += x; f.j.x -= x; m.offer(x * set); e += x;",
        ),
        (
            "deterministic = true",
            "#[each] p: &Sets<[f32; 3]>, #[each] f: &mut Sums<[f32; 3]>, #[each] g: &mut Sums<f64>, #[each] c: &mut Sums<u32>, e: &mut Sum<f32>",
            "const float x = p.i.x - p.j.x; f.i += p.j; f.j.x -= x; g.i += x; g.j -= i; c.j += 1; e += x * set;",
        ),
        ("", "#[each] p: &Sets<f32>, count: &mut Sum<u64>", "count += 1;"),
        (
            "",
            "#[row] p: &Sets<[f32; 3]>, #[column] q: &Sets<[f32; 3]>, out: &mut Matrix<f32>",
            "const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z; out = sqrtf(x * x + y * y + z * z);",
        ),
        (
            "",
            "#[column] q: &Sets<f64>, #[row] v: &[[f32; 4]], #[row] p: &Sets<u8>, w: &[f32], out: &mut Matrix<[f32; 3]>, half: &mut Matrix<f16>, list: &mut Pairs<u32>, h: &mut Histogram<u64>",
            "if (v.x < q) return; out.x = p * w[set]; half = 1; list.push(set); h.add(i + j);",
        ),
        (
            "deterministic = true",
            "#[row] p: &Sets<u8>, #[column] q: &Sets<f32>, total: &mut Sum<f32>, count: &mut Sum<u32>",
            "total += p * q; count += 1;",
        ),
        (
            "",
            "#[row] p: &Sets<[f32; 3]>, #[column] q: &Sets<[f32; 3]>, #[row] m: &mut Minima<(f32, u32)>, #[column] f: &mut Sums<[f32; 3]>, e: &mut Sum<f32>",
            "const float x = p.x - q.x; f.x -= x; m.offer(x * set); e += x;",
        ),
        (
            "deterministic = true",
            "#[row] p: &Sets<f32>, #[column] q: &Sets<f32>, #[row] f: &mut Sums<[f64; 4]>, #[column] g: &mut Sums<f32>, h: &mut Histogram<f32>",
            "f.w += q; g -= p; h.add(set, p * q);",
        ),
        ("", "#[row] p: &Sets<f32>, #[column] q: &Sets<f32>, count: &mut Sum<u64>", "count += 1;"),
        (
            "",
            "#[each] p: &Sets<f32>, #[set] a: &mut Maxima<f32>, #[set] b: &mut Minima<(i16, u32)>, #[set] c: &mut Maxima<f64>",
            "a.offer(p.i); b.offer(p.j); if (p.i > p.j) c.offer(p.i);",
        ),
        (
            "",
            "#[each] p: &Sets<f32>, far: &mut Max<f32>, near: &mut Min<i16>, list: &mut Pairs",
            "far.offer(p.i); near.offer(p.j); if (p.i > p.j) list.push();",
        ),
        (
            "",
            "#[row] p: &Sets<f32>, #[column] q: &Sets<f64>, near: &mut Min<f64>, list: &mut Pairs",
            "near.offer(q); if (p > q) list.push();",
        ),
        (
            "",
            "#[row] p: &Sets<f32>, #[column] q: &Sets<f32>, #[set] a: &mut Minima<u8>, #[set] b: &mut Maxima<(f32, u32)>",
            "a.offer(p); b.offer(q);",
        ),
    ] {
        let item = format!("unsafe fn every({parameters}) {{ r#\" {body} \"# }}");
        for source in sources(keys, &item) {
            compiles(&item, &source.text);
        }
    }
}

/// Elements with features, in tiles of every side.
#[test]
fn features_in_sets_compile() {
    for (keys, parameters, feature, body) in [
        (
            "",
            "#[each] p: &FeatureSets<f32>, #[fold] s: f32, out: &mut Packed<f32>",
            "s += (p.i - p.j) * (p.i - p.j);",
            "out = sqrtf(s);",
        ),
        (
            "",
            "#[each] p: &FeatureSets<f32>, #[fold] s: f32, #[each] v: &[[f32; 4]], w: &[f32], out: &mut Packed<[f32; 3]>, half: &mut Packed<f16>, total: &mut Sum<f32>, list: &mut Pairs<u32>, h: &mut Histogram<u64>, #[set] most: &mut Maxima<(f32, u32)>",
            "s += w[k] * p.i * p.j;",
            "if (v.i.x < v.j.x) return; out.x = s * w[set]; half = 1; total += i + j; list.push(set); h.add(j); most.offer(s);",
        ),
        (
            "deterministic = true",
            "#[each] p: &FeatureSets<f16>, #[fold] s: f32, total: &mut Sum<f32>, count: &mut Sum<u32>",
            "s += p.i * p.j;",
            "total += s; count += 1;",
        ),
        (
            "",
            "#[each] q: &Sets<f64>, #[each] p: &Features<f64>, #[fold] s: f64, #[each] f: &mut Sums<[f32; 3]>, #[each] m: &mut Minima<(f32, u32)>, e: &mut Sum<f32>",
            "s += p.i * p.j;",
            "f.i.x += s * q.i; f.j.x -= s; m.offer(s * set); e += s;",
        ),
        (
            "deterministic = true",
            "#[each] p: &FeatureSets<f32>, #[fold] s: f32, #[each] f: &mut Sums<[f32; 3]>, #[each] g: &mut Sums<f64>, e: &mut Sum<f32>",
            "s += p.i * p.j;",
            "f.i.x += s; f.j.z -= s; g.i += i; g.j += s; e += s * set;",
        ),
        (
            "deterministic = true",
            "#[row] p: &FeatureSets<f32>, #[column] q: &FeatureSets<f32>, #[fold] s: f32, #[row] f: &mut Sums<[f64; 2]>, #[column] g: &mut Sums<f32>",
            "s += p * q;",
            "f.y += s; g -= s;",
        ),
        (
            "",
            "#[each] p: &FeatureSets<f32>, #[fold] s: f32, far: &mut Max<f32>, list: &mut Pairs",
            "s += p.i * p.j;",
            "far.offer(s); if (s > 1) list.push();",
        ),
        (
            "",
            "#[row] p: &FeatureSets<u8>, #[column] q: &FeatureSets<u8>, #[fold] s: u32, near: &mut Min<u64>, list: &mut Pairs",
            "s += p * q;",
            "near.offer(s); if (s > 1) list.push();",
        ),
        (
            "",
            "#[each] p: &FeatureSets<[i8; 4]>, #[fold] s: i32, out: &mut Packed<u8>",
            "s = __dp4a(p.i, p.j, s);",
            "out = s;",
        ),
        (
            "",
            "#[row] p: &FeatureSets<f32>, #[column] q: &FeatureSets<f32>, #[fold] s: f32, out: &mut Matrix<f32>",
            "s += (p - q) * (p - q);",
            "out = sqrtf(s);",
        ),
        (
            "",
            "#[column] q: &FeatureSets<f32>, #[row] v: &[[f32; 4]], #[row] p: &Sets<u8>, #[fold] s: f32, w: &[f32], out: &mut Matrix<[f32; 3]>, half: &mut Matrix<f16>, list: &mut Pairs<u32>, h: &mut Histogram<u64>",
            "s += fabsf(q - w[k]);",
            "if (v.x < s) return; out.x = p * w[set]; half = 1; list.push(set); h.add(i + j);",
        ),
        (
            "",
            "#[row] p: &FeatureSets<u8>, #[column] q: &FeatureSets<u8>, #[fold] s: u32, #[row] m: &mut Minima<(f32, u32)>, #[column] f: &mut Sums<[f32; 3]>, e: &mut Sum<f32>, #[set] far: &mut Maxima<(u32, u32)>",
            "s += p * q;",
            "f.x -= s; m.offer(s * set); e += s; far.offer(s);",
        ),
    ] {
        let item = format!(
            "unsafe fn every({parameters}) {{ let feature = r#\" {feature} \"#; let pair = r#\" {body} \"#; }}"
        );
        for source in sources(keys, &item) {
            compiles(&item, &source.text);
        }
    }
}

/// Nearest neighbours in registers, and merged by a warp, of one set and of rows.
#[test]
fn neighbours_in_sets_compile() {
    let points = |count: &str| {
        format!(
            "unsafe fn near(#[each] p: &Sets<[f32; 3]>, #[each] near: &mut Nearest<f32{count}>) {{ r#\" const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z; near.push(x * x + y * y + z * z); \"# }}"
        )
    };
    for count in [", 1", ", 10", ", 16", ", 17", ", 32", ", 33", ", 256"] {
        compiles(count, &source("", &points(count)));
    }
    for number in ["i8", "u16", "f16", "i32", "u32"] {
        let item = format!(
            "unsafe fn near(#[column] q: &Sets<f64>, #[row] v: &[[f32; 4]], #[row] near: &mut Nearest<{number}, 12>, w: &[u32], #[row] p: &Sets<u8>) {{ r#\" if (v.x < q) near.push(p + w[set] - q + i); \"# }}"
        );
        compiles(number, &source("", &item));
    }
    let text = source("", &points(""));
    for count in [8, 16, 32, 64, 128, 256] {
        let defined = format!("#define TD_NEAREST {count}");
        compiles(&defined, &text.replace("#define TD_NEAREST 16", &defined));
    }
}
