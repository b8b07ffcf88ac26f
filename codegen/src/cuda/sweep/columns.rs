//! The sweep over columns: each thread keeps some rows of a tile in registers, and all of a warp go
//! along the columns together, whose elements come from shared memory, one for the whole warp.
//!
//! One thread has many pairs, so that starting blocks and adding up sums costs little, and an element
//! that is read serves a pair of each row. Packed slots are not for this sweep: at one time its threads
//! have the pairs of one column, whose slots lie in as many rows.
//!
//! Four warps share a block and its tile, each with all rows and a quarter of the columns.

use std::fmt::Write as _;

use super::super::{signature, sum};
use super::{Pair, push, stage, unrolled, width};
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

/// Whether several warps share the tile.
fn shared(kernel: &Kernel) -> bool {
    kernel.options.warp_columns() < kernel.options.side()
}

/// Which columns of the tile the thread's warp has.
pub(super) fn indices(kernel: &Kernel) -> String {
    if !shared(kernel) {
        return String::new();
    }
    let own = kernel.options.warp_columns();
    format!(
        "    // Each of the four warps has {own} columns of the tile.\n    \
         const unsigned int start = {own} * threadIdx.y;\n"
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

/// The stage: the columns' elements go to shared memory, those of the rows stay with their threads. Past the
/// last element the last one is read in its place, and has no pairs.
pub(super) fn stage(kernel: &Kernel) -> String {
    let names = stage::staged(kernel);
    if names.is_empty() {
        return String::new();
    }
    let (tile, rows) = (kernel.options.side(), rows(kernel));
    let mut text = format!(
        "\n    // Stage the elements of the {}'s columns; each thread keeps those of its {}.\n",
        if shared(kernel) { "warp" } else { "tile" },
        if rows == 1 { "row".to_owned() } else { format!("{rows} rows") }
    );
    let (own, place) = match rows {
        1 => ("", "threadIdx.x".to_owned()),
        _ => ("[own]", format!("{} * own + threadIdx.x", width(kernel))),
    };
    let walks = stage::is_new_row(kernel).is_some();
    let (mut columns, mut staged, mut own_rows) = (Vec::new(), Vec::new(), Vec::new());
    // Writing to a String cannot fail.
    for (name, cuda) in &names {
        let _ = writeln!(text, "    __shared__ {cuda} {name}_cols[{tile}];");
        let column = |place: &str| {
            format!("{name}_cols[{place}] = {name}_all[min(col * {tile} + {place}, n - 1)];")
        };
        match shared(kernel) {
            true if kernel.options.warp_columns() <= 32 => {
                columns.push(column("start + threadIdx.x"));
            }
            true => columns.push(column("start + place + threadIdx.x")),
            false => staged.push(column(&place)),
        }
        let element = format!("{name}_all[min(row * {tile} + {place}, n - 1)]");
        if rows > 1 && !walks {
            let _ = writeln!(text, "    {cuda} {name}_row[{rows}];");
        }
        let declaration =
            if rows == 1 && !walks { format!("const {cuda} ") } else { String::new() };
        own_rows.push(format!("{declaration}{name}_row{own} = {element};"));
    }
    if shared(kernel) {
        text += &warp_stage(kernel.options.warp_columns(), &columns);
    }
    let over_rows = |statements: &[String]| match rows {
        _ if statements.is_empty() => String::new(),
        1 => lines("    ", statements),
        _ => {
            let head = format!("for (unsigned int own = 0; own < {rows}; ++own)");
            format!("#pragma unroll\n{}", block("    ", &head, statements))
        }
    };
    text += &match walks {
        true => over_rows(&staged) + &stage::where_new(kernel, &over_rows(&own_rows)),
        false => over_rows(&[staged, own_rows].concat()),
    };
    text + if shared(kernel) { "    __syncwarp();\n" } else { "    __syncthreads();\n" }
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

/// `statements` for each of a warp's columns, 32 at a time: at `place + threadIdx.x`.
fn warp_stage(columns: u32, statements: &[String]) -> String {
    let whole = columns.is_multiple_of(32);
    match columns {
        ..=32 if whole => lines("    ", statements),
        ..=32 => block("    ", &format!("if (threadIdx.x < {columns})"), statements),
        _ => {
            let head = format!("for (unsigned int place = 0; place < {columns}; place += 32)");
            let inner = match whole {
                true => statements.to_vec(),
                false => {
                    let guard = format!("if (place + threadIdx.x < {columns})");
                    vec![block("", &guard, statements).trim_end().replace('\n', "\n        ")]
                }
            };
            format!("#pragma unroll\n{}", block("    ", &head, &inner))
        }
    }
}

/// Statements, each on a line of its own.
fn lines(indent: &str, statements: &[String]) -> String {
    statements.iter().map(|each| format!("{indent}{each}\n")).collect()
}

/// A loop or a condition around statements.
fn block(indent: &str, head: &str, statements: &[String]) -> String {
    let (open, close) = match statements.len() {
        0 | 1 => (String::new(), String::new()),
        _ => (" {".to_owned(), format!("{indent}}}\n")),
    };
    format!("{indent}{head}{open}\n{}{close}", lines(&format!("{indent}    "), statements))
}

/// A column of the tile, from its place among those of the warp.
fn place(kernel: &Kernel, column: &str) -> String {
    match shared(kernel) {
        true => format!("start + {column}"),
        false => column.to_owned(),
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
        false => format!("{{{name}_row, {name}_cols[{}]}}", place(kernel, "column")),
    }
}

/// The elements of a column, which serve all rows of a thread, where it has more than one.
fn column(kernel: &Kernel, indent: &str) -> String {
    if rows(kernel) == 1 {
        return String::new();
    }
    let element = |each: &Parameter| {
        let (name, cuda) = (each.plain_name(), &each.cuda.name);
        let place = place(kernel, "column");
        format!("{indent}const {cuda} {name}_col = {name}_cols[{place}];\n")
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
    let (tile, own_columns) = (kernel.options.side(), kernel.options.warp_columns());
    let row = row(kernel);
    let rows = rows(kernel);
    let j = format!("col * {tile} + {}", place(kernel, "column"));
    if !kernel.has(Kind::Pairs) {
        let call = over_rows(kernel, "            ", true, |indent| {
            let each = each_row(kernel);
            let pushed = push("i", "j");
            Pair { indent, i: &row, j: &j, each: &each, value: "", pushed: &pushed }.text(kernel)
        });
        let pragma =
            unrolled(kernel, if rows > 4 { "#pragma unroll 8" } else { "#pragma unroll 16" });
        let column = column(kernel, "            ");
        let partials = sum::add_partials(kernel, "            ", true);
        return format!(
            "        // All pairs of the tile are inside the triangle.\n\
             {pragma}        for (unsigned int column = 0; column < {own_columns}; ++column) {{\n{column}{call}{partials}        }}\n"
        );
    }
    // Pushing would send the threads of a warp different ways: what is found is noted in bits, and
    // appended for some columns at once: as many as fit the bits, but where a thread has many rows fewer, for the
    // text is as long as its pairs are many.
    let most = if rows > 4 { 16 } else { 32 };
    let window = own_columns.min(most);
    let own = if rows == 1 { "[0]" } else { "[own]" };
    let call = over_rows(kernel, "                ", true, |indent| {
        let each = each_row(kernel);
        let pushed = |name: &str| format!("{name}_found{own} |= 1u << (column - begin);");
        Pair { indent, i: &row, j: &j, each: &each, value: "", pushed: &pushed }.text(kernel)
    });
    let (mut found, mut append) = (String::new(), String::new());
    let (width, begin) = (width(kernel), place(kernel, "begin"));
    for each in kernel.of_kind(Kind::Pairs) {
        let name = each.plain_name();
        // Writing to a String cannot fail.
        let _ = writeln!(found, "            unsigned int {name}_found[{rows}] = {{}};");
        let _ = writeln!(
            append,
            "            td_append({name}_pairs, {name}_found, row * {tile} + threadIdx.x, {width}, col * {tile} + {begin});"
        );
    }
    let pragma = unrolled(kernel, "#pragma unroll");
    let column = column(kernel, "                ");
    let partials = sum::add_partials(kernel, "                ", true);
    format!(
        "        // All pairs of the tile are inside the triangle. Those found are noted, {window} columns at a time.\n\
        #pragma unroll 1\n        for (unsigned int begin = 0; begin < {own_columns}; begin += {window}) {{\n{found}\
         {pragma}            for (unsigned int column = begin; column < begin + {window}; ++column) {{\n{column}{call}{partials}            }}\n{append}        }}\n"
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
    let (first, end) = match shared(kernel) {
        true => ("start", format!("start + {}", kernel.options.warp_columns())),
        false => ("0", format!("{tile}u")),
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
             {indent}const unsigned int columns = i < n ? min({below}, {end}) : 0;\n\
             #pragma unroll 1\n{indent}for (unsigned int column = {first}; column < columns; ++column) {{\n{j}{call}{partials}{indent}}}\n",
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
