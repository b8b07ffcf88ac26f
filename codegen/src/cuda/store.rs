//! Where results go that have a slot for each pair: packed slots and squares.

use std::fmt::Write as _;

use crate::model::{Kernel, Kind};

/// The variables that the pair's results are written to. They start at zero, so that a body that
/// returns early still gives its slot a value.
pub(super) fn values(kernel: &Kernel, indent: &str, count: &str) -> String {
    let mut text = String::new();
    for each in kernel.parameters.iter().filter(|each| each.is_slot()) {
        let (cuda, name) = (&each.cuda.name, each.plain_name());
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{indent}{cuda} {name}_value{count}{{}};");
    }
    text
}

/// A parameter with a slot for each pair.
pub(crate) struct Slot<'a> {
    /// The parameter's name.
    pub(crate) name: String,
    /// The type of its values, in C++.
    pub(crate) cuda: &'a str,
    /// The memory that its values go to.
    pub(crate) memory: String,
    /// The vector as which the neighbours of a thread are stored from registers, in C++; where they are none, they
    /// go through shared memory.
    pub(crate) vector: Option<&'static str>,
}

/// The parameters with a slot for each pair.
pub(crate) fn slots(kernel: &Kernel) -> impl Iterator<Item = Slot<'_>> {
    let neighbours = kernel.options.variant.stores.neighbours;
    kernel.parameters.iter().filter(|each| each.is_slot()).map(move |each| {
        let name = each.plain_name();
        let kind = if each.kind == Kind::Packed { "packed" } else { "square" };
        let memory = format!("{name}_{kind}");
        let vector = match each.size().map(|bytes| bytes * neighbours) {
            Some(4) => Some("unsigned int"),
            Some(8) => Some("uint2"),
            Some(16) => Some("uint4"),
            _ => None,
        };
        Slot { name, cuda: &each.cuda.name, memory, vector }
    })
}

/// The shared memory through which values go that are no vector for one thread.
pub(super) fn segments(kernel: &Kernel) -> String {
    let [width, height] = kernel.options.threads();
    let own = kernel.options.variant.stores.neighbours;
    let count = width * own;
    let mut text = String::new();
    for Slot { name, cuda, .. } in slots(kernel).filter(|slot| slot.vector.is_none()) {
        if text.is_empty() {
            text.push_str("\n    // A segment of values for each row of threads, to be stored in whole vectors.\n");
        }
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "    __shared__ td_segment<{cuda}, {count}, {own}> {name}_segment[{height}];"
        );
    }
    text
}

/// The store of the values of a row's threads, at `line`, which is the place of the first thread's first
/// value for values that go through shared memory, else of the thread's own first one.
pub(super) fn store(slot: &Slot<'_>, line: &str) -> String {
    let Slot { name, .. } = slot;
    match slot.vector {
        Some(vector) => format!("td_store<{vector}>({line}, {name}_value);"),
        None => format!("td_store_segment({line}, {name}_value, {name}_segment[threadIdx.y]);"),
    }
}

/// What a thread of a row adds to the place of the first one.
pub(super) fn own_place(kernel: &Kernel, slot: &Slot<'_>) -> String {
    match slot.vector {
        Some(_) => format!(" + {} * threadIdx.x", kernel.options.variant.stores.neighbours),
        None => String::new(),
    }
}

/// The condition, after others, that neighbours of all slots can be stored as vectors. A view into
/// memory may start anywhere.
pub(super) fn aligned(kernel: &Kernel) -> String {
    slots(kernel).map(|slot| format!(" && td_is_aligned({})", slot.memory)).collect()
}

/// Where row i of packed slots starts: row-packed lower triangle, in 64 bits.
pub(super) fn row_start(kernel: &Kernel, i: &str) -> String {
    let next = if kernel.options.diagonal { "+" } else { "-" };
    format!("(unsigned long long){i} * ({i} {next} 1) / 2")
}
