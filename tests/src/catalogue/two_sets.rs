//! Kernels over the pairs of two sets.

use td_kernel::{Histogram, Matrix, Max, Maxima, Min, Minima, Nearest, Pairs, Sum, Sums};

use super::entries;
use super::value::Member;

entries! {
    #[td_kernel]
    unsafe fn cells(#[row] a: &[i16], #[column] b: &[[f32; 2]], w: &[i32], c: &mut Matrix<f32>, d: &mut Matrix<[i16; 2]>) {
        r#"
        c = a * b.x + w[j % w_length];
        if (a == b.y)
            return;
        d = make_short2(i - 2 * j, rows - columns);
        "#
    }
    |o| {
        let (a, b) = (o.row("a"), o.cols("b"));
        o.put("c", a * b[0] + o.all("w")[o.j % 7]);
        if a == b[1] {
            return;
        }
        o.put("d", [o.i as f64 - 2.0 * o.j as f64, o.n as f64 - o.columns as f64]);
    };

    #[td_kernel]
    unsafe fn crossed(
        #[row] a: &[i32], #[row] own: &[[f64; 3]], #[column] b: &[f32], scale: f64, total: &mut Sum<i64>, energy: &mut Sum<f64>,
        far: &mut Max<f32>, close: &mut Min<i32>, plain: &mut Pairs, list: &mut Pairs<u8>, bins: &mut Histogram<f32>,
        #[row] degree: &mut Sums<u32>, #[column] moment: &mut Sums<[f64; 2]>, #[row] low: &mut Minima<(f32, u32)>,
        #[column] high: &mut Maxima<(i8, u32)>, #[column] least: &mut Minima<[i32; 3]>,
    ) {
        r#"
        const int d = a - (int)b;
        total += d;
        energy -= scale * own.y;
        far.offer(fabsf(d));
        close.offer(d * d);
        bins.add(d, 0.5f * b);
        low.offer(abs(d));
        high.offer(a);
        least.offer(make_int3(d, i, -a));
        if (d < 0)
            return;
        plain.push();
        if (d % 2)
            list.push(d);
        degree += 1;
        moment += make_double2(d, own.z);
        "#
    }
    |o| {
        let (a, own, b, scale) = (o.row("a"), o.rows("own"), o.col("b"), o.all("scale")[0]);
        let d = a - b;
        o.put("total", d);
        o.put("energy", -scale * own[1]);
        o.put("far", d.abs());
        o.put("close", d * d);
        o.put("bins", [d, 0.5 * b]);
        o.put_row("low", d.abs());
        o.put_col("high", a);
        o.put_col("least", [d, o.i as f64, -a]);
        if d < 0.0 {
            return;
        }
        o.put("plain", ());
        if d % 2.0 != 0.0 {
            o.put("list", d);
        }
        o.put_row("degree", 1.0);
        o.put_col("moment", [d, own[2]]);
    };

    #[td_kernel]
    unsafe fn nearest_column(#[row] a: &[i32], #[column] b: &[i32], #[row] near: &mut Nearest<i32, 10>) {
        r#" near.push(abs(a - b)); "#
    }
    |o| {
        let d = (o.row("a") - o.col("b")).abs();
        o.put_row("near", d);
    };

    #[td_kernel]
    unsafe fn cells_and_results(
        #[row] a: &[i32], #[column] b: &[[i32; 2]], #[row] m: &[Member], cost: &mut Matrix<f32>, total: &mut Sum<i64>,
        list: &mut Pairs<i8>, #[row] least: &mut Minima<(f32, u32)>, #[column] most: &mut Maxima<f32>, #[column] degree: &mut Sums<i64>,
    ) {
        r#"
        cost = abs(a - b.x) * b.y + m.at[1] + (float)rows - columns;
        total += a;
        least.offer(cost);
        most.offer(cost);
        degree += (int)i - (int)j;
        if (m.kind % 2)
            list.push(m.kind);
        "#
    }
    |o| {
        let (a, b, m) = (o.row("a"), o.cols("b"), o.rows("m"));
        let cost = (a - b[0]).abs() * b[1] + m[1] + o.n as f64 - o.columns as f64;
        o.put("cost", cost);
        o.put("total", a);
        o.put_row("least", cost);
        o.put_col("most", cost);
        o.put_col("degree", o.i as f64 - o.j as f64);
        if m[5] % 2.0 != 0.0 {
            o.put("list", m[5]);
        }
    };

    #[td_kernel]
    unsafe fn nearest_row(#[row] a: &[i32], w: &[i32], #[column] near: &mut Nearest<i32, 7>, #[column] b: &[i32]) {
        r#" near.push(abs(a - b) + (int)(i % 3) + w[j % w_length] * (rows > columns)); "#
    }
    |o| {
        let w = if o.n > o.columns { o.all("w")[o.j % 7] } else { 0.0 };
        let d = (o.row("a") - o.col("b")).abs() + (o.i % 3) as f64 + w;
        o.put_col("near", d);
    };

    #[td_kernel(block = 16)]
    unsafe fn nearest_row_one_by_one(#[row] a: &[i32], #[column] near: &mut Nearest<i32, 40>, #[column] b: &[i32]) {
        r#" near.push(abs(a - b) + (int)(i % 3) + (int)columns); "#
    }
    |o| {
        let d = (o.row("a") - o.col("b")).abs() + (o.i % 3 + o.columns) as f64;
        o.put_col("near", d);
    };
}
