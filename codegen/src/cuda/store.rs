//! Where results go: packed slots, squares, sums, and lists of pairs.

use std::fmt::Write as _;

use crate::model::{Kernel, Kind, Parameter, Sweep};
use crate::parse::tiles::is_vector;
use crate::scan;

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
    /// Whether the neighbours of a thread are stored from registers, as one vector; else they go through
    /// shared memory.
    pub(crate) is_direct: bool,
}

/// The parameters with a slot for each pair.
pub(crate) fn slots(kernel: &Kernel) -> impl Iterator<Item = Slot<'_>> {
    let neighbours = kernel.options.variant.stores.neighbours;
    kernel.parameters.iter().filter(|each| each.is_slot()).map(move |each| {
        let name = each.plain_name();
        let kind = if each.kind == Kind::Packed { "packed" } else { "square" };
        let memory = format!("{name}_{kind}");
        let is_direct = each.size().is_some_and(|bytes| is_vector(bytes * neighbours));
        Slot { name, cuda: &each.cuda.name, memory, is_direct }
    })
}

/// The shared memory through which values go that are no vector for one thread.
pub(super) fn segments(kernel: &Kernel) -> String {
    let [width, height] = kernel.options.threads();
    let count = width * kernel.options.variant.stores.neighbours;
    let mut text = String::new();
    for Slot { name, cuda, .. } in slots(kernel).filter(|slot| !slot.is_direct) {
        if text.is_empty() {
            text.push_str("\n    // A segment of values for each row of threads, to be stored in whole vectors.\n");
        }
        // Writing to a String cannot fail.
        let _ =
            writeln!(text, "    __shared__ td_segment<{cuda}, {count}> {name}_segment[{height}];");
    }
    text
}

/// The store of the values of a row's threads, at `line`, which is the place of the first thread's first
/// value for values that go through shared memory, else of the thread's own first one.
pub(super) fn store(slot: &Slot<'_>, line: &str) -> String {
    let Slot { name, .. } = slot;
    match slot.is_direct {
        true => format!("td_store({line}, {name}_value);"),
        false => format!("td_store_segment({line}, {name}_value, {name}_segment[threadIdx.y]);"),
    }
}

/// What a thread of a row adds to the place of the first one.
pub(super) fn own_place(kernel: &Kernel, slot: &Slot<'_>) -> String {
    match slot.is_direct {
        true => format!(" + {} * threadIdx.x", kernel.options.variant.stores.neighbours),
        false => String::new(),
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

/// The type of a sum's total: integers of 32 bits are added up in 64.
pub(super) fn total(sum: &Parameter) -> &str {
    match sum.cuda.name.as_str() {
        "int" => "long long",
        "unsigned int" => "unsigned long long",
        name => name,
    }
}

/// Whether the total has more bits than the terms.
pub(super) fn is_wide(sum: &Parameter) -> bool {
    total(sum) != sum.cuda.name
}

/// The type of a thread's part of a sum.
pub(super) fn part(sum: &Parameter) -> String {
    let (term, total) = (&sum.cuda.name, total(sum));
    if is_wide(sum) { format!("td_wide_sum<{term}, {total}>") } else { format!("td_sum<{term}>") }
}

/// The sums that each thread adds to, and the lists: all threads of a block have them, those without
/// a pair too, since all of them take part in adding the sums up.
pub(super) fn sums(kernel: &Kernel) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    for each in kernel.of_kind(Kind::Sum) {
        let _ = writeln!(text, "    {} {}_sum;", part(each), each.plain_name());
    }
    for each in kernel.of_kind(Kind::Pairs) {
        let name = each.plain_name();
        let _ = writeln!(
            text,
            "    const td_pairs {name}_pairs{{{name}_list, {name}_count, {name}_capacity}};"
        );
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// Whether the sum only counts, so that the threads of a tile can do it in 32 bits.
pub(super) fn is_tallied(kernel: &Kernel, parameter: &Parameter) -> bool {
    kernel.options.variant.sweep == Sweep::Columns
        && parameter.kind == Kind::Sum
        && !["float", "double"].contains(&parameter.cuda.name.as_str())
        && scan::only_counts(&kernel.body.text, &parameter.plain_name())
}

fn tallied(kernel: &Kernel) -> impl Iterator<Item = String> {
    let sums = kernel.of_kind(Kind::Sum).filter(|each| is_tallied(kernel, each));
    sums.map(Parameter::plain_name)
}

/// Whether some sum only counts.
pub(super) fn has_tallies(kernel: &Kernel) -> bool {
    tallied(kernel).next().is_some()
}

/// The counts of one tile.
pub(super) fn tallies(kernel: &Kernel) -> String {
    let text: String =
        tallied(kernel).map(|name| format!("    td_tally {name}_tally;\n")).collect();
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// The counts of one tile, added to the threads' sums.
pub(super) fn add_tallies(kernel: &Kernel) -> String {
    tallied(kernel).map(|name| format!("    {name}_sum += {name}_tally.value;\n")).collect()
}

/// The warps of a block.
pub(super) fn warps(kernel: &Kernel) -> u32 {
    kernel.options.threads().iter().product::<u32>() / 32
}

/// The epilogue: the block's sums, added to the totals.
pub(super) fn flush(kernel: &Kernel) -> String {
    let warps = warps(kernel);
    let mut text = String::new();
    for each in kernel.of_kind(Kind::Sum) {
        if text.is_empty() {
            text.push_str("\n    // Add the block's sums to the totals.\n");
        }
        let (name, total) = (each.plain_name(), total(each));
        let _ = match warps {
            1 => writeln!(text, "    td_add_warp({name}_sum.value, {name}_total);"),
            _ => write!(
                text,
                "    __shared__ {total} {name}_warps[{warps}];\n    \
                 td_add_block({name}_sum.value, {name}_warps, {name}_total);\n"
            ),
        };
    }
    text
}
