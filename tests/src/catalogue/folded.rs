//! Kernels that fold features of every type, and what their bodies can use.

use td_kernel::half::{bf16, f16};
use td_kernel::{
    FeatureSets, Features, Histogram, Matrix, Max, Maxima, Minima, Nearest, Packed, Pairs, Square,
    Sum, Sums,
};

use super::value::Member;
use super::{dot, dot_of_two, entries};

entries! {
    #[td_kernel]
    unsafe fn folds_of_four(#[each] p: &Features<[i8; 4]>, a: &mut Packed<u16>, b: &mut Packed<[f32; 4]>; #[fold] sum: i32) {
        let feature = r#" sum = __dp4a(p.i, p.j, sum); "#;
        let pair = r#" a = sum & 1023; b = make_float4(j, i, 7, sum); "#;
    }
    |o| {
        let sum = dot(o);
        o.put("a", sum.rem_euclid(1024.0));
        o.put("b", [o.j as f64, o.i as f64, 7.0, sum]);
    };

    #[td_kernel]
    unsafe fn folds_of_four_of_two(
        #[row] a: &Features<[u8; 4]>, #[column] b: &Features<[u8; 4]>, c: &mut Matrix<u8>, d: &mut Matrix<u32>;
        #[fold] sum: u32
    ) {
        let feature = r#" sum = __dp4a(a, b, sum); "#;
        let pair = r#" c = sum; d = sum; "#;
    }
    |o| {
        let sum: f64 = o.rows("a").iter().zip(o.cols("b")).map(|(a, b)| a.max(0.0) * b.max(0.0)).sum();
        o.put("c", sum % 256.0);
        o.put("d", sum);
    };

    #[td_kernel]
    unsafe fn folds_of_doubles(
        #[each] p: &Features<f64>, #[each] q: &Features<i64>, s: &mut Square<f64>, packed: &mut Packed<u8>, list: &mut Pairs<f64>,
        #[each] low: &mut Minima<f64>, #[each] total: &mut Sums<[f64; 2]>; #[fold] sum: f64, #[fold(start = "2")] same: u32
    ) {
        let feature = r#" sum += p.i * q.j; same += p.i == q.j; "#;
        let pair = r#"
        s = sum;
        packed = same % 251;
        if (same % 3 == 0)
            list.push(sum);
        low.i.offer(sum);
        total.j += make_double2(sum, i);
        "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("q"));
        let sum: f64 = p.iter().zip(&q).map(|(p, q)| p * q).sum();
        let same = 2 + p.iter().zip(&q).filter(|(p, q)| p == q).count();
        o.put("s", sum);
        o.put("packed", (same % 251) as f64);
        if same % 3 == 0 {
            o.put("list", sum);
        }
        o.put_row("low", sum);
        o.put_col("total", [sum, o.i as f64]);
    };

    #[td_kernel]
    unsafe fn folds_of_vectors(#[each] p: &Features<[f32; 2]>, a: &mut Packed<[f32; 3]>, m: &mut Packed<Member>; #[fold] both: [f64; 2]) {
        let feature = r#" both.x += p.i.x * p.j.y; both.y += p.i.y - 2 * p.j.x; "#;
        let pair = r#" a = make_float3(both.x, i, both.y); m.at[4] = both.y; m.kind = j; "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        let both = p.chunks(2).zip(q.chunks(2)).map(|(p, q)| [p[0] * q[1], p[1] - 2.0 * q[0]]);
        let [x, y] = both.fold([0.0, 0.0], |[x, y], [a, b]| [x + a, y + b]);
        o.put("a", [x, o.i as f64, y]);
        o.put("m", [0.0, 0.0, 0.0, 0.0, y, o.j as f64]);
    };

    #[td_kernel(map = "rb", diagonal = true)]
    unsafe fn folds_with_diagonal(#[each] p: &Features<[i16; 2]>, s: &mut Square<[i32; 2]>; #[fold(start = "{1, -2}")] sum: [i32; 2]) {
        let feature = r#" sum.x += p.i.x * p.j.x; sum.y += p.i.y - p.j.y + (int)k; "#;
        let pair = r#" s = sum; "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        let terms = p.chunks(2).zip(q.chunks(2)).enumerate();
        let terms = terms.map(|(k, (p, q))| [p[0] * q[0], p[1] - q[1] + k as f64]);
        o.put("s", terms.fold([1.0, -2.0], |[x, y], [a, b]| [x + a, y + b]));
    };

    #[td_kernel]
    unsafe fn folds_of_rows(
        #[row] p: &Features<i16>, #[column] shift: &[f64], c: &mut Matrix<f64>, d: &mut Matrix<u16>; #[fold] sum: [f64; 4]
    ) {
        let feature = r#" sum.x += p; sum.y = max(sum.y, (double)p); sum.w = k; "#;
        let pair = r#" c = sum.x + 1000 * sum.y + sum.z + sum.w + shift; d = i; "#;
    }
    |o| {
        let (p, shift) = (o.rows("p"), o.col("shift"));
        let (sum, most) = (p.iter().sum::<f64>(), p.iter().copied().fold(0.0, f64::max));
        o.put("c", sum + 1000.0 * most + (p.len() - 1) as f64 + shift);
        o.put("d", o.i as f64);
    };

    #[td_kernel]
    unsafe fn folds_of_columns(#[column] p: &Features<u64>, c: &mut Matrix<u64>; #[fold] sum: u64) {
        let feature = r#" sum = (sum * 3 + p) % 1009; "#;
        let pair = r#" c = sum + i; "#;
    }
    |o| {
        let sum = o.cols("p").iter().fold(0.0, |sum, p| (sum * 3.0 + p.max(0.0)) % 1009.0);
        o.put("c", sum + o.i as f64);
    };

    #[td_kernel]
    unsafe fn folds_of_byte_pairs(#[row] a: &Features<[u8; 2]>, #[column] b: &Features<[u8; 2]>, c: &mut Matrix<u32>; #[fold] sum: u32) {
        let feature = r#" sum += a.x * b.y; "#;
        let pair = r#" c = sum; "#;
    }
    |o| {
        let (a, b) = (o.rows("a"), o.cols("b"));
        let sum: f64 = a.chunks(2).zip(b.chunks(2)).map(|(a, b)| a[0] * b[1]).sum();
        o.put("c", sum);
    };

    #[td_kernel]
    unsafe fn folds_of_brain_floats(#[each] p: &Features<bf16>, a: &mut Packed<f32>; #[fold] apart: f32) {
        let feature = r#" apart += fabsf(p.i - p.j); "#;
        let pair = r#" a = apart; "#;
    }
    |o| {
        let (p, q) = (o.rows("p"), o.cols("p"));
        let apart: f64 = p.iter().zip(&q).map(|(p, q)| (p - q).abs()).sum();
        o.put("a", apart);
    };

    #[td_kernel]
    unsafe fn folds_of_several(
        #[each] p: &Features<i32>, scale: i32, #[each] q: &Features<f32>, weights: &[i16], #[each] label: &[u32],
        a: &mut Packed<i64>, #[each] high: &mut Maxima<(i32, u32)>, total: &mut Sum<f64>, most: &mut Max<i32>;
        #[fold(start = "-7")] sum: i32, #[fold(start = "make_float2(1, -2)")] both: [f32; 2]
    ) {
        let feature = r#"
        sum += scale * weights[k % weights_length] * (p.i - p.j) + (k + 1 == features);
        both.x += q.i;
        both.y += q.j + (float)weights_length;
        "#;
        let pair = r#"
        a = (long long)sum * features + (label.i << 8 | label.j) + weights[0];
        high.offer(sum);
        total += both.y - 2 * both.x;
        most.offer(sum + scale);
        "#;
    }
    |o| {
        let (scale, weights) = (o.all("scale")[0], o.all("weights"));
        let (p, other, q) = (o.rows("p"), o.cols("p"), o.rows("q"));
        let terms = p.iter().zip(&other).enumerate();
        let sum = terms.map(|(k, (a, b))| scale * weights[k % 7] * (a - b)).sum::<f64>() - 6.0;
        let labels = [o.row("label"), o.col("label")].map(|label| label.max(0.0));
        o.put("a", sum * p.len() as f64 + 256.0 * labels[0] + labels[1] + weights[0]);
        o.put("high", sum);
        let (x, y) = (1.0 + q.iter().sum::<f64>(), o.cols("q").iter().map(|q| q + 7.0).sum::<f64>() - 2.0);
        o.put("total", y - 2.0 * x);
        o.put("most", sum + scale);
    };

    #[td_kernel(deterministic = true)]
    unsafe fn folds_of_halves(
        #[each] p: &Features<f16>, #[each] q: &Features<u16>, total: &mut Sum<f32>, #[each] force: &mut Sums<[f64; 2]>,
        list: &mut Pairs<f16>; #[fold] sum: f32, #[fold] most: u32
    ) {
        let feature = r#" sum += fabsf(p.i - p.j); most = max(most, q.i * (unsigned int)(k % 5)); "#;
        let pair = r#" total += sum; force.i.x += sum; force.j.y -= most; if (most % 3 == 0) list.push(most); "#;
    }
    |o| {
        let sum = o.rows("p").iter().zip(o.cols("p")).map(|(a, b)| (a - b).abs()).sum::<f64>();
        let most = o.rows("q").iter().enumerate().map(|(k, q)| q * (k % 5) as f64).fold(0.0, f64::max);
        o.put("total", sum);
        o.put_row("force", [sum, 0.0]);
        o.put_col("force", [0.0, -most]);
        if most % 3.0 == 0.0 {
            o.put("list", most);
        }
    };

    #[td_kernel(tile = 32, diagonal = true)]
    unsafe fn nearest_by_bytes(#[each] p: &Features<i8>, #[each] near: &mut Nearest<i32, 40>; #[fold] sum: i32) {
        let feature = r#" sum += p.i * p.j; "#;
        let pair = r#" near.push(-sum); "#;
    }
    |o| {
        let sum = dot(o);
        o.put("near", -sum);
    };

    #[td_kernel(tile = 64)]
    unsafe fn nearest_column_by_features(
        #[row] a: &Features<u32>, #[column] b: &Features<u32>, #[row] near: &mut Nearest<i32, 7>; #[fold] sum: i32
    ) {
        let feature = r#" sum += abs((int)a - (int)b); "#;
        let pair = r#" near.push(sum); "#;
    }
    |o| {
        let both = o.rows("a").into_iter().zip(o.cols("b"));
        o.put_row("near", both.map(|(a, b)| (a.max(0.0) - b.max(0.0)).abs()).sum::<f64>());
    };

    #[td_kernel]
    unsafe fn folds_within(
        #[each] p: &FeatureSets<u8>, #[each] w: &[f32], factors: &[u32], a: &mut Packed<[u32; 2]>, list: &mut Pairs<u32>,
        bins: &mut Histogram<u64>, #[each] degree: &mut Sums<u32>, #[each] most: &mut Maxima<(u32, u32)>; #[fold] sum: u32
    ) {
        let feature = r#" sum += factors[k % factors_length] * (p.i ^ p.j); "#;
        let pair = r#"
        a = make_uint2(sum, set);
        bins.add(sum % 12);
        if (w.i > w.j)
            list.push(set + i);
        degree.j += sum;
        most.offer(sum);
        "#;
    }
    |o| {
        let factors = o.all("factors");
        let terms = o.rows("p").into_iter().zip(o.cols("p")).enumerate();
        let term = |(k, (a, b)): (usize, (f64, f64))| factors[k % 7].max(0.0) * f64::from(a as u8 ^ b as u8);
        let sum: f64 = terms.map(term).sum();
        o.put("a", [sum, o.set as f64]);
        o.put("bins", sum % 12.0);
        if o.row("w") > o.col("w") {
            o.put("list", (o.set + o.i) as f64);
        }
        o.put_col("degree", sum);
        o.put("most", sum);
    };

    #[td_kernel]
    unsafe fn folds_of_rectangles(
        #[row] a: &FeatureSets<f32>, #[column] b: &FeatureSets<f32>, c: &mut Matrix<f32>, total: &mut Sum<i64>, #[row] degree: &mut Sums<i32>,
        #[column] low: &mut Minima<(f32, u32)>, #[set] far: &mut Maxima<(f32, u32)>; #[fold] sum: f32
    ) {
        let feature = r#" sum += a * b; "#;
        let pair = r#" c = sum + set; total += (int)sum; degree += (int)sum; low.offer(sum); far.offer(sum); "#;
    }
    |o| {
        let sum = dot_of_two(o);
        o.put("c", sum + o.set as f64);
        o.put("total", sum);
        o.put_row("degree", sum);
        o.put_col("low", sum);
        o.put("far", sum);
    };
}
