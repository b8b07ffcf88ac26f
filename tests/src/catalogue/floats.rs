//! Kernels whose elements may have any numbers: far from zero and equal, of many magnitudes, subnormal, infinite and NaN. The
//! closures compute with floats as the kernels do, so that only sums differ, by their errors.

use td_kernel::{
    Features, Histogram, Matrix, Max, Maxima, Min, Minima, Nearest, Packed, Pairs, Sets, Square,
    Sum, Sums,
};

use super::entries;
use super::oracle::Body;

entries! {
    #[td_kernel]
    unsafe fn distances(#[each] p: &[[f32; 3]], d: &mut Packed<f32>, x: &mut Square<f32>) {
        r#"
        x = p.i.x - p.j.x;
        const float y = p.i.y - p.j.y, z = p.i.z - p.j.z;
        d = sqrtf(x * x + y * y + z * z);
        "#
    }
    |o| {
        let [x, square] = offsets(o, "p", "p");
        o.put("x", f64::from(x));
        o.put("d", f64::from(square.sqrt()));
    };

    #[td_kernel]
    unsafe fn float_results(
        #[each] p: &[[f32; 3]], total: &mut Sum<f32>, wide: &mut Sum<f64>, most: &mut Max<f32>, least: &mut Min<f64>,
        list: &mut Pairs<f32>, bins: &mut Histogram<u64>, weights: &mut Histogram<f32>, #[each] force: &mut Sums<[f32; 2]>,
        #[each] work: &mut Sums<f64>, #[each] low: &mut Minima<(f32, u32)>, #[each] high: &mut Maxima<[f32; 2]>,
    ) {
        include_str!("float_results.cu")
    }
    RESULTS;

    #[td_kernel(deterministic = true)]
    unsafe fn deterministic_results(
        #[each] p: &[[f32; 3]], total: &mut Sum<f32>, wide: &mut Sum<f64>, most: &mut Max<f32>, least: &mut Min<f64>,
        list: &mut Pairs<f32>, bins: &mut Histogram<u64>, weights: &mut Histogram<f32>, #[each] force: &mut Sums<[f32; 2]>,
        #[each] work: &mut Sums<f64>, #[each] low: &mut Minima<(f32, u32)>, #[each] high: &mut Maxima<[f32; 2]>,
    ) {
        include_str!("float_results.cu")
    }
    RESULTS;

    #[td_kernel(deterministic = true, tile = 0)]
    unsafe fn deterministic_results_of_blocks(
        #[each] p: &[[f32; 3]], total: &mut Sum<f32>, wide: &mut Sum<f64>, most: &mut Max<f32>, least: &mut Min<f64>,
        list: &mut Pairs<f32>, bins: &mut Histogram<u64>, weights: &mut Histogram<f32>, #[each] force: &mut Sums<[f32; 2]>,
        #[each] work: &mut Sums<f64>, #[each] low: &mut Minima<(f32, u32)>, #[each] high: &mut Maxima<[f32; 2]>,
    ) {
        include_str!("float_results.cu")
    }
    RESULTS;

    #[td_kernel(deterministic = true)]
    unsafe fn deterministic_results_of_two(
        #[row] a: &[[f32; 3]], #[column] b: &[[f32; 3]], total: &mut Sum<f32>, wide: &mut Sum<f64>, weights: &mut Histogram<f64>,
        #[row] force: &mut Sums<[f32; 2]>, #[column] work: &mut Sums<f64>,
    ) {
        r#"
        const float d = a.x - b.x;
        total += d;
        wide += d * a.y;
        weights.add(i % 5, d * b.z);
        force += make_float2(d, b.y);
        work -= d * a.z;
        "#
    }
    |o| {
        let [[p, y, z], [q, v, w]] = o.floats::<3>("a", "b");
        let d = p - q;
        o.put("total", f64::from(d));
        o.put("wide", f64::from(d * y));
        o.put("weights", [(o.i % 5) as f64, f64::from(d * w)]);
        o.put_row("force", [f64::from(d), f64::from(v)]);
        o.put_col("work", f64::from(-(d * z)));
    };

    #[td_kernel]
    unsafe fn wide_floats(#[each] p: &[[f32; 3]], #[each] v: &[[f32; 9]], #[each] sums: &mut Sums<[f32; 9]>) {
        r#" const float w = p.i.x - p.j.y; sums.i += w * v.j; sums.j -= w * v.i; "#
    }
    |o| {
        let ([[p, ..], [_, q, _]], [own, other]) = (o.floats::<3>("p", "p"), o.floats::<9>("v", "v"));
        o.put_row("sums", other.map(|x| f64::from((p - q) * x)));
        o.put_col("sums", own.map(|x| f64::from(-((p - q) * x))));
    };

    #[td_kernel]
    unsafe fn wide_floats_by_folds(#[each] p: &Features<f32>, #[each] v: &[[f32; 64]], #[each] sums: &mut Sums<[f32; 64]>; #[fold] s: f32) {
        let feature = r#" s = fmaf(p.i, p.j, s); "#;
        let pair = r#" sums.i += s * v.j; sums.j += s * v.i; "#;
    }
    |o| {
        let (s, [own, other]) = (product(o, "p", "p"), o.floats::<64>("v", "v"));
        o.put_row("sums", other.map(|x| f64::from(s * x)));
        o.put_col("sums", own.map(|x| f64::from(s * x)));
    };

    #[td_kernel]
    unsafe fn float_results_within(
        #[each] p: &Sets<[f32; 3]>, total: &mut Sum<f32>, #[each] force: &mut Sums<[f32; 2]>, #[each] low: &mut Minima<(f32, u32)>,
        #[set] far: &mut Maxima<(f32, u32)>,
    ) {
        r#"
        const float d = p.i.x - p.j.x;
        total += d;
        force.i += make_float2(d, p.j.x);
        force.j -= make_float2(d, 1);
        low.offer(d);
        far.offer(d * p.i.y);
        "#
    }
    |o| {
        let [[p, y, _], [q, ..]] = o.floats::<3>("p", "p");
        let d = f64::from(p - q);
        o.put("total", d);
        o.put_row("force", [d, f64::from(q)]);
        o.put_col("force", [-d, -1.0]);
        o.put("low", d);
        o.put("far", f64::from((p - q) * y));
    };

    #[td_kernel]
    unsafe fn distances_of_two(
        #[row] a: &[[f32; 3]], #[column] b: &[[f32; 3]], d: &mut Matrix<f32>, #[row] low: &mut Minima<(f32, u32)>,
        #[column] total: &mut Sums<f32>,
    ) {
        r#"
        const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
        d = sqrtf(x * x + y * y + z * z);
        low.offer(d);
        total += x;
        "#
    }
    |o| {
        let [x, square] = offsets(o, "a", "b");
        o.put("d", f64::from(square.sqrt()));
        o.put_row("low", f64::from(square.sqrt()));
        o.put_col("total", f64::from(x));
    };

    #[td_kernel]
    unsafe fn near_floats(
        #[each] p: &[[f32; 3]], list: &mut Pairs<f32>, count: &mut Sum<u64>, total: &mut Sum<[f32; 2]>, bins: &mut Histogram<u64>,
        #[each] force: &mut Sums<f32>, #[each] low: &mut Minima<(f32, u32)>,
    ) {
        let pair = r#"
        const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
        const float square = x * x + y * y + z * z;
        if (!(square <= 9))
            return;
        list.push(square);
        count += 1;
        total += make_float2(x, square);
        bins.add(square);
        force.i += x;
        force.j -= x;
        low.offer(square);
        "#;
        let lower_bound = r#" box_square(p.i, p.j) - 9 "#;
    }
    |o| {
        let [x, square] = offsets(o, "p", "p").map(f64::from);
        if square <= 9.0 {
            o.put("list", square);
            o.put("count", 1.0);
            o.put("total", [x, square]);
            o.put("bins", square);
            o.put_row("force", x);
            o.put_col("force", -x);
            o.put("low", square);
        }
    };

    // Near tiles add each pair exactly.
    #[td_kernel(deterministic = true)]
    unsafe fn near_floats_in_order(
        #[each] p: &[[f32; 3]], #[each] w: &[f32], total: &mut Sum<f32>, weights: &mut Histogram<f64>, #[each] force: &mut Sums<[f32; 2]>,
        #[each] work: &mut Sums<f64>,
    ) {
        let pair = r#"
        const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
        const float square = x * x + y * y + z * z;
        if (!(square <= 9))
            return;
        total += w.i * w.j;
        total -= p.i.x;
        weights.add(square, x);
        force.i += make_float2(w.j, p.j.y);
        work.j -= w.i * p.i.z;
        "#;
        let lower_bound = r#" box_square(p.i, p.j) - 9 "#;
    }
    |o| {
        let ([x, square], [[v], [w]]) = (offsets(o, "p", "p"), o.floats::<1>("w", "w"));
        let [[p, _, z], [_, q, _]] = o.floats::<3>("p", "p");
        if square <= 9.0 {
            o.put("total", f64::from(v * w));
            o.put("total", f64::from(-p));
            o.put("weights", [square, x].map(f64::from));
            o.put_row("force", [w, q].map(f64::from));
            o.put_col("work", f64::from(-(v * z)));
        }
    };

    #[td_kernel]
    unsafe fn nearest_floats(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 3>) {
        let pair = r#"
        const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z;
        near.push(x * x + y * y + z * z);
        "#;
        let lower_bound = r#" box_square(p.i, p.j) "#;
    }
    |o| {
        let [_, square] = offsets(o, "p", "p");
        o.put("near", f64::from(square));
    };

    #[td_kernel]
    unsafe fn folded_floats(#[each] p: &Features<f32>, d: &mut Packed<f32>, #[each] low: &mut Minima<(f32, u32)>; #[fold] sum: f32) {
        let feature = r#" const float d = p.i - p.j; sum = fmaf(d, d, sum); "#;
        let pair = r#" d = sum; low.offer(sum); "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        let differences = p.iter().zip(&q).map(|(a, b)| *a as f32 - *b as f32);
        let sum = differences.fold(0.0_f32, |sum, d| d.mul_add(d, sum));
        o.put("d", f64::from(sum));
        o.put("low", f64::from(sum));
    };

    // Products that a compiler could fuse, or compute once for several pairs.
    #[td_kernel]
    unsafe fn folded_products(#[each] p: &Features<f32>, #[each] x: &[f32], d: &mut Packed<[f32; 2]>; #[fold] s: f32, #[fold] t: f32) {
        let feature = r#" s += p.i * p.i + p.j * p.j; t += p.i * p.j; "#;
        let pair = r#" d = make_float2(s, x.j * x.j + x.i * x.i - 2.0f * t); "#;
    }
    |o| {
        let ([s, t], [[x], [y]]) = (float_folds(o, |a, b| [a * a + b * b, a * b]), o.floats::<1>("x", "x"));
        o.put("d", [s, y * y + x * x - 2.0 * t].map(f64::from));
    };

    // Both halves would differ if only one of the products were fused.
    #[td_kernel]
    unsafe fn square_of_products(#[each] x: &[f32], s: &mut Square<f32>) { r#" s = x.i * x.i + x.j * x.j; "# }
    |o| {
        let [[x], [y]] = o.floats::<1>("x", "x");
        o.put("s", f64::from(x * x + y * y));
    };

    #[td_kernel]
    unsafe fn nearest_folds(#[each] p: &Features<f32>, #[each] near: &mut Nearest<f32, 256>; #[fold] s: f32, #[fold] t: f32) {
        let feature = r#" s += p.i * p.j; t += p.i + p.j; "#;
        let pair = r#" near.push(s * s + t * t); "#;
    }
    |o| {
        let [s, t] = float_folds(o, |a, b| [a * b, a + b]);
        o.put("near", f64::from(s * s + t * t));
    };

    // Rows of zeros, infinities and NaN have no scale on tensor cores.
    #[td_kernel]
    unsafe fn nearest_products_by_bound(#[each] p: &Features<f32>, #[each] near: &mut Nearest<f32, 5>; #[fold] s: f32) {
        let feature = r#" s = fmaf(p.i, p.j, s); "#;
        let pair = r#" near.push(-s); "#;
        let lower_bound = r#" -dot_upper "#;
    }
    |o| {
        let s = product(o, "p", "p");
        o.put("near", f64::from(-s));
    };

    #[td_kernel]
    unsafe fn nearest_products_of_two_by_bound(
        #[row] a: &Features<f32>, #[column] b: &Features<f32>, #[row] near: &mut Nearest<f32, 10>; #[fold] s: f32
    ) {
        let feature = r#" s = fmaf(a, b, s); "#;
        let pair = r#" near.push(s); "#;
        let lower_bound = r#" dot_lower "#;
    }
    |o| {
        let s = product(o, "a", "b");
        o.put_row("near", f64::from(s));
    };

    #[td_kernel]
    unsafe fn nearest_distances(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 6>) {
        r#" float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z; near.push(x * x + y * y + z * z); "#
    }
    |o| {
        let [_, square] = offsets(o, "p", "p");
        o.put("near", f64::from(square));
    };
}

/// The product of the features, of which each term is added with one rounding.
fn product(body: &Body<'_>, row: &str, column: &str) -> f32 {
    let (p, q) = (body.rows(row), body.cols(column));
    p.iter().zip(&q).fold(0.0, |s, (a, b)| (*a as f32).mul_add(*b as f32, s))
}

/// Two folds of the features, by their terms.
fn float_folds(body: &Body<'_>, terms: fn(f32, f32) -> [f32; 2]) -> [f32; 2] {
    let (p, q) = (body.rows("p"), body.cols("p"));
    let terms = p.iter().zip(&q).map(|(a, b)| terms(*a as f32, *b as f32));
    terms.fold([0.0, 0.0], |[s, t], [a, b]| [s + a, t + b])
}

/// The first component of two points' difference, and its square.
fn offsets(body: &Body<'_>, row: &str, column: &str) -> [f32; 2] {
    let [p, q] = body.floats::<3>(row, column);
    let [x, y, z] = [0, 1, 2].map(|at| p[at] - q[at]);
    [x, x * x + y * y + z * z]
}

/// The body of kernels with many results.
const RESULTS: fn(&mut Body<'_>) = |o| {
    let [[p, y, _], [q, ..]] = o.floats::<3>("p", "p");
    let d = p - q;
    let [x, product] = [d, d * y].map(f64::from);
    o.put("total", x);
    o.put("wide", product);
    o.put("most", product);
    o.put("least", f64::from(p) - f64::from(q));
    o.put("bins", f64::from(d + 6.0));
    o.put("weights", [x, f64::from(q)]);
    o.put_row("force", [x, 1.0]);
    o.put_col("force", [-x, -product]);
    o.put_row("work", product);
    o.put("low", f64::from(d.abs()));
    o.put("high", [x, f64::from(y)]);
    if d > 0.0 {
        o.put("list", product);
    }
};
