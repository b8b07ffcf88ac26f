//! Kernels over features: folds, and products on tensor cores.

use td_kernel::half::f16;
use td_kernel::{Features, Matrix, Max, Maxima, Minima, Nearest, Packed, Pairs, Square, Sum, Sums};

use super::{dot, dot_of_two, entries, square};

entries! {
    #[td_kernel]
    unsafe fn folded(
        #[each] p: &Features<f32>, #[each] w: &[f32], a: &mut Packed<f32>, total: &mut Sum<i64>, four: &mut Sum<[f64; 4]>, list: &mut Pairs<f32>,
        most: &mut Max<f32>, #[each] degree: &mut Sums<f32>, #[each] low: &mut Minima<(f32, u32)>; #[fold] sum: f32, #[fold(start = "99")] least: f32
    ) {
        let feature = r#" const float d = p.i - p.j; sum += d * d; least = fminf(least, d); "#;
        let pair = r#"
        a = sum + w.j;
        total += (int)least;
        four += {sum, w.i, w.j, 1};
        most.offer(sum);
        low.offer(sum);
        degree.i += w.j;
        if (least < -9)
            list.push(least);
        "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        let least = p.iter().zip(&q).map(|(a, b)| a - b).fold(99.0, f64::min);
        let sum = square(o);
        o.put("a", sum + o.col("w"));
        o.put("total", least);
        o.put("four", [sum, o.row("w"), o.col("w"), 1.0]);
        o.put("most", sum);
        o.put("low", sum);
        o.put_row("degree", o.col("w"));
        if least < -9.0 {
            o.put("list", least);
        }
    };

    #[td_kernel]
    unsafe fn folded_square(#[each] p: &Features<u8>, s: &mut Square<u32>; #[fold] same: u32) {
        let feature = r#" same += p.i == p.j; "#;
        let pair = r#" s = same; "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        // A negative number is 0 as a `u8`.
        let same = p.iter().zip(&q).filter(|(a, b)| a.max(0.0) == b.max(0.0)).count();
        o.put("s", same as f64);
    };

    #[td_kernel]
    unsafe fn folded_matrix(#[row] a: &Features<f32>, #[column] b: &Features<f32>, c: &mut Matrix<f32>, #[column] high: &mut Maxima<f32>; #[fold] sum: f32) {
        let feature = r#" const float d = a - b; sum += d * d; "#;
        let pair = r#" c = sum; high.offer(sum - i); "#;
    }
    |o| {
        let (a, b) = (o.rows("a"), o.cols("b"));
        let sum: f64 = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum();
        o.put("c", sum);
        o.put_col("high", sum - o.i as f64);
    };

    #[td_kernel]
    unsafe fn products(
        #[each] p: &Features<f32>, a: &mut Packed<f32>, total: &mut Sum<f64>, six: &mut Sum<[f64; 6]>, list: &mut Pairs<f32>, #[each] high: &mut Maxima<(f32, u32)>;
        #[dot] dot: f32
    ) {
        r#" a = dot; total += dot; six += {dot, 1, -dot, (double)i, (double)j, 2}; high.offer(dot); if (dot > 150) list.push(dot); "#
    }
    |o| {
        let dot = dot(o);
        o.put("a", dot);
        o.put("total", dot);
        o.put("six", [dot, 1.0, -dot, o.i as f64, o.j as f64, 2.0]);
        o.put("high", dot);
        if dot > 150.0 {
            o.put("list", dot);
        }
    };

    #[td_kernel]
    unsafe fn products_of_halves(#[each] p: &Features<f16>, s: &mut Square<f32>; #[dot] dot: f32) {
        r#" s = dot; "#
    }
    |o| {
        let dot = dot(o);
        o.put("s", dot);
    };

    #[td_kernel]
    unsafe fn products_of_bytes(#[row] a: &Features<i8>, #[column] b: &Features<i8>, c: &mut Matrix<i32>, #[row] sums: &mut Sums<i64>; #[dot] dot: i32) {
        r#" c = dot; sums += dot; "#
    }
    |o| {
        let dot = dot_of_two(o);
        o.put("c", dot);
        o.put_row("sums", dot);
    };

    #[td_kernel]
    unsafe fn nearest_by_features(#[each] p: &Features<f32>, #[each] near: &mut Nearest<f32, 4>; #[fold] sum: f32) {
        let feature = r#" const float d = p.i - p.j; sum += d * d; "#;
        let pair = r#" near.push(sum); "#;
    }
    |o| {
        let sum = square(o);
        o.put("near", sum);
    };
}
