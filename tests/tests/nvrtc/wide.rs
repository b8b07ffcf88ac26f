//! Sums of arrays: what is inlined, and the code of arrays whose width a launch gives.

use rayon::prelude::*;
use td_kernel::testing::functions;
use td_kernel_tests::parallel::CheckEach;
use td_kernel_tests::sources;

use super::{OPTIONS, compiles_for};

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
