//! Nearest neighbours within many sets.

use td_kernel_tests::source;

use super::compiles;

/// Nearest neighbours in registers, and merged by a warp, of one set and of rows.
#[test]
fn neighbours_in_sets_compile() {
    let points = |count: &str| {
        format!(
            "unsafe fn near(#[each] p: &Sets<[f32; 3]>, #[each] near: &mut Nearest<f32{count}>) {{ r#\" const float x = p.i.x - p.j.x, y = p.i.y - p.j.y, z = p.i.z - p.j.z; near.push(x * x + y * y + z * z); \"# }}"
        )
    };
    for count in [", 1", ", 10", ", 16", ", 17", ", 32", ", 33", ", 256"] {
        compiles(count, &source("", &points(count)));
    }
    for number in ["i8", "u16", "f16", "i32", "u32"] {
        let item = format!(
            "unsafe fn near(#[column] q: &Sets<f64>, #[row] v: &[[f32; 4]], #[row] near: &mut Nearest<{number}, 12>, w: &[u32], #[row] p: &Sets<u8>) {{ r#\" if (v.x < q) near.push(p + w[set] - q + i); \"# }}"
        );
        compiles(number, &source("", &item));
    }
    let text = source("", &points(""));
    for count in [8, 16, 32, 64, 128, 256] {
        let defined = format!("#define TD_NEAREST {count}");
        compiles(&defined, &text.replace("#define TD_NEAREST 16", &defined));
    }
}
