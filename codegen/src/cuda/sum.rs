//! Where results go that are no pair's own: sums, and lists of pairs.
//!
//! A sum is added up in steps, so that its error does not grow with n:
//!
//! ```text
//! some pairs   td_partial, td_tally: a few floats; the count of a tile in 32 bits   (sweep over columns)
//! thread       td_float_sum: compensated; td_wide_sum: 32-bit integers in 64; td_sum
//! block        double for floats, 64 bits for integers: td_add_warp, td_add_block
//! total        SLOTS of the same, which the runtime adds up
//! ```

use std::fmt::Write as _;

use td_kernel_maps::SLOTS;

use super::sweep;
use crate::model::{Kernel, Kind, Parameter, Sweep};

/// The most floats that are added up before they go to a compensated sum. Their roundings, and two of the
/// sum's own, stay below a millionth.
const MOST_PARTIAL: u32 = 8;

/// The type in which a block adds up its threads' sums: a total may need more bits than its terms.
fn total(sum: &Parameter) -> &str {
    match sum.cuda.name.as_str() {
        "float" => "double",
        "int" => "long long",
        "unsigned int" => "unsigned long long",
        name => name,
    }
}

/// The type of a total's slots: CUDA adds 64-bit integers atomically as unsigned ones.
pub(super) fn slot(sum: &Parameter) -> &str {
    if total(sum) == "double" { "double" } else { "unsigned long long" }
}

/// How a thread adds up its part of a sum.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// `f32`, compensated.
    Float,
    /// 32-bit integers, in 64 bits.
    Wide,
    /// As it is.
    Plain,
}

/// How a thread adds up its part of this sum.
pub(super) fn part(sum: &Parameter) -> Part {
    match sum.cuda.name.as_str() {
        "float" => Part::Float,
        "int" | "unsigned int" => Part::Wide,
        _ => Part::Plain,
    }
}

/// The type of a thread's part of a sum.
fn part_type(sum: &Parameter) -> String {
    let term = &sum.cuda.name;
    match part(sum) {
        Part::Float => "td_float_sum".to_owned(),
        Part::Wide => format!("td_wide_sum<{term}, {}>", total(sum)),
        Part::Plain => format!("td_sum<{term}>"),
    }
}

/// What the pairs of a thread are added to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// The thread's part of the sum.
    Sum,
    /// A count of one tile, in 32 bits.
    Tally,
    /// A float for the pairs of so many columns.
    Partial(u32),
}

/// What the pairs of a thread are added to: in the sweep over columns, where it has many of them, to what
/// costs one instruction.
pub(super) fn target(kernel: &Kernel, sum: &Parameter) -> Target {
    if kernel.options.variant.sweep != Sweep::Columns {
        return Target::Sum;
    }
    let (scan, name) = (&kernel.body.scan, sum.plain_name());
    match part(sum) {
        Part::Float => {
            let rows = sweep::rows_of_thread(kernel);
            let each = scan.additions(&name).map(|terms| terms.max(1) * rows);
            match each {
                // A power of two, so that the columns of a tile are a multiple of it.
                Some(each) if each <= MOST_PARTIAL => {
                    Target::Partial(1 << (MOST_PARTIAL / each).ilog2())
                }
                _ => Target::Sum,
            }
        }
        _ if sum.cuda.name != "double" && scan.only_counts(&name) => Target::Tally,
        _ => Target::Sum,
    }
}

/// The variable that a pair is added to, and its type.
pub(super) fn added_to(kernel: &Kernel, sum: &Parameter) -> (String, String) {
    let name = sum.plain_name();
    match target(kernel, sum) {
        Target::Sum => (format!("{name}_sum"), part_type(sum)),
        Target::Tally => (format!("{name}_tally"), "td_tally".to_owned()),
        Target::Partial(_) => (format!("{name}_partial"), "td_partial".to_owned()),
    }
}

/// The sums that each thread adds to, and the lists: all threads of a block have them, those without
/// a pair too, since all of them take part in adding the sums up.
pub(super) fn sums(kernel: &Kernel) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    for each in kernel.of_kind(Kind::Sum) {
        let _ = writeln!(text, "    {} {}_sum;", part_type(each), each.plain_name());
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

/// What is declared for each tile: counts and partial sums.
pub(super) fn of_tile(kernel: &Kernel) -> String {
    let mut text = String::new();
    for each in kernel.of_kind(Kind::Sum).filter(|each| target(kernel, each) != Target::Sum) {
        let (name, of_type) = added_to(kernel, each);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "    {of_type} {name};");
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// The counts of one tile, added to the threads' sums.
pub(super) fn add_tallies(kernel: &Kernel) -> String {
    let tallied = kernel.of_kind(Kind::Sum).filter(|each| target(kernel, each) == Target::Tally);
    let add = |each: &Parameter| {
        let name = each.plain_name();
        format!("    {name}_sum += {name}_tally.value;\n")
    };
    tallied.map(add).collect()
}

/// The partial sums, added to the threads' sums: after a pair, or where `columns` says so, after the last of
/// as many columns as they are for.
pub(super) fn add_partials(kernel: &Kernel, indent: &str, columns: bool) -> String {
    let mut text = String::new();
    for each in kernel.of_kind(Kind::Sum) {
        let Target::Partial(most) = target(kernel, each) else { continue };
        let name = each.plain_name();
        let add = format!("{name}_sum += {name}_partial.taken();");
        // Writing to a String cannot fail.
        let _ = match columns && most > 1 {
            true => {
                write!(text, "{indent}if (column % {most} == {})\n{indent}    {add}\n", most - 1)
            }
            false => writeln!(text, "{indent}{add}"),
        };
    }
    text
}

/// The warps that add up their sums before these go to a total: in the sweep over columns each warp has so
/// many pairs that it need not wait for the others.
pub(super) fn warps(kernel: &Kernel) -> u32 {
    match kernel.options.variant.sweep {
        Sweep::Columns => 1,
        _ => kernel.options.threads().iter().product::<u32>() / 32,
    }
}

/// The epilogue: the block's sums, added to the totals.
pub(super) fn flush(kernel: &Kernel) -> String {
    let warps = warps(kernel);
    let mut text = String::new();
    for each in kernel.of_kind(Kind::Sum) {
        // Writing to a String cannot fail.
        if text.is_empty() {
            let _ = write!(
                text,
                "\n    // Add the block's sums to the totals, each to one of their {SLOTS} slots: blocks that end together\n    \
                 // seldom have the same.\n    \
                 const unsigned int slot = (blockIdx.y * gridDim.x + blockIdx.x) % {SLOTS};\n"
            );
        }
        let (name, total) = (each.plain_name(), total(each));
        let value = match part(each) {
            Part::Float => format!("{name}_sum.total()"),
            _ => format!("{name}_sum.value"),
        };
        let _ = match warps {
            1 => writeln!(text, "    td_add_warp({value}, {name}_total + slot);"),
            _ => write!(
                text,
                "    __shared__ {total} {name}_warps[{warps}];\n    \
                 td_add_block({value}, {name}_warps, {name}_total + slot);\n"
            ),
        };
    }
    text
}
