//! Kernels of one body each with several keys: maps, sweeps, sides of tiles and blocks, the diagonal, and sums in a fixed order.

/// Totals and extremes of all pairs.
pub(super) mod totals {
    use td_kernel::{Max, Min, Sum};

    use crate::catalogue::entries;

    macro_rules! kernels {
        ($($name:ident $keys:tt;)*) => {entries! {$(
            #[td_kernel $keys]
            unsafe fn $name(
                #[each] p: &[i32], wide: &mut Sum<i64>, whole: &mut Sum<u64>, small: &mut Sum<i32>, count: &mut Sum<u32>,
                single: &mut Sum<f32>, fine: &mut Sum<f64>, far: &mut Max<f32>, near: &mut Min<f64>, low: &mut Min<i8>,
                high: &mut Max<u64>, two: &mut Sum<[u32; 2]>, five: &mut Sum<[f32; 5]>,
            ) {
                r#"
                wide -= (long long)p.i << 32;
                whole += (unsigned long long)i << 26;
                whole -= (unsigned long long)j << 26;
                small -= p.i + p.j;
                count += 2;
                if (i % 3 == 0)
                    count -= 1;
                single -= 0.5f * p.i;
                fine += p.j;
                two += make_uint2(i % 16, 1);
                five += {(float)p.i, (float)p.j, 0.5f * p.i, (float)i, -3};
                if (i % 2 == 0)
                    five[3] -= j;
                far.offer(p.i + p.j < 13 ? p.i + p.j : nanf(""));
                near.offer(p.i - 2.0 * p.j);
                // Best in the middle of the triangle, for one pair.
                const int middle = abs(4 * (int)i - 3 * (int)n) + abs(4 * (int)j - (int)n);
                low.offer(min(middle, 200) - 100);
                if ((i + j) % 5 == 0)
                    high.offer((unsigned long long)(6 * n - middle) << 40);
                "#
            }
            |o| {
                let (p, q, [i, j]) = (o.row("p"), o.col("p"), [o.i, o.j].map(|x| x as f64));
                o.put("wide", -p * 32_f64.exp2());
                o.put("whole", (i - j) * 26_f64.exp2());
                o.put("small", -p - q);
                o.put("count", if o.i % 3 == 0 { 1.0 } else { 2.0 });
                o.put("single", -0.5 * p);
                o.put("fine", q);
                o.put("two", [(o.i % 16) as f64, 1.0]);
                let fourth = if o.i % 2 == 0 { i - j } else { i };
                o.put("five", [p, q, 0.5 * p, fourth, -3.0]);
                o.put("far", if p + q < 13.0 { p + q } else { f64::NAN });
                o.put("near", p - 2.0 * q);
                let middle = (4.0 * i - 3.0 * o.n as f64).abs() + (4.0 * j - o.n as f64).abs();
                o.put("low", middle.min(200.0) - 100.0);
                if (o.i + o.j) % 5 == 0 {
                    o.put("high", (6.0 * o.n as f64 - middle) * 40_f64.exp2());
                }
            };
        )*}};
    }

    kernels! {
        totals (map = "ltm");
        totals_of_auto_map (map = "auto", diagonal = true);
        totals_of_walk (map = "walk", tile = 64);
        totals_of_table (map = "table", tile = 96);
        totals_of_blocks (block = 8, map = "rb");
        totals_of_threads (space = "thread");
        totals_in_order (deterministic = true);
        totals_of_blocks_in_order (deterministic = true, tile = 0, diagonal = true);
    }
}

/// Several lists at once, also of one type; and histograms.
pub(super) mod lists {
    use td_kernel::{Histogram, Pairs};

    use crate::catalogue::entries;

    macro_rules! kernels {
        ($($name:ident $keys:tt;)*) => {entries! {$(
            #[td_kernel $keys]
            unsafe fn $name(
                #[each] p: &[i32], even: &mut Pairs<u32>, odd: &mut Pairs<u32>, large: &mut Pairs<[f64; 4]>, plain: &mut Pairs,
                counts: &mut Histogram<u64>, weights: &mut Histogram<u64>, floats: &mut Histogram<f32>, doubles: &mut Histogram<f64>,
            ) {
                r#"
                if ((i + j) % 2 == 0)
                    even.push(i + 3 * j);
                else if (j % 3 != 0)
                    odd.push(i + 5 * j);
                if (p.i == p.j)
                    large.push({1.0 * p.i, 1.0 * j, -1.0 * i, 0.5});
                if (p.j == 1)
                    plain.push();
                const int bin = p.i + p.j;
                counts.add(bin);
                weights.add((long long)bin, (unsigned long long)i << 31 | j);
                if (bin < 0)
                    return;
                floats.add(bin + 0.5f, 0.5f * p.i);
                doubles.add((unsigned char)bin, p.j);
                "#
            }
            |o| {
                let (p, q, [i, j]) = (o.row("p"), o.col("p"), [o.i, o.j].map(|x| x as f64));
                if (o.i + o.j) % 2 == 0 {
                    o.put("even", i + 3.0 * j);
                } else if o.j % 3 != 0 {
                    o.put("odd", i + 5.0 * j);
                }
                if p == q {
                    o.put("large", [p, j, -i, 0.5]);
                }
                if q == 1.0 {
                    o.put("plain", ());
                }
                o.put("counts", p + q);
                o.put("weights", [p + q, i * 31_f64.exp2() + j]);
                if p + q >= 0.0 {
                    o.put("floats", [p + q, 0.5 * p]);
                    o.put("doubles", [p + q, q]);
                }
            };
        )*}};
    }

    kernels! {
        lists (tile = 128);
        lists_of_auto_map (map = "auto", diagonal = true);
        lists_of_small_tiles (map = "bb", tile = 32);
        lists_of_table (map = "table");
        lists_of_blocks (block = 8);
        lists_of_threads (space = "thread", map = "rb", diagonal = true);
        lists_in_order (deterministic = true);
        lists_of_walk_in_order (deterministic = true, map = "ltm", tile = 96);
        lists_of_blocks_in_order (deterministic = true, tile = 0);
    }
}

/// Results of both elements of a pair.
pub(super) mod results {
    use td_kernel::{Maxima, Minima, Sum, Sums};

    use crate::catalogue::entries;

    macro_rules! kernels {
        ($($name:ident $keys:tt;)*) => {entries! {$(
            #[td_kernel $keys]
            unsafe fn $name(
                #[each] p: &[i32], #[each] degree: &mut Sums<u32>, #[each] moment: &mut Sums<[i64; 2]>, #[each] force: &mut Sums<[f32; 3]>,
                #[each] weight: &mut Sums<f64>, #[each] least: &mut Minima<i32>, #[each] edges: &mut Maxima<[i16; 3]>,
                #[each] last: &mut Maxima<f64>, #[each] far: &mut Maxima<(u8, u32)>, total: &mut Sum<f32>,
            ) {
                r#"
                degree.i += 1;
                degree.j += 2;
                moment.i += make_longlong2(j, -7);
                moment.j -= make_longlong2(i, 3);
                force.i += make_float3(p.j, p.i, 1);
                force.j -= make_float3(p.i, 1, p.j);
                if (i % 2 == 0)
                    force.j.y += 4;
                weight.i += 0.5 * p.j;
                least.i.offer(p.i + 2 * p.j);
                least.j.offer(p.i - p.j);
                edges.offer(make_short3(p.i + p.j, i, -(int)j));
                last.i.offer(-0.5 * p.j);
                if (p.i % 3)
                    far.i.offer(p.j + 100);
                far.j.offer(p.i + 100);
                total += p.i - p.j;
                "#
            }
            |o| {
                let (p, q, [i, j]) = (o.row("p"), o.col("p"), [o.i, o.j].map(|x| x as f64));
                o.put_row("degree", 1.0);
                o.put_col("degree", 2.0);
                o.put_row("moment", [j, -7.0]);
                o.put_col("moment", [-i, -3.0]);
                o.put_row("force", [q, p, 1.0]);
                o.put_col("force", [-p, if o.i % 2 == 0 { 3.0 } else { -1.0 }, -q]);
                o.put_row("weight", 0.5 * q);
                o.put_row("least", p + 2.0 * q);
                o.put_col("least", p - q);
                o.put("edges", [p + q, i, -j]);
                o.put_row("last", -0.5 * q);
                if p % 3.0 != 0.0 {
                    o.put_row("far", q + 100.0);
                }
                o.put_col("far", p + 100.0);
                o.put("total", p - q);
            };
        )*}};
    }

    kernels! {
        results_of_small_tiles (tile = 32);
        results_of_large_tiles (tile = 128, map = "bb");
        results_of_walk (tile = 64, map = "walk");
        results_of_diagonal (tile = 96, map = "table", diagonal = true);
        results_of_blocks (block = 8, map = "rb");
        results_of_threads (space = "thread", diagonal = true);
        results_in_order (deterministic = true);
        results_of_blocks_in_order (deterministic = true, tile = 0, diagonal = true);
    }
}

/// All that the pairs of two sets gather.
pub(super) mod two_sets {
    use td_kernel::{Histogram, Max, Maxima, Min, Minima, Pairs, Sum, Sums};

    use crate::catalogue::entries;

    macro_rules! kernels {
        ($($name:ident $keys:tt;)*) => {entries! {$(
            #[td_kernel $keys]
            unsafe fn $name(
                #[row] a: &[i32], #[column] b: &[f32], total: &mut Sum<i64>, single: &mut Sum<f32>, far: &mut Max<f32>, low: &mut Min<i8>,
                plain: &mut Pairs, list: &mut Pairs<[f32; 2]>, bins: &mut Histogram<f64>, #[row] degree: &mut Sums<u32>,
                #[row] near: &mut Minima<(f32, u32)>, #[row] edges: &mut Maxima<[f32; 2]>, #[column] force: &mut Sums<[f32; 3]>,
                #[column] most: &mut Maxima<(i32, u32)>, #[column] least: &mut Minima<u64>,
            ) {
                r#"
                const int d = a - (int)b;
                total -= (long long)j - d;
                single += 0.5f * d;
                far.offer(d);
                low.offer(d);
                bins.add(d, b);
                degree += j;
                near.offer(d * d);
                edges.offer(make_float2(d, -(float)j));
                force += make_float3(i % 64, 1, d);
                least.offer((unsigned long long)(d * d) << 40);
                if (d <= 0)
                    return;
                plain.push();
                if (d == 5)
                    list.push({(float)a, b});
                most.offer(d);
                "#
            }
            |o| {
                let (a, b) = (o.row("a"), o.col("b"));
                let (d, j) = (a - b, o.j as f64);
                o.put("total", d - j);
                o.put("single", 0.5 * d);
                o.put("far", d);
                o.put("low", d);
                o.put("bins", [d, b]);
                o.put_row("degree", j);
                o.put_row("near", d * d);
                o.put_row("edges", [d, -j]);
                o.put_col("force", [(o.i % 64) as f64, 1.0, d]);
                o.put_col("least", d * d * 40_f64.exp2());
                if d <= 0.0 {
                    return;
                }
                o.put("plain", ());
                if d == 5.0 {
                    o.put("list", [a, b]);
                }
                o.put_col("most", d);
            };
        )*}};
    }

    kernels! {
        two_sets_in_small_tiles (tile = 32);
        two_sets_in_large_tiles (tile = 256);
        two_sets_in_blocks (block = 8);
        two_sets_in_order (deterministic = true);
        two_sets_of_blocks_in_order (deterministic = true, tile = 0);
    }
}

/// Matrices of several sizes.
pub(super) mod matrices {
    use td_kernel::{Matrix, Sum};

    use crate::catalogue::entries;

    macro_rules! kernels {
        ($($name:ident $keys:tt;)*) => {entries! {$(
            #[td_kernel $keys]
            unsafe fn $name(
                #[row] a: &[i32], #[column] b: &[i32], key: &mut Matrix<u64>, low: &mut Matrix<u8>, three: &mut Matrix<[f32; 3]>,
                count: &mut Sum<u64>,
            ) {
                r#"
                key = (unsigned long long)i << 32 | j;
                low = 20 + a - b;
                three = make_float3(a, b, j);
                count += 1;
                "#
            }
            |o| {
                let (a, b, [i, j]) = (o.row("a"), o.col("b"), [o.i, o.j].map(|x| x as f64));
                o.put("key", i * 32_f64.exp2() + j);
                o.put("low", 20.0 + a - b);
                o.put("three", [a, b, j]);
                o.put("count", 1.0);
            };
        )*}};
    }

    kernels! {
        matrices ();
        matrices_in_tiles (tile = 32);
        matrices_in_large_tiles (tile = 128);
        matrices_in_blocks (block = 8);
        matrices_in_large_blocks (block = 32);
    }
}

/// Results of rows alone, whose threads keep rows.
pub(super) mod rows {
    use td_kernel::{Maxima, Minima, Pairs, Sums};

    use crate::catalogue::entries;

    macro_rules! kernels {
        ($($name:ident $keys:tt;)*) => {entries! {$(
            #[td_kernel $keys]
            unsafe fn $name(
                #[row] a: &[i32], #[column] b: &[[f32; 3]], #[row] sums: &mut Sums<[f64; 2]>, #[row] near: &mut Minima<(i32, u32)>,
                #[row] most: &mut Maxima<f32>, list: &mut Pairs<u8>,
            ) {
                r#"
                sums += make_double2(b.x, columns);
                near.offer(abs(a - (int)b.y));
                most.offer(b.z - a);
                if (a == b.x)
                    list.push(a + 8);
                "#
            }
            |o| {
                let (a, b) = (o.row("a"), o.cols("b"));
                o.put_row("sums", [b[0], o.columns as f64]);
                o.put_row("near", (a - b[1]).abs());
                o.put_row("most", b[2] - a);
                if a == b[0] {
                    o.put("list", a + 8.0);
                }
            };
        )*}};
    }

    kernels! {
        rows_of_two ();
        rows_in_tiles (sweep = "columns", tile = 96);
        rows_in_order (deterministic = true, tile = 64);
    }
}

/// Sums in a fixed order, within many sets.
pub(super) mod many_sets {
    use td_kernel::{FeatureSets, Histogram, Sets, Sum, Sums};

    use crate::catalogue::entries;

    entries! {
        #[td_kernel(deterministic = true)]
        unsafe fn sets_in_order(
            #[each] w: &Sets<f32>, #[each] force: &mut Sums<[f32; 2]>, #[each] energy: &mut Sums<f64>, #[each] degree: &mut Sums<u32>,
            total: &mut Sum<f32>,
        ) {
            r#"
            force.i += make_float2(w.i * w.j, w.j);
            force.i -= make_float2(w.j, 0);
            force.j -= make_float2(w.i * w.j, 1);
            energy.i += w.j;
            energy.j -= w.i;
            degree.j += i;
            total += w.i - set;
            "#
        }
        |o| {
            let (v, w) = (o.row("w"), o.col("w"));
            o.put_row("force", [v * w - w, w]);
            o.put_col("force", [-v * w, -1.0]);
            o.put_row("energy", w);
            o.put_col("energy", -v);
            o.put_col("degree", o.i as f64);
            o.put("total", v - o.set as f64);
        };

        #[td_kernel(deterministic = true)]
        unsafe fn rectangles_in_order(
            #[row] w: &Sets<f32>, #[column] v: &Sets<f64>, #[row] force: &mut Sums<[f64; 2]>, #[column] energy: &mut Sums<f32>,
            bins: &mut Histogram<f64>, total: &mut Sum<f64>,
        ) {
            r#"
            force += make_double2(v, w);
            energy -= w;
            bins.add(set, w * v);
            total += w;
            "#
        }
        |o| {
            let (w, v) = (o.row("w"), o.col("v"));
            o.put_row("force", [v, w]);
            o.put_col("energy", -w);
            o.put("bins", [o.set as f64, w * v]);
            o.put("total", w);
        };

        #[td_kernel(deterministic = true)]
        unsafe fn features_in_order(
            #[each] p: &FeatureSets<f32>, #[each] force: &mut Sums<[f32; 2]>, #[each] energy: &mut Sums<f64>, total: &mut Sum<f32>;
            #[fold] dot: f32
        ) {
            let feature = r#" dot += p.i * p.j; "#;
            let pair = r#"
            force.i += make_float2(dot, i);
            force.j -= make_float2(i, dot);
            energy.i += 3 * (double)dot;
            energy.j += dot;
            total -= dot;
            "#;
        }
        |o| {
            let (dot, i) = (crate::catalogue::dot(o), o.i as f64);
            o.put_row("force", [dot, i]);
            o.put_col("force", [-i, -dot]);
            o.put_row("energy", 3.0 * dot);
            o.put_col("energy", dot);
            o.put("total", -dot);
        };

        #[td_kernel(deterministic = true)]
        unsafe fn feature_rectangles_in_order(
            #[row] a: &FeatureSets<f32>, #[column] b: &FeatureSets<f32>, #[row] force: &mut Sums<[f32; 2]>, #[column] energy: &mut Sums<f64>;
            #[fold] dot: f32
        ) {
            let feature = r#" dot += a * b; "#;
            let pair = r#" force += make_float2(dot, j); energy -= dot; "#;
        }
        |o| {
            let dot: f64 = o.rows("a").iter().zip(o.cols("b")).map(|(a, b)| a * b).sum();
            o.put_row("force", [dot, o.j as f64]);
            o.put_col("energy", -dot);
        };
    }
}

/// Features: the diagonal, a lower bound, nearest rows and states of columns.
pub(super) mod features {
    use td_kernel::{Features, Histogram, Max, Min, Nearest, Pairs, Reduce, Sums};

    use crate::catalogue::value::Count;
    use crate::catalogue::{dot, entries};

    entries! {
        #[td_kernel(diagonal = true)]
        unsafe fn folds_of_diagonal(#[each] p: &Features<f32>, #[each] v: &[f32], #[each] product: &mut Sums<f32>; #[fold] sum: f32) {
            let feature = r#" sum += p.i * p.j; "#;
            let pair = r#" product.i += v.j + sum; product.j += v.i - sum; "#;
        }
        |o| {
            let (dot, v, w) = (dot(o), o.row("v"), o.col("v"));
            o.put_row("product", w + dot);
            o.put_col("product", v - dot);
        };

        #[td_kernel(diagonal = true)]
        unsafe fn bounded_folds_of_diagonal(
            #[each] p: &Features<f32>, #[each] v: &[f32], #[each] product: &mut Sums<f32>, bins: &mut Histogram<u64>, near: &mut Min<f32>;
            #[fold] sum: f32
        ) {
            let feature = r#" sum += p.i * p.j; "#;
            let pair = r#"
            if (sum < 100)
                return;
            product.i += v.j;
            product.j += v.i;
            bins.add(sum / 64);
            near.offer(sum);
            "#;
            let lower_bound = r#" 100 - dot_upper "#;
        }
        |o| {
            let (dot, v, w) = (dot(o), o.row("v"), o.col("v"));
            if dot >= 100.0 {
                o.put_row("product", w);
                o.put_col("product", v);
                o.put("bins", dot / 64.0);
                o.put("near", dot);
            }
        };

        #[td_kernel]
        unsafe fn bounded_nearest_rows(
            #[row] a: &Features<f32>, #[column] b: &Features<f32>, #[row] norm: &[f32], #[column] weight: &[f32],
            #[column] near: &mut Nearest<f32, 6>; #[fold] sum: f32
        ) {
            let feature = r#" sum += a * (b + 0 * k); "#;
            let pair = r#" near.push(norm - 2 * sum + weight * (i % 2) + j % 3 + (rows > columns)); "#;
            let lower_bound = r#" norm - 2.0f * dot_upper + weight * (i % 2) + j % 3 + (rows > columns) "#;
        }
        |o| {
            let dot: f64 = o.rows("a").iter().zip(o.cols("b")).map(|(a, b)| a * b).sum();
            let weight = o.col("weight") * (o.i % 2) as f64;
            let value = o.row("norm") - 2.0 * dot + weight + (o.j % 3) as f64;
            o.put_col("near", value + f64::from(u8::from(o.n > o.columns)));
        };

        // A second look at every third pair.
        #[td_kernel]
        unsafe fn quick_nearest_rows(
            #[row] a: &Features<f32>, #[column] b: &Features<f32>, #[column] weight: &[f32], #[column] near: &mut Nearest<f32, 6>;
            #[dot] dot: f32, #[fold] sum: f32
        ) {
            let quick = r#"
            if ((i + 2 * j) % 3 == 0)
                exact();
            else
                near.push(weight * (i % 2) - dot);
            "#;
            let feature = r#" sum += a * b; "#;
            let pair = r#" near.push(weight * (i % 2) - sum); "#;
        }
        |o| {
            let dot: f64 = o.rows("a").iter().zip(o.cols("b")).map(|(a, b)| a * b).sum();
            o.put_col("near", o.col("weight") * (o.i % 2) as f64 - dot);
        };

        #[td_kernel(prelude = r#"
        static __device__ Count join(const Count &a, const Count &b)
        {
            return Count{a.pairs + b.pairs, {a.sums[0] + b.sums[0], a.sums[1] + b.sums[1]}};
        }
        "#)]
        unsafe fn states_of_folded_columns(#[row] a: &Features<i8>, #[column] b: &Features<i8>, #[column] own: &mut Reduce<Count>; #[fold] d: i32) {
            let feature = r#" d += a + 2 * b; "#;
            let pair = r#" own.join({1, {d, 100ll * i + j}}); "#;
        }
        |o| {
            let d: f64 = o.rows("a").iter().zip(o.cols("b")).map(|(a, b)| a + 2.0 * b).sum();
            o.put_col("own", [1.0, d, 100.0 * o.i as f64 + o.j as f64]);
        };

        #[td_kernel]
        unsafe fn extremes_of_products(
            #[each] p: &Features<f32>, #[each] x: &[f32], far: &mut Max<f32>, low: &mut Min<i8>, counts: &mut Histogram<u64>,
            floats: &mut Histogram<f32>; #[dot] dot: f32
        ) {
            r#"
            if (dot < 300)
                far.offer(dot + x.i);
            low.offer(x.i - x.j);
            counts.add(dot / 32);
            floats.add(x.j, x.i);
            "#
        }
        |o| {
            let (dot, x, y) = (dot(o), o.row("x"), o.col("x"));
            if dot < 300.0 {
                o.put("far", dot + x);
            }
            o.put("low", x - y);
            o.put("counts", dot / 32.0);
            o.put("floats", [y, x]);
        };

        #[td_kernel]
        unsafe fn extremes_of_products_of_two(
            #[row] a: &Features<f32>, #[column] b: &Features<f32>, near: &mut Min<f32>, bins: &mut Histogram<f64>, list: &mut Pairs<f32>;
            #[dot] dot: f32
        ) {
            r#" near.offer(dot); bins.add(dot / 16, i + 1); if (dot > 250) list.push(dot); "#
        }
        |o| {
            let dot: f64 = o.rows("a").iter().zip(o.cols("b")).map(|(a, b)| a * b).sum();
            o.put("near", dot);
            o.put("bins", [dot / 16.0, o.i as f64 + 1.0]);
            if dot > 250.0 {
                o.put("list", dot);
            }
        };
    }
}
