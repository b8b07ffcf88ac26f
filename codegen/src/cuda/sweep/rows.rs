//! The sweep over rows: threads lie along the rows of a tile, and each has some columns, whose elements it
//! keeps for all of its rows, and whose values it stores together.
//!
//! A row starts anywhere in packed memory, and a segment of it that starts in the middle of a sector ends
//! in the middle of another: writing parts of sectors costs twice. So the segments of a row start at
//! multiples of a few slots, up to so many columns before the tile's own: what a tile leaves to the next one
//! it takes from the one before. The first tile of a row starts at its first slot, the last one ends at its last.
//!
//! Of a square both halves are swept, each along its own rows: the lower one with pairs (row, column),
//! the upper one with pairs (column, row).

use std::fmt::Write as _;

use super::super::store;
use super::{Pair, height, push, unrolled, width};
use crate::model::{Kernel, Kind, Parameter, Stores};
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
            "{}\n    // The half below the diagonal.\n{}\n    // The half above it: the same tile, by its columns.\n    \
             if (col < row) {{\n{}    }}\n",
            store::segments(kernel),
            half(kernel, Half::Lower, "    "),
            half(kernel, Half::Upper, "        ")
        )
    } else {
        format!("{}\n{}", store::segments(kernel), half(kernel, Half::Lower, "    "))
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
        "{indent}if ({condition}{aligned}) {{\n{interior}{indent}}} else {{\n{boundary}{indent}}}\n",
        interior = interior(kernel, half, &format!("{indent}    ")),
        boundary = boundary(kernel, half, &format!("{indent}    ")),
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

fn interior(kernel: &Kernel, half: Half, indent: &str) -> String {
    let Stores { columns, neighbours, unroll, .. } = kernel.options.variant.stores;
    let (tile, height, alignment) = (kernel.options.side(), height(kernel), kernel.alignment());
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
    // The neighbours of a thread, and around them its groups of neighbours where it has more than one.
    let (group, place) = (neighbours * width(kernel), "place");
    let has_groups = columns > neighbours;
    let groups = |indent: &str| match has_groups {
        true => format!(
            "#pragma unroll\n{indent}for (unsigned int group = 0; group < {tile}; group += {group}) {{\n"
        ),
        false => String::new(),
    };
    let close = |indent: &str| if has_groups { format!("{indent}}}\n") } else { String::new() };
    let (next, kept, plus_group) = match has_groups {
        true => ("group + next", format!("group / {} + next", width(kernel)), " + group"),
        false => ("next", "next".to_owned(), ""),
    };
    let deeper =
        |indent: &str| if has_groups { format!("{indent}    ") } else { indent.to_owned() };

    // What a thread keeps of its columns.
    let mut columns_kept = String::new();
    if kernel.of_kind(Kind::Each).any(Parameter::is_kept) {
        let inner = deeper(indent);
        let (mut arrays, mut loads) = (String::new(), String::new());
        for each in kernel.of_kind(Kind::Each).filter(|each| each.is_kept()) {
            let (name, cuda) = (each.plain_name(), &each.cuda.name);
            let (array, staged) = across(half);
            // Writing to a String cannot fail.
            let _ = writeln!(arrays, "{indent}{cuda} {name}_{array}[{columns}];");
            let _ = writeln!(
                loads,
                "{inner}    {name}_{array}[{kept}] = {name}_{staged}.at({place}, {next});"
            );
        }
        let several = loads.lines().count() > 1;
        let (brace, end) =
            if several { (" {", format!("{inner}}}\n")) } else { ("", String::new()) };
        columns_kept = format!(
            "{arrays}{open}#pragma unroll\n{inner}for (unsigned int next = 0; next < {neighbours}; ++next){brace}\n{loads}{end}{close}",
            open = groups(indent),
            close = close(indent),
        );
    }

    let inner = deeper(&format!("{indent}    "));
    let call_indent = format!("{inner}    ");
    let line = "top + down";
    let column = format!("{col} * {tile} + {place}{plus_group} + next - {alignment}");
    let (i, j) = match half {
        Half::Lower => (line, column.as_str()),
        Half::Upper => (column.as_str(), line),
    };
    let each = |name: &str| {
        let is_kept =
            kernel.of_kind(Kind::Each).any(|each| each.plain_name() == name && each.is_kept());
        let (array, staged) = across(half);
        let across = match is_kept {
            true => format!("{name}_{array}[{kept}]"),
            false => format!("{name}_{staged}.at({place}, {next})"),
        };
        match half {
            Half::Lower => format!("{{{name}_row, {across}}}"),
            Half::Upper => format!("{{{across}, {name}_col}}"),
        }
    };
    let own = own(kernel, half, &format!("{indent}    "), "threadIdx.y + down");
    let (push_i, push_j) = (format!("({i})"), format!("({j})"));
    let pushed = push(&push_i, &push_j);
    let call = Pair { indent: &call_indent, i, j, each: &each, value: "[next]", pushed: &pushed }
        .text(kernel);
    let values = store::values(kernel, &inner, &format!("[{neighbours}]"));
    let (mut lines, mut stores, mut advance) = (String::new(), String::new(), String::new());
    for slot in store::slots(kernel) {
        let store::Slot { name, cuda, memory, .. } = &slot;
        // Writing to a String cannot fail.
        let _ = writeln!(
            lines,
            "{indent}{cuda} *{name}_line = {memory} + start - skew + {col} * {tile}{};",
            store::own_place(kernel, &slot)
        );
        let _ =
            writeln!(stores, "{inner}{}", store::store(&slot, &format!("{name}_line{plus_group}")));
        let _ = writeln!(advance, "{indent}    {name}_line += step;");
    }
    let place = match scan::names(&format!("{columns_kept}{call}")).contains("place") {
        true => format!(
            "{indent}const unsigned int place = {alignment} - skew + {neighbours} * threadIdx.x;\n"
        ),
        false => String::new(),
    };
    let unrolled = unrolled(kernel, &format!("#pragma unroll {unroll}"));
    format!(
        "{indent}// An interior tile. The segments of its rows start at multiples of {alignment} slots, before the tile's own first\n\
         {indent}// column. From a row of the thread to its next, the start grows by such a multiple: the skew is the same for all.\n\
         {indent}const unsigned int top = {row} * {tile} + threadIdx.y;\n\
         {indent}const unsigned long long start = {start};\n\
         {indent}const unsigned int skew = start % {alignment};\n\
         {place}{columns_kept}{lines}\
         {indent}{step};\n\
         {unrolled}{indent}for (unsigned int down = 0; down < {tile}; down += {height}) {{\n\
         {own}{open}{values}#pragma unroll\n{inner}for (unsigned int next = 0; next < {neighbours}; ++next) {{\n{call}{inner}}}\n\
         {stores}{close}\
         {advance}{next_step}\
         {indent}}}\n",
        open = groups(&format!("{indent}    ")),
        close = close(&format!("{indent}    ")),
    )
}

/// The array of the elements that a thread keeps along its rows, and where they are staged.
fn across(half: Half) -> (&'static str, &'static str) {
    match half {
        Half::Lower => ("col", "cols"),
        Half::Upper => ("row", "rows_above"),
    }
}

fn boundary(kernel: &Kernel, half: Half, indent: &str) -> String {
    let (tile, width, height) = (kernel.options.side(), width(kernel), height(kernel));
    let alignment = kernel.alignment();
    let is_square = kernel.has(Kind::Square);
    let (row, col) = places(half);
    let start = match is_square {
        true => "(unsigned long long)line * n".to_owned(),
        false => store::row_start(kernel, "line"),
    };
    // Where the segment starts and ends.
    let (first, end, comment) = match (is_square, half) {
        (false, _) => (
            format!("(col > 0 ? col * {tile} - skew : 0)"),
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
            format!("(col > 0 ? col * {tile} - skew : 0)"),
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
         {indent}    const unsigned int skew = start % {alignment};\n\
         {indent}    const unsigned int end = {end};\n\
         {own}\
         {indent}    for (unsigned int column = {first} + threadIdx.x; column < end; column += {width}) {{\n"
    );
    let inner = format!("{indent}        ");
    if kernel.has(Kind::Each) {
        let _ = writeln!(
            text,
            "{inner}const unsigned int place = column + {alignment} - {col} * {tile};"
        );
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
    for store::Slot { name, memory, .. } in store::slots(kernel) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{inner}{memory}[start + column] = {name}_value;");
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
