//! Kernels with lower bounds over boxes and over features.

use td_kernel::{Features, Histogram, Max, Maxima, Min, Minima, Nearest, Pairs, Sum, Sums};

use super::value::{Ball, Member};
use super::{dot, entries};

entries! {
    #[td_kernel]
    unsafe fn close(
        #[each] p: &[[f32; 3]], limit: f32, count: &mut Sum<u64>, virial: &mut Sum<[f32; 6]>, list: &mut Pairs<f32>, plain: &mut Pairs, bins: &mut Histogram<u64>,
        most: &mut Max<f32>, #[each] degree: &mut Sums<u32>, #[each] force: &mut Sums<[f32; 3]>, #[each] low: &mut Minima<(f32, u32)>,
    ) {
        let pair = r#"
        const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
        const float square = x * x + y * y + z * z;
        if (square > 30 + limit)
            return;
        count += 1;
        virial += {x * x, y * y, z * z, x * y, y * z, z * x};
        list.push(square + i);
        plain.push();
        bins.add(square / 4);
        most.offer(square);
        degree.i += 1;
        degree.j += 3;
        force.i += make_float3(x, y, z);
        force.j -= make_float3(x, y, p.i.x);
        low.offer(square);
        "#;
        let lower_bound = r#" box_square(p.i, p.j) - (30 + limit) "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        let [x, y, z] = [0, 1, 2].map(|d| p[d] - q[d]);
        let square = x * x + y * y + z * z;
        if square > 30.0 + o.all("limit")[0] {
            return;
        }
        o.put("count", 1.0);
        o.put("virial", [x * x, y * y, z * z, x * y, y * z, z * x]);
        o.put("list", square + o.i as f64);
        o.put("plain", ());
        o.put("bins", square / 4.0);
        o.put("most", square);
        o.put_row("degree", 1.0);
        o.put_col("degree", 3.0);
        o.put_row("force", [x, y, z]);
        o.put_col("force", [-x, -y, -p[0]]);
        o.put("low", square);
    };

    #[td_kernel(deterministic = true)]
    unsafe fn close_in_order(
        #[each] p: &[[f32; 3]], counts: &mut [u32], bins: &mut Histogram<f32>, most: &mut Max<f32>, least: &mut Min<f32>, plain: &mut Pairs,
        list: &mut Pairs<f32>, #[each] force: &mut Sums<[f32; 2]>, #[each] low: &mut Minima<f32>, #[each] high: &mut Maxima<(f32, u32)>,
    ) {
        let pair = r#"
        const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
        const float square = x * x + y * y + z * z;
        if (square > 25)
            return;
        atomicAdd(&counts[(i + j) % counts_length], 1u);
        bins.add(i % 3, x);
        most.offer(square);
        least.offer(square);
        plain.push();
        list.push(square);
        force.i += make_float2(x, y);
        force.j -= make_float2(z, 1);
        low.offer(square);
        high.offer(square);
        "#;
        let lower_bound = r#" box_distance(p.i, p.j) - 5 "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        let [x, y, z] = [0, 1, 2].map(|d| p[d] - q[d]);
        let square = x * x + y * y + z * z;
        if square > 25.0 {
            return;
        }
        o.put("counts", [((o.i + o.j) % 7) as f64, 1.0]);
        o.put("bins", [(o.i % 3) as f64, x]);
        for name in ["most", "least", "list", "low", "high"] {
            o.put(name, square);
        }
        o.put("plain", ());
        o.put_row("force", [x, y]);
        o.put_col("force", [-z, -1.0]);
    };

    #[td_kernel(deterministic = true)]
    unsafe fn close_columns_in_order(
        #[row] a: &[[f32; 2]], #[column] b: &[[f32; 2]], total: &mut Sum<f64>, #[column] force: &mut Sums<f32>, #[column] low: &mut Minima<f32>,
    ) {
        let pair = r#"
        const float x = a.x - b.x, y = a.y - b.y;
        if (x * x + y * y > 16)
            return;
        total += x * y;
        force += x;
        low.offer(x * x + y * y);
        "#;
        let lower_bound = r#" box_distance(a, b) - 4 "#;
    }
    |o| {
        let (a, b) = (o.rows("a"), o.cols("b"));
        let [x, y] = [0, 1].map(|d| a[d] - b[d]);
        if x * x + y * y <= 16.0 {
            o.put("total", x * y);
            o.put_col("force", x);
            o.put_col("low", x * x + y * y);
        }
    };

    #[td_kernel]
    unsafe fn close_columns(
        #[row] a: &[[f64; 2]], #[column] b: &[[f64; 2]], count: &mut Sum<u64>, list: &mut Pairs<u32>, #[row] degree: &mut Sums<u32>,
        #[column] low: &mut Minima<(f32, u32)>,
    ) {
        let pair = r#"
        const double x = a.x - b.x, y = a.y - b.y;
        if (x * x + y * y > 20)
            return;
        count += 1;
        list.push(i ^ j);
        degree += 1;
        low.offer(x * x + y * y);
        "#;
        let lower_bound = r#" box_square(a, b) - 20 "#;
    }
    |o| {
        let (a, b) = (o.rows("a"), o.cols("b"));
        let square = (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
        if square > 20.0 {
            return;
        }
        o.put("count", 1.0);
        o.put("list", (o.i ^ o.j) as f64);
        o.put_row("degree", 1.0);
        o.put_col("low", square);
    };

    #[td_kernel]
    unsafe fn nearest_points(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 6>) {
        let pair = r#"
        const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
        near.push(x * x + y * y + z * z);
        "#;
        let lower_bound = r#" box_square(p.i, p.j) "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        o.put("near", (0..3).map(|d| (p[d] - q[d]).powi(2)).sum::<f64>());
    };

    #[td_kernel]
    unsafe fn nearest_points_of_two(#[row] a: &[[f32; 3]], #[column] b: &[[f32; 3]], #[row] near: &mut Nearest<f32, 2>) {
        let pair = r#"
        const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
        near.push(x * x + y * y + z * z);
        "#;
        let lower_bound = r#" box_square(a, b) "#;
    }
    |o| {
        let (a, b) = (o.rows("a"), o.cols("b"));
        o.put_row("near", (0..3).map(|d| (a[d] - b[d]).powi(2)).sum::<f64>());
    };

    #[td_kernel]
    unsafe fn filtered(#[each] p: &Features<f32>, list: &mut Pairs<f32>, count: &mut Sum<u64>, most: &mut Max<f32>; #[fold] sum: f32) {
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" if (sum >= 120) { list.push(sum); count += 1; most.offer(sum); } "#;
        let lower_bound = r#" 120 - dot_upper "#;
    }
    |o| {
        let sum = dot(o);
        if sum >= 120.0 {
            o.put("list", sum);
            o.put("count", 1.0);
            o.put("most", sum);
        }
    };

    // The structs of rows and columns have other members.
    #[td_kernel(order = "at[0], at[1]")]
    unsafe fn nearest_points_of_columns(#[row] a: &[Member], #[column] b: &[Ball], least: f32, #[column] near: &mut Nearest<f32, 4>) {
        let pair = r#"
        const float x = a.at[0] - b.at[0], y = a.at[1] - b.at[1];
        near.push(x * x + y * y + b.weight + i % 4 + least);
        "#;
        let lower_bound = r#" box_square(a, b) + b.lo.weight + least "#;
    }
    |o| {
        let (a, b) = (o.rows("a"), o.cols("b"));
        let square = (a[0] - b[1]).powi(2) + (a[1] - b[2]).powi(2);
        o.put_col("near", square + b[0] + (o.i % 4) as f64 + o.all("least")[0]);
    };
}
