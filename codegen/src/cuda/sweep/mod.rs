//! The sweeps: how the threads of a block visit its pairs.
//!
//! A sweep starts from `row` and `col`, which the map has defined, and knows nothing of the map.

mod classic;
mod columns;
mod stage;

use super::signature;
use crate::model::{Kernel, Kind};

/// The text of a sweep, in its order; the sums' variables stand between stage and pairs.
pub(super) struct Text {
    /// Which pairs the thread has.
    pub(super) indices: String,
    /// The block's `#[each]` elements, into shared memory; empty where there are none.
    pub(super) stage: String,
    /// The filtered calls of the pair function.
    pub(super) pairs: String,
}

/// The sweep of this kernel.
pub(super) fn text(kernel: &Kernel) -> Text {
    if kernel.options.tile.is_some() {
        Text {
            indices: columns::indices(kernel),
            stage: stage::columns(kernel),
            pairs: columns::pairs(kernel),
        }
    } else {
        Text {
            indices: classic::indices(kernel),
            stage: stage::classic(kernel),
            pairs: classic::pairs(kernel),
        }
    }
}

/// The call of the pair function; `each` writes the two elements of a parameter.
fn call(kernel: &Kernel, indent: &str, each: impl Fn(&str) -> String) -> String {
    let indices = signature::indices(kernel).into_iter().map(str::to_owned);
    let arguments = kernel.parameters.iter().map(|parameter| {
        let name = parameter.plain_name();
        match parameter.kind {
            Kind::Each => each(&name),
            Kind::Slice | Kind::SliceMut | Kind::Scalar => format!("{name}_arg"),
            Kind::Packed => format!("{name}_value"),
            Kind::Sum => format!("{name}_sum"),
            Kind::Pairs => format!("{{{name}_list, {name}_count, {name}_capacity, i, j}}"),
        }
    });
    let arguments: Vec<_> = indices.chain(arguments).collect();
    let name = format!("{}_pair", kernel.plain_name());
    format!("{indent}{};\n", signature::call(&name, &arguments, indent))
}
