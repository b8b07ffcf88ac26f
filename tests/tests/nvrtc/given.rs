//! Launches over given pairs, with every kind of output.

use rayon::prelude::*;
use td_kernel_tests::pairs_sources;
use td_kernel_tests::parallel::CheckEach;

use super::{HOPPER, architectures, compiles, compiles_for};

/// Keys, parameters, and a body; or a body for features, and one for pairs.
const ITEMS: &[(&str, &str, &str, &str)] = &[
    ("", "#[each] p: &[[f32; 4]], out: &mut Packed<f32>", "", "out = p.i.x - p.j.w;"),
    (
        "space = \"thread\"",
        "#[each] p: &[[u8; 3]], out: &mut Packed<[f64; 3]>",
        "",
        "out = {1.0 * p.i.x, 1.0 * i, 1.0 * n};",
    ),
    (
        "",
        "s: &[i16], m: &mut [u32], out: &mut Packed<u8>, more: &mut Packed<[f32; 3]>",
        "",
        "out = s[i]; atomicAdd(m + j, 1); more.x = s_length;",
    ),
    (
        "",
        "#[each] p: &[[f32; 3]], scale: f32, #[each] f: &mut Sums<[f32; 3]>, e: &mut Sum<f32>",
        "",
        "float3 d = make_float3(p.i.x - p.j.x, scale, 1); f.i += d; f.j -= d; e += d.x;",
    ),
    (
        "deterministic = true",
        "#[each] p: &[f32], #[each] f: &mut Sums<[f32; 2]>, #[each] g: &mut Sums<f64>, e: &mut Sum<f64>",
        "",
        "f.i += make_float2(p.i, p.j); g.j += p.j; e += p.i;",
    ),
    (
        "diagonal = true",
        "#[each] p: &[f64], #[each] c: &mut Sums<u32>, #[each] m: &mut Minima<(f32, u32)>, s: &mut Sum<i64>",
        "",
        "c.i += 1; c.j += 1; m.offer(p.i * p.j); s -= i == j;",
    ),
    (
        "",
        "#[each] p: &[f64], #[each] c: &mut Sums<i64>, #[each] m: &mut Minima<[i16; 4]>, #[each] g: &mut Maxima<(u8, u32)>, far: &mut Max<f64>, near: &mut Min<i8>",
        "",
        "c.i += j; m.i.offer(make_short4(1, 2, 3, p.j)); g.offer(i); far.offer(p.i); near.offer(j);",
    ),
    (
        "fmad = true",
        "#[each] p: &[f32], h: &mut Histogram<u64>, w: &mut Histogram<f32>, a: &mut Pairs, b: &mut Pairs<[f64; 3]>",
        "",
        "h.add(p.i); w.add(3, p.j); if (p.i > p.j) a.push(); else b.push({p.i, 1, 2});",
    ),
    (
        "",
        "#[row] a: &[f32], #[column] b: &[[f32; 2]], out: &mut Matrix<f32>, #[row] f: &mut Sums<f32>, #[column] m: &mut Maxima<f32>",
        "",
        "out = a * b.x; f += out; m.offer(b.y);",
    ),
    (
        "",
        "#[each] x: &Features<f32>, #[each] y: &Features<[i8; 4]>, #[fold] s: f32, #[fold] d: i32, out: &mut Packed<f32>",
        "s += x.i * x.j; d += __dp4a(y.i, y.j, k);",
        "out = s + d;",
    ),
    (
        "",
        "#[row] x: &Features<f64>, #[column] y: &Features<f64>, #[fold(start = \"1\")] s: f64, out: &mut Matrix<f64>, near: &mut Pairs",
        "s *= x - y + features;",
        "out = s; if (s > j) near.push();",
    ),
    (
        "",
        "#[each] x: &Features<f32>, #[dot] dot: f32, #[each] f: &mut Sums<f32>",
        "",
        "f.i += dot; f.j += dot_error;",
    ),
    (
        "",
        "#[row] x: &Features<half::f16>, #[column] y: &Features<half::f16>, #[dot] dot: f32, out: &mut Matrix<half::bf16>",
        "",
        "out = dot;",
    ),
];

fn sources() -> Vec<(String, String)> {
    let sources = ITEMS.iter().flat_map(|(keys, parameters, feature, pair)| {
        let body = match *feature {
            "" => format!("r#\" {pair} \"#"),
            _ => format!("let feature = r#\" {feature} \"#; let pair = r#\" {pair} \"#;"),
        };
        let item = format!("unsafe fn every({parameters}) {{ {body} }}");
        let mut sources = pairs_sources(keys, &item);
        sources.remove(1);
        sources.into_iter().map(move |source| (item.clone(), source))
    });
    sources.collect()
}

#[test]
fn launches_over_given_pairs_compile_without_spills() {
    sources().par_iter().check_each(|(item, source)| compiles_for(item, source, &[HOPPER]));
    let oldest = architectures().first().copied().into_iter().collect::<Vec<_>>();
    sources().par_iter().check_each(|(item, source)| compiles_for(item, source, &oldest));
}

/// The functions that make the pairs of a list by element.
#[test]
fn lists_by_element_compile() {
    compiles("partners", include_str!("../../../runtime/src/run/partner_lists.cu"));
}
