//! From tokens to the checked model. Only the modules below, `derive` and `errors` see `syn`.

mod attribute;
mod body;
mod function;
mod sweep;
pub(crate) mod types;

use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;
use crate::model::Kernel;
use crate::{Files, expand};

/// Reads an invocation; on failure, the errors and the shape of the item, for the rest of the
/// user's code to compile against.
pub(crate) fn kernel(
    attribute: TokenStream,
    item: &TokenStream,
    files: &dyn Files,
) -> Result<Kernel, TokenStream> {
    let mut errors = Errors::default();
    let (mut options, asked) = attribute::parse(attribute, &mut errors);
    let function = match function::parse(item) {
        Ok(function) => function,
        Err(error) => {
            errors.push(error);
            let errors = errors.into_tokens();
            return Err(quote!(#errors #item));
        }
    };
    function::check(&function, &mut errors);
    let parameters = function::parameters(&function, &mut errors);
    let variants = sweep::variants(&asked, options.variant, &parameters, &mut errors);
    if let Some(&first) = variants.first() {
        options.variant = first;
    }
    let body = body::parse(&function, files, &mut errors);
    let (attributes, conditions) = function::kept_attributes(&function);
    let visibility = {
        let visibility = &function.vis;
        quote!(#visibility)
    };
    match body {
        Some(body) if errors.is_empty() => Ok(Kernel {
            name: function.sig.ident,
            attributes,
            conditions,
            visibility,
            options,
            variants,
            parameters: parameters.into_iter().flatten().collect(),
            body,
        }),
        _ => {
            let name = &function.sig.ident;
            let shape = expand::shape(name, &visibility, &options.runtime, &parameters);
            let errors = errors.into_tokens();
            Err(quote!(#errors #shape))
        }
    }
}
