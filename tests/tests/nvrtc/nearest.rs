//! Kernels with nearest neighbours: each type, number of neighbours, sweep and tile, of one set and of two.

use rayon::prelude::*;
use td_kernel_tests::covering::{chosen, in_turn};
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::sources;

use super::{architectures, by_turns, compiles_for};

/// Keys and an item.
type Item = (&'static str, String);

/// By default, each number is of one set or of two by turns, and each tile of folds with one of four kernels.
fn items() -> Vec<Item> {
    let mut items = Vec::new();
    let numbers = ["f32", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "u32"];
    for (turn, number) in numbers.into_iter().enumerate() {
        let of_one = format!(
            "unsafe fn near(#[each] x: &[f32], #[each] near: &mut Nearest<{number}, 10>) {{ r#\" near.push(x.i - x.j); \"# }}"
        );
        let of_two = format!(
            "unsafe fn near(#[row] x: &[f32], #[column] y: &[u8], #[row] near: &mut Nearest<{number}, 33>) {{ r#\" if (x != y) near.push(x - y); \"# }}"
        );
        items.extend(in_turn([of_one, of_two], turn).into_iter().map(|item| ("", item)));
    }
    for count in [1, 10, 32, 33, 100, 256] {
        items.push(("diagonal = true", format!("unsafe fn near(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32, {count}>) {{ r#\" float dx = p.i.x - p.j.x, dy = p.i.y - p.j.y, dz = p.i.z - p.j.z; near.push(dx * dx + dy * dy + dz * dz); \"# }}")));
    }
    for keys in
        ["tile = 32", "tile = 64", "tile = 96", "tile = 256", "tile = 0", "block = 8", "block = 32"]
    {
        items.push((keys, "unsafe fn near(#[each] p: &[[f64; 4]], #[each] near: &mut Nearest<f32, 10>) { r#\" near.push(p.i.x - p.j.w); near.push(i); \"# }".into()));
        items.push((keys, "unsafe fn near(#[row] a: &[u32], #[row] near: &mut Nearest<u32, 7>) { r#\" near.push(a ^ j); \"# }".into()));
    }
    items.push(("", "unsafe fn near(#[row] a: &[f32], #[column] b: &[u8], #[column] near: &mut Nearest<f32, 10>) { r#\" near.push(a - b + i % rows); \"# }".into()));
    items.push(("", "unsafe fn near(#[row] a: &Sets<f32>, #[column] b: &Sets<u8>, #[column] near: &mut Nearest<f32, 10>) { r#\" near.push(a - b + i + set); \"# }".into()));
    let folds = [
        "unsafe fn near(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] near: &mut Nearest<f32, 10>) { let feature = r#\" float d = p.i - p.j; sum += d * d; \"#; let pair = r#\" near.push(sum); \"#; }",
        "unsafe fn near(#[each] p: &Features<[i8; 4]>, #[fold] sum: i32, #[each] near: &mut Nearest<i32, 100>) { let feature = r#\" sum = __dp4a(p.i, p.j, sum); \"#; let pair = r#\" near.push(-sum); \"#; }",
        "unsafe fn near(#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[column] norm: &[f32], #[fold] dot: f32, #[row] near: &mut Nearest<f32, 10>) { let feature = r#\" dot += p * q; \"#; let pair = r#\" near.push(norm - 2 * dot); \"#; }",
        "unsafe fn near(#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[row] norm: &[f32], #[fold] dot: f32, #[column] near: &mut Nearest<f32, 10>) { let feature = r#\" dot += p * q; \"#; let pair = r#\" near.push(norm - 2 * dot + i); \"#; let lower_bound = r#\" norm - 2 * dot_upper + i \"#; }",
        "unsafe fn near(#[each] p: &Features<f64>, #[fold] sum: f64, #[each] near: &mut Nearest<f32, 10>) { let feature = r#\" double d = p.i - p.j; sum += d * d; \"#; let pair = r#\" near.push((float)sum); \"#; }",
    ];
    let of_tiles =
        ["", "tile = 64", "tile = 32"].into_iter().flat_map(|keys| folds.map(|item| (keys, item)));
    for (keys, item) in chosen(&of_tiles.collect::<Vec<_>>(), |(keys, item)| vec![*keys, *item]) {
        items.push((keys, item.into()));
    }
    items
}

/// Each in one of its variants by turns; with the feature `every`, in all.
#[test]
fn neighbour_kernels_compile() {
    items().par_iter().enumerate().check_each(|(turn, (keys, item))| {
        // One set and two sets have separate turns.
        for each in in_turn(sources(keys, item), turn / 2) {
            compiles_for(&format!("{keys}: {item}"), &each.text, &by_turns(turn / 2));
        }
    });
}

/// A number of neighbours that a launch sets: the sizes for which kernels are compiled.
#[test]
fn numbers_at_run_time_compile() {
    let points = "unsafe fn near(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32>) { r#\" float d = p.i.x - p.j.x; near.push(d * d); \"# }";
    let boxes = "unsafe fn near(#[each] p: &[[f32; 3]], #[each] near: &mut Nearest<f32>) { let pair = r#\" near.push(fabsf(p.i.x - p.j.x)); \"#; let lower_bound = r#\" box_distance(p.i, p.j) \"#; }";
    let (points, boxes) = (sources("", points), sources("", boxes));
    let in_tiles = boxes.iter().find(|source| source.text.contains("Map near_rows"));
    let texts = [&points[0].text, &in_tiles.unwrap().text];
    [8, 16, 32, 64, 128, 256].par_iter().check_each(|count| {
        for text in texts {
            let defined =
                text.replace("#define TD_NEAREST 16", &format!("#define TD_NEAREST {count}"));
            assert!(*count == 16 || defined != *text);
            compiles_for(&format!("{count} neighbours"), &defined, &[80, 90]);
        }
    });
}

/// The sources for tensor cores, for the GPUs that have them; the other variants of these kernels as usual. One kernel uses
/// only the product, and one uses everything available. Each is compiled for one of these GPUs by turns; with the feature
/// `every`, for all.
#[test]
fn kernels_with_a_lower_bound_compile() {
    let squares = "let feature = r#\" float d = p.i - p.j; sum += d * d; \"#; let pair = r#\" near.push(sum); \"#;";
    let lower = |text: &str| format!("let lower_bound = r#\" {text} \"#;");
    let usual = lower("norm.i + norm.j - 2.0f * dot_upper");
    let fused = lower("fmaf(-2.0f, dot_upper, norm.i + norm.j)");
    let mut items = Vec::new();
    for (keys, k) in [("", 1), ("diagonal = true", 10), ("", 256)] {
        for text in [&usual, &fused] {
            items.push((keys, format!("unsafe fn near(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] norm: &[f32], #[each] near: &mut Nearest<f32, {k}>) {{ {squares} {text} }}")));
        }
    }
    let product = lower("-dot_upper");
    items.push(("tile = 64", format!("unsafe fn near(#[each] p: &Features<f32>, #[fold] sum: f32, #[each] near: &mut Nearest<f32, 10>) {{ {squares} {product} }}")));
    let all = lower(
        "fmaxf(dot_upper, 0) * -norm.i.x * norm.j.w * weights[weights_length - 1] * scale + i + j + n + features",
    );
    items.push(("", format!("unsafe fn near(#[each] p: &Features<f32>, #[fold] sum: f32, #[fold(start = \"1\")] count: u32, #[each] norm: &[[f32; 4]], weights: &[f32], scale: f32, #[each] near: &mut Nearest<f32, 33>) {{ let feature = r#\" sum += p.i * p.j * weights[k]; count += features; \"#; let pair = r#\" if (i % 2) near.push(sum * count * norm.i.x); \"#; {all} }}")));
    for (keys, elements, text) in [
        ("", "#[row] norm: &[f32], #[column] other: &[f32],", "norm + other - 2.0f * dot_upper"),
        ("", "", "-dot_upper"),
        (
            "tile = 32",
            "#[column] other: &[[f32; 4]], scale: f32,",
            "dot_lower * other.w - scale + rows + columns + features + i",
        ),
    ] {
        items.push((keys, format!("unsafe fn near(#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[fold] sum: f32, {elements} #[row] near: &mut Nearest<f32, 10>) {{ let feature = r#\" float d = p - q; sum += d * d; \"#; let pair = r#\" near.push(sum); \"#; {} }}", lower(text))));
    }
    let with_matrices: Vec<_> = architectures().into_iter().filter(|each| *each >= 80).collect();
    items.par_iter().enumerate().check_each(|(turn, (keys, item))| {
        let mut texts = sources(keys, item);
        let filter = texts.pop().unwrap().text;
        assert!(filter.contains("near_refine("), "{filter}");
        let what = format!("{keys}: {item}");
        compiles_for(&what, &filter, &in_turn(with_matrices.clone(), turn));
        // These are sources of folds, and of nearest neighbours as in the test above.
        for each in in_turn(texts, turn) {
            compiles_for(&what, &each.text, &by_turns(turn));
        }
    });
}
