//! The classic sweep: one thread, one pair, and the filter that keeps the pairs.

use std::fmt::Write as _;

use td_kernel_maps::Space;

use super::super::store;
use super::{Pair, push};
use crate::model::{Kernel, Kind};
use crate::scan;

/// The thread's pair.
pub(super) fn indices(kernel: &Kernel) -> String {
    if kernel.options.space == Space::Thread {
        // Without the diagonal, the pairs of n elements are a triangle of n - 1 rows with it.
        let i = if kernel.options.diagonal { "row" } else { "row + 1" };
        let j = match scan::names(&pairs(kernel)).contains("j") {
            true => "const unsigned int j = col;",
            false => "(void)col; // a pair's row is all that is asked for",
        };
        return format!("    const unsigned int i = {i};\n    {j}\n");
    }
    let block = kernel.options.block;
    format!(
        "    const unsigned int i = row * {block} + threadIdx.y;\n    \
         const unsigned int j = col * {block} + threadIdx.x;\n"
    )
}

/// The filtered call of the pair function, and the stores of what it gave.
pub(super) fn pairs(kernel: &Kernel) -> String {
    let pair = Pair {
        indent: "        ",
        i: "i",
        j: "j",
        each: &|name| match kernel.options.space {
            Space::Thread => format!("{{{name}_all[i], {name}_all[j]}}"),
            Space::Block => format!("{{{name}_rows[threadIdx.y], {name}_cols[threadIdx.x]}}"),
        },
        value: "",
        pushed: &push("i", "j"),
    };
    let (values, call) = (store::values(kernel, "        ", ""), pair.text(kernel));
    format!(
        "\n{}{values}{call}{}{}    }}{}\n",
        diagonal_filter(kernel),
        packed(kernel),
        square(kernel),
        diagonal(kernel)
    )
}

/// The stores into packed slots.
fn packed(kernel: &Kernel) -> String {
    let mut text = String::new();
    for each in kernel.of_kind(Kind::Packed) {
        // Writing to a String cannot fail.
        if text.is_empty() {
            let start = store::row_start(kernel, "i");
            let _ = writeln!(text, "        const unsigned long long slot = {start} + j;");
        }
        let name = each.plain_name();
        let _ = writeln!(text, "        {name}_packed[slot] = {name}_value;");
    }
    text
}

/// The stores into both halves of squares.
fn square(kernel: &Kernel) -> String {
    let mut text = String::new();
    for each in kernel.of_kind(Kind::Square) {
        let name = each.plain_name();
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "        {name}_square[(unsigned long long)i * n + j] = {name}_value;\n        \
             {name}_square[(unsigned long long)j * n + i] = {name}_value;\n"
        );
    }
    text
}

/// The diagonals of squares, where no pair has them.
fn diagonal(kernel: &Kernel) -> String {
    if kernel.options.diagonal || !kernel.has(Kind::Square) {
        return String::new();
    }
    let mut text = String::from(" else if (i == j && i < n) {\n");
    for each in kernel.of_kind(Kind::Square) {
        let name = each.plain_name();
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "        {name}_square[(unsigned long long)i * n + i] = {name}_diagonal;"
        );
    }
    text + "    }"
}

/// The diagonal filter: blocks on the diagonal hold pairs on both sides of it, and those of the last
/// row can pass n. With i inside, j is: it is no larger. In thread space the map leaves the diagonal
/// to nobody, and only spare threads are left to filter.
fn diagonal_filter(kernel: &Kernel) -> &'static str {
    if kernel.options.space == Space::Thread {
        "    // Spare threads, which only round the grid up, have no pair.\n    if (i < n) {\n"
    } else if kernel.options.diagonal {
        "    // The diagonal filter: pairs i >= j, inside the triangle.\n    if (i >= j && i < n) {\n"
    } else {
        "    // The diagonal filter: pairs i > j, inside the triangle.\n    if (i > j && i < n) {\n"
    }
}
