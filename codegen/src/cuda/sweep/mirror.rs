//! The sweep for squares that computes each pair once: a tile's values go to the lower half of the square
//! by rows, and through shared memory to the upper half by columns, so that both are written in whole sectors.
//!
//! That is so where rows start at multiples of a sector. Where they do not, each value is stored by itself, and
//! the sweep over rows is faster.

use std::fmt::Write as _;

use super::super::store;
use super::{Pair, height, push, unrolled, width};
use crate::model::{Kernel, Kind, Parameter, Stores};

/// The calls of the pair function, and the stores of what they gave.
pub(super) fn pairs(kernel: &Kernel) -> String {
    let tile = kernel.options.side();
    let neighbours = kernel.options.variant.stores.neighbours;
    let (aligned, whole) = (store::aligned(kernel), whole_vectors(kernel));
    let mut text = store::segments(kernel);
    text.push_str("\n    // The tile's values, for the half above the diagonal.\n");
    for each in kernel.of_kind(Kind::Square) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "    __shared__ td_mirror<{}, {tile}, {neighbours}> {}_tile;",
            each.cuda.name,
            each.plain_name()
        );
    }
    text + &format!(
        "    if (col < row && (row + 1) * {tile} <= n{whole}{aligned}) {{\n{}    }} else {{\n{}    }}\n",
        interior(kernel),
        boundary(kernel)
    )
}

/// The condition, after others, that every row of the squares starts at a multiple of 16 bytes.
fn whole_vectors(kernel: &Kernel) -> String {
    let mut text = String::new();
    // What a multiple of more elements is, is one of fewer.
    let most = kernel
        .of_kind(Kind::Square)
        .filter_map(Parameter::size)
        .map(|bytes| 16 / gcd(16, bytes))
        .max();
    if let Some(count @ 2..) = most {
        text = format!(" && n % {count} == 0");
    }
    for each in kernel.of_kind(Kind::Square).filter(|each| each.size().is_none()) {
        // Writing to a String cannot fail.
        let _ = write!(text, " && n * sizeof({}) % 16 == 0", each.cuda.name);
    }
    text
}

/// The greatest common divisor.
fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn interior(kernel: &Kernel) -> String {
    let Stores { columns, neighbours, unroll, .. } = kernel.options.variant.stores;
    let (tile, width, height) = (kernel.options.side(), width(kernel), height(kernel));
    // Where a thread has several groups of neighbours, a loop goes over them.
    let has_groups = columns > neighbours;
    let (next, kept, plus_group) = match has_groups {
        true => ("group + next", format!("group / {width} + next"), " + group"),
        false => ("next", "next".to_owned(), ""),
    };
    let over_groups = |indent: &str, inner: &dyn Fn(&str) -> String| match has_groups {
        true => format!(
            "#pragma unroll\n{indent}for (unsigned int group = 0; group < {tile}; group += {}) {{\n{}{indent}}}\n",
            neighbours * width,
            inner(&format!("{indent}    "))
        ),
        false => inner(indent),
    };
    let over_neighbours = |indent: &str, inner: &str| {
        format!(
            "#pragma unroll\n{indent}for (unsigned int next = 0; next < {neighbours}; ++next) {{\n{inner}{indent}}}\n"
        )
    };
    let kept_elements = || kernel.of_kind(Kind::Each).filter(|each| each.is_kept());
    let mut columns_kept = String::new();
    for each in kept_elements() {
        // Writing to a String cannot fail.
        let _ = writeln!(
            columns_kept,
            "        {} {}_col[{columns}];",
            each.cuda.name,
            each.plain_name()
        );
    }
    if !columns_kept.is_empty() {
        columns_kept += &over_groups("        ", &|indent| {
            let load = |each: &Parameter| {
                let name = each.plain_name();
                format!(
                    "{indent}    {name}_col[{kept}] = {name}_cols.at({neighbours} * threadIdx.x, {next});\n"
                )
            };
            let loads: String = kept_elements().map(load).collect();
            match kept_elements().count() {
                1 => format!(
                    "#pragma unroll\n{indent}for (unsigned int next = 0; next < {neighbours}; ++next)\n{loads}"
                ),
                _ => over_neighbours(indent, &loads),
            }
        });
    }
    let (i, j) = (
        format!("row * {tile} + down"),
        format!("col * {tile} + {neighbours} * threadIdx.x{plus_group} + next"),
    );
    let (push_i, push_j) = (format!("({i})"), format!("({j})"));
    let each = |name: &str| match kept_elements().any(|each| each.plain_name() == name) {
        true => format!("{{{name}_rows[down], {name}_col[{kept}]}}"),
        false => {
            format!("{{{name}_rows[down], {name}_cols.at({neighbours} * threadIdx.x, {next})}}")
        }
    };
    let slots: Vec<_> = store::slots(kernel).collect();
    let row = over_groups("            ", &|indent| {
        let inner = format!("{indent}    ");
        let pair = Pair {
            indent: &inner,
            i: &i,
            j: &j,
            each: &each,
            value: "[next]",
            pushed: &push(&push_i, &push_j),
        };
        let (mut below, mut mirror) = (String::new(), String::new());
        for slot in &slots {
            let name = &slot.name;
            let line = format!("{name}_line{plus_group}");
            // Writing to a String cannot fail.
            let _ = writeln!(below, "{indent}{}", store::store(slot, &line));
            let _ = writeln!(
                mirror,
                "{inner}{name}_tile.at({neighbours} * threadIdx.x{plus_group} + next, down) = {name}_value[next];"
            );
        }
        format!(
            "{values}{calls}{below}{mirrored}",
            values = store::values(kernel, indent, &format!("[{neighbours}]")),
            calls = over_neighbours(indent, &pair.text(kernel)),
            mirrored = over_neighbours(indent, &mirror),
        )
    });
    let (mut below, mut next_below) = (String::new(), String::new());
    let (mut above, mut store_above, mut next_above) =
        (String::new(), String::new(), String::new());
    for slot in &slots {
        let store::Slot { name, cuda, memory, .. } = slot;
        // Writing to a String cannot fail.
        let _ = writeln!(
            below,
            "        {cuda} *{name}_line = {memory} + (unsigned long long)(row * {tile} + threadIdx.y) * n + col * {tile}{};",
            store::own_place(kernel, slot)
        );
        let _ = writeln!(next_below, "            {name}_line += step;");
        let _ = writeln!(
            above,
            "        {cuda} *{name}_upper = {memory} + (unsigned long long)(col * {tile} + threadIdx.y) * n + row * {tile};"
        );
        let _ =
            writeln!(store_above, "            {name}_tile.store<{width}>({name}_upper, down);");
        let _ = writeln!(next_above, "            {name}_upper += step;");
    }
    let pragma = unrolled(kernel, &format!("#pragma unroll {unroll}"));
    format!(
        "        // An interior tile: neighbours are stored as vectors, first below the diagonal and into the mirror.\n\
         {columns_kept}        const unsigned long long step = {height}ull * n;\n{below}\
         {pragma}        for (unsigned int down = threadIdx.y; down < {tile}; down += {height}) {{\n\
         {row}{next_below}        }}\n        \
         __syncthreads();\n        // Above it, from the mirror.\n{above}\
         #pragma unroll {unroll}\n        for (unsigned int down = threadIdx.y; down < {tile}; down += {height}) {{\n\
         {store_above}{next_above}        }}\n"
    )
}

fn boundary(kernel: &Kernel) -> String {
    let tile = kernel.options.side();
    let threads = width(kernel) * height(kernel);
    let pair = Pair {
        indent: "                ",
        i: "i",
        j: "j",
        each: &|name| format!("{{{name}_rows[down], {name}_cols.at(across)}}"),
        value: "",
        pushed: &push("i", "j"),
    };
    let (values, call) = (store::values(kernel, "                ", ""), pair.text(kernel));
    let (mut mirror, mut diagonal) = (String::new(), String::new());
    let (mut below, mut above) = (String::new(), String::new());
    for each in kernel.of_kind(Kind::Square) {
        let name = each.plain_name();
        // Writing to a String cannot fail.
        let _ = writeln!(mirror, "                {name}_tile.at(across, down) = {name}_value;");
        let _ =
            writeln!(diagonal, "                {name}_tile.at(across, down) = {name}_diagonal;");
        let _ = writeln!(
            below,
            "                {name}_square[(unsigned long long)(row * {tile} + down) * n + col * {tile} + across] = {name}_tile.at(across, down);"
        );
        let _ = writeln!(
            above,
            "                {name}_square[(unsigned long long)(col * {tile} + down) * n + row * {tile} + across] = {name}_tile.at(down, across);"
        );
    }
    let (filter, diagonal) = match kernel.options.diagonal {
        true => ("i >= j", String::new()),
        false => ("i > j", format!(" else if (i == j && i < n) {{\n{diagonal}            }}")),
    };
    format!(
        "        // The diagonal filter: pairs {filter}, inside the triangle.\n        \
         const unsigned int thread = threadIdx.y * {width} + threadIdx.x;\n        \
         for (unsigned int place = thread; place < {tile} * {tile}; place += {threads}) {{\n            \
         const unsigned int down = place / {tile}, across = place % {tile};\n            \
         const unsigned int i = row * {tile} + down, j = col * {tile} + across;\n            \
         if ({filter} && i < n) {{\n{values}{call}{mirror}            }}{diagonal}\n        }}\n        \
         __syncthreads();\n        \
         for (unsigned int place = thread; place < {tile} * {tile}; place += {threads}) {{\n            \
         const unsigned int down = place / {tile}, across = place % {tile};\n            \
         if (row * {tile} + down >= col * {tile} + across && row * {tile} + down < n) {{\n{below}            }}\n            \
         if (row * {tile} + across > col * {tile} + down && row * {tile} + across < n) {{\n{above}            }}\n        }}\n",
        width = width(kernel),
    )
}
