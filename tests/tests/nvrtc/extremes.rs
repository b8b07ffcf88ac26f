//! Extremes of all pairs, in every sweep.

use rayon::prelude::*;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::sources;

use super::{by_turns, compiles_for};

/// Keys, other parameters, and what the body does with them.
const SWEEPS: &[(&str, &str, &str)] = &[
    ("", "#[each] p: &[[f32; 4]],", "float r = p.i.x - p.j.w;"),
    ("tile = 0", "#[each] p: &[[f32; 4]],", "float r = p.i.x - p.j.w;"),
    ("space = \"thread\"", "#[each] p: &[[f32; 4]],", "float r = p.i.x - p.j.w;"),
    ("map = \"walk\"", "#[each] p: &[[f32; 4]],", "float r = p.i.x - p.j.w;"),
    ("", "#[row] p: &[[f32; 3]], #[column] q: &[[f32; 3]],", "float r = p.x - q.x;"),
    ("", "#[each] p: &[f32], #[each] s: &mut Sums<f32>,", "float r = p.i; s.i += r; s.j += r;"),
    ("", "#[each] p: &[f32], out: &mut Packed<f32>,", "float r = p.i - p.j; out = r;"),
    ("", "#[each] p: &[f32], out: &mut Square<f32>,", "float r = p.i - p.j; out = r;"),
    ("", "#[row] p: &[f32], out: &mut Matrix<f32>,", "float r = p; out = r;"),
    ("", "#[each] p: &Features<f32>, #[dot] dot: f32,", "float r = dot;"),
];

/// Every sweep with every type, for some of the architectures by turns, with the largest tile and the smallest.
#[test]
fn extremes_compile_without_spills() {
    let types = ["Max<f32>", "Min<f32>", "Max<f64>", "Min<u8>", "Max<i64>"];
    let all = SWEEPS.iter().flat_map(|sweep| types.map(|of| (*sweep, of)));
    // Beside tensor cores on sm_80, 64 bits take two registers too many. A product has 32.
    let all: Vec<_> =
        all.filter(|((.., body), of)| !(body.contains("dot") && of.contains("64"))).collect();
    all.par_iter().enumerate().check_each(|(turn, ((keys, parameters, body), of))| {
        let item =
            format!("unsafe fn f({parameters} far: &mut {of}) {{ r#\" {body} far.offer(r); \"# }}");
        let sources = sources(keys, &item);
        let text = &sources[if turn % 2 == 0 { 0 } else { sources.len() - 1 }].text;
        // Tensor cores with enough shared memory.
        let has_tensor_cores = text.contains("f_prepare(");
        let architectures = if has_tensor_cores { vec![80, 90] } else { by_turns(turn) };
        compiles_for(&format!("{keys}: {item}"), text, &architectures);
    });
}
