//! The types of features, the numbers of elements and of features, and the items that fold them.

use td_kernel::__private::Sweep;
use td_kernel_geometry::{Root, Space};

use crate::Choice;

/// The types of features, each with the type of its fold and the `feature` body.
pub const TYPES: &[[&str; 3]] = &[
    ["f32", "f32", "const float d = p.i - p.j; s += d * d;"],
    ["f64", "f64", "s += p.i * p.j;"],
    ["i8", "i32", "s += p.i * p.j;"],
    ["u8", "u32", "s += p.i != p.j;"],
    ["i16", "i32", "s += abs(p.i - p.j);"],
    ["u16", "u32", "const int d = p.i - p.j; s = max(s, (unsigned int)(d * (k % 5)));"],
    ["i32", "i32", "s += p.i * p.j - (int)k;"],
    ["u32", "u32", "s += __popc(p.i ^ p.j);"],
    ["i64", "i64", "s += p.i * p.j;"],
    ["u64", "u32", "s += __popcll(p.i & ~p.j);"],
    ["[i8; 4]", "i32", "s = __dp4a(p.i, p.j, s);"],
    ["[u8; 4]", "u32", "s = __dp4a(p.i, p.j, s);"],
    ["f16", "f32", "s += p.i * p.j;"],
    ["half::bf16", "f32", "s += fabsf(p.i - p.j);"],
    ["[u8; 2]", "u32", "s += p.i.x * p.j.y;"],
    ["[i16; 2]", "i64", "s += p.i.x * p.j.y;"],
    ["[f32; 2]", "[f64; 2]", "s.x += (double)p.i.x * p.j.y; s.y += p.i.y - 2 * p.j.x;"],
];

/// The tiles of a kernel with one parameter of features and one fold, the largest first.
pub fn tiles([feature, fold, _]: &[&str; 3]) -> &'static [u32] {
    let has_words = ["f32", "i32", "u32", "[i8; 4]", "[u8; 4]", "[i16; 2]"].contains(feature);
    match has_words && ["f32", "i32", "u32"].contains(fold) {
        true => &[128, 64, 32],
        false => &[64, 32],
    }
}

/// The kernel over the pairs of one set.
pub fn item([feature, fold, text]: &[&str; 3]) -> String {
    format!(
        "unsafe fn types(#[each] p: &Features<{feature}>, #[fold] s: {fold}, o: &mut Packed<{fold}>) {{ let feature = r#\"{text}\"#; let pair = r#\" o = s; \"#; }}"
    )
}

/// The kernel over the pairs of two sets.
pub fn item_of_sets([feature, fold, text]: &[&str; 3]) -> String {
    let text = text.replace("p.i", "a").replace("p.j", "b");
    format!(
        "unsafe fn types(#[row] a: &Features<{feature}>, #[column] b: &Features<{feature}>, #[fold] s: {fold}, o: &mut Matrix<{fold}>) {{ let feature = r#\"{text}\"#; let pair = r#\" o = s; \"#; }}"
    )
}

/// Elements of a set, and features of each.
pub const SIZES: &[[usize; 2]] = &[
    [0, 5],
    [1, 4],
    [2, 3],
    [2, 1000],
    [31, 5],
    [33, 1000],
    [97, 64],
    [130, 4],
    [130, 127],
    [257, 1],
    [257, 31],
];

/// Rows, columns, and features of each.
pub const SIZES_OF_SETS: &[[usize; 3]] = &[
    [0, 7, 3],
    [7, 0, 3],
    [1, 1, 1],
    [5, 7, 3],
    [1, 130, 31],
    [33, 65, 64],
    [257, 2, 4],
    [33, 97, 127],
    [31, 33, 1000],
    [130, 129, 5],
];

/// The fold of a triangle, in the order of `ltm`.
pub(super) const FOLD: Choice = Choice {
    map: "ltm",
    root: Root::Exact,
    takes_root: true,
    space: Space::Block,
    linear: false,
    diagonal: false,
    block: 16,
    sweep: Sweep::Fold,
    tile: 64,
    square: false,
};
