//! From tokens to the checked model. Only the modules below, `derive` and `errors` see `syn`.

mod attribute;
mod body;
mod function;
mod item;
mod sweep;
pub(crate) mod tiles;
pub(crate) mod types;
mod value;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

use self::attribute::Keys;
use crate::attributes::Attributes;
use crate::errors::Errors;
use crate::model::Kernel;
use crate::{Files, expand};

/// Reads an invocation; on failure, the errors and a fallback item, for the rest of the
/// user's code to compile against.
pub(crate) fn kernel(
    attribute: TokenStream,
    item: &TokenStream,
    files: &dyn Files,
) -> Result<Kernel, TokenStream> {
    let mut errors = Errors::default();
    let Keys { options, map, asked } = attribute::parse(attribute, &mut errors);
    let function = match item::parse(item, &mut errors) {
        Ok(function) => function,
        Err(rest) => {
            let errors = errors.into_tokens(&[]);
            return Err(quote!(#errors #rest));
        }
    };
    function::check(&function, &mut errors);
    let parameters = function::parameters(&function, &mut errors);
    let variants = sweep::variants(&asked, map, &parameters, &mut errors);
    let body = body::parse(&function.body, files, &mut errors);
    let attributes = Attributes::of(&function.attributes);
    let is_method = function.is_method();
    match body {
        Some(body) if errors.is_empty() => Ok(Kernel {
            name: function.name,
            attributes,
            visibility: function.visibility,
            options,
            variants,
            parameters: parameters.into_iter().flatten().collect(),
            body,
        }),
        _ => {
            let errors = errors.into_tokens(&attributes.conditions);
            // Among methods no type can stand.
            let fallback = (!is_method).then(|| {
                let (name, runtime) = (&function.name, &options.runtime);
                let (visibility, conditions) = (&function.visibility, &attributes.conditions);
                expand::fallback(name, visibility, conditions, runtime, &parameters)
            });
            Err(quote!(#errors #fallback))
        }
    }
}

/// The expression without the invisible brackets that a macro by example puts around what it is given.
pub(crate) fn bare(expression: &Expr) -> &Expr {
    match expression {
        Expr::Group(group) => bare(&group.expr),
        _ => expression,
    }
}
