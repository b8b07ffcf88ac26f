//! Bodies with operations of 16-bit floats, and one that is too large to be inlined.

use td_kernel::half::{bf16, f16};
use td_kernel::{Features, Maxima, Minima, Packed, Pairs, Sum, Sums};

use super::types::Halves;
use super::{dot, entries};

/// A float rounded to a 16-bit float, as after each assignment.
fn half(x: f32) -> f32 {
    f16::from_f32(x).to_f32()
}

/// The same of the other kind.
fn brain(x: f32) -> f32 {
    bf16::from_f32(x).to_f32()
}

entries! {
    // A compiler may fuse products, which changes no integer.
    #[td_kernel(fmad = true)]
    unsafe fn fused(
        #[each] p: &Features<f32>, #[each] x: &[f32], value: &mut Packed<f32>, list: &mut Pairs<f32>; #[fold] sum: f32
    ) {
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" value = x.i * x.j + x.i; list.push(sum * x.j + x.i); "#;
    }
    |o| {
        let (sum, x, y) = (dot(o), o.row("x"), o.col("x"));
        o.put("value", x * y + x);
        o.put("list", sum * y + x);
    };

    #[td_kernel]
    unsafe fn arithmetic_of_halves(
        #[each] p: &[f16], #[each] q: &[bf16], scale: f16, table: &[bf16], pairs: &[[f16; 2]], small: &mut Packed<f16>, wide: &mut Packed<bf16>,
        both: &mut Packed<[f16; 2]>, total: &mut Sum<f32>, above: &mut Sum<u32>,
    ) {
        r#"
        float x = p.i, d = p.i - p.j;
        small = p.i < p.j ? p.i : p.j;
        if (p.i == p.j || !(p.i != 0))
            small += 1.0f;
        small += d * d * scale;
        small -= 0.5;
        small *= 2;
        small /= x > 0 ? 3.0f : scale + 9;
        const auto kept = q.j;
        wide = q.i > q.j ? q.i : 0.0f;
        wide += -kept + fmaxf(q.i, 1.0f) + max(p.i, p.j) + fabsf(q.i * 0.5f);
        wide = wide * table[j % table_length] + (int)p.i;
        both = {d, 2 * p.j};
        both.y += pairs[i % pairs_length].x;
        total += p.i;
        total += q.i * q.j;
        above += p.i > q.j;
        "#
    }
    |o| {
        let ([[x], [y]], [[q], [r]]) = (o.floats::<1>("p", "p"), o.floats::<1>("q", "q"));
        let (scale, d) = (o.all("scale")[0] as f32, x - y);
        let one = if x == y || x == 0.0 { 1.0 } else { 0.0 };
        let a = half(half(half(half(x.min(y) + one) + d * d * scale) - 0.5) * 2.0);
        o.put("small", f64::from(half(a / if x > 0.0 { 3.0 } else { scale + 9.0 })));
        let b = brain(if q > r { q } else { 0.0 } + (-r + q.max(1.0) + x.max(y) + (q * 0.5).abs()));
        o.put("wide", f64::from(brain(b * o.all("table")[o.j % 7] as f32 + x)));
        let term = o.all("pairs")[o.i % 7 * 2] as f32;
        o.put("both", [half(d), half(half(2.0 * y) + term)].map(f64::from));
        o.put("total", f64::from(x));
        o.put("total", f64::from(q * r));
        o.put("above", if x > r { 1.0 } else { 0.0 });
    };

    #[td_kernel]
    unsafe fn scalars(
        a: f16, b: bf16, c: f32, d: f64, e: i8, f: u8, s: i16, h: u16, k: i32, l: u32, m: i64, o: u64, #[each] x: &[f32],
        floats: &mut Packed<[f64; 4]>, bytes: &mut Packed<[i32; 4]>, words: &mut Packed<[i64; 4]>,
    ) {
        r#" floats.x = a; floats.y = b; floats.z = c; floats.w = d + x.i; bytes = make_int4(e, f, s, h); words.x = k; words.y = l; words.z = m; words.w = o; "#
    }
    |o| {
        let [a, b, c, d, e, f, g, h, k, l, m, n] = ["a", "b", "c", "d", "e", "f", "s", "h", "k", "l", "m", "o"].map(|name| o.all(name)[0]);
        let x = o.row("x");
        o.put("floats", [a, b, c, d + x]);
        o.put("bytes", [e, f, g, h]);
        o.put("words", [k, l, m, n]);
    };

    // Both need the definition of a 16-bit float, which the source has once.
    #[td_kernel]
    unsafe fn structs_of_halves(#[each] s: &[Halves], #[each] x: &[f16], #[each] light: &mut Minima<(f16, u32)>, #[each] far: &mut Maxima<[bf16; 2]>) {
        r#" float d = s.i.words[2] - s.j.words[2]; light.offer(s.i.words[0] * x.j); far.offer(make_float2(d, -d)); "#
    }
    |o| {
        let (s, t, y) = (o.rows("s"), o.cols("s"), o.col("x"));
        o.put("light", s[0] * y);
        o.put("far", [s[2] - t[2], t[2] - s[2]]);
    };

    #[td_kernel]
    unsafe fn levenshtein(#[each] word: &[i32], distance: &mut Packed<u8>, #[each] near: &mut Sums<u32>, total: &mut Sum<u64>) {
        include_str!("levenshtein.cu")
    }
    |o| {
        let [x, y] = [o.row("word"), o.col("word")].map(|word| (word as i32 as u32).wrapping_mul(2_654_435_761));
        let letter = |word: u32, at: usize| word >> (2 * at) & 3;
        let mut row: [u8; 17] = std::array::from_fn(|at| at as u8);
        for k in 0..16 {
            let mut before = std::mem::replace(&mut row[0], k as u8 + 1);
            for at in 0..16 {
                let replaced = before + u8::from(letter(x, k) != letter(y, at));
                before = row[at + 1];
                row[at + 1] = replaced.min(before.min(row[at]) + 1);
            }
        }
        o.put("distance", f64::from(row[16]));
        o.put("total", f64::from(row[16]));
        if row[16] < 8 {
            o.put_row("near", 1.0);
            o.put_col("near", 1.0);
        }
    };
}
