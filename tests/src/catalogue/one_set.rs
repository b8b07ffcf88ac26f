//! Kernels over the pairs of one set.

use td_kernel::{Histogram, Max, Maxima, Min, Minima, Nearest, Packed, Pairs, Square, Sum, Sums};

use super::entries;
use super::oracle::Body;
use super::value::Member;

entries! {
    #[td_kernel]
    unsafe fn values(#[each] p: &[i32], #[each] q: &[[f64; 3]], shift: f32, w: &[i16], a: &mut Packed<f32>, b: &mut Packed<[u8; 3]>) {
        r#"
        a = shift + p.i;
        if (p.i == p.j)
            return;
        a += w[(p.j + 8) % w_length] * (float)(q.i.x - q.j.z);
        b = make_uchar3(i % 251, j % 13, n % 7);
        "#
    }
    |o| {
        let (p, q, w) = (o.row("p"), o.col("p"), o.all("w"));
        let first = o.all("shift")[0] + p;
        o.put("a", first);
        if p == q {
            return;
        }
        let term = w[(q + 8.0) as usize % 7] * (o.rows("q")[0] - o.cols("q")[2]);
        o.put("a", first + term);
        o.put("b", [(o.i % 251) as f64, (o.j % 13) as f64, (o.n % 7) as f64]);
    };

    #[td_kernel(diagonal = true)]
    unsafe fn square(#[each] p: &[f32], s: &mut Square<f32>, count: &mut Sum<u64>) {
        r#" s = p.i - 2 * p.j; count += 1; "#
    }
    |o| {
        let value = o.row("p") - 2.0 * o.col("p");
        o.put("s", value);
        o.put("count", 1.0);
    };

    #[td_kernel]
    unsafe fn gathered(
        #[each] p: &[i32], total: &mut Sum<i64>, small: &mut Sum<f32>, most: &mut Max<i32>, least: &mut Min<f32>,
        near: &mut Pairs, list: &mut Pairs<[f32; 2]>, bins: &mut Histogram<u64>, weights: &mut Histogram<f64>,
        #[each] degree: &mut Sums<u32>, #[each] force: &mut Sums<[f32; 3]>, #[each] low: &mut Minima<(i32, u32)>,
        #[each] high: &mut Maxima<[i16; 2]>,
    ) {
        r#"
        const int d = p.i - p.j;
        total += d;
        small -= d;
        most.offer(d * d);
        least.offer(d);
        bins.add(d);
        weights.add(abs(d) / 2, p.i);
        low.offer(abs(d));
        high.i.offer(make_short2(p.j, -(int)j));
        if (d % 3)
            return;
        near.push();
        if (p.i > p.j)
            list.push(make_float2(p.i, j));
        degree.i += 2;
        degree.j += 1;
        force.i += make_float3(d, 1, p.j);
        force.j -= make_float3(d, p.i, 2);
        "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        let d = p - q;
        o.put("total", d);
        o.put("small", -d);
        o.put("most", d * d);
        o.put("least", d);
        o.put("bins", d);
        o.put("weights", [(d.abs() / 2.0).floor(), p]);
        o.put("low", d.abs());
        o.put_row("high", [q, -(o.j as f64)]);
        if d % 3.0 != 0.0 {
            return;
        }
        o.put("near", ());
        if p > q {
            o.put("list", [p, o.j as f64]);
        }
        o.put_row("degree", 2.0);
        o.put_col("degree", 1.0);
        o.put_row("force", [d, 1.0, q]);
        o.put_col("force", [-d, -p, -2.0]);
    };

    #[td_kernel]
    unsafe fn nearest(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 5>) {
        r#" near.push(fabsf(p.i.x - p.j.x) + fabsf(p.i.y - p.j.y)); "#
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        o.put("near", (p[0] - q[0]).abs() + (p[1] - q[1]).abs());
    };

    #[td_kernel]
    unsafe fn structs(
        #[each] m: &[Member], scale: f64, seen: &mut [u32], own: &mut Packed<Member>, list: &mut Pairs<Member>, total: &mut Sum<i32>,
    ) {
        r#"
        own.kind = i + n;
        atomicAdd(&seen[(m.i.kind + m.j.kind + 16) % seen_length], 1u);
        if (m.i.kind == m.j.kind)
            return;
        own.at[3] = m.i.at[4] * m.j.at[0] + scale;
        total += m.j.kind;
        if (m.i.kind % 4 == 0)
            list.push(m.j);
        "#
    }
    |o| {
        let (m, other, kind) = (o.rows("m"), o.cols("m"), (o.i + o.n) as f64);
        o.put("seen", [(m[5] + other[5] + 16.0) % 7.0, 1.0]);
        if m[5] == other[5] {
            return o.put("own", [0.0, 0.0, 0.0, 0.0, 0.0, kind]);
        }
        let term = m[4] * other[0] + o.all("scale")[0];
        o.put("own", [0.0, 0.0, 0.0, term, 0.0, kind]);
        o.put("total", other[5]);
        if m[5] % 4.0 == 0.0 {
            o.put("list", other);
        }
    };

    #[td_kernel]
    unsafe fn squares(#[each] p: &[i32], s: &mut Square<f32>, place: &mut Square<[u16; 3]>, packed: &mut Packed<f64>) {
        r#" s = 0.5f * p.i - p.j; place = make_ushort3(i, j, n); packed = s; "#
    }
    |o| {
        let value = 0.5 * o.row("p") - o.col("p");
        o.put("s", value);
        o.put("place", [o.i, o.j, o.n].map(|x| x as f64));
        o.put("packed", value);
    };

    #[td_kernel(diagonal = true)]
    unsafe fn bytes(#[each] p: &[i32], packed: &mut Packed<u8>, s: &mut Square<u8>, list: &mut Pairs<i16>) {
        r#"
        packed = 8 + p.i;
        s = 16 + p.i - p.j;
        if (s == packed)
            list.push(i + j);
        "#
    }
    |o| {
        let [packed, s] = [8.0 + o.row("p"), 16.0 + o.row("p") - o.col("p")];
        o.put("packed", packed);
        o.put("s", s);
        if s == packed {
            o.put("list", (o.i + o.j) as f64);
        }
    };

    #[td_kernel]
    unsafe fn slots_and_results(
        #[each] p: &[i32], value: &mut Packed<i16>, #[each] least: &mut Minima<(i32, u32)>, #[each] total: &mut Sums<[i64; 2]>,
        #[each] most: &mut Maxima<i16>, list: &mut Pairs,
    ) {
        include_str!("slots_and_results.cu")
    }
    SLOTS_AND_RESULTS;

    #[td_kernel(diagonal = true, tile = 128)]
    unsafe fn slots_and_results_with_diagonal(
        #[each] p: &[i32], value: &mut Packed<i16>, #[each] least: &mut Minima<(i32, u32)>, #[each] total: &mut Sums<[i64; 2]>,
        #[each] most: &mut Maxima<i16>, list: &mut Pairs,
    ) {
        include_str!("slots_and_results.cu")
    }
    SLOTS_AND_RESULTS;

    #[td_kernel(map = "auto")]
    unsafe fn slots_and_results_of_maps(
        #[each] p: &[i32], value: &mut Packed<i16>, #[each] least: &mut Minima<(i32, u32)>, #[each] total: &mut Sums<[i64; 2]>,
        #[each] most: &mut Maxima<i16>, list: &mut Pairs,
    ) {
        include_str!("slots_and_results.cu")
    }
    SLOTS_AND_RESULTS;

    #[td_kernel]
    unsafe fn bins(#[each] x: &[f32], h: &mut Histogram<u64>, widths: &mut Histogram<u64>) {
        r#"
        const float d = x.i - x.j;
        h.add(h.linear(d, -8, 8));
        // The numbers of a table ascend.
        const float table[12] = {-12, -9, -7, -3, -2, 0, 1, 2, 4, 5, 9, 16};
        widths.add(widths.between(d, table, 12));
        "#
    }
    |o| {
        let d = o.row("x") - o.col("x");
        let table = [-12, -9, -7, -3, -2, 0, 1, 2, 4, 5, 9, 16].map(f64::from);
        let count = o.bins("h") as f64;
        o.put("h", (d + 8.0) * count / 16.0);
        // The bin before the first end that is greater.
        let bin = table.iter().filter(|edge| **edge <= d).count() as f64 - 1.0;
        o.put("widths", if bin < 11.0 { bin } else { -1.0 });
    };
}

/// The body of kernels with slots and results.
const SLOTS_AND_RESULTS: fn(&mut Body<'_>) = |o| {
    let (p, q) = (o.row("p"), o.col("p"));
    let value = p - 2.0 * q;
    o.put("value", value);
    o.put("least", value);
    o.put_row("total", [value, 0.0]);
    o.put_col("total", [0.0, o.i as f64]);
    o.put("most", p + q);
    if value == 3.0 {
        o.put("list", ());
    }
};
