//! Every kind of parameter.

use super::cuda;

#[test]
fn every_parameter() {
    let kinds = [
        (
            "each",
            r##"unsafe fn near(#[each] x: &[f32], #[each] y: &[[f64; 4]], out: &mut Packed<u8>) { r#" out = x.i < x.j && y.i.w < y.j.w; "# }"##,
        ),
        (
            "slices",
            r##"unsafe fn mark(weights: &[f64], seen: &mut [u32]) { r#" if (weights[i] > weights[j]) atomicAdd(&seen[i], 1); "# }"##,
        ),
        (
            "scalar",
            r##"unsafe fn scale(factor: f32, shift: [f32; 2], out: &mut Packed<f32>) { r#" out = factor * i + shift.x * n; "# }"##,
        ),
        (
            "packed",
            r##"unsafe fn both(low: &mut Packed<u32>, high: &mut Packed<[i16; 2]>) { r#" low = j; high = make_short2(i, j); "# }"##,
        ),
        (
            "halves",
            r##"unsafe fn scaled(#[each] x: &[f16], #[each] y: &[[half::bf16; 3]], by: f16, out: &mut Packed<f16>) { r#" out = (x.i - x.j) * y.i.z * by; "# }"##,
        ),
        (
            "sums",
            r##"unsafe fn add(count: &mut Sum<u64>, energy: &mut Sum<f64>, steps: &mut Sum<i64>) { r#" count += 1; energy += 0.5; steps += -1; "# }"##,
        ),
        (
            "pairs",
            r##"unsafe fn list(#[each] x: &[f32], close: &mut Pairs) { r#" if (fabsf(x.i - x.j) < 1) close.push(); "# }"##,
        ),
        (
            "pairs_of",
            r##"unsafe fn list(#[each] x: &[f32], close: &mut Pairs<f64>) { r#" if (fabsf(x.i - x.j) < 1) close.push(x.i); "# }"##,
        ),
        (
            "struct",
            r##"unsafe fn touch(#[each] s: &[shapes::Sphere], count: &mut Sum<u32>) { r#" count += s.i.r > s.j.r; "# }"##,
        ),
        ("include", r##"unsafe fn file(value: &mut Packed<f32>) { include_str!("pair.cu") }"##),
    ];
    for (kind, item) in kinds {
        cuda(&format!("parameter_{kind}"), "block = 8", item);
    }
    // By the sweep that a kernel has without keys: neighbours of 16 bits are stored as vectors.
    let rows = r##"unsafe fn differences(#[each] x: &[f16], out: &mut Packed<f16>) { r#" out = x.i - x.j; "# }"##;
    cuda("halves_in_rows", "tile = 64", rows);
}
