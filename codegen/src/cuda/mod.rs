//! The CUDA text of a kernel: four slots around the user's body, one module a slot.
//!
//! ```text
//! prologue   λ -> (row, col) of the block: the map's own text, from td-kernel-maps
//! stage      the block's #[each] elements -> shared memory          sweep/stage.rs
//! sweep      the block's pairs; the diagonal filter                 sweep/classic.rs, columns.rs, rows.rs, mirror.rs
//!   pair     the user's body, a function, with #line back to it     pair.rs
//!   store    Packed and Square: store.rs; Sum and Pairs             sum.rs
//! epilogue   flush the sums                                         sum.rs
//! ```

mod helpers;
mod pair;
mod signature;
pub(crate) mod store;
mod sum;
mod sweep;
pub(crate) mod twin;
pub(crate) mod types;

use td_kernel_maps::{Prologue, Space, Walking};

use crate::model::{Kernel, Kind, Sweep, Variant};

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
    let Prologue { open, walk, .. } = prologue(kernel);
    let sweep::Text { indices, kept, stage, pairs } = sweep::text(kernel);
    let (sums, flush) = (sum::sums(kernel), sum::flush(kernel));
    // A blank line before the thread's pair; what follows begins with its own.
    let gap = if indices.is_empty() { "" } else { "\n" };
    match walk {
        None => format!("{open}{gap}{indices}{stage}{sums}{pairs}{flush}"),
        // The sums go on over all blocks of the walk, and what is staged is used up before the next.
        Some(Walking { close, .. }) => {
            let block = indent(&format!("{indices}{stage}{pairs}"));
            let block = if indices.is_empty() { block.trim_start_matches('\n') } else { &block };
            let outlasting = format!("{}{kept}", sums.trim_start_matches('\n'));
            let gap = if outlasting.is_empty() { "" } else { "\n" };
            let is_shared = !stage.is_empty() || pairs.contains("__shared__");
            let barrier = if !is_shared { "\n" } else { "        __syncthreads();\n\n" };
            format!("{outlasting}{gap}{open}{block}{barrier}{close}{flush}")
        }
    }
}

/// The lines, one step further in, but for directives, which stand at the margin.
fn indent(text: &str) -> String {
    let stays = |line: &str| line.is_empty() || line.starts_with('#');
    let line = |line: &str| if stays(line) { format!("{line}\n") } else { format!("    {line}\n") };
    text.lines().map(line).collect()
}

/// What the kernel is, for a reader who opens its text.
fn title(kernel: &Kernel) -> String {
    let options = &kernel.options;
    let pairs = if options.diagonal { "i >= j" } else { "i > j" };
    let block = options.block;
    let Variant { map, linear, sweep, tile, .. } = options.variant;
    let threads = options.threads().iter().product::<u32>();
    let work = match sweep {
        Sweep::Classic => "one thread a pair".to_owned(),
        Sweep::Columns => {
            let tile = if threads > 32 { "a quarter of a tile" } else { "a tile" };
            match sweep::rows_of_thread(kernel) {
                1 => format!("each thread a row of {tile}"),
                rows => format!("each thread {rows} rows of {tile}"),
            }
        }
        Sweep::Rows if kernel.has(Kind::Square) => {
            "threads along the rows of a tile, in both halves of the square".to_owned()
        }
        Sweep::Rows => "threads along the rows of a tile".to_owned(),
        Sweep::Mirror => "each pair once, for both halves of the square".to_owned(),
    };
    let shape = match options.threads() {
        [x, 1] => x.to_string(),
        [x, y] => format!("{x} x {y}"),
    };
    let blocks = match sweep {
        Sweep::Classic => format!("blocks of {block} x {block} threads"),
        _ => format!("tiles of {tile} x {tile} elements, blocks of {shape} threads"),
    };
    let root = match map.takes_root() {
        true => format!("; root {}", options.root),
        false => String::new(),
    };
    let units = match (options.space, linear) {
        (Space::Thread, _) => " in thread space",
        (Space::Block, true) => " on a linear grid",
        (Space::Block, false) => "",
    };
    // Which product a compiler fuses with an addition depends on the loops around a pair, and these on n and on
    // the half of the square: without fusing, a pair has the same bits in both halves, at every n.
    let option = match kernel.has(Kind::Square) {
        true => "// NVRTC option: --fmad=false\n",
        false => "",
    };
    format!(
        "// {name}: the pairs {pairs} of n elements, {work}.\n\
         // Map {map}: {summary}{units}{root}; {blocks}.\n{option}",
        name = kernel.plain_name(),
        map = map.name(),
        summary = map.summary(),
    )
}

fn prologue(kernel: &Kernel) -> Prologue {
    kernel.options.variant.map.prologue(&kernel.options.form())
}

/// The C++ name of the kernel function.
pub(crate) fn entry(kernel: &Kernel) -> String {
    format!("{}_kernel", kernel.plain_name())
}
