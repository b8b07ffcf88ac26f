//! The sweep for squares that computes each pair once: a tile's values go to the lower half of the square
//! by rows, and through shared memory to the upper half by columns, so that both are written in whole lines.
//!
//! That is so where rows start at multiples of four elements. Where they do not, each value is stored by
//! itself, and the sweep over rows is faster.

use std::fmt::Write as _;

use super::super::store;
use super::{Pair, height, push, unrolled, width};
use crate::model::{Kernel, Kind};

/// The calls of the pair function, and the stores of what they gave.
pub(super) fn pairs(kernel: &Kernel) -> String {
    let tile = kernel.options.side();
    let aligned = store::aligned(kernel);
    let mut text = String::from("\n    // The tile's values, for the half above the diagonal.\n");
    for each in kernel.of_kind(Kind::Square) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "    __shared__ td_mirror<{}, {tile}> {}_tile;",
            each.cuda.name,
            each.plain_name()
        );
    }
    text + &format!(
        "    if (col < row && (row + 1) * {tile} <= n && n % 4 == 0{aligned}) {{\n{}    }} else {{\n{}    }}\n",
        whole(kernel),
        edge(kernel)
    )
}

fn whole(kernel: &Kernel) -> String {
    let (tile, height) = (kernel.options.side(), height(kernel));
    let (i, j) = (format!("row * {tile} + down"), format!("col * {tile} + 4 * threadIdx.x + next"));
    let (push_i, push_j) = (format!("({i})"), format!("({j})"));
    let pair = Pair {
        indent: "                ",
        i: &i,
        j: &j,
        each: &|name| format!("{{{name}_rows[down], {name}_cols.at(4 * threadIdx.x, next)}}"),
        value: "[next]",
        pushed: &push(&push_i, &push_j),
    };
    let call = pair.text(kernel);
    let values = store::values(kernel, "            ", "[4]");
    let (mut below, mut mirror, mut above) = (String::new(), String::new(), String::new());
    for each in kernel.of_kind(Kind::Square) {
        let name = each.plain_name();
        // Writing to a String cannot fail.
        let _ = writeln!(
            below,
            "            td_store({name}_square + (unsigned long long)(row * {tile} + down) * n + col * {tile} + 4 * threadIdx.x, {name}_value);"
        );
        let _ = writeln!(
            mirror,
            "                {name}_tile.at(4 * threadIdx.x + next, down) = {name}_value[next];"
        );
        let _ = writeln!(
            above,
            "            td_store(\n                {name}_square + (unsigned long long)(col * {tile} + down) * n + row * {tile} + 4 * threadIdx.x,\n                {name}_tile.four(down, 4 * threadIdx.x));"
        );
    }
    let pragma = unrolled(kernel, "#pragma unroll 2");
    format!(
        "        // All pairs of the tile are inside the triangle, and four neighbours are stored at once.\n\
         {pragma}        for (unsigned int down = threadIdx.y; down < {tile}; down += {height}) {{\n\
         {values}#pragma unroll\n            for (unsigned int next = 0; next < 4; ++next) {{\n{call}            }}\n{below}\
         #pragma unroll\n            for (unsigned int next = 0; next < 4; ++next) {{\n{mirror}            }}\n        }}\n        \
         __syncthreads();\n\
         #pragma unroll 2\n        for (unsigned int down = threadIdx.y; down < {tile}; down += {height}) {{\n{above}        }}\n"
    )
}

fn edge(kernel: &Kernel) -> String {
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
