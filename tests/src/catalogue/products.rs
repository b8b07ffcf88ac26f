//! Products of features on tensor cores: every output, with the body `quick`, of bytes and halves, and nearest neighbours.

use td_kernel::half::bf16;
use td_kernel::{
    ArraySums, Arrays, Features, Matrix, Max, Maxima, Min, Minima, Nearest, Packed, Pairs, Square,
    Sum, Sums,
};

use super::value::Member;
use super::{dot, dot_of_two, entries};

entries! {
    #[td_kernel(diagonal = true)]
    unsafe fn products_with_diagonal(
        #[each] p: &Features<f32>, #[each] weight: &[[f32; 4]], #[each] m: &[Member], s: &mut Square<f32>,
        mixed: &mut Packed<[f32; 2]>, #[each] low: &mut Minima<(f32, u32)>, #[each] degree: &mut Sums<u32>, #[each] sums: &mut Sums<f64>,
        near: &mut Pairs, counts: &mut [u32]; #[dot] dot: f32
    ) {
        r#"
        s = dot;
        mixed = make_float2(weight.i.x * dot + weight.i.w, m.j.kind);
        low.j.offer(dot);
        sums.j += dot;
        if (dot > 40) {
            degree.i += 1;
            near.push();
            atomicAdd(&counts[(i + j) % counts_length], 1u);
        }
        "#
    }
    |o| {
        let (dot, w) = (dot(o), o.rows("weight"));
        o.put("s", dot);
        o.put("mixed", [w[0] * dot + w[3], o.cols("m")[5]]);
        if o.i == o.j { o.put_row("low", dot) } else { o.put_col("low", dot) }
        o.put_col("sums", dot);
        if dot > 40.0 {
            o.put_row("degree", 1.0);
            o.put("near", ());
            o.put("counts", [((o.i + o.j) % 7) as f64, 1.0]);
        }
    };

    #[td_kernel]
    unsafe fn products_of_two(
        #[row] a: &Features<f32>, #[column] b: &Features<f32>, #[row] weight: &[[f32; 4]], #[column] m: &[Member], c: &mut Matrix<f32>,
        mixed: &mut Matrix<[f32; 2]>, #[row] most: &mut Maxima<(f32, u32)>, #[column] sums: &mut Sums<f64>, total: &mut Sum<f64>,
        valued: &mut Pairs<f32>; #[dot] dot: f32
    ) {
        r#"
        c = dot;
        mixed = make_float2(weight.x * dot + weight.w, m.at[3] - m.kind);
        most.offer(dot);
        sums += dot;
        total += dot;
        if (dot > 40)
            valued.push(dot);
        "#
    }
    |o| {
        let dot = dot_of_two(o);
        let (w, m) = (o.rows("weight"), o.cols("m"));
        o.put("c", dot);
        o.put("mixed", [w[0] * dot + w[3], m[3] - m[5]]);
        o.put_row("most", dot);
        o.put_col("sums", dot);
        o.put("total", dot);
        if dot > 40.0 {
            o.put("valued", dot);
        }
    };

    #[td_kernel]
    unsafe fn products_of_brain_floats(#[row] a: &Features<bf16>, #[column] b: &Features<bf16>, c: &mut Matrix<[f32; 2]>, d: &mut Matrix<bf16>; #[dot] dot: f32) {
        r#" c.x = dot; c.y = dot_error >= 0 && dot_error <= 2e-3f * features; d = i % 8; "#
    }
    |o| {
        let dot = dot_of_two(o);
        o.put("c", [dot, 1.0]);
        o.put("d", (o.i % 8) as f64);
    };

    #[td_kernel(diagonal = true)]
    unsafe fn products_of_signed_bytes(
        #[each] p: &Features<i8>, a: &mut Packed<i32>, #[each] most: &mut Maxima<(i32, u32)>, #[each] sums: &mut Sums<i64>, total: &mut Sum<i64>,
        listed: &mut Pairs<i32>; #[dot] dot: i32
    ) {
        r#" a = dot; most.offer(dot); sums.j += dot; total += dot; if (dot % 4) listed.push(dot); "#
    }
    |o| {
        let dot = dot(o);
        o.put("a", dot);
        o.put("most", dot);
        o.put_col("sums", dot);
        o.put("total", dot);
        if dot % 4.0 != 0.0 {
            o.put("listed", dot);
        }
    };

    #[td_kernel]
    unsafe fn squares_of_bytes(#[each] p: &Features<u8>, s: &mut Square<i32>; #[dot] dot: i32) { r#" s = dot; "# }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        o.put("s", p.iter().zip(&q).map(|(p, q)| p.max(0.0) * q.max(0.0)).sum::<f64>());
    };

    // Each pair counts once, by one body or the other, which agree.
    #[td_kernel(diagonal = true)]
    unsafe fn quick_products(
        #[each] p: &Features<f32>, scale: f32, a: &mut Packed<f32>, #[each] most: &mut Maxima<(f32, u32)>, #[each] sums: &mut Sums<f64>,
        count: &mut Sum<u64>, valued: &mut Pairs<f32>, counts: &mut [u32]; #[dot] dot: f32, #[fold] sum: f32
    ) {
        let quick = r#"
        const bool is_left = (i + 3 * j) % 7 == 0 || i == 5;
        a = is_left ? 1e6f : dot;
        most.offer(is_left ? 1e6f : dot);
        sums.j += is_left ? 1e6f : dot;
        count += 1;
        valued.push(dot + scale);
        if (is_left)
            return exact();
        atomicAdd(&counts[i % counts_length], 1u);
        "#;
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#"
        a = sum;
        most.offer(sum);
        sums.j += sum;
        count += 1;
        valued.push(sum + scale);
        atomicAdd(&counts[i % counts_length], 1u);
        "#;
    }
    |o| {
        let dot = dot(o);
        o.put("a", dot);
        o.put("most", dot);
        o.put_col("sums", dot);
        o.put("count", 1.0);
        o.put("valued", dot + o.all("scale")[0]);
        o.put("counts", [(o.i % 7) as f64, 1.0]);
    };

    #[td_kernel]
    unsafe fn quick_results(
        #[each] p: &Features<f32>, #[each] v: &[[f32; 8]], least: &mut Min<f32>, list: &mut Pairs, #[each] low: &mut Minima<(f32, u32)>,
        #[each] sums: &mut Sums<[f32; 8]>; #[dot] dot: f32, #[fold] sum: f32
    ) {
        let quick = r#"
        if (dot <= 0)
            return exact();
        least.offer(dot);
        low.offer(dot);
        list.push();
        sums.i += v.j;
        "#;
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" least.offer(sum); low.offer(sum); sums.i += v.j; if (sum > 0 || sum < -9) list.push(); "#;
    }
    |o| {
        let (dot, v) = (dot(o), o.cols("v"));
        o.put("least", dot);
        o.put("low", dot);
        o.put_row("sums", v);
        if !(-9.0..=0.0).contains(&dot) {
            o.put("list", ());
        }
    };

    #[td_kernel]
    unsafe fn quick_arrays(#[each] p: &Features<f32>, #[each] v: &Arrays<f32>, #[each] sums: &mut ArraySums<f32>; #[dot] dot: f32, #[fold] sum: f32) {
        let quick = r#" if (dot <= 0) return exact(); sums.i += v.j; "#;
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" if (sum > 0) sums.i += v.j; else if (sum < -9) sums.j += v.i; "#;
    }
    |o| {
        let (dot, own, other) = (dot(o), o.rows("v"), o.cols("v"));
        if dot > 0.0 {
            o.put_row("sums", other);
        } else if dot < -9.0 {
            o.put_col("sums", own);
        }
    };

    #[td_kernel]
    unsafe fn quick_squares(#[each] p: &Features<f32>, table: &[f32], s: &mut Square<f32>; #[dot] dot: f32, #[fold] sum: f32) {
        let quick = r#" s = dot - table[j % table_length]; if ((i + 3 * j) % 7 == 0) { s = 1e6f; exact(); } "#;
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" s = sum - table[j % table_length]; "#;
    }
    |o| {
        let dot = dot(o);
        o.put("s", dot - o.all("table")[o.j % 7]);
    };

    #[td_kernel]
    unsafe fn quick_products_of_two(
        #[row] a: &Features<i8>, #[column] b: &Features<i8>, c: &mut Matrix<i32>, #[row] degree: &mut Sums<u32>, far: &mut Max<i32>,
        valued: &mut Pairs<i32>, #[column] moment: &mut Sums<i64>, #[column] low: &mut Minima<(i32, u32)>; #[dot] dot: i32, #[fold] sum: i32
    ) {
        let quick = r#"
        c = dot;
        degree += 1;
        far.offer(dot % 2 ? dot + 100000 : dot);
        valued.push(dot);
        moment += dot;
        low.offer(dot % 2 ? dot - 100000 : dot);
        if (dot % 2)
            exact();
        "#;
        let feature = r#" sum += a * b; "#;
        let pair = r#" c = sum; degree += 1; far.offer(sum); valued.push(sum); moment += sum; low.offer(sum); "#;
    }
    |o| {
        let dot = dot_of_two(o);
        o.put("c", dot);
        o.put_row("degree", 1.0);
        o.put("far", dot);
        o.put("valued", dot);
        o.put_col("moment", dot);
        o.put_col("low", dot);
    };

    #[td_kernel]
    unsafe fn nearest_by_products(#[each] p: &Features<f32>, #[each] near: &mut Nearest<f32, 5>; #[dot] dot: f32) { r#" near.push(-dot); "# }
    |o| {
        let dot = dot(o);
        o.put("near", -dot);
    };

    #[td_kernel(diagonal = true)]
    unsafe fn nearest_by_products_of_bytes(#[each] p: &Features<i8>, #[each] near: &mut Nearest<i32, 40>; #[dot] dot: i32) { r#" near.push(-dot); "# }
    |o| {
        let dot = dot(o);
        o.put("near", -dot);
    };

    #[td_kernel]
    unsafe fn nearest_column_by_products(#[row] a: &Features<f32>, #[column] b: &Features<f32>, #[row] near: &mut Nearest<f32>; #[dot] dot: f32) {
        r#" near.push(dot); "#
    }
    |o| {
        let dot = dot_of_two(o);
        o.put_row("near", dot);
    };

    #[td_kernel]
    unsafe fn quick_nearest(#[each] p: &Features<f32>, #[each] near: &mut Nearest<f32, 7>; #[dot] dot: f32, #[fold] sum: f32) {
        let quick = r#" const bool is_left = (i + 3 * j) % 7 == 0 || i == 5; near.push(is_left ? -1e6f : dot); if (is_left) exact(); "#;
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" near.push(sum); "#;
    }
    |o| {
        let dot = dot(o);
        o.put("near", dot);
    };
}
