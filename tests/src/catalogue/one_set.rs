//! Kernels over the pairs of one set.

use td_kernel::{Histogram, Max, Maxima, Min, Minima, Nearest, Packed, Pairs, Square, Sum, Sums};

use super::entries;

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
}
