//! The sweep over columns: each thread keeps some rows of the tile in registers, and all of them go
//! along the columns together, whose elements come from shared memory, one for the whole warp.
//!
//! One thread has many pairs, so that starting blocks and adding up sums costs little, and an element
//! that is read serves a pair of each row. Packed slots are not for this sweep: at one time its threads
//! have the pairs of one column, whose slots lie in as many rows.

use std::fmt::Write as _;

use super::super::{signature, sum};
use super::{Pair, push, unrolled, width};
use crate::model::{Kernel, Kind, Parameter};

/// The calls of the pair function: without a filter where the whole tile is inside the triangle.
pub(super) fn pairs(kernel: &Kernel) -> String {
    let tile = kernel.options.side();
    format!(
        "{tallies}\n    if (col < row && (row + 1) * {tile} <= n) {{\n{whole}    }} else {{\n{edge}    }}\n{add}",
        tallies = sum::of_tile(kernel),
        whole = whole(kernel),
        edge = edge(kernel),
        add = sum::add_tallies(kernel),
    )
}

/// How many rows each thread has.
pub(super) fn rows(kernel: &Kernel) -> u32 {
    kernel.options.side() / width(kernel)
}

/// The row of a thread's row `own`, as C++.
fn row(kernel: &Kernel) -> String {
    let (tile, width) = (kernel.options.side(), width(kernel));
    match rows(kernel) {
        1 => format!("row * {tile} + threadIdx.x"),
        _ => format!("row * {tile} + {width} * own + threadIdx.x"),
    }
}

/// The elements of a pair of the thread's only row, or of one row in a loop over the columns.
fn each(kernel: &Kernel) -> impl Fn(&str) -> String {
    let own = if rows(kernel) == 1 { "" } else { "[own]" };
    move |name| format!("{{{name}_row{own}, {name}_cols[column]}}")
}

/// The elements of a pair in a loop over the thread's rows, which `columns` begins.
fn each_row(kernel: &Kernel) -> impl Fn(&str) -> String {
    let several = rows(kernel) > 1;
    move |name| match several {
        true => format!("{{{name}_row[own], {name}_col}}"),
        false => format!("{{{name}_row, {name}_cols[column]}}"),
    }
}

/// The elements of a column, which serve all rows of a thread, where it has more than one.
fn column(kernel: &Kernel, indent: &str) -> String {
    if rows(kernel) == 1 {
        return String::new();
    }
    let element = |each: &Parameter| {
        let (name, cuda) = (each.plain_name(), &each.cuda.name);
        format!("{indent}const {cuda} {name}_col = {name}_cols[column];\n")
    };
    kernel.of_kind(Kind::Each).map(element).collect()
}

/// A loop over the thread's rows, where it has more than one, around `inner`, which is indented for it.
fn over_rows(
    kernel: &Kernel,
    indent: &str,
    unroll: bool,
    inner: impl Fn(&str) -> String,
) -> String {
    let rows = rows(kernel);
    if rows == 1 {
        return inner(indent);
    }
    let pragma = if unroll { "#pragma unroll\n" } else { "" };
    let inner = inner(&format!("{indent}    "));
    format!(
        "{pragma}{indent}for (unsigned int own = 0; own < {rows}; ++own) {{\n{inner}{indent}}}\n"
    )
}

/// A tile without a filter.
fn whole(kernel: &Kernel) -> String {
    let tile = kernel.options.side();
    let row = row(kernel);
    if !kernel.has(Kind::Pairs) {
        let call = over_rows(kernel, "            ", true, |indent| {
            let j = format!("col * {tile} + column");
            let each = each_row(kernel);
            let pushed = push("i", "j");
            Pair { indent, i: &row, j: &j, each: &each, value: "", pushed: &pushed }.text(kernel)
        });
        let pragma = unrolled(kernel, "#pragma unroll 16");
        let column = column(kernel, "            ");
        let partials = sum::add_partials(kernel, "            ", true);
        return format!(
            "        // All pairs of the tile are inside the triangle.\n\
             {pragma}        for (unsigned int column = 0; column < {tile}; ++column) {{\n{column}{call}{partials}        }}\n"
        );
    }
    // Pushing would send the threads of a warp different ways: what is found is noted in bits, and
    // appended for 32 columns at once.
    let rows = rows(kernel);
    let own = if rows == 1 { "[0]" } else { "[own]" };
    let call = over_rows(kernel, "                ", true, |indent| {
        let j = format!("col * {tile} + column");
        let each = each_row(kernel);
        let pushed = |name: &str| format!("{name}_found{own} |= 1u << (column - begin);");
        Pair { indent, i: &row, j: &j, each: &each, value: "", pushed: &pushed }.text(kernel)
    });
    let (mut found, mut append) = (String::new(), String::new());
    let width = width(kernel);
    for each in kernel.of_kind(Kind::Pairs) {
        let name = each.plain_name();
        // Writing to a String cannot fail.
        let _ = writeln!(found, "            unsigned int {name}_found[{rows}] = {{}};");
        let _ = writeln!(
            append,
            "            td_append({name}_pairs, {name}_found, row * {tile} + threadIdx.x, {width}, col * {tile} + begin);"
        );
    }
    let pragma = unrolled(kernel, "#pragma unroll");
    let column = column(kernel, "                ");
    let partials = sum::add_partials(kernel, "                ", true);
    format!(
        "        // All pairs of the tile are inside the triangle. Those found are noted, 32 columns at a time.\n\
        #pragma unroll 1\n        for (unsigned int begin = 0; begin < {tile}; begin += 32) {{\n{found}\
         {pragma}            for (unsigned int column = begin; column < begin + 32; ++column) {{\n{column}{call}{partials}            }}\n{append}        }}\n"
    )
}

/// A tile on the diagonal, or of the last row.
fn edge(kernel: &Kernel) -> String {
    let tile = kernel.options.side();
    let (pairs, below) = if kernel.options.diagonal {
        ("i >= j", format!("i - col * {tile} + 1"))
    } else {
        ("i > j", format!("i - col * {tile}"))
    };
    let row = row(kernel);
    let uses_j = kernel.has(Kind::Pairs) || signature::indices(kernel).contains(&"j");
    let loops = over_rows(kernel, "        ", false, |indent| {
        let inner = format!("{indent}    ");
        let j = if uses_j {
            format!("{inner}const unsigned int j = col * {tile} + column;\n")
        } else {
            String::new()
        };
        let each = each(kernel);
        let pushed = push("i", "j");
        let pair = Pair { indent: &inner, i: "i", j: "j", each: &each, value: "", pushed: &pushed };
        format!(
            "{indent}const unsigned int i = {row};\n\
             {indent}const unsigned int columns = i < n ? min({below}, {tile}u) : 0;\n\
             #pragma unroll 1\n{indent}for (unsigned int column = 0; column < columns; ++column) {{\n{j}{call}{partials}{indent}}}\n",
            call = pair.text(kernel),
            partials = sum::add_partials(kernel, &inner, false)
        )
    });
    // The rows are in registers, which have no numbers that a loop could count.
    let loops = match rows(kernel) {
        1 => loops,
        _ => format!("#pragma unroll\n{loops}"),
    };
    format!(
        "        // The diagonal filter: for each row the columns of pairs {pairs}, inside the triangle.\n{loops}"
    )
}
