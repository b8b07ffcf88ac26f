//! `#[each] x: &Features<T>`, or `#[row]` or `#[column]` for a rectangle: elements with features, whose number a launch gives.
//! `&FeatureSets<T>`: the same for the elements of many sets, with the tables of the sets.
//!
//! The `feature` body gets the values of the pair's two elements, or of one of them; the `pair` body gets none. The rows of
//! features are aligned to 16 bytes, and the kernel reads them in words of 16 bytes.

use minijinja::Value;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::TypePath;

use super::many_sets::tables;
use crate::cuda_type::{self, CudaType, Origin};
use crate::element::{Element, argument_among, only_in_rust};
use crate::errors::Errors;
use crate::model::{About, Argument, End, Kind, Parameter, Role, SourceInput, Taken, bytes};

/// Features of the elements of one or both ends of a pair.
struct Features {
    end: End,
    has_sets: bool,
}

impl Features {
    const fn of(end: End) -> Features {
        Features { end, has_sets: false }
    }

    const fn many_sets(end: End) -> Features {
        Features { end, has_sets: true }
    }
}

/// Every kind of features of one set.
pub(crate) const FEATURES: [&dyn Kind; 3] =
    [&Features::of(End::Each), &Features::of(End::Row), &Features::of(End::Column)];

/// Every kind of features of many sets.
pub(crate) const FEATURE_SETS: [&dyn Kind; 3] = [
    &Features::many_sets(End::Each),
    &Features::many_sets(End::Row),
    &Features::many_sets(End::Column),
];

/// The type of features, from the path in the signature. `None` for a wrong type, after adding an error.
pub(crate) fn feature(name: &str, path: &TypePath, errors: &mut Errors) -> Option<Element> {
    let is_feature = |cuda: &CudaType| {
        cuda.origin != Origin::User && matches!(cuda_type::size(cuda), Some(1 | 2 | 4 | 8))
    };
    let message = "a feature must have 1, 2, 4 or 8 bytes: write a number, or a small vector like `[i8; 4]` or `[f32; 2]`";
    let message = |ty: &_| only_in_rust(ty).unwrap_or_else(|| message.to_owned());
    argument_among(name, path, is_feature, message, errors)
}

impl Kind for Features {
    fn about(&self) -> About {
        let (names, spelling) = match self.has_sets {
            true => (
                ["feature_sets", "row_feature_sets", "column_feature_sets"],
                "#[each] x: &FeatureSets<T>",
            ),
            false => (
                ["features_of_each", "features_of_rows", "features_of_columns"],
                "#[each] x: &Features<T>",
            ),
        };
        About {
            has_sets: self.has_sets,
            is_listed: self.end == End::Each,
            // Its address, those of two tables, and the width.
            words: if self.has_sets { 4 } else { 3 },
            ..About::input(self.end.choose(names), spelling, Role::Features(self.end))
        }
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        let words = format!("const uint4 *const __restrict__ {}_all", parameter.plain_name());
        let tables = if self.has_sets { tables(input, parameter) } else { Vec::new() };
        // All features of a kernel have the same width.
        let width = is_first(input, parameter).then(|| "const unsigned int features".to_owned());
        [words].into_iter().chain(tables).chain(width).collect()
    }

    fn pair_parameters(&self, _: &SourceInput<'_>, _: &Parameter) -> Vec<String> {
        Vec::new()
    }

    fn pair_arguments(&self, _: &SourceInput<'_>, _: &Parameter) -> Vec<Argument> {
        Vec::new()
    }

    fn facts(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        vec![
            ("kept_as", Value::from(kept_as(parameter))),
            ("has_row", Value::from(self.end.has_row())),
            ("has_column", Value::from(self.end.has_column())),
        ]
    }

    fn kept(&self, _: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        let rust = &parameter.rust;
        let size = parameter
            .size()
            .map_or_else(|| quote!(::core::mem::size_of::<#rust>() as u32), |size| quote!(#size));
        let sides = if self.end == End::Each { 2_usize } else { 1 };
        vec![quote!(Features { sides: #sides, size: #size })]
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let rust = &parameter.rust;
        let ty = match self.has_sets {
            true => quote!(#runtime::FeatureSets<#rust>),
            false => quote!(#runtime::Features<#rust>),
        };
        Taken::Type { is_mut: false, ty }
    }

    fn call(
        &self,
        input: &SourceInput<'_>,
        parameter: &Parameter,
        arguments: &Ident,
    ) -> Option<TokenStream> {
        is_first(input, parameter).then(|| match bytes::most_features(input.kernel) {
            None => quote!(#arguments.width()?;),
            Some(most) => quote!(#arguments.width_up_to(#most)?;),
        })
    }
}

/// Whether it is the first parameter that has features.
fn is_first(input: &SourceInput<'_>, parameter: &Parameter) -> bool {
    let mut all = input.kernel.parameters.iter().filter(|each| each.features().is_some());
    all.next().is_some_and(|first| first.name == parameter.name)
}

/// The type in which a kernel stages a feature. A vector of small numbers is staged as a number of the same size, because the
/// compiler would split the vector.
pub(crate) fn kept_as(parameter: &Parameter) -> &str {
    let small = cuda_type::parts(&parameter.cuda).is_some_and(|(number, _)| {
        matches!(number.as_str(), "signed char" | "unsigned char" | "short" | "unsigned short")
    });
    match parameter.size() {
        Some(2) if small => "unsigned short",
        Some(4) if small => "unsigned int",
        Some(8) if small => "uint2",
        _ => &parameter.cuda.name,
    }
}

/// The parameter of the `feature` body, or of the `pair` body for elements: the feature or element of both ends, or of one.
pub(crate) fn feature_parameter(end: End, parameter: &Parameter) -> String {
    let (cuda, name) = (&parameter.cuda.name, parameter.plain_name());
    match end {
        End::Each => format!("const td_each<{cuda}> {name}"),
        _ => format!("const {cuda} {name}"),
    }
}
