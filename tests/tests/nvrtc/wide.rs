//! Sums of arrays, of one set and of two, for every width that changes the tiles.

use rayon::prelude::*;
use td_kernel::testing::functions;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::sources;

use super::{OPTIONS, architectures, by_turns, compiles_for, nvrtc};

/// A kernel matrix times the columns of `v`.
fn items(ty: &str, width: u32) -> Vec<(&'static str, String)> {
    let array = format!("[{ty}; {width}]");
    let weight = "float a = p.x - q.x, b = p.y - q.y, c = p.z - q.z; float w = expf(-(a * a + b * b + c * c));";
    let of_one = weight.replace("p.", "p.i.").replace("q.", "p.j.");
    let each = format!(
        "unsafe fn f(#[each] p: &[[f32; 3]], #[each] v: &[{array}], #[each] out: &mut Sums<{array}>) {{ r#\" {of_one} out.i += w * v.j; out.j += w * v.i; \"# }}"
    );
    let sets = "#[row] p: &[[f32; 3]], #[column] q: &[[f32; 3]],";
    let rows = format!(
        "unsafe fn f({sets} #[column] v: &[{array}], #[row] out: &mut Sums<{array}>) {{ r#\" {weight} out += w * v; \"# }}"
    );
    let columns = format!(
        "unsafe fn f({sets} #[row] v: &[{array}], #[column] out: &mut Sums<{array}>) {{ r#\" {weight} out -= w * v; out[1] += w; \"# }}"
    );
    // A thread keeps nothing of its rows, or little, and a block has all columns.
    let only_columns = format!(
        "unsafe fn f(#[column] v: &[{array}], #[column] out: &mut Sums<{array}>) {{ r#\" out += i * v; out[1] += rows; \"# }}"
    );
    vec![
        ("", each.clone()),
        ("diagonal = true", each.clone()),
        ("deterministic = true", each),
        ("", rows.clone()),
        ("deterministic = true", rows),
        ("", columns),
        ("", only_columns.replace("f(", "f(#[row] p: &[f32], ").replace("i * v", "p * v")),
        ("", only_columns),
    ]
}

/// A function that is not inlined would get the sums in memory. Bodies with long loops are otherwise not inlined.
#[test]
fn long_bodies_are_inlined() {
    let item = |ty: &str, term: &str| {
        format!(
            "unsafe fn f(#[row] x: &[f32], #[column] y: &[f32], #[column] v: &[{ty}], #[row] out: &mut Sums<{ty}>) {{ r#\" float s = 0; for (int k = 0; k < 200; ++k) s = fmaf(s, x, y); {term} \"# }}"
        )
    };
    let has_function = |item: &str| sources("", item)[0].text.contains("__noinline__");
    assert!(has_function(&item("f32", "out += s * v;")));
    let wide = item("[f32; 8]", "out += s * v;");
    assert!(!has_function(&wide));
    compiles_for(&wide, &sources("", &wide)[0].text, &[90]);
}

#[test]
fn sums_of_arrays_compile_without_spills() {
    let widths = [("f32", 5), ("f32", 16), ("f32", 32), ("f32", 64), ("f64", 8), ("f64", 32)];
    let all: Vec<_> = widths.into_iter().flat_map(|(ty, width)| items(ty, width)).collect();
    all.par_iter().check_each(|(keys, item)| {
        for source in sources(keys, item) {
            compiles_for(&format!("{keys}: {item}"), &source.text, &[80, 90]);
        }
    });
}

/// The kernel of arrays of 16 numbers, for arrays whose width a launch gives.
fn given(ty: &str, item: &str) -> String {
    let array = format!("[{ty}; 16]");
    let item = item.replace(&format!("&[{array}]"), &format!("&Arrays<{ty}>"));
    item.replace(&format!("Sums<{array}>"), &format!("ArraySums<{ty}>"))
}

/// A block of 16 numbers costs what an array of 16 numbers costs: both have the same instructions.
#[test]
fn blocks_have_the_code_of_arrays() {
    for (keys, item) in items("f32", 16).into_iter().filter(|(_, item)| !item.contains("out[1]")) {
        let both = [sources(keys, &item), sources(keys, &given("f32", &item))];
        assert_eq!(both[0].len(), both[1].len());
        let [arrays, blocks] = both.map(|all| {
            let resources = |text: &str| functions("f", text, OPTIONS, 90).unwrap();
            all.iter().map(|each| format!("{:?}", resources(&each.text))).collect::<Vec<_>>()
        });
        assert_eq!(arrays, blocks, "{keys}: {item}");
    }
}

/// Arrays whose width a launch gives, for each size of their blocks.
#[test]
fn sums_of_given_arrays_compile_without_spills() {
    let numbers = ["f32", "f64"].map(|ty| {
        let of_array = items(ty, 16).into_iter().filter(|(_, item)| !item.contains("out[1]"));
        of_array.map(move |(keys, item)| (keys, given(ty, &item)))
    });
    let all: Vec<_> = numbers.into_iter().flatten().collect();
    let first = "#define TD_ARRAY_WIDTH 16\n";
    all.par_iter().check_each(|(keys, item)| {
        for source in sources(keys, item) {
            assert!(source.text.contains(first), "{}", source.text);
            for width in [4, 8, 16] {
                let text = source.text.replace(first, &format!("#define TD_ARRAY_WIDTH {width}\n"));
                compiles_for(&format!("{keys}, {width}: {item}"), &text, &[80, 90]);
            }
        }
    });
}

/// A kernel matrix over features times the columns of `v`, by folds of so many floats.
fn items_of_folds(ty: &str, width: u32, folds: usize) -> Vec<(&'static str, String)> {
    let array = format!("[{ty}; {width}]");
    let all = || 0..folds;
    let fold: Vec<_> = all().map(|k| format!("#[fold] s{k}: f32")).collect();
    let feature: Vec<_> = all().map(|k| format!("s{k} += d * (d + {k});")).collect();
    let sum: Vec<_> = all().map(|k| format!("s{k}")).collect();
    let (fold, feature, sum) = (fold.join(", "), feature.join(" "), sum.join(" + "));
    let of_two = "#[row] p: &Features<f32>, #[column] q: &Features<f32>";
    let item = |features: &str, arrays: &str, difference: &str, terms: &str| {
        format!(
            "unsafe fn f({features}, {fold}, {arrays}) {{ let feature = r#\" float d = {difference}; {feature} \"#; let pair = r#\" float w = expf(-({sum})); {terms} \"#; }}"
        )
    };
    let each = item(
        "#[each] p: &Features<f32>",
        &format!("#[each] v: &[{array}], #[each] out: &mut Sums<{array}>"),
        "p.i - p.j",
        "out.i += w * v.j; out.j += w * v.i;",
    );
    let rows = format!("#[column] v: &[{array}], #[row] out: &mut Sums<{array}>");
    let columns = format!("#[row] v: &[{array}], #[column] out: &mut Sums<{array}>");
    vec![
        ("", each.clone()),
        ("diagonal = true", each.clone()),
        ("deterministic = true", each),
        ("", item(of_two, &rows, "p - q", "out += w * v;")),
        ("", item(of_two, &columns, "p - q", "out -= w * v; out[1] += w;")),
    ]
}

#[test]
fn sums_of_arrays_over_features_compile_without_spills() {
    let widths = [("f32", 5), ("f32", 16), ("f32", 32), ("f32", 64), ("f64", 8), ("f64", 32)];
    let folds = |(ty, width)| [1, 4, 16].map(|folds| items_of_folds(ty, width, folds));
    let all: Vec<_> = widths.into_iter().flat_map(folds).flatten().collect();
    all.par_iter().enumerate().check_each(|(turn, (keys, item))| {
        let of_turn = by_turns(turn);
        for source in sources(keys, item) {
            compiles_for(&format!("{keys}: {item}"), &source.text, &of_turn);
        }
    });
}

/// Products on tensor cores times the columns of `v`.
#[test]
fn sums_of_arrays_by_products_compile_without_spills() {
    let of_one = "#[each] p: &Features<f32>, #[dot] dot: f32, #[each] norm: &[f32]";
    let of_two = "#[row] p: &Features<f32>, #[column] q: &Features<f32>, #[dot] dot: f32";
    let each = "#[each] v: &[A], #[each] out: &mut Sums<A>| float w = expf(2 * dot - norm.i - norm.j); out.i += w * v.j; out.j += w * v.i;";
    let row = "#[column] v: &[A], #[row] out: &mut Sums<A>| out += expf(dot) * v;";
    let column = "#[row] v: &[A], #[column] out: &mut Sums<A>| out += expf(dot) * v;";
    let cases = [
        ("", of_one, each, "[f32; 5]"),
        ("diagonal = true", of_one, each, "[f32; 6]"),
        ("", of_two, row, "[f32; 5]"),
        ("", of_two, row, "[f32; 12]"),
        ("", of_two, row, "[f64; 6]"),
        ("", of_two, column, "[f32; 12]"),
        ("", of_two, column, "[f64; 6]"),
    ];
    let known = nvrtc::architectures().unwrap();
    let with_tensor_cores: Vec<_> =
        [80, 86, 90, 100, 120].into_iter().filter(|each| known.contains(each)).collect();
    cases.par_iter().check_each(|(keys, features, arrays, array)| {
        let (arrays, body) = arrays.split_once("| ").unwrap();
        let arrays = arrays.replace('A', array);
        let item = format!("unsafe fn f({features}, {arrays}) {{ r#\" {body} \"# }}");
        let sources = sources(keys, &item);
        let (products, folds): (Vec<_>, Vec<_>) =
            sources.iter().partition(|each| each.text.contains("f_prepare("));
        assert!(products.len() == 1 && !folds.is_empty(), "{item}");
        compiles_for(&format!("{keys}: {item}"), &products[0].text, &with_tensor_cores);
        for (fold, architecture) in folds.iter().zip(architectures()) {
            compiles_for(&format!("{keys}: {item}"), &fold.text, &[architecture]);
        }
    });
}
