//! Fills the templates for combinations of their inputs: map, space, grid, sweep, tile, diagonal, kinds and sizes of
//! parameters, length of the body. An unknown name in a template is an error.

use rayon::prelude::*;
use td_kernel_maps::{MAPS, SWEEPS};
use td_kernel_tests::NoFiles;
use td_kernel_tests::covering::{EVERY, part};

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
        ("o: &mut Packed<[f32; 3]>, r: &mut Packed<Body>, l: &mut Pairs", "l.push();"),
        ("o: &mut Square<f32>", "o = j;"),
        ("o: &mut Square<[f32; 3]>, r: &mut Square<f16>", "o.x = n;"),
        ("o: &mut Square<Body>, e: &mut Sum<f32>, l: &mut Pairs", "e += 1; l.push();"),
        ("o: &mut Packed<f32>, r: &mut Square<f64>", "o = 1; r = 2;"),
        ("c: &mut Sum<u32>, e: &mut Sum<f32>, d: &mut Sum<f64>", "c += 1; e += 0.5f; d += i;"),
        ("e: &mut Sum<f32>", "for (int k = 0; k < 3; ++k) e += 1;"),
        ("l: &mut Pairs, h: &mut Pairs", "if (i % 2) l.push(); else h.push();"),
        ("l: &mut Pairs<f32>, h: &mut Pairs<Body>", "if (i % 2) l.push(1); else h.push({});"),
        ("o: &mut Packed<u8>, l: &mut Pairs<[u8; 3]>, h: &mut Pairs", "h.push(); l.push({});"),
        ("o: &mut Square<u8>, l: &mut Pairs<f64>", "l.push(n);"),
        ("x: &mut [u32]", "atomicAdd(&x[i], x_length);"),
        ("#[each] f: &mut Sums<[f32; 3]>, e: &mut Sum<f32>", "f.i.x += 1; f.j.x -= 1; e += 1;"),
        (
            "#[each] c: &mut Sums<u32>, #[each] m: &mut Minima<(f32, u32)>, l: &mut Pairs",
            "c.i += 1; m.offer(1); l.push();",
        ),
        ("#[each] m: &mut Maxima<[i16; 2]>, #[each] e: &mut Minima<f64>", "e.i.offer(j);"),
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
        "#[row] p: &[[f32; 4]], #[column] q: &[[f64; 4]], #[row] r: &[Body], s: f64,",
    ];
    let outputs = [
        ("o: &mut Matrix<f32>", "o = 1;"),
        ("o: &mut Matrix<u8>, c: &mut Sum<u64>", "o = i; c += columns;"),
        ("o: &mut Matrix<[f32; 3]>, r: &mut Matrix<Body>, l: &mut Pairs", "l.push();"),
        ("c: &mut Sum<u32>, e: &mut Sum<f32>, d: &mut Sum<f64>", "c += 1; e += 0.5f; d += j;"),
        ("l: &mut Pairs, h: &mut Pairs", "if (rows % 2) l.push(); else h.push();"),
        ("l: &mut Pairs<f32>, h: &mut Pairs<Body>", "if (rows % 2) l.push(1); else h.push({});"),
        ("o: &mut Matrix<u8>, l: &mut Pairs<[u8; 3]>, h: &mut Pairs", "h.push(); l.push({});"),
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
        ("o: &mut Packed<u8>, e: &mut Square<f32>, c: &mut Sum<f64>", "e = dot_error; c += i;"),
        ("#[each] x: &[Body], l: &mut Pairs<f32>, s: f32", "if (dot > s) l.push(dot_error);"),
        (
            "#[each] m: &mut Maxima<(f32, u32)>, #[each] f: &mut Sums<[f32; 3]>, w: &[f32]",
            "m.offer(dot * w[i]); f.i.x += dot; f.j.z -= features;",
        ),
        ("#[each] m: &mut Nearest<f32, 10>", "m.push(dot + dot_error);"),
    ];
    let of_two = [
        ("o: &mut Matrix<f32>, #[row] a: &[f32], #[column] b: &[[f32; 4]]", "o = dot * a * b.x;"),
        ("o: &mut Matrix<u16>, c: &mut Sum<u64>, l: &mut Pairs", "o = dot_error; l.push();"),
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
            "#[each] p: &Features<u8>, #[each] m: &Features<i8>, w: &[f32], #[fold] s: u32, #[fold] t: [f32; 3],",
            "s += p.i ^ p.j; t.x += w[k] * m.i; t.z = w_length;",
        ),
        (
            "#[each] p: &Features<f64>, #[each] q: &[f32], #[fold(start = \"1.0\")] s: f64, #[fold] t: [f64; 4],",
            "s *= p.i - p.j; t.w += features;",
        ),
    ];
    let outputs = [
        ("o: &mut Packed<f32>", "o = s;"),
        ("o: &mut Packed<u8>, c: &mut Sum<u64>, e: &mut Sum<f32>", "o = i; c += s; e += 0.5f;"),
        ("o: &mut Packed<[f32; 3]>, r: &mut Packed<Body>, l: &mut Pairs", "l.push();"),
        ("o: &mut Square<f32>, l: &mut Pairs<f64>", "o = s; l.push(features);"),
        ("o: &mut Square<Body>, e: &mut Square<f64>", "e = s;"),
        ("o: &mut Packed<f32>, r: &mut Square<f64>", "o = 1; r = s;"),
        (
            "#[each] f: &mut Sums<[f32; 3]>, #[each] m: &mut Minima<(f32, u32)>",
            "f.i.x += s; m.offer(s);",
        ),
        (
            "#[each] m: &mut Maxima<f64>, o: &mut Packed<f32>, r: &mut Square<u16>",
            "m.j.offer(i); o = 1;",
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

/// Each item with every eleventh attribute, and each attribute with every eleventh item. This covers all kinds, because the
/// length of no list of item parts is eleven or a multiple of it. With the feature `every`, each with each.
#[test]
fn every_template_is_filled() {
    let attributes = attributes();
    let items: Vec<_> = items().into_iter().enumerate().collect();
    let count: usize =
        items.par_iter().map(|(turn, item)| check(item, &part(&attributes, PARTS, *turn))).sum();
    // Not many combinations are errors.
    let least = if EVERY { 5000 } else { 400 };
    assert!(count > least, "only {count} texts");
}

const PARTS: usize = 11;

/// Checks every source of an item with these attributes, and returns their number.
fn check(item: &str, attributes: &[String]) -> usize {
    let mut count = 0;
    for attribute in attributes {
        let sources = td_kernel_codegen::cuda_sources(
            attribute.parse().unwrap(),
            item.parse().unwrap(),
            &NoFiles,
        );
        let texts: Vec<_> = match sources {
            Ok(sources) => sources.into_iter().flat_map(|each| [each.text, each.loops]).collect(),
            Err(errors) => {
                let errors = errors.to_string();
                assert!(errors.contains("compile_error"), "no message with {attribute}\n{item}");
                continue;
            }
        };
        count += texts.len();
        for text in texts {
            // Marks that only templates and their layout may have.
            for left in ["#error", "${", "//%", "//#", "¶", "\0", "{~", "~}", "#include"] {
                assert!(!text.contains(left), "{left:?} is left with {attribute}\n{item}\n{text}");
            }
            let function = function(&text);
            for name in parameters(&function) {
                let words = function.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                let uses = words.filter(|word| *word == name).count();
                assert!(
                    uses > 1,
                    "`{name}` is passed, and nothing is done with it, with {attribute}\n{item}\n{text}"
                );
            }
            one_trip(&function);
            let count = |c| text.chars().filter(|each| *each == c).count();
            assert_eq!(count('{'), count('}'), "{attribute}\n{item}\n{text}");
        }
    }
    count
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
