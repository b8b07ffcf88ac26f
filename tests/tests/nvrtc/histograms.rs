//! Histograms of every type, in every sweep.

use rayon::prelude::*;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::sources;

use super::{by_turns, compiles_for};

/// Keys, other parameters, and what the body does with them.
const SWEEPS: &[(&str, &str, &str)] = &[
    ("", "#[each] p: &[[f32; 4]],", "float r = p.i.x - p.j.w;"),
    ("tile = 0", "#[each] p: &[[f32; 4]],", "float r = p.i.x - p.j.w;"),
    ("space = \"thread\"", "#[each] p: &[[f32; 4]],", "float r = p.i.x - p.j.w;"),
    ("deterministic = true", "#[each] p: &[[f32; 4]],", "float r = p.i.x - p.j.w;"),
    ("deterministic = true", "#[each] p: &Features<f32>, #[dot] dot: f32,", "float r = dot;"),
    ("map = \"auto\", diagonal = true", "#[each] p: &[[f64; 4]],", "float r = p.i.x - p.j.w;"),
    ("", "#[row] p: &[[f32; 3]], #[column] q: &[[f32; 3]],", "float r = p.x - q.x;"),
    (
        "",
        "#[each] p: &[[f32; 4]], #[each] s: &mut Sums<f32>,",
        "float r = p.i.x; s.i += r; s.j += r;",
    ),
    ("", "#[each] p: &[f32], out: &mut Packed<f32>,", "float r = p.i - p.j; out = r;"),
    ("", "#[each] p: &[f32], out: &mut Square<f32>,", "float r = p.i - p.j; out = r;"),
    ("", "#[row] p: &[f32], out: &mut Matrix<f32>,", "float r = p; out = r;"),
    ("", "#[each] p: &Features<f32>, #[dot] dot: f32,", "float r = dot;"),
    (
        "",
        "#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[dot] dot: f32,",
        "float r = dot;",
    ),
];

/// Types, and what a body adds.
const ADDED: &[(&str, &str)] = &[
    ("u64", "h.add(r)"),
    ("u64", "h.add(h.linear(r, 0, 10.0f))"),
    ("u64", "h.add(h.logarithmic(r, 0.5f, 10), i)"),
    ("u64", "for (int k = 0; k < 3; ++k) h.add(r + k)"),
    ("f32", "h.add((int)r, 0.5f * r)"),
    ("f64", "h.add((unsigned char)r, r)"),
    ("f64", "h.add(h.linear((double)r, -1.0, 1), 0.5)"),
];

/// Every sweep with every type, for some of the architectures by turns, with the largest tile and the smallest.
#[test]
fn histograms_compile_without_spills() {
    let all = SWEEPS.iter().flat_map(|sweep| ADDED.iter().map(move |added| (*sweep, *added)));
    // A division of doubles beside tensor cores takes one register too many on sm_80.
    // Counts are the same in every run without the key.
    let all: Vec<_> = all
        .filter(|((.., body), (_, added))| !(body.contains("dot") && added.contains("double")))
        .filter(|((keys, ..), (number, _))| !(keys.contains("deterministic") && *number == "u64"))
        .collect();
    all.par_iter().enumerate().check_each(|(turn, ((keys, parameters, body), (number, added)))| {
        let item = format!(
            "unsafe fn f({parameters} h: &mut Histogram<{number}>) {{ r#\" {body} {added}; \"# }}"
        );
        let sources = sources(keys, &item);
        let at = if turn % 2 == 0 { 0 } else { sources.len() - 1 };
        let text = &sources[at].text;
        // Tensor cores with enough shared memory.
        let architectures = if text.contains("f_prepare(") { vec![80, 90] } else { by_turns(turn) };
        compiles_for(&format!("{keys}: {item}"), text, &architectures);
    });
}
