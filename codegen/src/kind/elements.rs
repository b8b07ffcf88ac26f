//! The elements of pairs, staged through shared memory: the pair's two elements, as in `#[each] x: &[T]`, or one of them, of a
//! rectangle's rows or columns, as in `#[row] x: &[T]` and `#[column] x: &[T]`. They are in a slice, in
//! [arrays](super::arrays) or in [sets](super::many_sets).

use minijinja::Value;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use td_kernel_geometry::{Space, Sweep};

use super::features::feature_parameter;
use super::many_sets::{tables, uses_set};
use super::slice::SLICE;
use crate::cuda_type::{self, Origin};
use crate::model::{About, End, Kind, Parameter, Role, SourceInput, Taken};

/// `#[each] x: &[T]`.
pub(crate) const EACH: &dyn Kind = &Elements { end: End::Each, given: Given::Slice };

/// `#[row] x: &[T]`.
pub(crate) const ROW: &dyn Kind = &Elements { end: End::Row, given: Given::Slice };

/// `#[column] x: &[T]`.
pub(crate) const COLUMN: &dyn Kind = &Elements { end: End::Column, given: Given::Slice };

/// The kinds of elements in slices.
pub(super) const SLICES: [&dyn Kind; 3] = [EACH, ROW, COLUMN];

/// Those of arrays.
pub(crate) const ARRAYS: [&dyn Kind; 3] = [
    &Elements { end: End::Each, given: Given::Arrays },
    &Elements { end: End::Row, given: Given::Arrays },
    &Elements { end: End::Column, given: Given::Arrays },
];

/// Those of many sets.
pub(crate) const SETS: [&dyn Kind; 3] = [
    &Elements { end: End::Each, given: Given::Sets },
    &Elements { end: End::Row, given: Given::Sets },
    &Elements { end: End::Column, given: Given::Sets },
];

/// The elements of one or both ends of a pair.
struct Elements {
    end: End,
    given: Given,
}

/// What a launch takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// `&[T]`
    Slice,
    /// `&Arrays<T>`, whose source is that of a slice of arrays.
    Arrays,
    /// `&Sets<T>`
    Sets,
}

impl Kind for Elements {
    fn about(&self) -> About {
        let names = match self.given {
            Given::Slice | Given::Arrays => ["each", "of_rows", "of_columns"],
            Given::Sets => ["sets", "row_sets", "column_sets"],
        };
        let spellings = match self.given {
            Given::Slice => ["#[each] x: &[T]", "#[row] x: &[T]", "#[column] x: &[T]"],
            Given::Arrays => ["#[each] x: &Arrays<T>"; 3],
            Given::Sets => ["#[each] x: &Sets<T>", "#[row] x: &Sets<T>", "#[column] x: &Sets<T>"],
        };
        let role = self.end.choose([Role::Elements, Role::Row, Role::Column]);
        About {
            has_sets: self.given == Given::Sets,
            ..About::input(self.end.choose(names), self.end.choose(spellings), role)
        }
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let (cuda, name) = (&parameter.cuda.name, parameter.plain_name());
        let all = format!("const {cuda} *const __restrict__ {name}_all");
        let is_in_sets = self.given == Given::Sets;
        let tables = if is_in_sets { tables(input, parameter) } else { Vec::new() };
        [all].into_iter().chain(tables).collect()
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        vec![feature_parameter(self.end, parameter)]
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        let is_cudas = parameter.cuda.origin == Origin::Builtin;
        let parts = cuda_type::parts(&parameter.cuda).filter(|_| is_cudas);
        let count = parts.as_ref().map_or(0, |(_, count)| *count);
        let components: Vec<_> = ["x", "y", "z", "w"].into_iter().take(count).collect();
        let (name, each) = (parameter.plain_name(), components.iter());
        // The components of a block's columns, each in an array: their declaration, and those of one column.
        let [apart, joined] = ["BLOCK_COLUMNS", "c"].map(|size| {
            let all = each.clone().map(|component| format!("{name}_cols_{component}[{size}]"));
            all.collect::<Vec<_>>().join(", ")
        });
        vec![
            ("staged", Value::from(staged(input, parameter).0)),
            ("is_kept", Value::from(parameter.is_kept())),
            // The component type of a vector; nothing for other types.
            ("number", Value::from(parts.map(|(number, _)| number))),
            ("components", Value::from(components)),
            ("apart", Value::from(apart)),
            ("joined", Value::from(joined)),
        ]
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        // In thread space each thread reads its own two elements.
        if input.kernel.options.space == Space::Thread || !input.stages(parameter) {
            return Vec::new();
        }
        let kept = self.end.choose([quote!(Element), quote!(Row), quote!(Column)]);
        let size = staged_size(input, parameter);
        vec![quote!(#kept { size: #size })]
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let rust = &parameter.rust;
        let ty = match self.given {
            Given::Slice => return SLICE.taken(parameter, runtime),
            Given::Arrays => quote!(#runtime::Arrays<#rust>),
            Given::Sets => quote!(#runtime::Sets<#rust>),
        };
        Taken::Type { is_mut: false, ty }
    }

    fn call(
        &self,
        input: &SourceInput<'_>,
        _: &Parameter,
        arguments: &Ident,
    ) -> Option<TokenStream> {
        // Only triangles have launches of their own for large sets.
        let has_own_launches = self.given == Given::Sets && self.end == End::Each;
        let takes_set = has_own_launches && uses_set(input.kernel);
        takes_set.then(|| quote!(#arguments.takes_set();))
    }
}

/// The type in which elements of columns are staged, and the padding in bytes after each. Threads of the sweep `rotate` read
/// neighbouring arrays at the same time. Without padding, these are in different banks only if their size is an odd multiple of 16
/// bytes, or of what is read at once.
fn staged(input: &SourceInput<'_>, parameter: &Parameter) -> (String, usize) {
    let cuda = &parameter.cuda.name;
    let is_even = parameter.size().is_some_and(|bytes| bytes.is_multiple_of(32));
    match parameter.is_wide() && is_even && input.variant.tiling.sweep == Sweep::Rotate {
        true => (format!("td_padded<{cuda}>"), 16),
        false => (cuda.clone(), 0),
    }
}

/// The Rust expression of the bytes of a staged element.
fn staged_size(input: &SourceInput<'_>, parameter: &Parameter) -> TokenStream {
    let rust = &parameter.rust;
    let (_, padding) = staged(input, parameter);
    match (parameter.size(), padding) {
        // A block of the arrays has at most these bytes; `rust` is the type of their numbers.
        (Some(bytes), padding) if parameter.is_given_array() => {
            let bytes = bytes as usize + padding;
            quote!(#bytes)
        }
        (_, 0) => quote!(::core::mem::size_of::<#rust>()),
        (_, padding) => quote!(::core::mem::size_of::<#rust>() + #padding),
    }
}
