//! Kernels with the body `lower_bound` over boxes.

use rayon::prelude::*;
use td_kernel::nvrtc;
use td_kernel_tests::covering::in_turn;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::{OPTIONS, list_sources, sources};

use super::{HOPPER, architectures, compiles_for};

/// Keys, parameters and bodies.
fn items() -> Vec<(&'static str, String)> {
    let squares = "float x = p.i.x - p.j.x, y = p.i.y - p.j.y; float square = x * x + y * y;";
    let all = [
        (
            "",
            "#[each] p: &[[f32; 4]], count: &mut Sum<u64>",
            format!("{squares} if (square <= p.i.w) count += 1;"),
            "box_square(p.i, p.j) - p.i.hi.w",
        ),
        (
            "order = \"y, x\"",
            "#[each] p: &[[f32; 2]], #[each] q: &[u8], limit: f32, near: &mut Pairs<f32>, plain: &mut Pairs",
            format!("{squares} if (square <= limit) {{ near.push(square + q.i); plain.push(); }}"),
            "periodic_distance(p.i, p.j, 2, INFINITY) - limit",
        ),
        (
            "diagonal = true",
            "#[each] p: &[[f64; 3]], edges: &[f64], near: &mut Pairs<[f32; 2]>, total: &mut Sum<f32>, #[each] force: &mut Sums<[f32; 3]>, #[each] most: &mut Maxima<(f32, u32)>, #[each] least: &mut Minima<f64>, out: &mut [f32]",
            "double x = p.i.x - p.j.x; if (x * x > n) return; near.push({1, 2}); total += 1.5f; force.i += make_float3(x, i, j); most.i.offer(x); least.j.offer(x); out[i] = 1;".to_owned(),
            "periodic_manhattan(p.i, p.j, edges[0], edges[1], edges[2]) - n + p.i.lo.x - p.i.lo.x",
        ),
        (
            "",
            "#[each] p: &[[f32; 2]], h: &mut Histogram<u64>, weights: &mut Histogram<f32>, most: &mut Max<f32>, least: &mut Min<i64>",
            format!("{squares} if (square < 1) {{ h.add(square * h.bins); weights.add(3, square); most.offer(square); least.offer(i); }}"),
            "box_square(p.i, p.j) - 1",
        ),
        (
            "",
            "#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, 10>",
            format!("{squares} near.push(square + p.i.z * p.j.z);"),
            "box_square(p.i, p.j)",
        ),
        (
            "diagonal = true",
            "#[each] p: &[[f64; 2]], limit: f64, #[each] near: &mut Nearest<f32, 30>",
            "double x = p.i.x - p.j.x; if (fabs(x) <= limit) near.push(x * x);".to_owned(),
            "periodic_square(p.i, p.j, limit, limit)",
        ),
        (
            "",
            "#[each] x: &[i16], #[each] y: &[u64], n_most: u32, #[each] near: &mut Nearest<u16, 256>",
            "if (y.i == y.j) near.push(abs(x.i - x.j) + n_most);".to_owned(),
            "max(x.i.lo - x.j.hi, x.j.lo - x.i.hi)",
        ),
        (
            "order = \"x, y\"",
            "#[row] p: &[[f32; 4]], #[row] w: &[u8], #[column] q: &[[f32; 2]], limit: f32, near: &mut Pairs<f32>, total: &mut Sum<f64>, #[row] s: &mut Sums<f32>, #[column] least: &mut Minima<(f32, u32)>, h: &mut Histogram<u64>",
            "float x = p.x - q.x, y = p.y - q.y; if (x * x + y * y <= limit) { near.push(w); total += x; s += y; least.offer(x); h.add(j); }".to_owned(),
            "box_square(p, q) - limit + p.hi.w - p.lo.w",
        ),
        (
            "deterministic = true, diagonal = true",
            "#[each] p: &[[f32; 3]], total: &mut Sum<f32>, count: &mut Sum<u64>, #[each] force: &mut Sums<[f32; 3]>, #[each] s: &mut Sums<f64>, h: &mut Histogram<f32>, most: &mut Max<f32>",
            format!("{squares} if (square > 1) return; total += square; count += 1; force.i += p.j; force.j -= p.i; s.i += square; h.add(i, square); most.offer(square);"),
            "box_square(p.i, p.j) - 1",
        ),
        (
            "deterministic = true",
            "#[row] p: &[[f32; 2]], #[column] q: &[[f32; 2]], total: &mut Sum<f64>, #[row] s: &mut Sums<[f32; 8]>, #[column] t: &mut Sums<f32>, h: &mut Histogram<f64>",
            "float x = p.x - q.x; if (fabsf(x) > 1) return; total += x; s[3] += x; t += x; h.add(j, x);".to_owned(),
            "box_manhattan(p, q) - 1",
        ),
        (
            "",
            "#[row] p: &[[f32; 3]], #[column] q: &[[f32; 3]], #[row] near: &mut Nearest<f32, 10>",
            "float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z; near.push(x * x + y * y + z * z);".to_owned(),
            "box_square(p, q)",
        ),
        (
            "",
            "#[row] p: &[i32], #[column] q: &[i32], #[row] near: &mut Nearest<u32, 64>",
            "near.push(abs(p - q));".to_owned(),
            "box_manhattan(p, q)",
        ),
        (
            "",
            "#[row] p: &[[f32; 2]], #[column] q: &[[f64; 2]], edge: f32, near: &mut Pairs",
            "double x = p.x - q.x; if (x * x < 1) near.push();".to_owned(),
            "max(periodic_square(p, q, edge, edge), box_manhattan(p, q)) - 1",
        ),
        (
            "order = \"x, y\"",
            "#[row] p: &[[f32; 4]], #[column] q: &[[f32; 4]], reach: &[f32], near: &mut Pairs",
            "float x = p.x - q.x; if (x * x <= p.w * q.w) near.push();".to_owned(),
            "box_distance(p, q) - p.hi.w - q.hi.z - reach[0]",
        ),
        (
            "order = \"y, w\"",
            "#[each] p: &[[f32; 4]], near: &mut Pairs",
            "if (sinf(p.i.w - p.j.w) < 1) near.push();".to_owned(),
            "sphere_distance(p.i, p.j) - 1",
        ),
        (
            "",
            "#[row] p: &[[f64; 2]], #[column] q: &[[f32; 2]], #[row] near: &mut Nearest<f32, 3>",
            "near.push(fabs(p.x - q.x));".to_owned(),
            "sphere_distance(p, q)",
        ),
        (
            "",
            "#[each] x: &[i16], near: &mut Pairs",
            "if (abs(x.i - x.j) <= 3) near.push();".to_owned(),
            "max(x.i.lo - x.j.hi, x.j.lo - x.i.hi) - 3",
        ),
    ];
    let items = all.into_iter().map(|(keys, parameters, pair, lower)| {
        let bodies = format!("let pair = r#\" {pair} \"#; let lower_bound = r#\" {lower} \"#;");
        (keys, format!("unsafe fn close({parameters}) {{ {bodies} }}"))
    });
    items.collect()
}

#[test]
fn near_tiles_compile() {
    items().par_iter().enumerate().check_each(|(turn, (keys, item))| {
        let mut all = sources(keys, item);
        let near = all.pop().unwrap();
        assert!(near.text.contains("close_scatter("), "{}", near.text);
        compiles_in_turn(turn, keys, item, &near.text);
        // All pairs are added by themselves, too.
        if keys.contains("deterministic") {
            assert!(all[0].text.contains("td_add_exact_double<true>"), "{}", all[0].text);
            compiles_for(&format!("{keys}: {item}"), &all[0].text, &[80, HOPPER]);
        }
    });
}

/// Launches that keep a list.
#[test]
fn lists_compile() {
    let items = items();
    let lists = items.iter().flat_map(|(keys, item)| {
        list_sources(keys, item).into_iter().take(1).map(move |list| (keys, item, list))
    });
    let lists: Vec<_> = lists.collect();
    // The others have squares, sums of distances or nearest neighbours.
    assert_eq!(lists.len(), 4);
    lists.par_iter().enumerate().check_each(|(turn, (keys, item, list))| {
        assert!(list.contains("moved("), "{list}");
        compiles_in_turn(turn, keys, item, list);
    });
}

fn compiles_in_turn(turn: usize, keys: &str, item: &str, source: &str) {
    let of_turn = in_turn(architectures(), turn).into_iter().chain([80, HOPPER]);
    compiles_for(&format!("{keys}: {item}"), source, &of_turn.collect::<Vec<_>>());
}

/// A body rounds the integers, so a bound of exact distances would miss pairs.
#[test]
fn integers_beside_floats_have_no_distance() {
    let item = "unsafe fn close(#[row] p: &[i32], #[column] q: &[f32], near: &mut Pairs) { let pair = r#\" if (p < q) near.push(); \"#; let lower_bound = r#\" box_distance(p, q) \"#; }";
    let near = sources("", item).pop().unwrap();
    let error = nvrtc::compile("close", &near.text, OPTIONS, 90).unwrap_err().to_string();
    assert!(error.contains("write f64 in place of f32"), "{error}");
}
