//! `#[each] x: &Sets<T>`: the pair's two elements, both of one of many sets; `#[row] x: &Sets<T>` and `#[column] y: &Sets<T>`: one
//! of them.
//!
//! The elements of all sets are one after another. The kernel reads the sets that have pairs, and the one in which each run of
//! pairs starts, from tables, after the elements of the last `Sets`. Large triangles have launches of their own: their source is
//! that of a single set. Nearest neighbours have rows instead of runs, and a table of the sets of rows; elements with features have
//! tiles, and a table of those.

use td_kernel_geometry::Sweep;

use crate::model::{Kernel, Parameter, SourceInput};

/// The name of a pair's set in a body.
pub(crate) const SET: &str = "set";

/// Whether the index of a pair's set is used: by a body or by an output.
pub(crate) fn uses_set(kernel: &Kernel) -> bool {
    kernel.uses(SET) || kernel.parameters.iter().any(|each| each.kind.about().names_set)
}

/// Whether this is the last `Sets` of a kernel, with which the tables are passed.
fn is_last(kernel: &Kernel, parameter: &Parameter) -> bool {
    let last = kernel.parameters.iter().rfind(|each| each.kind.has_sets());
    last.is_some_and(|last| last.name == parameter.name)
}

/// The parameters with the tables of the sets, after the elements of the last `Sets`.
pub(super) fn tables(input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
    const SETS: &str = "const td_set *const __restrict__ sets";
    let tables: &[&str] = match (input.domain.is_of_sets(), input.variant.tiling.sweep) {
        _ if !is_last(input.kernel, parameter) => &[],
        (true, Sweep::SetRows) => &[SETS, "const unsigned int *const __restrict__ firsts"],
        (true, Sweep::Fold) => &[SETS, "const td_set_tile *const __restrict__ tiles"],
        (true, _) => &[SETS, "const td_run *const __restrict__ runs"],
        // A large set has a launch of its own.
        (false, _) if uses_set(input.kernel) => &["const unsigned int set"],
        (false, _) => &[],
    };
    tables.iter().map(|&table| table.to_owned()).collect()
}
