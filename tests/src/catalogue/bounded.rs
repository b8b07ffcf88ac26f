//! Kernels with lower bounds, of more kinds: members of structs, periodic cells, numbers, and products of features.

use td_kernel::{Features, Histogram, Max, Maxima, Min, Minima, Nearest, Pairs, Sum, Sums};

use super::value::Member;
use super::{dot, dot_of_two, entries};

/// A distance along an axis that repeats after so much.
fn wrapped(distance: f64, edge: f64) -> f64 {
    distance - edge * (distance / edge).round_ties_even()
}

entries! {
    #[td_kernel(order = "at[0], at[1], at[2]")]
    unsafe fn touching(
        #[each] m: &[Member], #[each] q: &[u8], list: &mut Pairs<[f32; 2]>, seen: &mut [u32], most: &mut Max<i32>, least: &mut Min<f32>,
        weights: &mut Histogram<f64>, #[each] moment: &mut Sums<i32>, #[each] high: &mut Maxima<[i16; 2]>,
    ) {
        let pair = r#"
        const float x = m.i.at[0] - m.j.at[0], y = m.i.at[1] - m.j.at[1], z = m.i.at[2] - m.j.at[2];
        const float square = x * x + y * y + z * z;
        if (sqrtf(square) > m.i.at[4] + m.j.at[4])
            return;
        list.push(make_float2(square, q.i));
        atomicAdd(&seen[(i + 2 * j) % seen_length], 1u);
        most.offer((int)square + m.j.kind);
        least.offer(square - n);
        weights.add(2 * square, 1 + q.j);
        moment.i += m.j.kind;
        moment.j -= m.i.kind;
        high.j.offer(make_short2(i, -m.i.kind));
        "#;
        let lower_bound = r#" box_distance(m.i, m.j) - m.i.hi.at[4] - m.j.hi.at[4] "#;
    }
    |o| {
        let (p, q) = (o.rows("m"), o.cols("m"));
        let square: f64 = (0..3).map(|d| (p[d] - q[d]).powi(2)).sum();
        if square.sqrt() > p[4] + q[4] {
            return;
        }
        o.put("list", [square, o.row("q").max(0.0)]);
        o.put("seen", [((o.i + 2 * o.j) % 7) as f64, 1.0]);
        o.put("most", square + q[5]);
        o.put("least", square - o.n as f64);
        o.put("weights", [2.0 * square, 1.0 + o.col("q").max(0.0)]);
        o.put_row("moment", q[5]);
        o.put_col("moment", -p[5]);
        o.put_col("high", [o.i as f64, -p[5]]);
    };

    #[td_kernel(diagonal = true, order = "z, x", map = "rb")]
    unsafe fn periodic(#[each] p: &[[f32; 3]], limits: &[f32], list: &mut Pairs<f64>, #[each] degree: &mut Sums<u32>, count: &mut Sum<f64>) {
        let pair = r#"
        float x = p.i.x - p.j.x, z = p.i.z - p.j.z;
        z -= 11 * rintf(z / 11);
        x -= 7 * rintf(x / 7);
        const float square = z * z + x * x;
        if (square <= 8 + limits[0]) {
            list.push(square);
            degree.i += 1;
            degree.j += 2;
            count += square;
        }
        "#;
        let lower_bound = r#" periodic_square(p.i, p.j, 11, 7) - (8 + limits[0]) "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        let square = wrapped(p[2] - q[2], 11.0).powi(2) + wrapped(p[0] - q[0], 7.0).powi(2);
        if square <= 8.0 + o.all("limits")[0] {
            o.put("list", square);
            o.put_row("degree", 1.0);
            o.put_col("degree", 2.0);
            o.put("count", square);
        }
    };

    #[td_kernel]
    unsafe fn close_numbers(#[each] x: &[f64], #[each] group: &[u8], list: &mut Pairs) {
        let pair = r#" if (fabs(x.i - x.j) <= 2 && group.i == group.j) list.push(); "#;
        let lower_bound = r#" box_manhattan(x.i, x.j) - 2 "#;
    }
    |o| {
        let is_one_group = o.row("group").max(0.0) == o.col("group").max(0.0);
        if (o.row("x") - o.col("x")).abs() <= 2.0 && is_one_group {
            o.put("list", ());
        }
    };

    #[td_kernel(order = "x, y")]
    unsafe fn close_columns_of_reach(
        #[row] a: &[[f32; 4]], #[row] w: &[u8], #[column] b: &[[f64; 4]], bins: &mut Histogram<u64>, most: &mut Max<f32>,
        list: &mut Pairs<[f32; 3]>, #[row] low: &mut Minima<(f32, u32)>, #[column] moment: &mut Sums<[i32; 2]>,
    ) {
        let pair = r#"
        const double x = a.x - b.x, y = a.y - b.y;
        if (sqrt(x * x + y * y) > a.w - b.w)
            return;
        bins.add(j % 7);
        most.offer(x - y);
        list.push(make_float3(x, w, b.z));
        low.offer(x * x + y * y);
        moment += make_int2(w, (int)i - (int)j);
        "#;
        let lower_bound = r#" box_distance(a, b) - (a.hi.w - b.lo.w) "#;
    }
    |o| {
        let (a, b, w) = (o.rows("a"), o.cols("b"), o.row("w").max(0.0));
        let [x, y] = [0, 1].map(|d| a[d] - b[d]);
        if (x * x + y * y).sqrt() > a[3] - b[3] {
            return;
        }
        o.put("bins", (o.j % 7) as f64);
        o.put("most", x - y);
        o.put("list", [x, w, b[2]]);
        o.put_row("low", x * x + y * y);
        o.put_col("moment", [w, o.i as f64 - o.j as f64]);
    };

    #[td_kernel(deterministic = true, diagonal = true)]
    unsafe fn exact_sums_of_close(
        #[each] p: &[[f32; 3]], total: &mut Sum<f32>, work: &mut Sum<f64>, both: &mut Sum<[f32; 2]>, #[each] force: &mut Sums<[f32; 2]>, #[each] many: &mut Sums<[f32; 5]>,
        h: &mut Histogram<f32>,
    ) {
        let pair = r#"
        const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
        if (x * x + y * y + z * z > 40)
            return;
        total += x;
        work += y * z;
        both -= make_float2(x, z);
        force.i += make_float2(x, y);
        force.j -= make_float2(z, 1);
        many.i[3] += x;
        many.j[4] += y;
        h.add(i % 3, z);
        "#;
        let lower_bound = r#" box_square(p.i, p.j) - 40 "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        let [x, y, z] = [0, 1, 2].map(|d| p[d] - q[d]);
        if x * x + y * y + z * z > 40.0 {
            return;
        }
        o.put("total", x);
        o.put("work", y * z);
        o.put("both", [-x, -z]);
        o.put_row("force", [x, y]);
        o.put_col("force", [-z, -1.0]);
        o.put_row("many", [0.0, 0.0, 0.0, x, 0.0]);
        o.put_col("many", [0.0, 0.0, 0.0, 0.0, y]);
        o.put("h", [(o.i % 3) as f64, z]);
    };

    #[td_kernel(diagonal = true, tile = 64)]
    unsafe fn filtered_with_diagonal(
        #[each] p: &Features<f32>, #[each] norm: &[[f32; 2]], weights: &[f32], near: &mut Pairs, valued: &mut Pairs<[f32; 2]>,
        #[each] most: &mut Maxima<(f32, u32)>, #[each] larger: &mut Sums<i64>, #[each] many: &mut Sums<[f32; 5]>, total: &mut Sum<i64>, counts: &mut [u32];
        #[fold] sum: f32, #[fold(start = "1")] last: u32
    ) {
        let feature = r#" sum += p.i * p.j; if (k + 1 == features) last += k; "#;
        let pair = r#"
        if (fabsf(sum) >= 60 + weights[1] && norm.i.y != norm.j.x) {
            near.push();
            valued.push(make_float2(sum, norm.i.x));
            most.offer(sum);
            larger.i += last;
            many.j[4] -= norm.i.x;
            total += i;
            atomicAdd(&counts[(i + j) % counts_length], 1u);
        }
        "#;
        let lower_bound = r#"
        norm.i.y == norm.j.x || n > 1000000 || features > 100000 || weights_length != 7 ? 1 : 60 + weights[1] - fmaxf(dot_upper, -dot_lower)
        "#;
    }
    |o| {
        let (sum, norm, width) = (dot(o), o.rows("norm"), o.rows("p").len());
        if sum.abs() >= 60.0 + o.all("weights")[1] && norm[1] != o.col("norm") {
            o.put("near", ());
            o.put("valued", [sum, norm[0]]);
            o.put("most", sum);
            o.put_row("larger", width as f64);
            o.put_col("many", [0.0, 0.0, 0.0, 0.0, -norm[0]]);
            o.put("total", o.i as f64);
            o.put("counts", [((o.i + o.j) % 7) as f64, 1.0]);
        }
    };

    #[td_kernel]
    unsafe fn filtered_columns(
        #[row] a: &Features<f32>, #[column] b: &Features<f32>, of_columns: &[u32], list: &mut Pairs<f32>, count: &mut Sum<u64>,
        #[row] low: &mut Minima<(f32, u32)>, #[column] degree: &mut Sums<u64>, #[column] least: &mut Minima<f32>; #[fold] sum: f32
    ) {
        let feature = r#" sum += a * b; "#;
        let pair = r#"
        if (sum >= 50 && of_columns[j % of_columns_length] != 0) {
            list.push(sum);
            count += i + rows;
            low.offer(sum);
            degree += 1;
            least.offer(sum);
        }
        "#;
        let lower_bound = r#" of_columns[j % of_columns_length] == 0 || rows * columns * features == 0 ? 1 : 50 - dot_upper "#;
    }
    |o| {
        let sum = dot_of_two(o);
        if sum >= 50.0 && o.all("of_columns")[o.j % 7] > 0.0 {
            o.put("list", sum);
            o.put("count", (o.i + o.n) as f64);
            o.put_row("low", sum);
            o.put_col("degree", 1.0);
            o.put_col("least", sum);
        }
    };

    #[td_kernel]
    unsafe fn nearest_by_bound(#[each] p: &Features<f32>, #[each] near: &mut Nearest<f32>; #[fold] sum: f32) {
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" near.push(-sum); "#;
        let lower_bound = r#" -dot_upper "#;
    }
    |o| {
        let sum = dot(o);
        o.put("near", -sum);
    };

    #[td_kernel(diagonal = true, tile = 32)]
    unsafe fn some_nearest_by_bound(
        #[each] p: &Features<f32>, #[each] w: &[f32], weights: &[f32], #[each] near: &mut Nearest<f32, 3>; #[fold] sum: f32,
        #[fold(start = "1")] one: u32
    ) {
        let feature = r#" sum += p.i * p.j; one += k == features; "#;
        let pair = r#" if ((i + j) % 3) near.push(w.i * (float)one - fabsf(sum) + weights[2]); "#;
        let lower_bound = r#"
        (i + j) % 3 == 0 || n + features == 0 ? 1.0f / 0.0f : w.i - fmaxf(dot_upper, -dot_lower) + weights[weights_length - 5]
        "#;
    }
    |o| {
        let sum = dot(o);
        if (o.i + o.j) % 3 != 0 {
            o.put("near", o.row("w") - sum.abs() + o.all("weights")[2]);
        }
    };

    #[td_kernel]
    unsafe fn nearest_column_by_bound(
        #[column] b: &Features<f32>, #[column] shift: &[f32], #[row] a: &Features<f32>, #[row] near: &mut Nearest<f32, 10>; #[fold] sum: f32
    ) {
        let feature = r#" sum += a * b; "#;
        let pair = r#" near.push(fminf(sum, 90) + shift); "#;
        let lower_bound = r#" fminf(dot_lower, 90) + shift + (rows + columns + features == 0) "#;
    }
    |o| {
        let sum = dot_of_two(o);
        o.put_row("near", sum.min(90.0) + o.col("shift"));
    };
}
