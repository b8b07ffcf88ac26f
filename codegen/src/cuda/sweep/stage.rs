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

/// The stage of the sweep over columns: the columns' elements go to shared memory, each loaded by one
/// thread; the row's stays with its thread. A thread past the last row reads that row's element in its
/// place, and has no pairs for it.
pub(super) fn columns(kernel: &Kernel) -> String {
    let names = staged(kernel);
    if names.is_empty() {
        return String::new();
    }
    let tile = kernel.options.side();
    let mut text = String::from(
        "\n    // Stage the elements of the tile's columns; each thread keeps its row's.\n",
    );
    let mut columns = String::new();
    let mut rows = String::new();
    // Writing to a String cannot fail.
    for (name, cuda) in &names {
        let _ = writeln!(text, "    __shared__ {cuda} {name}_cols[{tile}];");
        let _ = writeln!(
            columns,
            "        {name}_cols[threadIdx.x] = {name}_all[col * {tile} + threadIdx.x];"
        );
        let _ = writeln!(rows, "    const {cuda} {name}_row = {name}_all[min(i, n - 1)];");
    }
    let (open, close) = if names.len() > 1 { (" {", "    }\n") } else { ("", "") };
    let _ = write!(
        text,
        "    if (col * {tile} + threadIdx.x < n){open}\n{columns}{close}{rows}    __syncthreads();\n"
    );
    text
}

/// The staged parameters: their names, and the types of their elements.
fn staged(kernel: &Kernel) -> Vec<(String, &str)> {
    kernel
        .parameters
        .iter()
        .filter(|each| each.kind == Kind::Each)
        .map(|each| (each.plain_name(), each.cuda.name.as_str()))
        .collect()
}
