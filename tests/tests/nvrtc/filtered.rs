//! Kernels of lists, sums and results of elements with the body `lower_bound`.

use rayon::prelude::*;
use td_kernel_tests::covering::in_turn;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::sources;

use super::{HOPPER, architectures, compiles_for};

/// Keys, parameters of one set or of two, and bodies.
fn items() -> Vec<(&'static str, String)> {
    let one = "#[each] p: &Features<f32>, #[fold] sum: f32";
    let two = "#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[fold] sum: f32";
    let squares = "float d = p.i - p.j; sum += d * d;";
    let usual = "norm.i + norm.j - 2.0f * dot_upper - limit";
    let all = [
        (
            "",
            format!("{one}, #[each] norm: &[f32], limit: f32, near: &mut Pairs"),
            [squares, "if (sum <= limit) near.push();", usual],
        ),
        (
            "diagonal = true, tile = 64",
            format!(
                "{one}, #[each] norm: &[f32], limit: f32, near: &mut Pairs<[f32; 2]>, count: &mut Sum<u64>, total: &mut Sum<f32>"
            ),
            [
                squares,
                "if (sum <= limit) { near.push({sum, norm.i}); count += 1; total += sum; }",
                usual,
            ],
        ),
        (
            "",
            format!(
                "{one}, #[fold(start = \"1\")] last: u32, #[each] norm: &[[f32; 4]], weights: &[f32], near: &mut Pairs<f64>, #[each] degree: &mut Sums<u32>, #[each] most: &mut Maxima<(f32, u32)>, out: &mut [f32]"
            ),
            [
                "sum += p.i * p.j * weights[k]; last += features;",
                "if (sum > i) { near.push(sum); degree.i += 1; degree.j += last; most.offer(sum); out[n - 1] = sum; }",
                "weights[weights_length - 1] - fmaxf(dot_upper, -dot_lower) * norm.i.x * norm.j.w + i + j + n + features",
            ],
        ),
        (
            "",
            format!("{two}, least: f32, near: &mut Pairs<f32>"),
            ["sum += p * q;", "if (sum >= least) near.push(sum);", "least - dot_upper"],
        ),
        (
            "",
            format!(
                "{two}, #[row] a: &[f32], #[column] b: &[f32], #[row] nearest: &mut Minima<(f32, u32)>, #[column] degree: &mut Sums<f64>"
            ),
            [
                "float d = p - q; sum += d * d;",
                "if (sum < 1) { nearest.offer(sum); degree += sum; }",
                "fmaf(-2.0f, dot_upper, a + b) - 1 + rows * columns * features",
            ],
        ),
    ];
    let text = |name: &str, text: &str| format!("let {name} = r#\" {text} \"#;");
    let items = all.into_iter().map(|(keys, parameters, [feature, pair, lower])| {
        let texts =
            [text("feature", feature), text("pair", pair), text("lower_bound", lower)].concat();
        (keys, format!("unsafe fn close({parameters}) {{ {texts} }}"))
    });
    items.collect()
}

/// For GPUs with the required tensor cores.
#[test]
fn lists_and_sums_behind_a_filter_compile() {
    let with_matrices: Vec<_> = architectures().into_iter().filter(|each| *each >= 80).collect();
    items().par_iter().enumerate().check_each(|(turn, (keys, item))| {
        let filter = sources(keys, item).pop().unwrap();
        assert!(filter.text.contains("close_prepare("), "{}", filter.text);
        let what = format!("{keys}: {item}");
        let of_turn = in_turn(with_matrices.clone(), turn).into_iter().chain([HOPPER]);
        compiles_for(&what, &filter.text, &of_turn.collect::<Vec<_>>());
    });
}
