//! Large states that a function of the prelude joins. The catalogue has small ones of every kind of element.

use rayon::prelude::*;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::source;

use super::compiles_for;

/// Structs as rustc writes them, the prelude's `join`, and a pair's state of the float `s`.
const STATES: &[(&str, &str, &str)] = &[
    (
        "struct State { float max, sum; };",
        "State join(State a, State b) { float m = fmaxf(a.max, b.max); if (m == -INFINITY) return a; return {m, a.sum * expf(a.max - m) + b.sum * expf(b.max - m)}; }",
        "State{s, 1}",
    ),
    (
        "struct State { unsigned int count; double mean, squares; };",
        "State join(const State &a, const State &b) { unsigned int n = a.count + b.count; if (n == 0) return a; double d = b.mean - a.mean, r = b.count / (double)n; return {n, a.mean + d * r, a.squares + b.squares + d * d * a.count * r}; }",
        "State{1, s, 0}",
    ),
    (
        "struct State { float max, sum, values[32]; };",
        "State join(State a, const State &b) { float m = fmaxf(a.max, b.max); if (m == -INFINITY) return a; float p = expf(a.max - m), q = expf(b.max - m); a.max = m; a.sum = a.sum * p + b.sum * q; for (int k = 0; k < 32; ++k) a.values[k] = a.values[k] * p + b.values[k] * q; return a; }",
        "State{s, 1, {s, s, s}}",
    ),
];

/// Keys, elements and the float.
const ELEMENTS: &[(&str, &str, &str)] = &[
    ("", "#[row] p: &[[f32; 3]], #[column] q: &[[f32; 3]], #[row]", "p.x * q.x + p.y * q.y"),
    (
        "",
        "#[row] p: &[[f32; 64]], #[column] q: &[[f32; 64]], #[row]",
        "p[1] * q[1] + p[63] * q[63]",
    ),
    ("", "#[each] p: &[[f32; 3]], #[each]", "p.i.x * p.j.x"),
    (", diagonal = true, fmad = true", "#[each] p: &[Point], #[each]", "p.i.x - p.j.x"),
    (", map = \"ltm\", diagonal = true", "#[each] p: &[Point],", "p.i.x - p.j.x"),
    (
        "",
        "#[row] p: &[[f32; 3]], #[column] q: &[f32], far: &mut Max<f32>, list: &mut Pairs, all: &mut Reduce<State>, #[column]",
        "p.x * q + i; far.offer(s); if (s > 2) list.push(); all.join(State{})",
    ),
];

/// Features, and the states of elements that the body `pair` joins.
const OVER_FEATURES: &[(&str, &str, &str)] = &[
    ("", "#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[fold] s: f32, #[row]", "p * q"),
    (
        "",
        "#[row] p: &Features<u8>, #[column] q: &Features<u8>, #[fold] s: f32, #[fold] t: [f64; 4], #[row]",
        "t.x += k, p * q",
    ),
    (", diagonal = true", "#[each] p: &Features<f64>, #[fold] s: f64, #[each]", "p.i - p.j"),
];

#[test]
fn states_compile_without_spills() {
    let of = |parts: &'static [(&str, &str, &str)], is_over_features: bool| {
        let each = move |state| parts.iter().map(move |part| (state, part, is_over_features));
        STATES.iter().flat_map(each)
    };
    let all: Vec<_> = of(ELEMENTS, false).chain(of(OVER_FEATURES, true)).collect();
    all.par_iter().check_each(|((structs, join, state), (keys, elements, s), is_over_features)| {
        let keys = format!("prelude = r#\"{join}\"#{keys}");
        let state = match is_over_features {
            true => state.replace("{s", "{(float)s").replace(", s", ", (float)s"),
            false => (*state).to_owned(),
        };
        let join = match elements.ends_with("#[each]") {
            true => format!("out.i.join({state}); out.j.join({state});"),
            false => format!("out.join({state});"),
        };
        let bodies = match is_over_features {
            true => format!("let feature = r#\" s += ({s}); \"#; let pair = r#\" {join} \"#;"),
            false => format!("r#\" float s = {s}; {join} \"#"),
        };
        let item = format!("unsafe fn f({elements} out: &mut Reduce<State>) {{ {bodies} }}");
        let text = format!("struct Point {{ float x, y; }};\n{structs}\n{}", source(&keys, &item));
        compiles_for(&format!("{keys}: {item}"), &text, &[80, 90]);
    });
}
