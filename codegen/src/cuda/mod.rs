//! The CUDA text of a kernel: four slots around the user's body, one module a slot.
//!
//! ```text
//! prologue   λ -> (row, col) of the block: the map's own text, from td-kernel-maps
//! stage      the block's #[each] elements -> shared memory          stage.rs
//! sweep      the block's pairs; the diagonal filter                 sweep.rs
//!   pair     the user's body, a function, with #line back to it     pair.rs
//!   store    Packed, Sum, Pairs                                     store.rs
//! epilogue   flush the sums                                         store.rs
//! ```

mod helpers;
mod pair;
mod signature;
mod stage;
mod store;
mod sweep;

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
    text.push_str(&prologue(kernel).text);
    text.push('\n');
    text.push_str(&sweep::indices(kernel));
    text.push_str(&stage::text(kernel));
    text.push_str(&store::sums(kernel));
    text.push_str(&sweep::text(kernel));
    text.push_str(&store::flush(kernel));
    text.push_str("}\n");
    text
}

/// What the kernel is, for a reader who opens its text.
fn title(kernel: &Kernel) -> String {
    let options = &kernel.options;
    let pairs = if options.diagonal { "i >= j" } else { "i > j" };
    let block = options.block;
    let root = match options.map.takes_root() {
        true => format!("; root {}", options.root),
        false => String::new(),
    };
    format!(
        "// {name}: the pairs {pairs} of n elements, one thread a pair.\n\
         // Map {map}: {summary}{root}; blocks of {block} x {block} threads.\n",
        name = kernel.plain_name(),
        map = options.map.name(),
        summary = options.map.summary(),
    )
}

fn prologue(kernel: &Kernel) -> td_kernel_maps::Prologue {
    kernel.options.map.prologue(kernel.options.root, kernel.options.block)
}

/// The C++ name of the kernel function.
pub(crate) fn entry(kernel: &Kernel) -> String {
    format!("{}_kernel", kernel.plain_name())
}
