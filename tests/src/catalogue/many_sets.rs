//! Kernels over the pairs within many sets.

use td_kernel::{
    FeatureSets, Histogram, Matrix, Maxima, Minima, Nearest, Packed, Pairs, Sets, Sum, Sums,
};

use super::entries;

entries! {
    #[td_kernel]
    unsafe fn within(
        #[each] p: &Sets<i32>, #[each] w: &[f32], a: &mut Packed<f64>, b: &mut Packed<[u8; 3]>, total: &mut Sum<i64>,
        list: &mut Pairs<u32>, bins: &mut Histogram<u64>,
    ) {
        r#"
        a = p.i * w.j - set;
        total += p.i - p.j;
        bins.add(p.i - p.j);
        if (p.i == p.j)
            return;
        b = make_uchar3(i, j, set);
        list.push(set);
        "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        o.put("a", p * o.col("w") - o.set as f64);
        o.put("total", p - q);
        o.put("bins", p - q);
        if p == q {
            return;
        }
        o.put("b", [o.i, o.j, o.set].map(|x| x as f64));
        o.put("list", o.set as f64);
    };

    #[td_kernel]
    unsafe fn elements_within(
        #[each] p: &Sets<[f32; 3]>, #[each] degree: &mut Sums<u32>, #[each] force: &mut Sums<[f64; 2]>,
        #[each] low: &mut Minima<(f32, u32)>, #[each] high: &mut Maxima<i32>, #[set] far: &mut Maxima<(f32, u32)>,
        #[set] least: &mut Minima<i64>,
    ) {
        r#"
        const float d = p.i.x - p.j.y;
        degree.i += 1;
        degree.j += 2;
        force.i += make_double2(d, set);
        force.j -= make_double2(p.i.z, j);
        low.offer(fabsf(d));
        high.j.offer(d);
        far.offer(d);
        least.offer((int)d * (int)d);
        "#
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        let d = p[0] - q[1];
        o.put_row("degree", 1.0);
        o.put_col("degree", 2.0);
        o.put_row("force", [d, o.set as f64]);
        o.put_col("force", [-p[2], -(o.j as f64)]);
        o.put("low", d.abs());
        o.put_col("high", d);
        o.put("far", d);
        o.put("least", d * d);
    };

    #[td_kernel]
    unsafe fn nearest_within(#[each] p: &Sets<[f32; 3]>, #[each] near: &mut Nearest<f32, 3>) {
        r#" near.push(fabsf(p.i.x - p.j.x) + fabsf(p.i.z - p.j.z)); "#
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        o.put("near", (p[0] - q[0]).abs() + (p[2] - q[2]).abs());
    };

    #[td_kernel]
    unsafe fn rectangles(
        #[row] a: &Sets<i32>, #[column] b: &Sets<[i32; 2]>, c: &mut Matrix<f32>, total: &mut Sum<i64>, list: &mut Pairs<u32>,
        #[row] degree: &mut Sums<u32>, #[column] low: &mut Minima<(i32, u32)>, #[set] far: &mut Maxima<(i32, u32)>,
    ) {
        r#"
        const int d = a - b.y;
        c = d * 0.5f + b.x;
        total += d;
        if (d == 3)
            list.push(set);
        degree += 1;
        low.offer(abs(d));
        far.offer(d);
        "#
    }
    |o| {
        let (a, b) = (o.row("a"), o.cols("b"));
        let d = a - b[1];
        o.put("c", d * 0.5 + b[0]);
        o.put("total", d);
        if d == 3.0 {
            o.put("list", o.set as f64);
        }
        o.put_row("degree", 1.0);
        o.put_col("low", d.abs());
        o.put("far", d);
    };

    #[td_kernel]
    unsafe fn features_within(
        #[each] p: &FeatureSets<f32>, a: &mut Packed<f32>, total: &mut Sum<i64>, #[each] degree: &mut Sums<u32>,
        #[set] far: &mut Maxima<(f32, u32)>; #[fold] square: f32
    ) {
        let feature = r#" const float d = p.i - p.j; square += d * d; "#;
        let pair = r#" a = square; total += (int)square; degree.i += 1; far.offer(square); "#;
    }
    |o| {
        let square = super::square(o);
        o.put("a", square);
        o.put("total", square);
        o.put_row("degree", 1.0);
        o.put("far", square);
    };
}
