//! Kernels with states that a function joins, wide sums and sums of arrays.

use td_kernel::{ArraySums, Arrays, Max, Packed, Pairs, Reduce, Sum, Sums};

use super::entries;
use super::value::Count;

entries! {
    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn states(#[each] p: &[i32], #[each] own: &mut Reduce<Count>) {
        r#"
        own.i.join({1, {p.i - p.j, i}});
        if (p.i < p.j)
            own.j.join({1, {p.j, (long long)j * 1000 + i}});
        "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        o.put_row("own", [1.0, p - q, o.i as f64]);
        if p < q {
            o.put_col("own", [1.0, q, o.j as f64 * 1000.0 + o.i as f64]);
        }
    };

    #[td_kernel(diagonal = true, prelude = include_str!("join.cuh"))]
    unsafe fn state_of_all(#[each] p: &[i32], all: &mut Reduce<Count>, a: &mut Packed<i32>, #[each] sums: &mut Sums<u32>) {
        r#" a = p.i; sums.j += 1; if (p.i > p.j) all.join({1, {p.i, j}}); "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        o.put("a", p);
        o.put_col("sums", 1.0);
        if p > q {
            o.put("all", [1.0, p, o.j as f64]);
        }
    };

    #[td_kernel]
    unsafe fn wide(#[each] p: &[i32], #[each] v: &[[f32; 20]], #[each] sums: &mut Sums<[f32; 20]>, total: &mut Sum<u64>) {
        r#"
        sums.i += (float)(p.i - p.j) * v.j;
        sums.j -= v.i;
        total += 1;
        "#
    }
    |o| {
        let (p, q, v) = (o.row("p"), o.col("p"), o.cols("v"));
        o.put_row("sums", v.iter().map(|x| (p - q) * x).collect::<Vec<_>>());
        o.put_col("sums", o.rows("v").iter().map(|x| -x).collect::<Vec<_>>());
        o.put("total", 1.0);
    };

    #[td_kernel]
    unsafe fn wide_rows(#[row] a: &[i32], #[column] v: &[[f64; 9]], #[row] sums: &mut Sums<[f64; 9]>) {
        r#" sums += (double)a * v; "#
    }
    |o| {
        let a = o.row("a");
        o.put_row("sums", o.cols("v").iter().map(|x| a * x).collect::<Vec<_>>());
    };

    #[td_kernel]
    unsafe fn arrays(#[each] p: &[f32], #[each] v: &Arrays<f32>, #[each] sums: &mut ArraySums<f32>) {
        r#"
        sums.i += p.j * v.j;
        sums.j += v.i;
        "#
    }
    |o| {
        let p = o.col("p");
        o.put_row("sums", o.cols("v").iter().map(|x| p * x).collect::<Vec<_>>());
        o.put_col("sums", o.rows("v"));
    };

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn states_of_columns(
        #[row] a: &[i32], #[column] b: &[f32], #[column] own: &mut Reduce<Count>, #[column] second: &mut Reduce<Count>, far: &mut Max<i32>,
        list: &mut Pairs,
    ) {
        r#"
        own.join({1, {(long long)b * a, i + rows}});
        second.join({2, {i, a}});
        far.offer(a);
        if (i == j)
            list.push();
        "#
    }
    |o| {
        let (a, b) = (o.row("a"), o.col("b"));
        o.put_col("own", [1.0, b * a, (o.i + o.n) as f64]);
        o.put_col("second", [2.0, o.i as f64, a]);
        o.put("far", a);
        if o.i == o.j {
            o.put("list", ());
        }
    };
}
