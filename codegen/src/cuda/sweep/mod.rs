//! The sweeps: how the threads of a block visit its pairs.
//!
//! A sweep starts from `row` and `col`, which the map has defined, and knows nothing of the map.

mod classic;
mod columns;
mod mirror;
mod rows;
mod stage;

use std::fmt::Write as _;

use super::{signature, sum};
use crate::model::{Kernel, Kind, Sweep};

/// The text of a sweep, in its order; the sums' variables stand between stage and pairs.
pub(super) struct Text {
    /// Which pairs the thread has.
    pub(super) indices: String,
    /// What a thread keeps of a tile's rows in registers, where a block walks along them, until the next row.
    pub(super) kept: String,
    /// The block's `#[each]` elements, into shared memory; empty where there are none.
    pub(super) stage: String,
    /// The filtered calls of the pair function.
    pub(super) pairs: String,
}

/// How many rows of a tile a thread has, in the sweep over columns.
pub(super) fn rows_of_thread(kernel: &Kernel) -> u32 {
    columns::rows(kernel)
}

/// The sweep of this kernel.
pub(super) fn text(kernel: &Kernel) -> Text {
    match kernel.options.variant.sweep {
        Sweep::Classic => Text {
            indices: classic::indices(kernel),
            kept: String::new(),
            stage: stage::classic(kernel),
            pairs: classic::pairs(kernel),
        },
        Sweep::Columns => Text {
            indices: columns::indices(kernel),
            kept: columns::kept(kernel),
            stage: columns::stage(kernel),
            pairs: columns::pairs(kernel),
        },
        Sweep::Rows => Text {
            indices: String::new(),
            kept: String::new(),
            stage: stage::rows(kernel),
            pairs: rows::pairs(kernel),
        },
        Sweep::Mirror => Text {
            indices: String::new(),
            kept: String::new(),
            stage: stage::mirror(kernel),
            pairs: mirror::pairs(kernel),
        },
    }
}

/// One call of the pair function, in the place where a sweep has it.
struct Pair<'a> {
    /// What each line starts with.
    indent: &'a str,
    /// The row of the pair, as a C++ expression.
    i: &'a str,
    /// Its column.
    j: &'a str,
    /// The two elements of a parameter, from its name.
    each: &'a dyn Fn(&str) -> String,
    /// What follows the name of a value, as the `[next]` of one among four.
    value: &'a str,
    /// What is done with the pairs of a list, from the parameter's name.
    pushed: &'a dyn Fn(&str) -> String,
}

impl Pair<'_> {
    /// The call, with `i` and `j` before it as far as the body uses them, and the pushes after it.
    fn text(&self, kernel: &Kernel) -> String {
        let Pair { indent, i, j, each, value, pushed } = *self;
        let used = signature::indices(kernel);
        let mut text = String::new();
        // Writing to a String cannot fail.
        for (name, expression) in [("i", i), ("j", j)] {
            if used.contains(&name) && name != expression {
                let _ = writeln!(text, "{indent}const unsigned int {name} = {expression};");
            }
        }
        let indices = used.into_iter().map(str::to_owned);
        let arguments = kernel.parameters.iter().flat_map(|parameter| {
            let name = parameter.plain_name();
            let value = match parameter.kind {
                Kind::Each => each(&name),
                Kind::Slice | Kind::SliceMut | Kind::Scalar => format!("{name}_arg"),
                Kind::Packed | Kind::Square => format!("{name}_value{value}"),
                Kind::Sum => sum::added_to(kernel, parameter).0,
                Kind::Pairs => format!("{name}_pushed"),
            };
            [value].into_iter().chain(kernel.length_of(parameter))
        });
        let arguments: Vec<_> = indices.chain(arguments).collect();
        for each in kernel.of_kind(Kind::Pairs) {
            let _ = writeln!(text, "{indent}td_pushed {}_pushed;", each.plain_name());
        }
        let name = format!("{}_pair", kernel.plain_name());
        let _ = writeln!(text, "{indent}{};", signature::call(&name, &arguments, indent));
        for each in kernel.of_kind(Kind::Pairs) {
            let name = each.plain_name();
            let _ =
                write!(text, "{indent}if ({name}_pushed.value)\n{indent}    {}\n", pushed(&name));
        }
        text
    }
}

/// Appends a pair to the list by itself.
fn push(i: &str, j: &str) -> impl Fn(&str) -> String {
    move |name| format!("{name}_pairs.push({i}, {j});")
}

/// The threads that lie along a row, where a block's threads have two dimensions.
fn width(kernel: &Kernel) -> u32 {
    kernel.options.threads()[0]
}

/// The rows that a block's threads have at a time.
fn height(kernel: &Kernel) -> u32 {
    kernel.options.threads()[1]
}

/// Bodies up to this many tokens are unrolled as far as is good for them. Longer ones are not: their code
/// would outgrow the instruction cache, and their variables the registers.
const SHORT: usize = 100;

/// `pragma` where the body is short, else one against unrolling.
fn unrolled(kernel: &Kernel, pragma: &str) -> String {
    match kernel.body.scan.length {
        Some(length) if length <= SHORT => format!("{pragma}\n"),
        _ => "#pragma unroll 1\n".to_owned(),
    }
}
