//! Kernels over the pairs within many sets.

use td_kernel::{
    FeatureSets, Histogram, Matrix, Max, Maxima, Min, Minima, Nearest, Packed, Pairs, Sets, Sum,
    Sums,
};

use super::{dot, entries};

entries! {
    #[td_kernel]
    unsafe fn within(
        #[each] p: &Sets<i32>, #[each] w: &[f32], a: &mut Packed<f64>, b: &mut Packed<[u8; 3]>, total: &mut Sum<i64>, three: &mut Sum<[i64; 3]>,
        list: &mut Pairs<u32>, bins: &mut Histogram<u64>,
    ) {
        r#"
        a = p.i * w.j - set;
        total += p.i - p.j;
        three -= make_longlong3(p.i, set, j);
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
        o.put("three", [-p, -(o.set as f64), -(o.j as f64)]);
        o.put("bins", p - q);
        if p == q {
            return;
        }
        o.put("b", [o.i, o.j, o.set].map(|x| (x % 256) as f64));
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
    unsafe fn nearest_within(#[each] p: &Sets<[f32; 3]>, #[each] near: &mut Nearest<f32, 16>) {
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

    // The columns come first.
    #[td_kernel]
    unsafe fn extremes_of_sets(
        #[column] b: &Sets<i32>, #[row] a: &Sets<i32>, far: &mut Max<i32> as &mut Max<(i32, u32)>, near: &mut Min<f64> as &mut Min<(f64, u32)>, list: &mut Pairs as &mut Pairs<u32>, bins: &mut Histogram<u64>,
        #[row] own: &mut Minima<(i32, u32)>, #[column] force: &mut Sums<[f32; 3]>, #[set] least: &mut Minima<f64>,
    ) {
        r#"
        const int d = 2 * a - b;
        if (d != 7)
            far.offer(d);
        near.offer(d - 0.5);
        if (d % 5 == 0)
            list.push();
        bins.add(d);
        own.offer(d);
        force += make_float3(d, i, set);
        least.offer(d * 0.5);
        "#
    }
    |o| {
        let d = 2.0 * o.row("a") - o.col("b");
        if d != 7.0 {
            o.put("far", d);
        }
        o.put("near", d - 0.5);
        if d % 5.0 == 0.0 {
            o.put("list", o.set as f64);
        }
        o.put("bins", d);
        o.put_row("own", d);
        o.put_col("force", [d, o.i as f64, o.set as f64]);
        o.put("least", 0.5 * d);
    };

    #[td_kernel]
    unsafe fn counted_within(#[each] p: &Sets<i32>, seen: &mut [u32]) {
        r#" atomicAdd(&seen[(p.i + p.j + 16) % seen_length], 1u); "#
    }
    |o| {
        let sum = o.row("p") + o.col("p") + 16.0;
        o.put("seen", [sum % 7.0, 1.0]);
    };

    #[td_kernel]
    unsafe fn counted_features_within(#[each] p: &FeatureSets<f32>, seen: &mut [u32]; #[fold] sum: f32) {
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" atomicAdd(&seen[abs((int)sum) % seen_length], 1u); "#;
    }
    |o| {
        let dot = dot(o).abs();
        o.put("seen", [dot % 7.0, 1.0]);
    };

    #[td_kernel]
    unsafe fn extremes_within(
        #[each] p: &Sets<i32>, far: &mut Max<u32> as &mut Max<(u32, u32)>, near: &mut Min<f64> as &mut Min<(f64, u32)>, list: &mut Pairs as &mut Pairs<u32>, #[set] most: &mut Maxima<f32>,
        #[set] least: &mut Minima<(f32, u32)>,
    ) {
        r#"
        const int d = 24 + 2 * p.i + p.j;
        if (d != 47)
            far.offer(d);
        near.offer(d - 0.5);
        if (d % 5 == 0)
            list.push();
        most.offer(-0.5f * d);
        if (p.i != p.j)
            least.offer(d);
        "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        let d = 24.0 + 2.0 * p + q;
        if d != 47.0 {
            o.put("far", d);
        }
        o.put("near", d - 0.5);
        if d % 5.0 == 0.0 {
            o.put("list", o.set as f64);
        }
        o.put("most", -0.5 * d);
        if p != q {
            o.put("least", d);
        }
    };

    #[td_kernel]
    unsafe fn nearest_rows_within(#[column] b: &Sets<i32>, #[row] a: &Sets<i32>, #[column] near: &mut Nearest<u8, 5>) {
        r#" if (a != 3) near.push(abs(a - b) + (int)(i % 3 + 2 * (j % 2))); "#
    }
    |o| {
        let a = o.row("a");
        if a != 3.0 {
            let d = (a - o.col("b")).abs() + (o.i % 3 + 2 * (o.j % 2)) as f64;
            o.put_col("near", d);
        }
    };

    #[td_kernel]
    unsafe fn nearest_columns_within(#[column] b: &Sets<i32>, #[row] near: &mut Nearest<i16, 20>, #[row] a: &Sets<i32>) {
        r#" near.push(2 * a + b + (int)set); "#
    }
    |o| {
        let d = 2.0 * o.row("a") + o.col("b") + o.set as f64;
        o.put_row("near", d);
    };

    #[td_kernel]
    unsafe fn many_nearest_within(#[each] p: &Sets<i32>, #[each] skew: &[u16], #[each] near: &mut Nearest<f32, 100>) {
        r#" if (p.i + p.j != 2) near.push(2 * p.i + p.j + (int)(skew.i * (i % 5))); "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        let skew = o.row("skew").max(0.0) * (o.i % 5) as f64;
        if p + q != 2.0 {
            o.put("near", 2.0 * p + q + skew);
        }
    };

    #[td_kernel]
    unsafe fn bytes_within(
        #[each] own: &[i32], #[each] p: &FeatureSets<u8>, factors: &[u32], a: &mut Packed<u32>, b: &mut Packed<[u8; 3]>, list: &mut Pairs<u32>,
        bins: &mut Histogram<u64>, far: &mut Max<u32> as &mut Max<(u32, u32)>, near: &mut Min<i32> as &mut Min<(i32, u32)>, plain: &mut Pairs as &mut Pairs<u32>; #[fold] sum: u32
    ) {
        let feature = r#" sum += (factors[k % 7] + 1) * (p.i ^ p.j); "#;
        let pair = r#"
        a = sum;
        b = make_uchar3(i, j, set);
        if (sum % 17 == 0)
            list.push(sum + set);
        bins.add(sum % 13);
        far.offer(sum);
        near.offer(own.i - own.j);
        if (own.i == 3)
            plain.push();
        "#;
    }
    |o| {
        let bytes = |numbers: &[f64]| numbers.iter().map(|x| x.max(0.0) as u32).collect::<Vec<_>>();
        let (p, q, factors) = (bytes(&o.rows("p")), bytes(&o.cols("p")), bytes(o.all("factors")));
        let terms = p.iter().zip(&q).enumerate().map(|(k, (p, q))| (factors[k % 7] + 1) * (p ^ q));
        let sum = f64::from(terms.sum::<u32>());
        o.put("a", sum);
        o.put("b", [o.i % 256, o.j % 256, o.set % 256].map(|x| x as f64));
        if sum % 17.0 == 0.0 {
            o.put("list", sum + o.set as f64);
        }
        o.put("bins", sum % 13.0);
        o.put("far", sum);
        let (own, other) = (o.row("own"), o.col("own"));
        o.put("near", own - other);
        if own == 3.0 {
            o.put("plain", o.set as f64);
        }
    };

    #[td_kernel]
    unsafe fn features_of_rectangles(
        #[column] b: &FeatureSets<f32>, #[row] a: &FeatureSets<f32>, c: &mut Matrix<f32>, list: &mut Pairs<u32>, near: &mut Min<f32> as &mut Min<(f32, u32)>,
        #[row] least: &mut Minima<(f32, u32)>, #[column] moment: &mut Sums<[i32; 2]>, #[set] most: &mut Maxima<(f32, u32)>; #[fold] sum: f32
    ) {
        let feature = r#" const float d = a - b; sum += d * d; "#;
        let pair = r#"
        c = sum;
        if ((int)sum % 7 == 3)
            list.push(set);
        near.offer(sum);
        least.offer(sum);
        moment += make_int2(i, sum);
        most.offer(sum);
        "#;
    }
    |o| {
        let (a, b) = (o.rows("a"), o.cols("b"));
        let sum: f64 = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum();
        o.put("c", sum);
        if sum % 7.0 == 3.0 {
            o.put("list", o.set as f64);
        }
        o.put("near", sum);
        o.put_row("least", sum);
        o.put_col("moment", [o.i as f64, sum]);
        o.put("most", sum);
    };
}
