//! The CUDA text of a kernel: four slots around the user's body, one module a slot.
//!
//! ```text
//! prologue   λ -> (row, col) of the block: the map's own text, from td-kernel-maps
//! stage      the block's #[each] elements -> shared memory          sweep/stage.rs
//! sweep      the block's pairs; the diagonal filter                 sweep/classic.rs, sweep/columns.rs
//!   pair     the user's body, a function, with #line back to it     pair.rs
//!   store    Packed, Sum, Pairs                                     store.rs
//! epilogue   flush the sums                                         store.rs
//! ```

mod helpers;
mod pair;
mod signature;
mod store;
mod sweep;

use td_kernel_maps::{Prologue, Space};

use crate::model::Kernel;

/// The complete kernel. The same model always gives the same text.
pub(crate) fn source(kernel: &Kernel) -> String {
    let mut text = title(kernel);
    for helper in helpers::used(kernel) {
        text.push('\n');
        text.push_str(helper);
    }
    text.push('\n');
    pair::write(kernel, &mut text);
    text.push('\n');
    text.push_str(&signature::kernel(kernel));
    text.push_str("{\n");
    text.push_str(&body(kernel));
    text.push_str("}\n");
    text
}

/// The slots, in their order: around a block's pairs, the loop of a map that walks.
fn body(kernel: &Kernel) -> String {
    let Prologue { open, close, .. } = prologue(kernel);
    let sweep::Text { indices, stage, pairs } = sweep::text(kernel);
    let (sums, flush) = (store::sums(kernel), store::flush(kernel));
    match close {
        None => format!("{open}\n{indices}{stage}{sums}{pairs}{flush}"),
        // The sums go on over all blocks of the walk, and what is staged is used up before the next.
        Some(close) => {
            let block = indent(&format!("{indices}{stage}{pairs}"));
            let sums = sums.trim_start_matches('\n');
            let gap = if sums.is_empty() { "" } else { "\n" };
            let barrier = if stage.is_empty() { "\n" } else { "        __syncthreads();\n\n" };
            format!("{sums}{gap}{open}{block}{barrier}{close}{flush}")
        }
    }
}

/// The lines, one step further in.
fn indent(text: &str) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
    text.lines().map(line).collect()
}

/// What the kernel is, for a reader who opens its text.
fn title(kernel: &Kernel) -> String {
    let options = &kernel.options;
    let pairs = if options.diagonal { "i >= j" } else { "i > j" };
    let block = options.block;
    let (work, blocks) = match options.tile {
        None => ("one thread a pair", format!("blocks of {block} x {block} threads")),
        Some(tile) => (
            "one thread a row of a tile",
            format!("tiles of {tile} x {tile} elements, blocks of {tile} threads"),
        ),
    };
    let root = match options.map.takes_root() {
        true => format!("; root {}", options.root),
        false => String::new(),
    };
    let units = match (options.space, options.linear) {
        (Space::Thread, _) => " in thread space",
        (Space::Block, true) => " on a linear grid",
        (Space::Block, false) => "",
    };
    format!(
        "// {name}: the pairs {pairs} of n elements, {work}.\n\
         // Map {map}: {summary}{units}{root}; {blocks}.\n",
        name = kernel.plain_name(),
        map = options.map.name(),
        summary = options.map.summary(),
    )
}

fn prologue(kernel: &Kernel) -> Prologue {
    kernel.options.map.prologue(&kernel.options.form())
}

/// The C++ name of the kernel function.
pub(crate) fn entry(kernel: &Kernel) -> String {
    format!("{}_kernel", kernel.plain_name())
}
