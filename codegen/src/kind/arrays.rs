//! `#[each] x: &Arrays<f32>`, or `#[row]` or `#[column]` for a rectangle: elements that are arrays of floats whose length a launch
//! gives, for [`ArraySums`](super::wide).
//!
//! The runtime keeps the arrays in blocks of up to 16 numbers and launches the kernel once for each block. So the source is that
//! of a slice of arrays of `TD_ARRAY_WIDTH` numbers, which the runtime replaces.

use minijinja::Value;
use proc_macro2::TokenStream;
use quote::quote;
use syn::TypePath;

use super::{COLUMN, EACH, ROW};
use crate::cuda_type;
use crate::element::{Element, argument_among};
use crate::errors::Errors;
use crate::model::{Argument, End, Kind, Parameter, Role, SourceInput, Taken};

/// The type in a signature.
const NAME: &str = "Arrays";

/// The type of their sums in a signature.
pub(super) const ARRAY_SUMS: &str = "ArraySums";

/// Arrays of the elements of one or both ends of a pair.
struct Arrays(End);

/// The kind of arrays of these elements.
pub(crate) fn arrays(end: End) -> &'static dyn Kind {
    end.choose([&Arrays(End::Each), &Arrays(End::Row), &Arrays(End::Column)])
}

/// Whether a path in a signature is that of arrays.
pub(crate) fn are_arrays(path: &TypePath) -> bool {
    path.path.segments.last().is_some_and(|last| last.ident == NAME)
}

/// The type of arrays, from the path in the signature. `None` for a wrong type, after adding an error.
pub(crate) fn element_of_arrays(path: &TypePath, errors: &mut Errors) -> Option<Element> {
    given_element(NAME, path, errors)
}

/// A block of arrays in CUDA, and the numbers of an array in Rust.
pub(super) fn given_element(name: &str, path: &TypePath, errors: &mut Errors) -> Option<Element> {
    let is_float = |cuda: &_| cuda_type::given_array(cuda).is_some();
    let message = |_| {
        format!(
            "`{name}` has arrays of `f32` or `f64`, whose width a launch gives: write `{name}<f32>`"
        )
    };
    let (number, rust) = argument_among(name, path, is_float, message, errors)?;
    Some((cuda_type::given_array(&number)?, rust))
}

impl Arrays {
    /// The kind of a slice of arrays, whose source is the same.
    fn slice(&self) -> &'static dyn Kind {
        self.0.choose([EACH, ROW, COLUMN])
    }
}

impl Kind for Arrays {
    fn name(&self) -> &'static str {
        self.slice().name()
    }

    fn spelling(&self) -> &'static str {
        "#[each] x: &Arrays<T>"
    }

    fn role(&self) -> Role {
        self.slice().role()
    }

    fn parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        self.slice().parameters(input, parameter)
    }

    fn pair_parameters(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<String> {
        self.slice().pair_parameters(input, parameter)
    }

    fn pair_arguments(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<Argument> {
        self.slice().pair_arguments(input, parameter)
    }

    fn facts(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<(&'static str, Value)> {
        self.slice().facts(input, parameter)
    }

    fn kept(&self, input: &SourceInput<'_>, parameter: &Parameter) -> Vec<TokenStream> {
        self.slice().kept(input, parameter)
    }

    fn taken(&self, parameter: &Parameter, runtime: &TokenStream) -> Taken {
        let rust = &parameter.rust;
        Taken::Type { is_mut: false, ty: quote!(#runtime::Arrays<#rust>) }
    }
}
