//! States that a function joins and sums of arrays: of both sets, over features and products, in other tiles and maps.

use td_kernel::{
    ArraySums, Arrays, FeatureSets, Features, Max, Maxima, Min, Minima, Nearest, Pairs, Reduce,
    Sets, Square, Sum, Sums,
};

use super::oracle::{Body, Row};
use super::value::Count;
use super::{dot, dot_of_two, entries};

/// Numbers times a factor.
fn times(numbers: Row, factor: f64) -> Row {
    numbers.into_iter().map(|x| x * factor).collect()
}

entries! {
    #[td_kernel(space = "thread", map = "ltm", prelude = include_str!("join.cuh"))]
    unsafe fn states_by_threads(#[each] p: &[i32], all: &mut Reduce<Count>, second: &mut Reduce<Count>) {
        r#" all.join({1, {p.i, j}}); second.join({1, {p.j, i}}); "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        o.put("all", [1.0, p, o.j as f64]);
        o.put("second", [1.0, q, o.i as f64]);
    };

    #[td_kernel(diagonal = true, prelude = include_str!("join.cuh"))]
    unsafe fn state_beside_square(#[each] p: &[i32], s: &mut Square<i32>, all: &mut Reduce<Count>) {
        r#" s = p.i + p.j; all.join({1, {p.i, j}}); "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        o.put("s", p + q);
        o.put("all", [1.0, p, o.j as f64]);
    };

    #[td_kernel(diagonal = true, prelude = include_str!("join.cuh"))]
    unsafe fn states_with_diagonal(#[each] p: &[[i32; 3]], #[each] own: &mut Reduce<Count>, #[each] rows: &mut Reduce<Count>) {
        r#" own.i.join({1, {p.j.z, i}}); own.j.join({1, {p.i.x, j}}); rows.i.join({1, {p.j.y, j}}); "#
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        o.put_row("own", [1.0, q[2], o.i as f64]);
        o.put_col("own", [1.0, p[0], o.j as f64]);
        o.put_row("rows", [1.0, q[1], o.j as f64]);
    };

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn two_states_of_rows(
        #[row] a: &[i32], #[column] b: &[i32], #[row] own: &mut Reduce<Count>, #[row] second: &mut Reduce<Count>, far: &mut Max<i32>,
        near: &mut Min<i32>,
    ) {
        r#" own.join({1, {b, j}}); if (a < b) second.join({1, {a, j}}); far.offer(a - b); near.offer(a + b); "#
    }
    |o| {
        let (a, b) = (o.row("a"), o.col("b"));
        o.put_row("own", [1.0, b, o.j as f64]);
        if a < b {
            o.put_row("second", [1.0, a, o.j as f64]);
        }
        o.put("far", a - b);
        o.put("near", a + b);
    };

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn states_of_rows(
        #[row] a: &[i32], #[column] b: &[[f32; 40]], #[row] own: &mut Reduce<Count>, all: &mut Reduce<Count>, total: &mut Sum<f64>,
        list: &mut Pairs<u32>,
    ) {
        r#"
        own.join({1, {(long long)b[39] * a, j}});
        all.join({1, {(long long)b[2], i}});
        total += b[0];
        if (a == b[1])
            list.push(i + j);
        "#
    }
    |o| {
        let (a, b) = (o.row("a"), o.cols("b"));
        o.put_row("own", [1.0, b[39] * a, o.j as f64]);
        o.put("all", [1.0, b[2], o.i as f64]);
        o.put("total", b[0]);
        if a == b[1] {
            o.put("list", (o.i + o.j) as f64);
        }
    };

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn states_by_features(
        #[each] p: &Features<f32>, #[each] x: &[i32], #[each] own: &mut Reduce<Count>; #[fold(start = "3")] sum: f32, #[fold] last: [i32; 4]
    ) {
        let feature = r#" sum += p.i - 2 * p.j; last.w = k + 1; "#;
        let pair = r#"
        own.i.join({1, {(int)sum, x.j}});
        own.j.join({1, {(int)sum * (last.w == features), x.i}});
        "#;
    }
    |o| {
        let sum = 3.0 + o.rows("p").iter().zip(o.cols("p")).map(|(a, b)| a - 2.0 * b).sum::<f64>();
        o.put_row("own", [1.0, sum, o.col("x")]);
        o.put_col("own", [1.0, sum, o.row("x")]);
    };

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn state_by_features(#[each] p: &Features<i8>, all: &mut Reduce<Count>; #[fold] sum: i32) {
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" all.join({1, {sum, i}}); "#;
    }
    STATE_OF_FOLDS;

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn states_of_rows_by_features(
        #[row] a: &Features<f32>, #[column] b: &Features<f32>, #[row] x: &[i32], #[row] own: &mut Reduce<Count>, list: &mut Pairs;
        #[fold] sum: f32
    ) {
        let feature = r#" sum += a * b; "#;
        let pair = r#" own.join({1, {(int)sum, x + (int)j}}); if (i == j) list.push(); "#;
    }
    |o| {
        let sum = dot_of_two(o);
        o.put_row("own", [1.0, sum, o.row("x") + o.j as f64]);
        if o.i == o.j {
            o.put("list", ());
        }
    };

    // Lists that are visited again have sources by element.
    #[td_kernel]
    unsafe fn results_alone(#[each] p: &[[f32; 3]], total: &mut Sum<i64>, #[each] force: &mut Sums<[f32; 3]>, #[each] low: &mut Minima<(f32, u32)>) {
        r#" total += i; force.i += p.j; force.j -= p.i; low.offer(p.i.x - p.j.y); "#
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        o.put("total", o.i as f64);
        o.put("low", p[0] - q[1]);
        o.put_row("force", q);
        o.put_col("force", times(p, -1.0));
    };

    #[td_kernel(diagonal = true, deterministic = true)]
    unsafe fn wide_and_exact(#[each] p: &[i32], #[each] v: &[[f32; 7]], #[each] sums: &mut Sums<[f32; 7]>, all: &mut Sum<[f64; 7]>) {
        r#"
        all += v.i;
        all -= (p.i - 1.0f) * v.j;
        sums.i += (p.i - 1.0f) * v.j;
        if (i % 2) {
            sums.j -= v.i * (float)p.j;
        } else {
            sums.j += v.i;
            sums.j += (p.j - 2.0f) * v.i;
        }
        "#
    }
    |o| {
        let (p, q, v, w) = (o.row("p"), o.col("p"), o.cols("v"), o.rows("v"));
        o.put("all", times(w.clone(), 1.0));
        o.put("all", times(v.clone(), 1.0 - p));
        o.put_row("sums", times(v, p - 1.0));
        let by = if o.i % 2 == 1 { -q } else { q - 1.0 };
        o.put_col("sums", times(w, by));
    };

    #[td_kernel(tile = 0, diagonal = true)]
    unsafe fn wide_in_blocks(#[each] v: &[[f64; 32]], #[each] sums: &mut Sums<[f64; 32]>) {
        r#" sums.i += v.j; sums.j -= v.i * 2.0; "#
    }
    |o| {
        o.put_row("sums", o.cols("v"));
        o.put_col("sums", times(o.rows("v"), -2.0));
    };

    #[td_kernel(deterministic = true, map = "rb")]
    unsafe fn wide_doubles(#[each] v: &[[f64; 6]], #[each] sums: &mut Sums<[f64; 6]>) { r#" sums.i += v.j; sums.j -= v.i; "# }
    |o| {
        o.put_row("sums", o.cols("v"));
        o.put_col("sums", times(o.rows("v"), -1.0));
    };

    #[td_kernel(map = "walk")]
    unsafe fn wide_and_long(#[each] v: &[[f32; 64]], #[each] sums: &mut Sums<[f32; 64]>) { r#" sums.i += v.j; sums.j -= v.i; "# }
    |o| {
        o.put_row("sums", o.cols("v"));
        o.put_col("sums", times(o.rows("v"), -1.0));
    };

    #[td_kernel]
    unsafe fn wide_of_both(
        #[row] u: &[[f32; 16]], #[column] v: &[[f32; 8]], #[row] sums: &mut Sums<[f64; 8]>, #[row] again: &mut Sums<[f64; 8]>,
        #[column] back: &mut Sums<[f32; 16]>,
    ) {
        r#"
        const float w = (i + 2 * j) % 5;
        sums += w * v;
        again -= v * (1.0f - w);
        again[3] += w * v[3];
        again[3] -= (w * v)[3];
        back += u * w;
        "#
    }
    |o| {
        let w = ((o.i + 2 * o.j) % 5) as f64;
        o.put_row("sums", times(o.cols("v"), w));
        o.put_row("again", times(o.cols("v"), w - 1.0));
        o.put_col("back", times(o.rows("u"), w));
    };

    #[td_kernel]
    unsafe fn wide_by_folds(#[each] p: &Features<f32>, #[each] v: &[[f32; 9]], #[each] sums: &mut Sums<[f32; 9]>; #[fold] dot: f32) {
        let feature = r#" dot += p.i * p.j; "#;
        let pair = r#" const float w = fmodf(dot, 7); sums.i += w * v.j; sums.j += w * v.i; "#;
    }
    WEIGHTED;

    #[td_kernel(deterministic = true, diagonal = true)]
    unsafe fn wide_and_exact_by_folds(#[each] p: &Features<f32>, #[each] v: &[[f64; 7]], #[each] sums: &mut Sums<[f64; 7]>; #[fold] dot: f32) {
        let feature = r#" dot += p.i * p.j; "#;
        let pair = r#" const double w = fmodf(dot, 7); sums.i += w * v.j; sums.j += w * v.i; "#;
    }
    WEIGHTED;

    #[td_kernel]
    unsafe fn wide_by_products(#[each] p: &Features<f32>, #[each] v: &[[f32; 6]], #[each] sums: &mut Sums<[f32; 6]>; #[dot] dot: f32) {
        r#" const float w = fmodf(dot, 7); sums.i += w * v.j; sums.j += w * v.i; "#
    }
    WEIGHTED;

    #[td_kernel]
    unsafe fn wide_of_both_by_products(
        #[row] a: &Features<f32>, #[column] b: &Features<f32>, #[row] u: &[[f32; 7]], #[column] v: &[[f32; 5]], #[row] sums: &mut Sums<[f32; 5]>,
        #[column] back: &mut Sums<[f32; 7]>; #[dot] dot: f32
    ) {
        r#" const float w = fmodf(dot, 7); sums += w * v; back -= w * u; "#
    }
    |o| {
        let w = dot_of_two(o) % 7.0;
        o.put_row("sums", times(o.cols("v"), w));
        o.put_col("back", times(o.rows("u"), -w));
    };

    #[td_kernel]
    unsafe fn arrays_of_both(
        #[row] u: &Arrays<f32>, #[row] scale: &[f32], #[column] v: &Arrays<f64>, #[row] sums: &mut ArraySums<f64>, #[column] back: &mut ArraySums<f32>,
    ) {
        r#" sums += (double)scale * v; back += u * (float)(i % 5); "#
    }
    |o| {
        let (scale, i) = (o.row("scale"), (o.i % 5) as f64);
        o.put_row("sums", times(o.cols("v"), scale));
        o.put_col("back", times(o.rows("u"), i));
    };

    #[td_kernel(diagonal = true, deterministic = true)]
    unsafe fn exact_arrays(#[each] v: &Arrays<f32>, #[each] sums: &mut ArraySums<f32>) { r#" sums.i += (float)(j % 5) * v.j; sums.j -= v.i; "# }
    |o| {
        let j = (o.j % 5) as f64;
        o.put_row("sums", times(o.cols("v"), j));
        o.put_col("sums", times(o.rows("v"), -1.0));
    };

    #[td_kernel]
    unsafe fn arrays_of_rows_by_products(
        #[row] a: &Features<f32>, #[column] b: &Features<f32>, #[column] v: &Arrays<f32>, #[row] sums: &mut ArraySums<f32>; #[dot] dot: f32
    ) {
        r#" sums += fmodf(dot, 7) * v; "#
    }
    |o| {
        let w = dot_of_two(o) % 7.0;
        o.put_row("sums", times(o.cols("v"), w));
    };

    #[td_kernel]
    unsafe fn wide_of_both_by_folds(
        #[row] a: &Features<f32>, #[column] b: &Features<f32>, #[row] u: &[[f64; 6]], #[column] v: &[[f32; 32]], #[row] sums: &mut Sums<[f32; 32]>,
        #[column] back: &mut Sums<[f64; 6]>; #[fold] dot: f32
    ) {
        let feature = r#" dot += a * b; "#;
        let pair = r#" const float w = fmodf(dot, 7); sums += w * v; back -= (double)w * u; "#;
    }
    |o| {
        let w = dot_of_two(o) % 7.0;
        o.put_row("sums", times(o.cols("v"), w));
        o.put_col("back", times(o.rows("u"), -w));
    };

    #[td_kernel]
    unsafe fn arrays_by_folds(#[each] p: &Features<f32>, #[each] v: &Arrays<f32>, #[each] sums: &mut ArraySums<f32>; #[fold] dot: f32) {
        let feature = r#" dot += p.i * p.j; "#;
        let pair = r#" const float w = fmodf(dot, 7); sums.i += w * v.j; sums.j += w * v.i; "#;
    }
    WEIGHTED;

    #[td_kernel]
    unsafe fn wide_within_sets(#[each] v: &Sets<[f32; 64]>, #[each] sums: &mut Sums<[f32; 64]>, total: &mut Sum<i64>) {
        r#" sums.i += v.j; sums.j -= v.i * (set + 1.0f); total += 1; "#
    }
    |o| {
        o.put_row("sums", o.cols("v"));
        o.put_col("sums", times(o.rows("v"), -1.0 - o.set as f64));
        o.put("total", 1.0);
    };

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn state_of_sets(#[each] p: &Sets<i32>, all: &mut Reduce<Count>, second: &mut Reduce<Count>, plain: &mut Sum<u64>) {
        r#" all.join({1, {p.i + (int)set, j}}); if (p.j % 2) second.join({1, {p.j, i}}); plain += 1; "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        o.put("all", [1.0, p + o.set as f64, o.j as f64]);
        if q % 2.0 != 0.0 {
            o.put("second", [1.0, q, o.i as f64]);
        }
        o.put("plain", 1.0);
    };

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn state_of_rectangles(#[row] a: &Sets<i32>, #[column] b: &Sets<i32>, all: &mut Reduce<Count>, list: &mut Pairs<f32>) {
        r#" all.join({1, {a - b, i}}); if (a == b) list.push(a); "#
    }
    |o| {
        let (a, b) = (o.row("a"), o.col("b"));
        o.put("all", [1.0, a - b, o.i as f64]);
        if a == b {
            o.put("list", a);
        }
    };

    // The pair of an element with a later one is counted by that one.
    #[td_kernel(diagonal = true, prelude = include_str!("join.cuh"))]
    unsafe fn states_beside_totals(
        #[each] p: &[i32], #[each] own: &mut Reduce<Count>, all: &mut Reduce<Count>, total: &mut Sum<[i64; 2]>, far: &mut Max<i32>, near: &mut Min<i32>,
        list: &mut Pairs, valued: &mut Pairs<i32>,
    ) {
        r#"
        own.i.join({1, {p.j, i}});
        own.j.join({1, {p.i, j}});
        all.join({1, {p.i, j}});
        total += {p.i, 1};
        far.offer(p.i - p.j);
        near.offer(p.i + p.j);
        if (p.i == p.j)
            list.push();
        if (p.i < p.j)
            valued.push(p.i);
        "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        o.put_row("own", [1.0, q, o.i as f64]);
        o.put_col("own", [1.0, p, o.j as f64]);
        o.put("all", [1.0, p, o.j as f64]);
        o.put("total", [p, 1.0]);
        o.put("far", p - q);
        o.put("near", p + q);
        if p == q {
            o.put("list", ());
        }
        if p < q {
            o.put("valued", p);
        }
    };

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn states_of_folds_beside_totals(
        #[each] p: &Features<f32>, #[each] own: &mut Reduce<Count>, all: &mut Reduce<Count>, total: &mut Sum<f64>, valued: &mut Pairs<f32>;
        #[fold] sum: f32
    ) {
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" own.i.join({1, {(int)sum, i}}); all.join({1, {(int)sum, j}}); total += sum; if (sum > 9) valued.push(sum); "#;
    }
    |o| {
        let sum = dot(o);
        o.put_row("own", [1.0, sum, o.i as f64]);
        o.put("all", [1.0, sum, o.j as f64]);
        o.put("total", sum);
        if sum > 9.0 {
            o.put("valued", sum);
        }
    };

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn states_within_sets(#[each] p: &Sets<i32>, #[each] own: &mut Reduce<Count>, #[each] second: &mut Reduce<Count>) {
        r#" own.i.join({1, {p.j + (int)set, i}}); own.j.join({1, {p.i, j}}); if (p.i > p.j) second.j.join({1, {p.j, i}}); "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        o.put_row("own", [1.0, q + o.set as f64, o.i as f64]);
        o.put_col("own", [1.0, p, o.j as f64]);
        if p > q {
            o.put_col("second", [1.0, q, o.i as f64]);
        }
    };

    // Totals beside what each lane has of its element, also past the last row.
    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn set_states_beside_totals(
        #[each] p: &Sets<i32>, #[each] own: &mut Reduce<Count>, all: &mut Reduce<Count>, total: &mut Sum<[i64; 2]>, far: &mut Max<i32> as &mut Max<(i32, u32)>,
        near: &mut Min<i32> as &mut Min<(i32, u32)>, list: &mut Pairs as &mut Pairs<u32>, valued: &mut Pairs<i32>, #[set] most: &mut Maxima<i32>,
    ) {
        r#"
        own.i.join({1, {p.j, i}});
        all.join({1, {p.i, j}});
        total += {p.i, 1};
        far.offer(p.i - p.j);
        near.offer(p.i + p.j);
        most.offer(p.i - 2 * p.j);
        if (p.i < p.j)
            valued.push(p.i);
        if (p.i == p.j)
            list.push();
        "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        o.put_row("own", [1.0, q, o.i as f64]);
        o.put("all", [1.0, p, o.j as f64]);
        o.put("total", [p, 1.0]);
        o.put("far", p - q);
        o.put("near", p + q);
        o.put("most", p - 2.0 * q);
        if p < q {
            o.put("valued", p);
        }
        if p == q {
            o.put("list", o.set as f64);
        }
    };

    #[td_kernel]
    unsafe fn set_neighbours_beside_totals(
        #[each] p: &Sets<i32>, #[each] close: &mut Nearest<i32, 3>, total: &mut Sum<i64>, least: &mut Min<i32> as &mut Min<(i32, u32)>, list: &mut Pairs<i32>,
    ) {
        r#" const int d = abs(p.i - p.j); close.push(d); total += d; least.offer(d); if (d == 2) list.push(p.j); "#
    }
    |o| {
        let (p, q) = (o.row("p"), o.col("p"));
        let d = (p - q).abs();
        o.put("close", d);
        o.put("total", d);
        o.put("least", d);
        if d == 2.0 {
            o.put("list", q);
        }
    };

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn states_of_set_rows(#[row] a: &Sets<i32>, #[column] b: &Sets<[f32; 3]>, #[row] own: &mut Reduce<Count>) {
        r#" own.join({1, {(int)b.y * a, j}}); "#
    }
    |o| {
        let (a, b) = (o.row("a"), o.cols("b"));
        o.put_row("own", [1.0, a * b[1], o.j as f64]);
    };

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn states_of_set_columns(#[row] a: &Sets<i32>, #[column] b: &Sets<i32>, #[column] own: &mut Reduce<Count>) {
        r#" if (a != b) own.join({1, {a - b, i + set}}); "#
    }
    |o| {
        let (a, b) = (o.row("a"), o.col("b"));
        if a != b {
            o.put_col("own", [1.0, a - b, (o.i + o.set) as f64]);
        }
    };

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn state_of_folded_sets(#[each] p: &FeatureSets<i8>, all: &mut Reduce<Count>; #[fold] sum: i32) {
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" all.join({1, {sum, i}}); "#;
    }
    STATE_OF_FOLDS;

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn states_by_products(#[each] p: &Features<f32>, #[each] own: &mut Reduce<Count>, #[each] second: &mut Reduce<Count>; #[dot] product: f32) {
        r#" own.i.join({1, {(int)product, j}}); second.j.join({1, {(int)product, i}}); "#
    }
    STATES;

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn quick_states(
        #[each] p: &Features<f32>, #[each] own: &mut Reduce<Count>, #[each] second: &mut Reduce<Count>; #[dot] product: f32, #[fold] sum: f32
    ) {
        let quick = r#" if (product < 0) return exact(); own.i.join({1, {(int)product, j}}); second.j.join({1, {(int)product, i}}); "#;
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" own.i.join({1, {(int)sum, j}}); second.j.join({1, {(int)sum, i}}); "#;
    }
    STATES;

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn state_by_products(
        #[row] a: &Features<f32>, #[column] b: &Features<f32>, all: &mut Reduce<Count>, #[column] own: &mut Reduce<Count>; #[dot] product: f32
    ) {
        r#" all.join({1, {(int)product, i + j}}); own.join({1, {(int)product, j}}); "#
    }
    STATES_OF_TWO;

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn quick_state(
        #[row] a: &Features<f32>, #[column] b: &Features<f32>, all: &mut Reduce<Count>, #[column] own: &mut Reduce<Count>; #[dot] product: f32,
        #[fold] sum: f32
    ) {
        let quick = r#" if (product < 0) return exact(); all.join({1, {(int)product, i + j}}); own.join({1, {(int)product, j}}); "#;
        let feature = r#" sum += a * b; "#;
        let pair = r#" all.join({1, {(int)sum, i + j}}); own.join({1, {(int)sum, j}}); "#;
    }
    STATES_OF_TWO;

    #[td_kernel(prelude = include_str!("join.cuh"))]
    unsafe fn state_of_close(#[each] p: &[[f32; 2]], all: &mut Reduce<Count>, count: &mut Sum<i64>) {
        let pair = r#"
        const float x = p.i.x - p.j.x, y = p.i.y - p.j.y;
        if (x * x + y * y > 9)
            return;
        all.join({1, {(long long)x, j}});
        count += 1;
        "#;
        let lower_bound = r#" box_distance(p.i, p.j) - 3 "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        let [x, y] = [0, 1].map(|d| p[d] - q[d]);
        if x * x + y * y <= 9.0 {
            o.put("all", [1.0, x, o.j as f64]);
            o.put("count", 1.0);
        }
    };

    #[td_kernel(deterministic = true)]
    unsafe fn exact_wide_of_close(
        #[row] a: &[[f32; 2]], #[column] b: &[[f32; 2]], #[row] sums: &mut Sums<[f32; 5]>, #[column] degree: &mut Sums<i32>,
        #[column] low: &mut Minima<f32>,
    ) {
        let pair = r#"
        const float x = a.x - b.x, y = a.y - b.y;
        if (x * x + y * y > 9)
            return;
        sums[4] += x;
        degree += 1;
        low.offer(y);
        "#;
        let lower_bound = r#" box_distance(a, b) - 3 "#;
    }
    |o| {
        let (a, b) = (o.rows("a"), o.cols("b"));
        let [x, y] = [0, 1].map(|d| a[d] - b[d]);
        if x * x + y * y <= 9.0 {
            o.put_row("sums", [0.0, 0.0, 0.0, 0.0, x]);
            o.put_col("degree", 1.0);
            o.put_col("low", y);
        }
    };

    #[td_kernel(deterministic = true)]
    unsafe fn exact_wide_of_two_sets(
        #[row] u: &Sets<[f32; 6]>, #[column] v: &Sets<[f64; 5]>, #[row] sums: &mut Sums<[f64; 5]>, #[column] back: &mut Sums<[f32; 6]>,
    ) {
        r#" sums += v; back += u * 2.0f; "#
    }
    |o| {
        o.put_row("sums", o.cols("v"));
        o.put_col("back", times(o.rows("u"), 2.0));
    };

    #[td_kernel]
    unsafe fn wide_by_folds_within(#[each] p: &FeatureSets<f32>, #[each] v: &[[f32; 9]], #[each] sums: &mut Sums<[f32; 9]>; #[fold] dot: f32) {
        let feature = r#" dot += p.i * p.j; "#;
        let pair = r#" const float w = fmodf(dot, 7); sums.i += w * v.j; sums.j += w * v.i; "#;
    }
    WEIGHTED;

    #[td_kernel(deterministic = true)]
    unsafe fn exact_wide_by_folds_of_two(
        #[row] a: &FeatureSets<f32>, #[column] b: &FeatureSets<f32>, #[column] v: &[[f64; 7]], #[row] sums: &mut Sums<[f64; 7]>; #[fold] dot: f32
    ) {
        let feature = r#" dot += a * b; "#;
        let pair = r#" sums += fmodf(dot, 7) * v; "#;
    }
    |o| {
        let w = dot_of_two(o) % 7.0;
        o.put_row("sums", times(o.cols("v"), w));
    };
}

/// The body of kernels whose sums of arrays have the product of features as weights.
const WEIGHTED: fn(&mut Body<'_>) = |o| {
    let w = dot(o) % 7.0;
    o.put_row("sums", times(o.cols("v"), w));
    o.put_col("sums", times(o.rows("v"), w));
};

/// The state of all folds.
const STATE_OF_FOLDS: fn(&mut Body<'_>) = |o| {
    let sum = dot(o);
    o.put("all", [1.0, sum, o.i as f64]);
};

/// States of products of one set, and of two.
const STATES: fn(&mut Body<'_>) = |o| {
    let product = dot(o);
    o.put_row("own", [1.0, product, o.j as f64]);
    o.put_col("second", [1.0, product, o.i as f64]);
};
const STATES_OF_TWO: fn(&mut Body<'_>) = |o| {
    let product = dot_of_two(o);
    o.put("all", [1.0, product, (o.i + o.j) as f64]);
    o.put_col("own", [1.0, product, o.j as f64]);
};
