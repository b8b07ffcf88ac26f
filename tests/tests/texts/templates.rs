//! Fills the templates for combinations of their inputs: map, space, grid, sweep, tile, diagonal, kinds and sizes of
//! parameters, length of the body. An unknown name in a template is an error.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rayon::prelude::*;
use td_kernel_geometry::{MAPS, SWEEPS};
use td_kernel_tests::NoFiles;
use td_kernel_tests::covering::part;
use td_kernel_tests::parallel::CheckEach;

/// Parameters and bodies: each kind by itself and beside others, values of every size that is stored differently, elements that
/// stay in registers and elements that do not, short and long bodies.
fn items() -> Vec<String> {
    let elements = [
        "",
        "#[each] p: &[f32],",
        "#[each] p: &[[f32; 4]], #[each] q: &[[f64; 4]],",
        "#[each] p: &[Body], w: &[f32], s: f64,",
    ];
    let outputs = [
        ("o: &mut Packed<f32>", "o = 1;"),
        ("o: &mut Packed<u8>, c: &mut Sum<u64>", "o = i; c += 1;"),
        (
            "o: &mut Packed<[f32; 3]>, r: &mut Packed<Body>, l: &mut Pairs",
            "o.x = 1; r = {}; l.push();",
        ),
        ("o: &mut Square<f32>", "o = j;"),
        ("o: &mut Square<[f32; 3]>, r: &mut Square<f16>", "o.x = n; r = 1;"),
        ("o: &mut Square<Body>, e: &mut Sum<f32>, l: &mut Pairs", "o = {}; e += 1; l.push();"),
        ("o: &mut Packed<f32>, r: &mut Square<f64>", "o = 1; r = 2;"),
        ("c: &mut Sum<u32>, e: &mut Sum<f32>, d: &mut Sum<f64>", "c += 1; e += 0.5f; d += i;"),
        ("e: &mut Sum<f32>", "for (int k = 0; k < 3; ++k) e += 1;"),
        ("l: &mut Pairs, h: &mut Pairs", "if (i % 2) l.push(); else h.push();"),
        ("l: &mut Pairs<f32>, h: &mut Pairs<Body>", "if (i % 2) l.push(1); else h.push({});"),
        (
            "o: &mut Packed<u8>, l: &mut Pairs<[u8; 3]>, h: &mut Pairs",
            "o = 1; h.push(); l.push({});",
        ),
        ("o: &mut Square<u8>, l: &mut Pairs<f64>", "o = i; l.push(n);"),
        ("x: &mut [u32]", "atomicAdd(&x[i], x_length);"),
        ("#[each] f: &mut Sums<[f32; 3]>, e: &mut Sum<f32>", "f.i.x += 1; f.j.x -= 1; e += 1;"),
        (
            "#[each] c: &mut Sums<u32>, #[each] m: &mut Minima<(f32, u32)>, l: &mut Pairs",
            "c.i += 1; m.offer(1); l.push();",
        ),
        (
            "#[each] m: &mut Maxima<[i16; 2]>, #[each] e: &mut Minima<f64>",
            "m.j.offer({}); e.i.offer(j);",
        ),
        ("#[each] m: &mut Minima<u32>, o: &mut Packed<f32>", "m.j.offer(i); o = 1;"),
        ("#[each] m: &mut Nearest<f32, 10>", "m.push(i);"),
    ];
    let mut items = Vec::new();
    for elements in elements {
        for (outputs, body) in outputs {
            // Long bodies are not unrolled.
            for &times in
                if elements.starts_with("#[each] p: &[f32]") { &[1, 40][..] } else { &[1] }
            {
                let body = body.repeat(times);
                items.push(format!("unsafe fn f({elements} {outputs}) {{ r#\"{body}\"# }}"));
            }
        }
    }
    // Pairs of two sets: elements of both, of one, or of none.
    let elements = [
        "",
        "#[row] p: &[f32],",
        "#[column] q: &[f64],",
        "#[row] p: &[[f32; 4]], #[column] q: &[[f64; 4]], #[row] v: &[Body], s: f64,",
    ];
    let outputs = [
        ("o: &mut Matrix<f32>", "o = 1;"),
        ("o: &mut Matrix<u8>, c: &mut Sum<u64>", "o = i; c += columns;"),
        (
            "o: &mut Matrix<[f32; 3]>, r: &mut Matrix<Body>, l: &mut Pairs",
            "o.x = 1; r = {}; l.push();",
        ),
        ("c: &mut Sum<u32>, e: &mut Sum<f32>, d: &mut Sum<f64>", "c += 1; e += 0.5f; d += j;"),
        ("l: &mut Pairs, h: &mut Pairs", "if (rows % 2) l.push(); else h.push();"),
        ("l: &mut Pairs<f32>, h: &mut Pairs<Body>", "if (rows % 2) l.push(1); else h.push({});"),
        (
            "o: &mut Matrix<u8>, l: &mut Pairs<[u8; 3]>, h: &mut Pairs",
            "o = 1; h.push(); l.push({});",
        ),
        ("x: &mut [u32]", "atomicAdd(&x[i], x_length);"),
        ("#[row] m: &mut Minima<(i8, u32)>, #[row] t: &mut Sums<f32>", "m.offer(1); t += 1;"),
        ("#[column] m: &mut Maxima<(f32, u32)>, c: &mut Sum<u32>", "m.offer(1); c += 1;"),
        ("#[row] t: &mut Sums<[f64; 4]>, #[column] u: &mut Sums<i64>", "t.w += 1; u -= i;"),
        ("#[row] t: &mut Maxima<u64>, o: &mut Matrix<f32>", "t.offer(j); o = 1;"),
        ("#[row] m: &mut Nearest<u8, 100>", "m.push(j);"),
    ];
    for elements in elements {
        for (outputs, body) in outputs {
            // With neither elements nor a matrix, pairs are those of one set.
            if !elements.is_empty() || outputs.contains("Matrix") {
                items.push(format!("unsafe fn f({elements} {outputs}) {{ r#\"{body}\"# }}"));
            }
        }
    }
    items.extend(folds());
    items.extend(products());
    items
}

/// Products of features, of one set and of two, with the bound of their errors and without.
fn products() -> Vec<String> {
    let of_one = [
        ("o: &mut Packed<f32>", "o = dot;"),
        (
            "o: &mut Packed<u8>, e: &mut Square<f32>, c: &mut Sum<f64>",
            "o = 1; e = dot_error; c += i;",
        ),
        ("#[each] x: &[Body], l: &mut Pairs<f32>, s: f32", "if (dot > s) l.push(dot_error);"),
        (
            "#[each] m: &mut Maxima<(f32, u32)>, #[each] f: &mut Sums<[f32; 3]>, w: &[f32]",
            "m.offer(dot * w[i]); f.i.x += dot; f.j.z -= features;",
        ),
        ("#[each] m: &mut Nearest<f32, 10>", "m.push(dot + dot_error);"),
    ];
    let of_two = [
        ("o: &mut Matrix<f32>, #[row] a: &[f32], #[column] b: &[[f32; 4]]", "o = dot * a * b.x;"),
        (
            "o: &mut Matrix<u16>, c: &mut Sum<u64>, l: &mut Pairs",
            "o = dot_error; c += 1; l.push();",
        ),
        (
            "#[row] m: &mut Minima<(f32, u32)>, #[column] t: &mut Sums<[f64; 4]>, x: &mut [u32]",
            "m.offer(dot); t.w += dot_error; atomicAdd(&x[j], rows);",
        ),
    ];
    let mut items = Vec::new();
    for (features, outputs) in [
        ("#[each] p: &Features<f32>", &of_one[..]),
        ("#[each] p: &Features<f16>", &of_one),
        ("#[row] q: &Features<f32>, #[column] p: &Features<f32>", &of_two),
    ] {
        for (parameters, body) in outputs {
            items.push(format!(
                "unsafe fn f({features}, #[dot] dot: f32, {parameters}) {{ r#\"{body}\"# }}"
            ));
        }
    }
    items
}

/// Elements with features: of every size, folded to one number and to several, in triangles and in rectangles.
fn folds() -> Vec<String> {
    let of_one = [
        ("#[each] p: &Features<f32>, #[fold] s: f32,", "s += p.i * p.j;"),
        (
            "#[each] p: &Features<u8>, #[each] y: &Features<i8>, w: &[f32], #[fold] s: u32, #[fold] t: [f32; 3],",
            "s += p.i ^ p.j; t.x += w[k] * y.i; t.z = w_length;",
        ),
        (
            "#[each] p: &Features<f64>, #[each] q: &[f32], #[fold(start = \"1.0\")] s: f64, #[fold] t: [f64; 4],",
            "s *= p.i - p.j; t.w += features;",
        ),
    ];
    let outputs = [
        ("o: &mut Packed<f32>", "o = s;"),
        ("o: &mut Packed<u8>, c: &mut Sum<u64>, e: &mut Sum<f32>", "o = i; c += s; e += 0.5f;"),
        (
            "o: &mut Packed<[f32; 3]>, r: &mut Packed<Body>, l: &mut Pairs",
            "o.x = 1; r = {}; l.push();",
        ),
        ("o: &mut Square<f32>, l: &mut Pairs<f64>", "o = s; l.push(features);"),
        ("o: &mut Square<Body>, e: &mut Square<f64>", "o = {}; e = s;"),
        ("o: &mut Packed<f32>, r: &mut Square<f64>", "o = 1; r = s;"),
        (
            "#[each] f: &mut Sums<[f32; 3]>, #[each] m: &mut Minima<(f32, u32)>",
            "f.i.x += s; m.offer(s);",
        ),
        (
            "#[each] m: &mut Maxima<f64>, o: &mut Packed<f32>, r: &mut Square<u16>",
            "m.j.offer(i); o = 1; r = j;",
        ),
        ("x: &mut [u32]", "atomicAdd(&x[i], s);"),
        ("#[each] m: &mut Nearest<i16, 256>", "m.push(s);"),
    ];
    let of_two = [
        (
            "#[row] p: &Features<f32>, #[column] q: &Features<f32>, v: f32, #[fold] s: f32,",
            "s += p * q * v;",
        ),
        (
            "#[row] p: &Features<[i8; 4]>, #[fold] s: i32, #[row] r: &[Body],",
            "s = __dp4a(p, p, s) + k;",
        ),
        ("#[column] q: &Features<i64>, #[row] r: &[f32], #[fold] s: u64,", "s += q;"),
    ];
    let results = [
        ("o: &mut Matrix<f32>", "o = s;"),
        ("o: &mut Matrix<u16>, c: &mut Sum<u64>, l: &mut Pairs", "o = i; c += columns; l.push();"),
        ("#[row] m: &mut Minima<(i8, u32)>, #[row] t: &mut Sums<f32>", "m.offer(s); t += 1;"),
        (
            "#[column] m: &mut Maxima<(f32, u32)>, #[row] t: &mut Sums<[f64; 4]>",
            "m.offer(s); t.w += 1;",
        ),
        ("#[column] m: &mut Sums<f32>, o: &mut Matrix<[f32; 3]>", "m += s; o.x = 1;"),
        ("#[row] m: &mut Nearest<f16, 1>", "m.push(s);"),
    ];
    // With lower bounds that use everything, and almost nothing.
    let lower = [
        (
            "#[each] p: &Features<f32>, #[fold] s: f32, v: f32, w: &[f32], #[each] q: &[[f32; 2]], #[each] m: &mut Nearest<f32, 10>",
            "s += p.i * p.j * v * w[k];",
            "m.push(s + i + q.i.x);",
            "dot_lower - dot_upper + q.i.x * q.j.y * v * w[i + j + n + features]",
        ),
        (
            "#[each] p: &Features<f32>, #[fold(start = \"1.0f\")] s: f32, #[fold] c: u32, #[each] m: &mut Nearest<f32, 256>",
            "s *= p.i; c += 1;",
            "m.push(s * c);",
            "dot_upper",
        ),
        (
            "#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[fold] s: f32, w: &[f32], #[row] a: &[[f32; 2]], #[column] b: &[f32], #[row] m: &mut Nearest<f32, 10>",
            "s += p * q * w[k];",
            "m.push(s + a.x * b + j);",
            "dot_lower - dot_upper + a.x * b * w[i + j + rows + columns + features]",
        ),
        (
            "#[column] q: &Features<f32>, #[row] p: &Features<f32>, #[fold] s: f32, #[row] m: &mut Nearest<f32, 1>",
            "s *= p + q;",
            "m.push(s);",
            "dot_lower",
        ),
    ];
    let mut items = lower.map(|(parameters, feature, pair, lower)| format!(
        "unsafe fn f({parameters}) {{ let feature = r#\"{feature}\"#; let pair = r#\"{pair}\"#; let lower_bound = r#\"{lower}\"#; }}"
    )).to_vec();
    for (elements, outputs) in [(&of_one, &outputs[..]), (&of_two, &results[..])] {
        for (elements, feature) in elements {
            for (outputs, pair) in outputs {
                items.push(format!(
                    "unsafe fn f({elements} {outputs}) {{ let feature = r#\"{feature}\"#; let pair = r#\"{pair}\"#; }}"
                ));
            }
        }
    }
    items
}

/// The keys. If keys conflict with each other or with the item, the macro reports an error and generates no source.
fn attributes() -> Vec<String> {
    let mut attributes = vec![String::new(), "map = \"auto\"".into(), "tile = 0".into()];
    attributes.push("prelude = r\"inline int g(int x) { return x; }\"".into());
    // Without triangle keys, for the pairs of two sets.
    for sweep in SWEEPS {
        attributes.push(format!("sweep = \"{sweep}\""));
        attributes
            .extend([32, 64, 96, 256].map(|tile| format!("sweep = \"{sweep}\", tile = {tile}")));
    }
    for map in MAPS.iter().map(|map| map.name()) {
        attributes.push(format!("map = \"{map}\", space = \"thread\""));
        attributes.push(format!("map = \"{map}\", grid = \"linear\""));
        // The diagonal affects the sweep; the maps have their own tests for it.
        for &diagonal in if map == "ltm" { &[false, true][..] } else { &[false] } {
            for sweep in SWEEPS {
                attributes
                    .push(format!("map = \"{map}\", sweep = \"{sweep}\", diagonal = {diagonal}"));
            }
        }
    }
    for tile in (32..=256).step_by(32) {
        for sweep in SWEEPS {
            for map in ["ltm", "walk"] {
                attributes.push(format!("map = \"{map}\", sweep = \"{sweep}\", tile = {tile}"));
            }
        }
    }
    attributes
}

/// Kernels with keys of their own, whose templates no key above chooses: near pairs, pairs within many sets, and states.
fn others() -> Vec<(String, String)> {
    let mut others = Vec::new();
    for (keys, parameters, pair, lower) in [
        (
            "",
            "#[each] p: &[[f32; 4]], limit: f32, count: &mut Sum<u64>, near: &mut Pairs<f32>",
            "if (p.i.x < limit) { count += 1; near.push(p.j.w); }",
            "box_distance(p.i, p.j) - limit - p.i.hi.w",
        ),
        (
            "diagonal = true, order = \"y\"",
            "#[each] p: &[Body], w: &[f32], f: &mut Histogram<f32>, most: &mut Max<f32>, l: &mut Pairs",
            "f.add(i, w[j]); most.offer(p.i.y); l.push();",
            "p.i.lo.y - p.j.hi.y",
        ),
        (
            "deterministic = true",
            "#[each] p: &[[f64; 3]], e: &mut Sum<f32>, #[each] f: &mut Sums<[f32; 3]>, #[each] m: &mut Minima<(f32, u32)>",
            "e += p.i.x; f.i.x += p.j.y; m.offer(n);",
            "box_square(p.i, p.j) - 1",
        ),
        (
            "",
            "#[row] p: &[[f32; 2]], #[column] q: &[[f64; 2]], edge: f32, near: &mut Pairs, #[row] s: &mut Sums<f32>, #[column] t: &mut Sums<[f64; 8]>",
            "if (p.x < q.y) { near.push(); s += i; t[7] += columns; }",
            "periodic_distance(p, q, edge, edge) - 1",
        ),
        (
            "",
            "#[each] p: &[[f32; 3]], w: &[f32], #[each] near: &mut Nearest<f32, 10>",
            "near.push(p.i.z * p.j.z * w[0]);",
            "box_square(p.i, p.j) * w[0]",
        ),
        (
            "",
            "#[row] p: &[i32], #[column] q: &[i32], #[row] near: &mut Nearest<u32, 64>",
            "near.push(abs(p - q));",
            "box_manhattan(p, q)",
        ),
    ] {
        others.push((keys.to_owned(), format!(
            "unsafe fn f({parameters}) {{ let pair = r#\"{pair}\"#; let lower_bound = r#\"{lower}\"#; }}"
        )));
    }
    for (keys, parameters, body) in [
        (
            "",
            "#[each] p: &Sets<f64>, #[each] q: &[[f32; 4]], w: &[f32], o: &mut Packed<[f32; 3]>, h: &mut Packed<f16>, e: &mut Sum<f32>",
            "o.x = p.i * w[set] * q.j.w; h = 1; e += i + j;",
        ),
        (
            "deterministic = true",
            "#[each] p: &Sets<[f32; 3]>, #[each] f: &mut Sums<[f32; 3]>, #[each] c: &mut Sums<u32>, l: &mut Pairs<u32>, h: &mut Histogram<f32>",
            "f.i += p.j; c.j += 1; l.push(set); h.add(j, p.i.x);",
        ),
        (
            "",
            "#[each] p: &Sets<f32>, #[set] a: &mut Maxima<f32>, #[set] b: &mut Minima<(i16, u32)>",
            "a.offer(p.i); b.offer(p.j);",
        ),
        (
            "",
            "#[row] p: &Sets<f32>, #[column] q: &Sets<[f32; 2]>, o: &mut Matrix<u16>, #[row] m: &mut Minima<(f32, u32)>, #[column] t: &mut Sums<f32>",
            "o = p * q.y; m.offer(set); t += i;",
        ),
        (
            "",
            "#[each] p: &Sets<[f32; 3]>, w: &[f32], #[each] m: &mut Nearest<f32, 10>",
            "m.push(p.i.x * w[set]);",
        ),
        (
            "",
            "#[row] p: &Sets<f64>, #[column] q: &Sets<u8>, #[row] m: &mut Nearest<f32>",
            "m.push(p * q);",
        ),
    ] {
        others.push((keys.to_owned(), format!("unsafe fn f({parameters}) {{ r#\"{body}\"# }}")));
    }
    let fold = |parameters: &str, feature: &str, pair: &str| {
        format!(
            "unsafe fn f({parameters}) {{ let feature = r#\"{feature}\"#; let pair = r#\"{pair}\"#; }}"
        )
    };
    others.push((String::new(), fold(
        "#[each] p: &FeatureSets<f32>, #[fold] s: f32, o: &mut Packed<f32>, #[each] f: &mut Sums<f32>",
        "s += p.i * p.j;",
        "o = s; f.i += set;",
    )));
    others.push((String::new(), fold(
        "#[row] p: &FeatureSets<f32>, #[column] q: &FeatureSets<f32>, #[fold] s: f32, #[set] far: &mut Maxima<(f32, u32)>",
        "s += p * q;",
        "far.offer(s);",
    )));
    for (parameters, pair, lower) in [
        (
            "#[each] p: &Features<f32>, #[fold] s: f32, #[each] v: &[f32], l: &mut Pairs, #[each] m: &mut Maxima<(f32, u32)>",
            "if (s < 1) l.push(); m.offer(s);",
            "v.i + v.j - 2.0f * dot_upper - n",
        ),
        (
            "#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[fold] s: f32, w: &[f32], l: &mut Pairs<f32>, #[column] t: &mut Sums<f32>",
            "if (s < w[i]) { l.push(s); t += s; }",
            "w[j] - dot_upper + dot_lower - columns",
        ),
    ] {
        let feature = if parameters.contains("q:") { "s += p * q;" } else { "s += p.i * p.j;" };
        others.push((String::new(), format!(
            "unsafe fn f({parameters}) {{ let feature = r#\"{feature}\"#; let pair = r#\"{pair}\"#; let lower_bound = r#\"{lower}\"#; }}"
        )));
    }
    let prelude = "prelude = r#\"State join(State a, State b) { return a; }\"#";
    for (keys, parameters, body) in [
        (
            "",
            "#[row] p: &[[f32; 3]], #[column] q: &[Body], e: &mut Sum<f32>, l: &mut Pairs<f32>, h: &mut Max<f32>, #[row] o: &mut Reduce<State>",
            "e += p.x; l.push(q.y); h.offer(i); o.join(State{});",
        ),
        (
            ", diagonal = true",
            "#[each] p: &[[f32; 3]], w: &[f32], #[each] o: &mut Reduce<State>",
            "o.i.join(State{p.j.x * w[0]}); o.j.join(State{});",
        ),
        (", map = \"ltm\"", "#[each] p: &[Body], o: &mut Reduce<State>", "o.join(State{p.i.x});"),
    ] {
        others.push((
            format!("{prelude}{keys}"),
            format!("unsafe fn f({parameters}) {{ r#\"{body}\"# }}"),
        ));
    }
    others.push((prelude.to_owned(), fold(
        "#[row] p: &Features<u8>, #[column] q: &Features<u8>, #[fold] s: u32, w: &[f32], #[row] o: &mut Reduce<State>",
        "s += p * q;",
        "o.join(State{s * w[j]});",
    )));
    others
}

/// Each item with every eleventh attribute, and each attribute with every eleventh item. This covers all kinds, because the
/// length of no list of item parts is eleven or a multiple of it. With the feature `every`, each with each.
#[test]
fn every_template_is_filled() {
    let attributes = attributes();
    let items: Vec<_> = items().into_iter().enumerate().collect();
    let tried = items.par_iter().flat_map(|(turn, item)| {
        let attributes = part(&attributes, PARTS, *turn).into_par_iter();
        // No item is refused without keys.
        let attributes = attributes.chain(["".to_owned()]);
        attributes.map(|attribute| (attribute, item.clone()))
    });
    let filled = tried.chain(others()).check_each(|(attribute, item)| check(&attribute, &item));
    // Those that filled templates extend, import or include.
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../codegen/kernels"));
    let (mut reached, mut next) = (BTreeSet::new(), Vec::from_iter(filled.into_iter().flatten()));
    while let Some(name) = next.pop() {
        if !reached.insert(name.clone()) {
            continue;
        }
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let lines = text.lines().filter(|line| {
            ["//% extends ", "//% from ", "//% include "].iter().any(|word| line.starts_with(word))
        });
        next.extend(lines.map(|line| line.split('"').nth(1).unwrap().to_owned()));
    }
    let files = fs::read_dir(folder).unwrap();
    let all = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(reached, all.collect::<BTreeSet<_>>());
}

const PARTS: usize = 11;

/// The keys that are refused beside some items, and the errors that say so.
const REFUSED: &[(&str, &str)] = &[
    ("map = ", "a kernel over two sets has a map of its own"),
    ("space = ", "a kernel over two sets has a map of its own"),
    ("grid = ", "a kernel over two sets has a map of its own"),
    ("diagonal = ", "the pairs of two sets do not have a diagonal"),
    ("map = ", "a kernel with a `Nearest` has a map of its own"),
    ("space = ", "supports only block space"),
    (
        "space = ",
        "in thread space, the slots (i, i) of a square are written only if they are pairs",
    ),
    ("space = ", "the sweep `fold` determines the threads of a block from `tile`"),
    ("grid = ", "has only one grid"),
    ("sweep = ", "only the sweep `fold` supports features"),
    ("sweep = ", "neighbouring threads of this sweep would write to slots that are far apart"),
    ("sweep = ", "this sweep does not support results of elements"),
    ("sweep = ", "results of elements share tiles with slots if"),
    ("sweep = ", "the rows of packed slots and of a square start at different offsets"),
    ("sweep = \"fold\"", "the sweep `fold` needs features"),
    ("sweep = \"rotate\"", "the sweep `rotate` is for results of column elements"),
    ("sweep = \"mirror\"", "the sweep `mirror` is for `Square`"),
    ("sweep = \"rows\"", "the sweep `rows` is for `Packed`, `Square` and `Matrix`"),
    ("sweep = \"rows\"", "the sweep `rows` computes both halves of a square"),
    ("sweep = \"columns\"", "all threads of the sweep `columns` have the same column at a time"),
    ("sweep = \"classic\", tile = ", "the classic sweep uses blocks instead of tiles"),
    ("tile = ", "the sweep `fold` does not have tiles of"),
    ("tile = ", "a tile of "),
];

/// The templates of kernels that take the same arguments whatever they use: a launch over given pairs or near pairs passes all,
/// and one that filters pairs passes the number of all rows.
const PASSES_ALL: &[&str] =
    &["entries.cu", "entries.cpp", "near.cpp", "near_nearest.cpp", "filter_pairs.cu"];

/// Checks every source of an item with an attribute, and returns the names of their templates.
fn check(attribute: &str, item: &str) -> BTreeSet<String> {
    let sources = td_kernel_codegen::filled_templates(
        attribute.parse().unwrap(),
        item.parse().unwrap(),
        &NoFiles,
    );
    let sources = match sources {
        Ok(sources) => sources,
        Err(errors) => {
            let errors = errors.to_string();
            for error in errors.split("compile_error").skip(1) {
                let error = error.split("} #").next().unwrap_or(error);
                let is_named = |(key, message): &&(&str, &str)| {
                    attribute.contains(key) && error.contains(message)
                };
                assert!(REFUSED.iter().any(|row| is_named(&row)), "{attribute}\n{item}\n{error}");
            }
            return BTreeSet::new();
        }
    };
    let mut templates = BTreeSet::new();
    for (template, text) in sources {
        // Marks that only templates and their layout may have.
        for left in ["#error", "${", "//%", "//#", "¶", "\0", "{~", "~}", "#include"] {
            assert!(!text.contains(left), "{left:?} is left with {attribute}\n{item}\n{text}");
        }
        let function = function(&text);
        for name in parameters(&function) {
            let words = function.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let uses = words.filter(|word| *word == name).count();
            assert!(
                uses > 1 || PASSES_ALL.contains(&template.as_str()),
                "`{name}` is passed, and nothing is done with it, with {attribute}\n{item}\n{text}"
            );
        }
        one_trip(&function);
        let undefined: Vec<_> =
            members(&text).into_iter().filter(|name| !defines(&text, name)).collect();
        assert!(
            undefined.is_empty(),
            "no struct has {undefined:?}, with {attribute}\n{item}\n{text}"
        );
        let count = |c| text.chars().filter(|each| *each == c).count();
        assert_eq!(count('{'), count('}'), "{attribute}\n{item}\n{text}");
        templates.insert(template);
    }
    templates
}

/// The kernel function, without its comments.
fn function(text: &str) -> String {
    let (_, after) = text.split_once("f_kernel(").unwrap();
    let code = after.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.collect::<Vec<_>>().join("\n")
}

/// The names of the kernel's parameters.
fn parameters(function: &str) -> Vec<String> {
    let list = function.split(')').next().unwrap_or_default();
    list.split(',')
        .filter_map(|each| each.split_whitespace().next_back())
        .map(|name| name.trim_start_matches(['*', '&']).to_owned())
        .collect()
}

/// The names behind a dot, but for those in strings and the components of vectors.
fn members(text: &str) -> BTreeSet<&str> {
    let code = text.lines().filter(|line| !line.contains('"'));
    let code = code.map(|line| line.split("//").next().unwrap_or_default());
    let dots = code.flat_map(|line| line.match_indices('.').map(move |(at, _)| line.split_at(at)));
    let is_number = |before: &str| before.ends_with(|c: char| c.is_ascii_digit());
    let after = dots.filter(|(before, _)| !is_number(before)).map(|(_, after)| &after[1..]);
    let names = after.map(|rest| rest.split(|c: char| !is_of_name(c)).next().unwrap_or_default());
    names.filter(|name| !["", "x", "y", "z", "w"].contains(name)).collect()
}

/// Whether a name is also written without a dot before it, as in a struct.
fn defines(text: &str, name: &str) -> bool {
    let mut at = text.match_indices(name);
    at.any(|(at, _)| {
        let [before, after] = [&text[..at], &text[at + name.len()..]];
        !before.ends_with(|c: char| is_of_name(c) || c == '.') && !after.starts_with(is_of_name)
    })
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Checks that no loop runs only once: a loop whose step equals its end, from 0 or from a thread's index on.
fn one_trip(function: &str) {
    let loops = function.lines().filter(|line| line.trim_start().starts_with("for ("));
    for line in loops {
        let parts: Vec<_> = line.split(';').map(str::trim).collect();
        let [_, condition, step] = parts[..] else { panic!("what is {line}?") };
        let end = condition.split("&&").next().and_then(|part| part.split_once(" < "));
        let step = step.split_once("+= ").map(|(_, step)| step.trim_end_matches(['{', ' ', ')']));
        if let (Some((_, end)), Some(step)) = (end, step) {
            assert_ne!(end.trim(), step, "one trip: {line}");
        }
    }
}
