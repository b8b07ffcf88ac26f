//! The kinds of parameters, one module for each.
//!
//! A kind defines how a signature spells it, which parameters it gives the kernel and the pair function, what the
//! templates of the sweeps know about it, what it keeps in shared memory, and how a launch takes its argument. How a
//! sweep uses it stands in the sweep's template (`kernels/*.cu`), which lists parameters by kind.
//!
//! A new kind is a module here, its line in [`OTHERS`], the templates of the sweeps that it works in, and the type of
//! its argument in the runtime.

mod each;
mod features;
mod matrix;
mod nearest;
mod of_set;
mod packed;
mod pairs;
mod pairs_of;
mod result;
mod scalar;
mod slice;
mod square;
mod sum;

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::TypePath;

pub(crate) use self::each::EACH;
pub(crate) use self::features::{are_features, feature, feature_parameter, features, kept_as};
pub(crate) use self::nearest::nearest;
pub(crate) use self::of_set::{COLUMN, ROW};
pub(crate) use self::pairs::PAIRS;
pub(crate) use self::result::result;
pub(crate) use self::scalar::SCALAR;
pub(crate) use self::slice::{SLICE, SLICE_MUT};
use crate::errors::span_of;
use crate::model::{Kind, Parameter};

/// The kinds that are not results of each element, in the order in which messages list them.
const OTHERS: &[&dyn Kind] = &[
    EACH,
    ROW,
    COLUMN,
    SLICE,
    SLICE_MUT,
    SCALAR,
    packed::PACKED,
    square::SQUARE,
    matrix::MATRIX,
    sum::SUM,
    PAIRS,
    pairs_of::PAIRS_OF,
];

/// The kinds of lists of pairs: without values and with them.
pub(crate) const LISTS: &[&dyn Kind] = &[PAIRS, pairs_of::PAIRS_OF];

/// Every kind.
pub(crate) fn kinds() -> impl Iterator<Item = &'static dyn Kind> {
    let of_ends = features::FEATURES.iter().chain(result::RESULTS).chain(&nearest::NEAREST);
    OTHERS.iter().chain(of_ends).copied()
}

/// The kind of an output whose path ends with its name, with or without a type after it.
pub(crate) fn output(path: &TypePath) -> Option<&'static dyn Kind> {
    let last = path.path.segments.last()?;
    kinds().find(|kind| kind.is_spelled(last))
}

/// The spellings of the kinds for which `listed` is true: "`A`, `B` or `C`".
pub(crate) fn spellings(listed: impl Fn(&dyn Kind) -> bool) -> String {
    let names: Vec<_> = kinds()
        .filter(|kind| kind.is_listed() && listed(*kind))
        .map(|kind| format!("`{}`", kind.spelling()))
        .collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// The roles of arguments for each element, for those of rows and for those of columns.
const ROLES: [&str; 3] = ["Each", "Row", "Column"];

/// `arguments.bind(role, "name", argument)?;`, whose errors about the argument's type point at the parameter. It is where
/// `td_private` is the runtime's module for generated code.
fn bind(
    parameter: &Parameter,
    role: &str,
    argument: impl FnOnce(&Ident) -> TokenStream,
    arguments: &Ident,
) -> TokenStream {
    let Parameter { name, .. } = parameter;
    let (plain, span) = (parameter.plain_name(), span_of(&quote!(#name)));
    let (role, argument) = (Ident::new(role, span), argument(name));
    quote_spanned!(span=> #arguments.bind(td_private::Role::#role, #plain, #argument)?;)
}

/// What is bound of slots for pairs.
fn slots(name: &Ident) -> TokenStream {
    quote_spanned!(span_of(&quote!(#name))=> td_private::output(#name))
}

/// What is bound of a result that the runtime has a type for.
fn gathered(name: &Ident) -> TokenStream {
    quote!(&mut *#name)
}

/// The same of sums, which may be exact.
fn sums(is_exact: bool) -> impl FnOnce(&Ident) -> TokenStream {
    move |name| match is_exact {
        true => quote!(td_private::Exact(&mut *#name)),
        false => gathered(name),
    }
}
