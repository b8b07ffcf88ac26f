//! The sweep over columns: each thread keeps a row of the tile in registers, and all of them go along
//! the columns together, whose elements come from shared memory, one for the whole warp.
//!
//! One thread has many pairs, so that starting blocks and adding up sums costs little. Packed slots
//! are not for this sweep: at one time its threads have the pairs of one column, whose slots lie in as
//! many rows.

use super::super::signature;
use super::call;
use crate::model::{Kernel, Kind};

/// The thread's row.
pub(super) fn indices(kernel: &Kernel) -> String {
    format!("    const unsigned int i = row * {} + threadIdx.x;\n", kernel.options.side())
}

/// The calls of the pair function, in a loop over the columns.
pub(super) fn pairs(kernel: &Kernel) -> String {
    let tile = kernel.options.side();
    let call = call(kernel, "        ", |name| format!("{{{name}_row, {name}_cols[column]}}"));
    // The list of pairs takes j, whether or not the body names it.
    let lists = kernel.parameters.iter().any(|each| each.kind == Kind::Pairs);
    let j = if lists || signature::indices(kernel).contains(&"j") {
        format!("        const unsigned int j = col * {tile} + column;\n")
    } else {
        String::new()
    };
    format!(
        "\n{}    for (unsigned int column = 0; column < columns; ++column) {{\n{j}{call}    }}\n",
        diagonal_filter(kernel)
    )
}

/// The diagonal filter: how many of the tile's columns have a pair with the thread's row. That is all
/// of them but on the diagonal; and none where the row is past n, as in the last tiles.
fn diagonal_filter(kernel: &Kernel) -> String {
    let tile = kernel.options.side();
    let (pairs, below) = if kernel.options.diagonal {
        ("i >= j", format!("i - col * {tile} + 1"))
    } else {
        ("i > j", format!("i - col * {tile}"))
    };
    format!(
        "    // The diagonal filter: the columns of pairs {pairs}, inside the triangle.\n    \
         const unsigned int columns = i < n ? min({below}, {tile}u) : 0;\n"
    )
}
