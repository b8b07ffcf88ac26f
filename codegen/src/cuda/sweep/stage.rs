//! The stage: a block's `#[each]` elements, read once from global memory into shared memory.

use std::fmt::Write as _;

use td_kernel_maps::Space;

use crate::model::{Kernel, Kind};

/// The stage of the classic sweep; empty where no parameter is staged.
///
/// One row of threads loads the elements of the block's rows and another those of its columns, so
/// that each load is coalesced. Both are filtered, because the last block row can pass n.
pub(super) fn classic(kernel: &Kernel) -> String {
    if kernel.options.space == Space::Thread {
        // The pairs of a block lie anywhere: each thread reads its own two elements.
        return String::new();
    }
    let names = staged(kernel);
    if names.is_empty() {
        return String::new();
    }
    let block = kernel.options.block;
    let mut text = String::from("\n    // Stage the elements of the block's rows and columns.\n");
    let mut rows = String::new();
    let mut columns = String::new();
    // Writing to a String cannot fail.
    for (name, cuda) in &names {
        let _ = writeln!(text, "    __shared__ {cuda} {name}_rows[{block}];");
        let _ = writeln!(text, "    __shared__ {cuda} {name}_cols[{block}];");
        let _ = writeln!(
            rows,
            "        {name}_rows[threadIdx.x] = {name}_all[row * {block} + threadIdx.x];"
        );
        let _ = writeln!(columns, "        {name}_cols[threadIdx.x] = {name}_all[j];");
    }
    let (open, close) = if names.len() > 1 { (" {", "    }\n") } else { ("", "") };
    let _ = write!(
        text,
        "    if (threadIdx.y == 0 && row * {block} + threadIdx.x < n){open}\n{rows}{close}    \
         if (threadIdx.y == 1 && j < n){open}\n{columns}{close}    __syncthreads();\n"
    );
    text
}

/// The stage of the sweep over columns: the columns' elements go to shared memory, those of the rows
/// stay with their threads. Past the last element the last one is read in its place, and has no pairs.
pub(super) fn columns(kernel: &Kernel) -> String {
    let names = staged(kernel);
    if names.is_empty() {
        return String::new();
    }
    let (tile, width, rows) =
        (kernel.options.side(), super::width(kernel), super::columns::rows(kernel));
    let mut text = format!(
        "\n    // Stage the elements of the tile's columns; each thread keeps those of its {}.\n",
        if rows == 1 { "row".to_owned() } else { format!("{rows} rows") }
    );
    let (mut columns, mut kept) = (String::new(), String::new());
    let (own, place, indent) = match rows {
        1 => ("", "threadIdx.x".to_owned(), "    "),
        _ => ("[own]", format!("{width} * own + threadIdx.x"), "        "),
    };
    // Writing to a String cannot fail.
    for (name, cuda) in &names {
        let _ = writeln!(text, "    __shared__ {cuda} {name}_cols[{tile}];");
        let _ = writeln!(
            columns,
            "{indent}{name}_cols[{place}] = {name}_all[min(col * {tile} + {place}, n - 1)];"
        );
        let element = format!("{name}_all[min(row * {tile} + {place}, n - 1)]");
        if rows == 1 {
            let _ = writeln!(kept, "    const {cuda} {name}_row = {element};");
        } else {
            let _ = writeln!(text, "    {cuda} {name}_row[{rows}];");
            let _ = writeln!(kept, "{indent}{name}_row{own} = {element};");
        }
    }
    if rows == 1 {
        let _ = write!(text, "{columns}{kept}");
    } else {
        let _ = write!(
            text,
            "#pragma unroll\n    for (unsigned int own = 0; own < {rows}; ++own) {{\n{columns}{kept}    }}\n"
        );
    }
    text + "    __syncthreads();\n"
}

/// The stage of the sweep over rows. A segment of a row starts some columns before the tile's own,
/// so those are staged too. For the upper half of a square rows and columns change places.
pub(super) fn rows(kernel: &Kernel) -> String {
    let names = staged(kernel);
    if names.is_empty() {
        return String::new();
    }
    let (tile, threads) = (kernel.options.side(), kernel.options.threads().iter().product::<u32>());
    let is_square = kernel.has(Kind::Square);
    let before = kernel.alignment();
    let mut text = match is_square {
        true => format!(
            "\n    // Stage the elements of the tile's rows and columns, both also with the {before} before them.\n"
        ),
        false => format!(
            "\n    // Stage the elements of the tile's rows, and of its columns with the {before} before them.\n"
        ),
    };
    let (mut own, mut shifted) = (String::new(), String::new());
    // Writing to a String cannot fail.
    for (name, cuda) in &names {
        let mut stage = |lines: &str, line: &str, places: &str, place: &str| {
            let _ = write!(
                text,
                "    __shared__ {cuda} {name}_{lines}[{tile}];\n    __shared__ td_columns<{cuda}, {}> {name}_{places};\n",
                tile + before
            );
            let _ = writeln!(
                own,
                "        {name}_{lines}[place] = {name}_all[min({line} * {tile} + place, n - 1)];"
            );
            let _ = writeln!(
                shifted,
                "        {name}_{places}.put(place, {name}_all[min(max({place} * {tile} + place, {before}u) - {before}, n - 1)]);"
            );
        };
        stage("rows", "row", "cols", "col");
        if is_square {
            stage("cols_above", "col", "rows_above", "row");
        }
    }
    let several = names.len() > 1 || is_square;
    text + &over_places(kernel, tile, threads, &own, several)
        + &over_places(kernel, tile + before, threads, &shifted, several)
        + "    __syncthreads();\n"
}

/// The stage of the mirror sweep, whose segments start where the tile does.
pub(super) fn mirror(kernel: &Kernel) -> String {
    let names = staged(kernel);
    if names.is_empty() {
        return String::new();
    }
    let (tile, threads) = (kernel.options.side(), kernel.options.threads().iter().product::<u32>());
    let mut text = String::from("\n    // Stage the elements of the tile's rows and columns.\n");
    let mut stage = String::new();
    // Writing to a String cannot fail.
    for (name, cuda) in &names {
        let _ = write!(
            text,
            "    __shared__ {cuda} {name}_rows[{tile}];\n    __shared__ td_columns<{cuda}, {tile}> {name}_cols;\n"
        );
        let _ = write!(
            stage,
            "        {name}_rows[place] = {name}_all[min(row * {tile} + place, n - 1)];\n        \
             {name}_cols.put(place, {name}_all[min(col * {tile} + place, n - 1)]);\n"
        );
    }
    text + &over_places(kernel, tile, threads, &stage, true) + "    __syncthreads();\n"
}

/// `statements` for each of `places`, by all threads of the block.
fn over_places(
    kernel: &Kernel,
    places: u32,
    threads: u32,
    statements: &str,
    several: bool,
) -> String {
    let (open, close) = if several { (" {", "    }\n") } else { ("", "") };
    let thread = format!("threadIdx.y * {} + threadIdx.x", super::width(kernel));
    // A loop that runs once at most is not seen through by the compiler.
    let head = if places <= threads {
        format!("if (const unsigned int place = {thread}; place < {places})")
    } else {
        format!("for (unsigned int place = {thread}; place < {places}; place += {threads})")
    };
    format!("    {head}{open}\n{statements}{close}")
}

/// The staged parameters: their names, and the types of their elements.
fn staged(kernel: &Kernel) -> Vec<(String, &str)> {
    kernel.of_kind(Kind::Each).map(|each| (each.plain_name(), each.cuda.name.as_str())).collect()
}
