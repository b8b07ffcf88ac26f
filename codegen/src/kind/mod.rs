//! The kinds of parameters: a module for each, or for those alike.
//!
//! A kind defines its spelling in a signature, its parameters of the kernel and of the pair function, the facts that templates
//! use, its shared memory, and how a launch takes its argument. What an output does in each scope of a sweep is in its template
//! (`kernels/outputs/*.cu` and `*.cpp`), which lists parameters by kind.
//!
//! A new kind needs a module here, a line in [`kinds`] or its list [`OTHERS`], its templates, and the type of its argument in the
//! runtime.

mod arrays;
mod elements;
mod extreme;
mod features;
mod histogram;
mod many_sets;
mod nearest;
mod pairs;
mod reduce;
mod reduce_all;
mod result;
mod scalar;
mod slice;
mod slot;
mod sum;
mod wide;

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::TypePath;

pub(crate) use self::arrays::given_element;
pub(crate) use self::elements::{ARRAYS, COLUMN, EACH, ROW, SETS};
pub(crate) use self::features::{FEATURE_SETS, FEATURES, feature, feature_parameter, kept_as};
pub(crate) use self::histogram::{
    BYTES_BESIDE, HISTOGRAMS, PART_COUNTERS, counters, has_histograms,
};
pub(crate) use self::many_sets::{SET, uses_set};
pub(crate) use self::nearest::{nearest, neighbours};
pub(crate) use self::pairs::PAIRS;
use self::reduce_all::REDUCTION_OF_ALL;
pub(crate) use self::reduce_all::is_of_elements;
pub(crate) use self::result::{result, set_extreme};
pub(crate) use self::scalar::SCALAR;
pub(crate) use self::slice::{SLICE, SLICE_MUT};
pub(crate) use self::sum::SUM;
pub(crate) use self::wide::check as check_wide;
use crate::cuda_type::primitive;
use crate::errors::span_of;
use crate::model::{Kind, Parameter, Role, SourceInput, Taken};

/// The kinds that do not exist for each end of a pair, in the order of messages.
const OTHERS: &[&dyn Kind] = &[
    SLICE,
    SLICE_MUT,
    SCALAR,
    slot::PACKED,
    slot::SQUARE,
    slot::MATRIX,
    SUM,
    histogram::HISTOGRAM,
    extreme::MAX,
    extreme::MIN,
    REDUCTION_OF_ALL,
    PAIRS,
    pairs::PAIRS_OF,
];

/// Every kind.
pub(crate) fn kinds() -> impl Iterator<Item = &'static dyn Kind> {
    let elements = elements::SLICES.iter().chain(&SETS);
    let ends = FEATURES
        .iter()
        .chain(&FEATURE_SETS)
        .chain(result::RESULTS)
        .chain(&wide::SUMS)
        .chain(&wide::GIVEN_SUMS)
        .chain(&reduce::REDUCTIONS)
        .chain(&nearest::NEAREST)
        .chain(result::SET_EXTREMES);
    elements.chain(OTHERS).chain(ends).copied()
}

/// The kind of the same parameter of the other of two sets.
pub(crate) fn exchanged(kind: &'static dyn Kind) -> &'static dyn Kind {
    let all =
        [elements::SLICES, SETS, FEATURES, FEATURE_SETS, reduce::REDUCTIONS, nearest::NEAREST];
    let sides = all.into_iter().flat_map(|[_, row, column]| [[row, column], [column, row]]);
    sides.into_iter().find(|[own, _]| *own == kind).map_or(kind, |[_, other]| other)
}

/// Makes an output of all pairs one that also has the pair's set: within many sets, i and j do not name a pair.
pub(crate) fn name_set(parameter: &mut Parameter) {
    match parameter.kind {
        kind if kind == PAIRS => {
            // A 32-bit index.
            if let Some(index) = primitive("u32") {
                parameter.kind = pairs::PAIRS_IN_SETS;
                parameter.cuda = index;
                parameter.rust = quote!(::core::primitive::u32);
            }
        }
        kind if kind == extreme::MAX => parameter.kind = extreme::MAX_IN_SETS,
        kind if kind == extreme::MIN => parameter.kind = extreme::MIN_IN_SETS,
        _ => {}
    }
}

/// The kind of an output whose path ends with its name, with or without a type argument.
pub(crate) fn output(path: &TypePath) -> Option<&'static dyn Kind> {
    let last = path.path.segments.last()?;
    kinds().find(|kind| kind.is_spelled(last))
}

/// The spellings of the kinds for which `listed` is true: "`A`, `B` or `C`".
pub(crate) fn spellings(listed: impl Fn(&dyn Kind) -> bool) -> String {
    let names: Vec<_> = kinds()
        .filter(|kind| kind.about().is_listed && listed(*kind))
        .map(|kind| format!("`{}`", kind.about().spelling))
        .collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// The statements with which `launch` takes an argument: a call of `bind` of the runtime's `Launch`, with the parameter's name for
/// messages, and of what else its kind calls. Errors about the argument's type point at the parameter. In its scope, `td_private` is
/// the runtime's module for generated code.
pub(crate) fn bind(
    input: &SourceInput<'_>,
    parameter: &Parameter,
    arguments: &Ident,
) -> TokenStream {
    let Parameter { name, kind, .. } = parameter;
    let (plain, span) = (parameter.plain_name(), span_of(&quote!(#name)));
    let axis = match kind.role() {
        Role::Elements => "Each",
        Role::Row => "Row",
        Role::Column => "Column",
        Role::Features(end) | Role::Result(end) | Role::Neighbours(end) => {
            end.choose(["Each", "Row", "Column"])
        }
        _ => "All",
    };
    let axis = Ident::new(axis, span);
    let argument = match (kind.taken(parameter, &input.kernel.options.runtime), kind.role()) {
        (Taken::Value(_), _) => quote!(&#name),
        (Taken::Type { is_mut: false, .. }, _) => quote!(#name),
        (Taken::Type { is_mut: true, .. }, _) if kind.is_of_set() => {
            let has_pair = kind.has_partner();
            quote!(td_private::OfSets { results: &mut *#name, has_pair: #has_pair })
        }
        (Taken::Type { is_mut: true, .. }, _) if kind.is_exact(input.kernel, parameter) => {
            quote!(td_private::Exact(&mut *#name))
        }
        (Taken::Type { is_mut: true, .. }, _) => quote!(&mut *#name),
        (_, Role::Input) => quote_spanned!(span=> td_private::Slice::view(#name)),
        (_, Role::Memory) => quote_spanned!(span=> td_private::SliceMut::view_mut(#name)),
        (Taken::Trait { is_mut: true, .. }, _) => quote_spanned!(span=> td_private::output(#name)),
        (Taken::Trait { is_mut: false, .. }, _) => {
            quote_spanned!(span=> td_private::elements(#name))
        }
    };
    let bound =
        quote_spanned!(span=> #arguments.bind(td_private::Axis::#axis, #plain, #argument)?;);
    let call = kind.call(input, parameter, arguments);
    quote!(#bound #call)
}
