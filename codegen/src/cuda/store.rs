//! Where results go that have a slot for each pair: packed slots and squares.

use std::fmt::Write as _;

use crate::model::{Kernel, Kind};

/// The variables that the pair's results are written to. They start at zero, so that a body that
/// returns early still gives its slot a value. Several neighbours are aligned, to be stored as one.
pub(super) fn values(kernel: &Kernel, indent: &str, count: &str) -> String {
    let mut text = String::new();
    let aligned = if count.is_empty() { "" } else { "alignas(16) " };
    for each in kernel.parameters.iter().filter(|each| each.is_slot()) {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{indent}{aligned}{} {}_value{count}{{}};",
            each.cuda.name,
            each.plain_name()
        );
    }
    text
}

/// The slots: the names of the parameters, their types, and the memory that their values go to.
pub(super) fn slots(kernel: &Kernel) -> impl Iterator<Item = (String, &str, String)> {
    kernel.parameters.iter().filter(|each| each.is_slot()).map(|each| {
        let name = each.plain_name();
        let memory = if each.kind == Kind::Packed { "packed" } else { "square" };
        let slots = format!("{name}_{memory}");
        (name, each.cuda.name.as_str(), slots)
    })
}

/// The condition, after others, that four neighbours of all slots can be stored at once. A view into
/// memory may start anywhere.
pub(super) fn aligned(kernel: &Kernel) -> String {
    slots(kernel).map(|(_, _, slots)| format!(" && td_is_aligned({slots})")).collect()
}

/// Where row i of packed slots starts: row-packed lower triangle, in 64 bits.
pub(super) fn row_start(kernel: &Kernel, i: &str) -> String {
    let next = if kernel.options.diagonal { "+" } else { "-" };
    format!("(unsigned long long){i} * ({i} {next} 1) / 2")
}
