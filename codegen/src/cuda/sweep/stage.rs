//! The stage: a block's `#[each]` elements, read once from global memory into shared memory.

use std::fmt::Write as _;

use td_kernel_maps::Space;

use super::super::{indent, prologue};
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
    let is_new = is_new_row(kernel).map(|is_new| format!(" && ({is_new})")).unwrap_or_default();
    let _ = write!(
        text,
        "    if (threadIdx.y == 0 && row * {block} + threadIdx.x < n{is_new}){open}\n{rows}{close}    \
         if (threadIdx.y == 1 && j < n){open}\n{columns}{close}    __syncthreads();\n"
    );
    text
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
    // Where they are staged, for the elements of a row and for those of a column: as they are, and with some before.
    let (mut plain, mut shifted) = (Lines::default(), Lines::default());
    // Writing to a String cannot fail.
    for (name, cuda) in &names {
        let mut stage = |lines: &str, line: &str, places: &str, place: &str| {
            let _ = write!(
                text,
                "    __shared__ {cuda} {name}_{lines}[{tile}];\n    __shared__ td_columns<{cuda}, {}> {name}_{places};\n",
                tile + before
            );
            let _ = writeln!(
                plain.of(line),
                "        {name}_{lines}[place] = {name}_all[min({line} * {tile} + place, n - 1)];"
            );
            let _ = writeln!(
                shifted.of(place),
                "        {name}_{places}.put(place, {name}_all[min(max({place} * {tile} + place, {before}u) - {before}, n - 1)]);"
            );
        };
        stage("rows", "row", "cols", "col");
        if is_square {
            stage("cols_above", "col", "rows_above", "row");
        }
    }
    let places = [(tile, plain), (tile + before, shifted)]
        .map(|(count, lines)| lines.over(kernel, count, threads));
    text + &staged_in_order(kernel, &places) + "    __syncthreads();\n"
}

/// Statements that stage an element, by whether it is one of the tile's rows or of its columns.
#[derive(Default)]
struct Lines {
    rows: String,
    columns: String,
}

impl Lines {
    fn of(&mut self, index: &str) -> &mut String {
        if index == "row" { &mut self.rows } else { &mut self.columns }
    }

    /// The statements for each of `count` places: those of rows by themselves where a block walks along them.
    fn over(self, kernel: &Kernel, count: u32, threads: u32) -> [String; 2] {
        let over = |statements: &str| match statements.lines().count() {
            0 => String::new(),
            lines => over_places(kernel, count, threads, statements, lines > 1),
        };
        match is_new_row(kernel) {
            Some(_) => [over(&self.rows), over(&self.columns)],
            None => [String::new(), over(&(self.rows + &self.columns))],
        }
    }
}

/// The loops over places, those of rows first, where the row is a new one.
fn staged_in_order(kernel: &Kernel, places: &[[String; 2]]) -> String {
    let rows: String = places.iter().map(|[rows, _]| rows.as_str()).collect();
    let columns: String = places.iter().map(|[_, columns]| columns.as_str()).collect();
    where_new(kernel, &rows) + &columns
}

/// The condition that the block's row is another one than before, where a block walks along rows.
pub(super) fn is_new_row(kernel: &Kernel) -> Option<&'static str> {
    prologue(kernel).walk.map(|walk| walk.is_new_row)
}

/// Statements that are needed only where the row is a new one.
pub(super) fn where_new(kernel: &Kernel, statements: &str) -> String {
    match is_new_row(kernel) {
        Some(is_new) if !statements.is_empty() => {
            let (open, close) = match statements.lines().count() {
                1 => ("", ""),
                _ => (" {", "    }\n"),
            };
            format!("    if ({is_new}){open}\n{}{close}", indent(statements))
        }
        _ => statements.to_owned(),
    }
}

/// The stage of the mirror sweep, whose segments start where the tile does.
pub(super) fn mirror(kernel: &Kernel) -> String {
    let names = staged(kernel);
    if names.is_empty() {
        return String::new();
    }
    let (tile, threads) = (kernel.options.side(), kernel.options.threads().iter().product::<u32>());
    let mut text = String::from("\n    // Stage the elements of the tile's rows and columns.\n");
    let mut lines = Lines::default();
    // Writing to a String cannot fail.
    for (name, cuda) in &names {
        let _ = write!(
            text,
            "    __shared__ {cuda} {name}_rows[{tile}];\n    __shared__ td_columns<{cuda}, {tile}> {name}_cols;\n"
        );
        let _ = writeln!(
            lines.rows,
            "        {name}_rows[place] = {name}_all[min(row * {tile} + place, n - 1)];"
        );
        let _ = writeln!(
            lines.columns,
            "        {name}_cols.put(place, {name}_all[min(col * {tile} + place, n - 1)]);"
        );
    }
    text + &staged_in_order(kernel, &[lines.over(kernel, tile, threads)]) + "    __syncthreads();\n"
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
pub(super) fn staged(kernel: &Kernel) -> Vec<(String, &str)> {
    kernel.of_kind(Kind::Each).map(|each| (each.plain_name(), each.cuda.name.as_str())).collect()
}
