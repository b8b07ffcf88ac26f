//! The sweep over columns: each thread keeps some rows of a tile in registers, and all of a warp go
//! along the columns together, whose elements come from shared memory, one for the whole warp.
//!
//! One thread has many pairs, so that starting blocks and adding up sums costs little, and an element
//! that is read serves a pair of each row. Packed slots are not for this sweep: at one time its threads
//! have the pairs of one column, whose slots lie in as many rows.
//!
//! Four warps share a block and its columns, each with a quarter of the tile:
//!
//! ```text
//!           across = 2 col   2 col + 1
//! down = 2 row     warp 0      warp 1
//!    2 row + 1     warp 2      warp 3
//! ```
//!
//! so that `down` and `across` count tiles of half the side. On the diagonal, one of them has no pairs.

use std::fmt::Write as _;

use super::super::{signature, sum};
use super::{Pair, push, stage, unrolled, width};
use crate::model::{Kernel, Kind, Parameter};

/// The calls of the pair function: without a filter where the warp's whole tile is inside the triangle.
pub(super) fn pairs(kernel: &Kernel) -> String {
    let Part { side, down, across } = part(kernel);
    // One warp's tile is never above the diagonal, since no block's is.
    let otherwise = match shared(kernel) {
        true => format!(" if ({across} <= {down})"),
        false => String::new(),
    };
    format!(
        "{tallies}\n    if ({across} < {down} && ({down} + 1) * {side} <= n) {{\n{whole}    }} else{otherwise} {{\n{edge}    }}\n{add}",
        tallies = sum::of_tile(kernel),
        whole = whole(kernel),
        edge = edge(kernel),
        add = sum::add_tallies(kernel),
    )
}

/// Whether several warps share the tile.
fn shared(kernel: &Kernel) -> bool {
    kernel.options.warp_side() < kernel.options.side()
}

/// The part of the triangle that a warp covers.
struct Part {
    /// Elements per side.
    side: u32,
    /// Which one it is, counted in such parts: its row and its column.
    down: &'static str,
    across: &'static str,
}

fn part(kernel: &Kernel) -> Part {
    let side = kernel.options.warp_side();
    match shared(kernel) {
        true => Part { side, down: "down", across: "across" },
        false => Part { side, down: "row", across: "col" },
    }
}

/// Which part the thread's warp covers.
pub(super) fn indices(kernel: &Kernel) -> String {
    if !shared(kernel) {
        return String::new();
    }
    format!(
        "    // Each of the four warps has a quarter of the tile, {side} x {side} elements.\n    \
         const unsigned int down = 2 * row + threadIdx.y / 2;\n    \
         const unsigned int across = 2 * col + threadIdx.y % 2;\n",
        side = kernel.options.warp_side()
    )
}

/// How many rows each thread has.
pub(super) fn rows(kernel: &Kernel) -> u32 {
    kernel.options.warp_side() / width(kernel)
}

/// The row of a thread's row `own`, as C++.
fn row(kernel: &Kernel) -> String {
    let Part { side, down, .. } = part(kernel);
    match rows(kernel) {
        1 => format!("{down} * {side} + threadIdx.x"),
        _ => format!("{down} * {side} + {width} * own + threadIdx.x", width = width(kernel)),
    }
}

/// The stage: the columns' elements go to shared memory, those of the rows stay with their threads. Past the
/// last element the last one is read in its place, and has no pairs.
pub(super) fn stage(kernel: &Kernel) -> String {
    let names = stage::staged(kernel);
    if names.is_empty() {
        return String::new();
    }
    let (tile, side, rows) = (kernel.options.side(), kernel.options.warp_side(), rows(kernel));
    let mut text = format!(
        "\n    // Stage the elements of the tile's columns; each thread keeps those of its {}.\n",
        if rows == 1 { "row".to_owned() } else { format!("{rows} rows") }
    );
    let row = row(kernel);
    let (own, place, indent) = match rows {
        1 => ("", "threadIdx.x".to_owned(), "    "),
        _ => ("[own]", format!("{} * own + threadIdx.x", width(kernel)), "        "),
    };
    let walks = stage::is_new_row(kernel).is_some();
    let (mut declared, mut columns, mut staged, mut own_rows) =
        (String::new(), String::new(), String::new(), String::new());
    // Writing to a String cannot fail.
    for (name, cuda) in &names {
        if shared(kernel) {
            let _ = writeln!(declared, "    __shared__ {cuda} {name}_cols[2][{side}];");
            for (half, first) in [(0, String::new()), (1, format!(" + {side}"))] {
                let _ = writeln!(
                    columns,
                    "        {name}_cols[{half}][thread] = {name}_all[min(col * {tile}{first} + thread, n - 1)];"
                );
            }
        } else {
            let _ = writeln!(declared, "    __shared__ {cuda} {name}_cols[{side}];");
            let _ = writeln!(
                staged,
                "{indent}{name}_cols[{place}] = {name}_all[min(col * {side} + {place}, n - 1)];"
            );
        }
        let element = format!("{name}_all[min({row}, n - 1)]");
        if rows > 1 && !walks {
            let _ = writeln!(declared, "    {cuda} {name}_row[{rows}];");
        }
        let declaration =
            if rows == 1 && !walks { format!("const {cuda} ") } else { String::new() };
        let _ = writeln!(own_rows, "{indent}{declaration}{name}_row{own} = {element};");
    }
    text += &declared;
    if shared(kernel) {
        text += "    const unsigned int thread = threadIdx.y * 32 + threadIdx.x;\n";
        let threads: u32 = kernel.options.threads().iter().product();
        text += &match side < threads {
            true => format!("    if (thread < {side}) {{\n{columns}    }}\n"),
            false => columns.replace("        ", "    "),
        };
    }
    let over_rows = |statements: &str| match rows {
        2.. if !statements.is_empty() => {
            let several = statements.lines().count() > 1;
            let (open, close) = if several { (" {", "    }\n") } else { ("", "") };
            format!(
                "#pragma unroll\n    for (unsigned int own = 0; own < {rows}; ++own){open}\n{statements}{close}"
            )
        }
        _ => statements.to_owned(),
    };
    text += &match walks {
        true => over_rows(&staged) + &stage::where_new(kernel, &over_rows(&own_rows)),
        false => over_rows(&(staged + &own_rows)),
    };
    text + "    __syncthreads();\n"
}

/// The elements of the thread's rows, declared where they outlast a tile: before the loop of a block that walks.
pub(super) fn kept(kernel: &Kernel) -> String {
    if stage::is_new_row(kernel).is_none() {
        return String::new();
    }
    let count = match rows(kernel) {
        1 => String::new(),
        rows => format!("[{rows}]"),
    };
    let names = stage::staged(kernel);
    names.iter().map(|(name, cuda)| format!("    {cuda} {name}_row{count};\n")).collect()
}

/// The element of a column of the warp's, as C++.
fn element(kernel: &Kernel, name: &str) -> String {
    match shared(kernel) {
        true => format!("{name}_cols[threadIdx.y % 2][column]"),
        false => format!("{name}_cols[column]"),
    }
}

/// The elements of a pair of the thread's only row, or of one row in a loop over the columns.
fn each(kernel: &Kernel) -> impl Fn(&str) -> String {
    let own = if rows(kernel) == 1 { "" } else { "[own]" };
    move |name| format!("{{{name}_row{own}, {}}}", element(kernel, name))
}

/// The elements of a pair in a loop over the thread's rows, which `columns` begins.
fn each_row(kernel: &Kernel) -> impl Fn(&str) -> String {
    let several = rows(kernel) > 1;
    move |name| match several {
        true => format!("{{{name}_row[own], {name}_col}}"),
        false => format!("{{{name}_row, {}}}", element(kernel, name)),
    }
}

/// The elements of a column, which serve all rows of a thread, where it has more than one.
fn column(kernel: &Kernel, indent: &str) -> String {
    if rows(kernel) == 1 {
        return String::new();
    }
    let element = |each: &Parameter| {
        let (name, cuda) = (each.plain_name(), &each.cuda.name);
        format!("{indent}const {cuda} {name}_col = {};\n", element(kernel, &name))
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
    let Part { side, across, .. } = part(kernel);
    let row = row(kernel);
    if !kernel.has(Kind::Pairs) {
        let call = over_rows(kernel, "            ", true, |indent| {
            let j = format!("{across} * {side} + column");
            let each = each_row(kernel);
            let pushed = push("i", "j");
            Pair { indent, i: &row, j: &j, each: &each, value: "", pushed: &pushed }.text(kernel)
        });
        let pragma = unrolled(kernel, "#pragma unroll 16");
        let column = column(kernel, "            ");
        let partials = sum::add_partials(kernel, "            ", true);
        return format!(
            "        // All pairs of the tile are inside the triangle.\n\
             {pragma}        for (unsigned int column = 0; column < {side}; ++column) {{\n{column}{call}{partials}        }}\n"
        );
    }
    // Pushing would send the threads of a warp different ways: what is found is noted in bits, and
    // appended for 32 columns at once.
    let rows = rows(kernel);
    let own = if rows == 1 { "[0]" } else { "[own]" };
    let call = over_rows(kernel, "                ", true, |indent| {
        let j = format!("{across} * {side} + column");
        let each = each_row(kernel);
        let pushed = |name: &str| format!("{name}_found{own} |= 1u << (column - begin);");
        Pair { indent, i: &row, j: &j, each: &each, value: "", pushed: &pushed }.text(kernel)
    });
    let (mut found, mut append) = (String::new(), String::new());
    let (width, down) = (width(kernel), part(kernel).down);
    for each in kernel.of_kind(Kind::Pairs) {
        let name = each.plain_name();
        // Writing to a String cannot fail.
        let _ = writeln!(found, "            unsigned int {name}_found[{rows}] = {{}};");
        let _ = writeln!(
            append,
            "            td_append({name}_pairs, {name}_found, {down} * {side} + threadIdx.x, {width}, {across} * {side} + begin);"
        );
    }
    let pragma = unrolled(kernel, "#pragma unroll");
    let column = column(kernel, "                ");
    let partials = sum::add_partials(kernel, "                ", true);
    format!(
        "        // All pairs of the tile are inside the triangle. Those found are noted, 32 columns at a time.\n\
        #pragma unroll 1\n        for (unsigned int begin = 0; begin < {side}; begin += 32) {{\n{found}\
         {pragma}            for (unsigned int column = begin; column < begin + 32; ++column) {{\n{column}{call}{partials}            }}\n{append}        }}\n"
    )
}

/// A tile on the diagonal, or of the last row.
fn edge(kernel: &Kernel) -> String {
    let Part { side, across, .. } = part(kernel);
    let (pairs, below) = if kernel.options.diagonal {
        ("i >= j", format!("i - {across} * {side} + 1"))
    } else {
        ("i > j", format!("i - {across} * {side}"))
    };
    let row = row(kernel);
    let uses_j = kernel.has(Kind::Pairs) || signature::indices(kernel).contains(&"j");
    let loops = over_rows(kernel, "        ", false, |indent| {
        let inner = format!("{indent}    ");
        let j = if uses_j {
            format!("{inner}const unsigned int j = {across} * {side} + column;\n")
        } else {
            String::new()
        };
        let each = each(kernel);
        let pushed = push("i", "j");
        let pair = Pair { indent: &inner, i: "i", j: "j", each: &each, value: "", pushed: &pushed };
        format!(
            "{indent}const unsigned int i = {row};\n\
             {indent}const unsigned int columns = i < n ? min({below}, {side}u) : 0;\n\
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
