//! What is left of a wrong item: its errors, and an outline.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Visibility};

use super::Signature;
use super::item::Function;
use crate::attributes::Attributes;
use crate::errors::Errors;
use crate::model::{Kernel, Parameter};
use crate::names;

/// A wrong item: its errors, and what the rest of the user's code can use of it.
pub(crate) struct Rejected {
    /// The errors, and the tokens of the item that are kept.
    pub(crate) errors: TokenStream,
    /// The outline of the kernel, against which the rest of the user's code compiles.
    pub(crate) outline: Option<Outline>,
}

/// The parts of a kernel that other code can use.
pub(crate) struct Outline {
    pub(crate) name: Ident,
    pub(crate) visibility: Visibility,
    pub(crate) conditions: Vec<Attribute>,
    pub(crate) runtime: TokenStream,
    /// `None` for a wrong parameter.
    pub(crate) parameters: Vec<Option<Parameter>>,
}

impl Rejected {
    /// An item that is not a function. `rest` are its tokens that are kept.
    pub(super) fn item(errors: Errors, rest: &TokenStream) -> Box<Rejected> {
        let errors = errors.into_tokens(&[]);
        Box::new(Rejected { errors: quote!(#errors #rest), outline: None })
    }

    /// A wrong kernel. A type cannot be declared among methods.
    pub(super) fn kernel(errors: Errors, outline: Outline, is_method: bool) -> Box<Rejected> {
        let errors = errors.into_tokens(&outline.conditions);
        Box::new(Rejected { errors, outline: (!is_method).then_some(outline) })
    }
}

impl Outline {
    /// The outline of a kernel whose signature was read.
    pub(super) fn from_signature(
        function: Function,
        runtime: TokenStream,
        signature: Signature,
    ) -> Outline {
        let is_rectangle = signature.parameters.iter().any(Parameter::is_of_rectangle);
        let mut parameters = signature.into_places();
        // A launch may already have a parameter of that name.
        for (at, parameter) in parameters.iter_mut().enumerate().filter(|_| is_rectangle) {
            let name = parameter.as_mut().map(|each| &mut each.name);
            if let Some(name) = name
                && names::refused_of_rectangle(&name.unraw().to_string()).is_some()
            {
                *name = format_ident!("wrong_{at}", span = name.span());
            }
        }
        Outline {
            name: function.name,
            visibility: function.visibility,
            conditions: Attributes::of(&function.attributes).conditions,
            runtime,
            parameters,
        }
    }

    /// The outline of a kernel whose names collide.
    pub(super) fn from_kernel(kernel: Kernel) -> Outline {
        Outline {
            name: kernel.name,
            visibility: kernel.visibility,
            conditions: kernel.attributes.conditions,
            runtime: kernel.options.runtime,
            parameters: kernel.parameters.into_iter().map(Some).collect(),
        }
    }
}
