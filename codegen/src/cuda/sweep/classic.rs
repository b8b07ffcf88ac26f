//! The classic sweep: one thread, one pair, and the filter that keeps the pairs.

use td_kernel_maps::Space;

use super::super::store;
use super::call;
use crate::model::Kernel;

/// The thread's pair.
pub(super) fn indices(kernel: &Kernel) -> String {
    if kernel.options.space == Space::Thread {
        // Without the diagonal, the pairs of n elements are a triangle of n - 1 rows with it.
        let i = if kernel.options.diagonal { "row" } else { "row + 1" };
        return format!("    const unsigned int i = {i};\n    const unsigned int j = col;\n");
    }
    let block = kernel.options.block;
    format!(
        "    const unsigned int i = row * {block} + threadIdx.y;\n    \
         const unsigned int j = col * {block} + threadIdx.x;\n"
    )
}

/// The filtered call of the pair function, and the stores of what it gave.
pub(super) fn pairs(kernel: &Kernel) -> String {
    let call = call(kernel, "        ", |name| match kernel.options.space {
        Space::Thread => format!("{{{name}_all[i], {name}_all[j]}}"),
        Space::Block => format!("{{{name}_rows[threadIdx.y], {name}_cols[threadIdx.x]}}"),
    });
    let (values, stores) = (store::values(kernel), store::stores(kernel));
    format!("\n{}{values}{call}{stores}    }}\n", diagonal_filter(kernel))
}

/// The diagonal filter: blocks on the diagonal hold pairs on both sides of it, and those of the last
/// row can pass n. With i inside, j is: it is no larger. In thread space the map leaves the diagonal
/// to nobody, and only spare threads are left to filter.
fn diagonal_filter(kernel: &Kernel) -> &'static str {
    if kernel.options.space == Space::Thread {
        "    // Spare threads, which only round the grid up, have no pair.\n    if (i < n) {\n"
    } else if kernel.options.diagonal {
        "    // The diagonal filter: pairs i >= j, inside the triangle.\n    if (i >= j && i < n) {\n"
    } else {
        "    // The diagonal filter: pairs i > j, inside the triangle.\n    if (i > j && i < n) {\n"
    }
}
