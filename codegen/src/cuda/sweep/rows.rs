//! The sweep over rows: threads lie along the rows of a tile, and each has four neighbouring columns,
//! whose values it stores at once.
//!
//! A row starts anywhere in packed memory, and a segment of it that starts in the middle of a line ends
//! in the middle of another: writing parts of lines costs twice. So the segments of a row start at multiples
//! of 32 slots, up to 31 columns before the tile's own: what a tile leaves to the next one it takes from
//! the one before. The first tile of a row starts at its first slot, the last one ends at its last.
//!
//! Of a square both halves are swept, each along its own rows: the lower one with pairs (row, column),
//! the upper one with pairs (column, row).

use std::fmt::Write as _;

use super::super::store;
use super::{Pair, height, push, unrolled, width};
use crate::model::{Kernel, Kind, Parameter};
use crate::scan;

/// The half of a square that is written; a packed triangle is a lower half.
#[derive(Clone, Copy, PartialEq)]
enum Half {
    Lower,
    Upper,
}

/// The calls of the pair function, and the stores of what they gave.
pub(super) fn pairs(kernel: &Kernel) -> String {
    if kernel.has(Kind::Square) {
        format!(
            "\n    // The half below the diagonal.\n{}\n    // The half above it: the same tile, by its columns.\n    \
             if (col < row) {{\n{}    }}\n",
            half(kernel, Half::Lower, "    "),
            half(kernel, Half::Upper, "        ")
        )
    } else {
        format!("\n{}", half(kernel, Half::Lower, "    "))
    }
}

fn half(kernel: &Kernel, half: Half, indent: &str) -> String {
    let tile = kernel.options.side();
    let condition = match half {
        Half::Lower => format!("col > 0 && col < row && (row + 1) * {tile} <= n"),
        // The tile beside the diagonal reaches across it, and the last one on to n.
        Half::Upper => format!("row > col + 1 && (row + 1) * {tile} < n"),
    };
    let aligned = store::aligned(kernel);
    format!(
        "{indent}if ({condition}{aligned}) {{\n{whole}{indent}}} else {{\n{edge}{indent}}}\n",
        whole = whole(kernel, half, &format!("{indent}    ")),
        edge = edge(kernel, half, &format!("{indent}    ")),
    )
}

/// The tile's rows and columns of memory: in the upper half they have changed places.
fn places(half: Half) -> (&'static str, &'static str) {
    match half {
        Half::Lower => ("row", "col"),
        Half::Upper => ("col", "row"),
    }
}

/// The elements of a pair, from those of its place in memory.
fn each(half: Half, at: &'static str) -> impl Fn(&str) -> String {
    move |name| match half {
        Half::Lower => format!("{{{name}_row, {name}_cols.at({at})}}"),
        Half::Upper => format!("{{{name}_rows_above.at({at}), {name}_col}}"),
    }
}

/// The element of the line, which serves all pairs that the thread has of it.
fn own(kernel: &Kernel, half: Half, indent: &str, line: &str) -> String {
    let (own, staged) = match half {
        Half::Lower => ("row", "rows"),
        Half::Upper => ("col", "cols_above"),
    };
    let element = |each: &Parameter| {
        let (name, cuda) = (each.plain_name(), &each.cuda.name);
        format!("{indent}const {cuda} {name}_{own} = {name}_{staged}[{line}];\n")
    };
    kernel.of_kind(Kind::Each).map(element).collect()
}

fn whole(kernel: &Kernel, half: Half, indent: &str) -> String {
    let (tile, height) = (kernel.options.side(), height(kernel));
    let (row, col) = places(half);
    let is_square = kernel.has(Kind::Square);
    let (start, step, next_step) = if is_square {
        let step = format!("const unsigned long long step = {height}ull * n");
        ("(unsigned long long)top * n".to_owned(), step, String::new())
    } else {
        // From the start of row i to that of row i + height are height i + more slots. Slots for 2^28
        // rows would be 2^55, so that this fits 32 bits.
        let more = height * (height - 1) / 2 + if kernel.options.diagonal { height } else { 0 };
        let step = format!("unsigned int step = {height} * top + {more}");
        let next = format!("{indent}    step += {};\n", height * height);
        (store::row_start(kernel, "top"), step, next)
    };
    let inner = format!("{indent}            ");
    let (line, column) = ("top + down", format!("{col} * {tile} + place + group + next - 32"));
    let (i, j) = match half {
        Half::Lower => (line, column.as_str()),
        Half::Upper => (column.as_str(), line),
    };
    let each = each(half, "place, group + next");
    let own = own(kernel, half, &format!("{indent}    "), "threadIdx.y + down");
    let (push_i, push_j) = (format!("({i})"), format!("({j})"));
    let pushed = push(&push_i, &push_j);
    let call =
        Pair { indent: &inner, i, j, each: &each, value: "[next]", pushed: &pushed }.text(kernel);
    let values = store::values(kernel, &format!("{indent}        "), "[4]");
    let (mut lines, mut stores, mut advance) = (String::new(), String::new(), String::new());
    for (name, cuda, slots) in store::slots(kernel) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            lines,
            "{indent}{cuda} *{name}_line = {slots} + start + {col} * {tile} + 4 * threadIdx.x;"
        );
        let _ =
            writeln!(stores, "{indent}        td_store({name}_line - skew + group, {name}_value);");
        let _ = writeln!(advance, "{indent}    {name}_line += step;");
    }
    let place = match scan::names(&call).contains("place") {
        true => format!("{indent}    const unsigned int place = 32 - skew + 4 * threadIdx.x;\n"),
        false => String::new(),
    };
    let pragma = unrolled(kernel, "#pragma unroll 2");
    let groups = unrolled(kernel, "#pragma unroll");
    format!(
        "{indent}// Whole segments: each row's starts at a multiple of 32 slots, before the tile's own first column.\n\
         {indent}const unsigned int top = {row} * {tile} + threadIdx.y;\n\
         {indent}const unsigned long long start = {start};\n\
         {lines}\
         {indent}// Of a row's start only the place among 32 slots counts from here on.\n\
         {indent}unsigned int low = start;\n\
         {indent}{step};\n\
         {pragma}{indent}for (unsigned int down = 0; down < {tile}; down += {height}) {{\n\
         {indent}    const unsigned int skew = low % 32;\n\
         {place}{own}{groups}{indent}    for (unsigned int group = 0; group < {tile}; group += {group}) {{\n\
         {values}#pragma unroll\n{indent}        for (unsigned int next = 0; next < 4; ++next) {{\n{call}{indent}        }}\n\
         {stores}{indent}    }}\n\
         {advance}\
         {indent}    low += step;\n{next_step}\
         {indent}}}\n",
        group = 4 * width(kernel),
    )
}

fn edge(kernel: &Kernel, half: Half, indent: &str) -> String {
    let (tile, width, height) = (kernel.options.side(), width(kernel), height(kernel));
    let is_square = kernel.has(Kind::Square);
    let (row, col) = places(half);
    let start = match is_square {
        true => "(unsigned long long)line * n".to_owned(),
        false => store::row_start(kernel, "line"),
    };
    // Where the segment starts and ends.
    let (first, end, comment) = match (is_square, half) {
        (false, _) => (
            format!("col > 0 ? col * {tile} - skew : 0"),
            format!(
                "col < row ? (col + 1) * {tile} - skew : line{}",
                if kernel.options.diagonal { " + 1" } else { "" }
            ),
            format!(
                "The diagonal filter: segments end with the last pair i {} j of their row, and start with the first.",
                if kernel.options.diagonal { ">=" } else { ">" }
            ),
        ),
        (true, Half::Lower) => (
            format!("col > 0 ? col * {tile} - skew : 0"),
            format!("(col + 1) * {tile} < n ? (col + 1) * {tile} - skew : n"),
            "Segments start with the first column and end with the last. On the diagonal pairs turn around."
                .into(),
        ),
        (true, Half::Upper) => (
            format!("row * {tile} - skew"),
            format!("(row + 1) * {tile} < n ? (row + 1) * {tile} - skew : n"),
            "Segments end with the last column; beside the diagonal they reach across it.".into(),
        ),
    };
    let own = own(kernel, half, &format!("{indent}    "), "down");
    let mut text = format!(
        "{indent}// {comment}\n\
         {indent}for (unsigned int down = threadIdx.y; down < {tile} && {row} * {tile} + down < n; down += {height}) {{\n\
         {indent}    const unsigned int line = {row} * {tile} + down;\n\
         {indent}    const unsigned long long start = {start};\n\
         {indent}    const unsigned int skew = start % 32;\n\
         {indent}    const unsigned int end = {end};\n\
         {own}\
         {indent}    for (unsigned int column = ({first}) + threadIdx.x; column < end; column += {width}) {{\n"
    );
    let inner = format!("{indent}        ");
    if kernel.has(Kind::Each) {
        let _ = writeln!(text, "{inner}const unsigned int place = column + 32 - {col} * {tile};");
    }
    text.push_str(&store::values(kernel, &inner, ""));
    let call = |indent: &str, half: Half, each: &dyn Fn(&str) -> String| {
        let (i, j) = match half {
            Half::Lower => ("line", "column"),
            Half::Upper => ("column", "line"),
        };
        Pair { indent, i, j, each, value: "", pushed: &push(i, j) }.text(kernel)
    };
    if is_square {
        text.push_str(&turning(kernel, half, &inner, &call));
    } else {
        text.push_str(&call(&inner, half, &each(half, "place")));
    }
    for (name, _, slots) in store::slots(kernel) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{inner}{slots}[start + column] = {name}_value;");
    }
    let _ = write!(text, "{indent}    }}\n{indent}}}\n");
    text
}

type Call<'a> = dyn Fn(&str, Half, &dyn Fn(&str) -> String) -> String + 'a;

/// Near the diagonal of a square: the pair of a place is the one with the larger index first.
fn turning(kernel: &Kernel, half: Half, indent: &str, call: &Call<'_>) -> String {
    let inner = format!("{indent}    ");
    // The arrays are those of the half; which one has row i depends on the side of the diagonal.
    let (line, column): (&str, &str) = match half {
        Half::Lower => ("_row", "_cols.at(place)"),
        Half::Upper => ("_col", "_rows_above.at(place)"),
    };
    let below = call(&inner, Half::Lower, &|name| format!("{{{name}{line}, {name}{column}}}"));
    let above = call(&inner, Half::Upper, &|name| format!("{{{name}{column}, {name}{line}}}"));
    let (at_least, diagonal) = match kernel.options.diagonal {
        true => (">=", String::new()),
        false => {
            let mut text = String::from(" else {\n");
            for each in kernel.of_kind(Kind::Square) {
                let name = each.plain_name();
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{inner}{name}_value = {name}_diagonal;");
            }
            (">", format!("{text}{indent}}}"))
        }
    };
    format!(
        "{indent}if (line {at_least} column) {{\n{below}{indent}}} else if (line < column) {{\n{above}{indent}}}{diagonal}\n"
    )
}
