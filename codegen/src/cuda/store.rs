//! Where results go: packed slots, sums, and the list of pairs (which stores by itself).

use std::fmt::Write as _;

use crate::model::{Kernel, Kind, Parameter};

fn of_kind(kernel: &Kernel, kind: Kind) -> impl Iterator<Item = &Parameter> {
    kernel.parameters.iter().filter(move |each| each.kind == kind)
}

/// The variables that the pair's results are written to. They start at zero, so that a body that
/// returns early still gives its slot a value.
pub(super) fn values(kernel: &Kernel) -> String {
    let mut text = String::new();
    for each in of_kind(kernel, Kind::Packed) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "        {} {}_value{{}};", each.cuda.name, each.plain_name());
    }
    text
}

/// The stores into packed slots: row-packed lower triangle, in 64 bits.
pub(super) fn stores(kernel: &Kernel) -> String {
    let mut text = String::new();
    for each in of_kind(kernel, Kind::Packed) {
        if text.is_empty() {
            let next = if kernel.options.diagonal { "i + 1" } else { "i - 1" };
            let _ = writeln!(
                text,
                "        const unsigned long long slot = (unsigned long long)i * ({next}) / 2 + j;"
            );
        }
        let name = each.plain_name();
        let _ = writeln!(text, "        {name}_packed[slot] = {name}_value;");
    }
    text
}

/// The sums that each thread adds to: all threads of a block, those without a pair too, since all
/// of them take part in adding the sums up.
pub(super) fn sums(kernel: &Kernel) -> String {
    let mut text = String::new();
    for each in of_kind(kernel, Kind::Sum) {
        if text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "    td_sum<{}> {}_sum;", each.cuda.name, each.plain_name());
    }
    text
}

/// The epilogue: the block's sums, added to the totals.
pub(super) fn flush(kernel: &Kernel) -> String {
    let warps = kernel.options.threads().iter().product::<u32>() / 32;
    let mut text = String::new();
    for each in of_kind(kernel, Kind::Sum) {
        if text.is_empty() {
            text.push_str("\n    // Add the block's sums to the totals.\n");
        }
        let (name, cuda) = (each.plain_name(), &each.cuda.name);
        let _ = write!(
            text,
            "    __shared__ {cuda} {name}_warps[{warps}];\n    \
             td_add_block({name}_sum.value, {name}_warps, {name}_total);\n"
        );
    }
    text
}
